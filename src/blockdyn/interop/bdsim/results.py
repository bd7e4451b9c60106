"""Results in the form of bdsim: arrays of times, states and watched signals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import BlockdynError
from ...base.words import nearest
from ...diagrams.results.logged_rows import LoggedRows, logged_rows
from ...diagrams.results.result import Result
from ...diagrams.results.trace import FloatArray
from .translate import Translation, key_of


@dataclass(frozen=True)
class WatchedSignal:
    """A watched output: bdsim's name of it, and its signal here."""

    name: str
    path: str


def watched(source: Any, translation: Translation, watch: Sequence[Any]) -> list[WatchedSignal]:
    """Signals in a list of blocks, ports and names. Raises BlockdynError."""
    return [_resolve_signal(source, translation, item) for item in watch]


def _resolve_signal(source: Any, translation: Translation, item: Any) -> WatchedSignal:
    block, port = item, 0
    if isinstance(item, str):
        match = re.fullmatch(r"([^\[]+)(?:\[(\d+)\])?", item)
        block = _find_block(source, match[1]) if match else None
        port = int(match[2] or 0) if match else 0
        if block is None:
            hint = nearest(match[1] if match else item, list(source.blocknames))
            raise BlockdynError(f"watch={item!r}: the diagram has no block of this name{hint}")
    elif hasattr(item, "block"):
        block, port = item.block, int(item.port or 0)
    block = getattr(block, "outport", block)
    if (
        not hasattr(block, "nout")
        or not 0 <= port < max(block.nout, block.nin)
        or not translation.holds(block)
    ):
        expected = 'a block of the diagram, one of its outputs, or their names, "plant" or "plant[0]"'
        raise BlockdynError(f"watch: found {item!r:.80}\nexpected: {expected}")
    path = translation.source(block, port)
    if not path:
        raise BlockdynError(f"watch: output {port} of {block.name} is not computed where nothing reads it")
    return WatchedSignal(f"{block.name}[{port}]", path)


def _find_block(source: Any, name: str) -> Any:
    """The block of a name; for a subsystem, which is flattened, the source of its output."""
    exits = (
        b for b in source.blocklist if b.name.rpartition("/")[0] == name and key_of(b) == "bdsim.OutPort"
    )
    return source.blocknames.get(name) or next(exits, None)


def structured(
    source: Any, translation: Translation, signals: Sequence[WatchedSignal], result: Result, stop: float
) -> Any:
    """bdsim's BDStruct of a run."""
    from .filled import LazyStruct  # late: it needs bdsim itself

    watched = tuple(signal.path for signal in signals)

    def entries() -> dict[str, Any]:
        logged = logged_rows(result, (*translation.states, *translation.sampled_signals, *watched))
        rows, columns = logged.steps, logged.columns
        time = rows[:, 0].copy()
        out = {
            "t": time,
            "x": _take_columns(rows, columns.side_by_side(translation.states)),
            "xnames": list(source.statenames),
        }
        end = float(time[-1]) if time.size else stop
        for number, clock in enumerate(source.clocklist):
            sampled = LazyStruct(f"clock{number}", result, partial(_clock, clock, translation, logged, end))
            out[f"clock{number}"] = out[str(clock.name).replace(".", "")] = sampled
        if watched:
            out["y"] = _take_columns(rows, columns.side_by_side(watched))
            out["ynames"] = [signal.name for signal in signals]
            out[".ywatch"] = [rows[:, columns[path]] for path in watched]
        out[".stats"] = LazyStruct("stats", result, partial(_stats, result, time.size))
        return out

    return LazyStruct("results", result, entries)


def _clock(clock: Any, translation: Translation, logged: LoggedRows, end: float) -> dict[str, Any]:
    """The states of the blocks of a clock at its ticks."""
    time, after = ticks(clock.T, clock.offset, end)
    X = _take_columns(logged.at(after), logged.columns.side_by_side(translation.clocked(clock)))
    return {"t": time.copy(), "X": X, "Xnames": list(clock.statenames)}


def _take_columns(rows: FloatArray, columns: NDArray[np.int64]) -> FloatArray:
    """Columns of rows; without columns bdsim has no rows."""
    return rows.take(columns, axis=1) if columns.size else np.array([])


def _stats(result: Result, points: int) -> dict[str, Any]:
    """Counts of a run as in bdsim, and s; its intervals lie between events."""
    counted = result.statistics
    instants = {event.time for event in result.events if event.time < counted["end"]}
    crossings = Counter(event.path for event in result.events if event.kind == "zero crossing")
    return {
        "integration_time_points": points,
        "run_interval_calls": len(instants) + 1,
        "ydot_calls": counted["evaluations"],
        "integrator_wall_time": counted["wall time"],
        "events_detected_total": crossings.total(),
        "events_detected_by_source": dict(crossings),
    }


@lru_cache(maxsize=64)
def ticks(period: float, offset: float, end: float) -> tuple[FloatArray, FloatArray]:
    """The times of a clock's ticks, of which the first is a period after its offset, and soon after them."""
    count = int(np.floor((end - offset) / period + 1e-9))
    time = np.asarray(np.arange(1, count + 1) * period + offset, np.float64)
    return time, time + 1e-9 * np.maximum(time, 1.0)
