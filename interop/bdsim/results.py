"""Results in the form of bdsim: arrays of times, states and watched signals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.nearest import nearest
from ...diagrams.results.result import Result
from ...diagrams.results.trace import FloatArray, Trace
from .translate import Translation, key_of


class BadWatch(BlockdynError):
    """Something to watch that the diagram does not have."""


@dataclass(frozen=True)
class Watched:
    """A watched output: bdsim's name of it, and its signal here."""

    name: str
    path: str


def watched(source: Any, translation: Translation, watch: Sequence[Any]) -> list[Watched]:
    """What a list of blocks, ports and names means. Raises BadWatch."""
    return [_one(source, translation, item) for item in watch]


def _one(source: Any, translation: Translation, item: Any) -> Watched:
    block, port = item, 0
    if isinstance(item, str):
        match = re.fullmatch(r"([^\[]+)(?:\[(\d+)\])?", item)
        block = _named(source, match[1]) if match else None
        port = int(match[2] or 0) if match else 0
        if block is None:
            hint = nearest(match[1] if match else item, list(source.blocknames))
            raise BadWatch(f"watch={item!r}: the diagram has no block of this name{hint}")
    elif hasattr(item, "block"):
        block, port = item.block, int(item.port or 0)
    block = getattr(block, "outport", block)
    if (
        not hasattr(block, "nout")
        or not 0 <= port < max(block.nout, block.nin)
        or not translation.holds(block)
    ):
        expected = 'a block of the diagram, one of its outputs, or their names, "plant" or "plant[0]"'
        raise BadWatch(f"watch: found {item!r:.80}\nexpected: {expected}")
    path = translation.source(block, port)
    if not path:
        raise BadWatch(f"watch: output {port} of {block.name} is not computed where nothing reads it")
    return Watched(f"{block.name}[{port}]", path)


def _named(source: Any, name: str) -> Any:
    """The block of a name; of a subsystem, which has been taken apart, what it gives."""
    exits = (
        b for b in source.blocklist if b.name.rpartition("/")[0] == name and key_of(b) == "bdsim.OutPort"
    )
    return source.blocknames.get(name) or next(exits, None)


def structured(
    source: Any, translation: Translation, signals: Sequence[Watched], result: Result, stop: float
) -> Any:
    """bdsim's BDStruct of a run."""
    from .filled import Filled  # late: it needs bdsim itself

    def entries() -> dict[str, Any]:
        time = result.time
        paths = [path for block in source.blocklist if block.blockclass == "continuous"
                 for path in translation.places[block].states]  # fmt: skip
        states = [_columns(rows(result.trace(path), time)) for path in paths]
        out = {
            "t": np.array(time),
            "x": np.hstack(states) if states else np.array([]),
            "xnames": list(source.statenames),
        }
        end = float(time[-1]) if time.size else stop
        for number, clock in enumerate(source.clocklist):
            sampled = Filled(f"clock{number}", result, partial(_clock, clock, translation, result, end))
            out[f"clock{number}"] = out[str(clock.name).replace(".", "")] = sampled
        if signals:
            logs = [rows(result.trace(signal.path), time) for signal in signals]
            out["y"] = np.hstack([_columns(log) for log in logs])
            out["ynames"] = [one.name for one in signals]
            out[".ywatch"] = logs
        out[".stats"] = Filled("stats", result, partial(_stats, result))
        return out

    return Filled("results", result, entries)


def _clock(clock: Any, translation: Translation, result: Result, end: float) -> dict[str, Any]:
    """The states of the blocks of a clock at its ticks."""
    time = ticks(clock, end)
    traces = [result.trace(path) for block in clock.blocklist for path in translation.places[block].state]
    log = [_columns(values) for values in held(traces, time)]
    return {"t": time, "X": np.hstack(log) if log else np.array([]), "Xnames": list(clock.statenames)}


def _stats(result: Result) -> dict[str, Any]:
    """What bdsim counts of a run, s and counts; its intervals are those between events."""
    counted = result.statistics
    instants = {event.time for event in result.events if event.time < counted["end"]}
    crossings = Counter(event.path for event in result.events if event.kind == "zero crossing")
    return {
        "integration_time_points": len(result.time),
        "run_interval_calls": len(instants) + 1,
        "ydot_calls": counted["evaluations"],
        "integrator_wall_time": counted["wall time"],
        "events_detected_total": crossings.total(),
        "events_detected_by_source": dict(crossings),
    }


def ticks(clock: Any, end: float) -> FloatArray:
    """The times of a clock's ticks, from the first one, a period after its offset, on."""
    count = int(np.floor((end - clock.offset) / clock.T + 1e-9))
    return np.asarray(np.arange(1, count + 1) * clock.T + clock.offset, np.float64)


def rows(trace: Trace, time: FloatArray) -> FloatArray:
    """A trace at these instants; of two equal ones the first has the limit from the left."""
    if trace.time is time or np.array_equal(trace.time, time):
        return trace.values
    place = np.searchsorted(trace.time, time, side="right") - 1
    if time.size > 1:
        left = np.append(time[1:] == time[:-1], False)
        place[left] = np.searchsorted(trace.time, time[left], side="left") - 1
    return np.asarray(trace.values[np.maximum(place, 0)])


def held(traces: Sequence[Trace], time: FloatArray) -> list[FloatArray]:
    """Traces that begin with the run, at these instants: the limits from the right."""
    after = time + 1e-9 * np.maximum(time, 1.0)
    return [trace.values[np.searchsorted(trace.time, after, side="right") - 1] for trace in traces]


def _columns(values: FloatArray) -> FloatArray:
    return values.reshape(len(values), -1)
