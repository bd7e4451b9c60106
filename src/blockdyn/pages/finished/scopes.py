"""Scopes of a page group lines that stand together or are compared, with the numbers of each."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.mathematics.sum import Sum
from ...diagrams.model.flatten import flatten
from ...diagrams.results.lines import break_line, thin_line, wraps
from ...diagrams.results.result import Result
from ...diagrams.results.trace import FloatArray, Trace


def doubles(values: FloatArray) -> str:
    """Eight bytes each."""
    return _pack_numbers(np.ascontiguousarray(values, "<f8"))


def singles(values: FloatArray) -> dict[str, Any]:
    """Four bytes each: where a value lies between the least and the greatest, to 6e-8 of the range."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    middle, scale = low / 2 + high / 2, high / 2 - low / 2
    with np.errstate(invalid="ignore"):  # infinite values have no place in a range
        parts = (np.where(np.isfinite(values), values, np.nan) - middle) / (scale or 1.0)
    return {"middle": middle, "scale": scale, "data": _pack_numbers(parts.astype("<f4"))}


def _pack_numbers(numbers: Any) -> str:
    """Deflated with the first bytes of all numbers before the second ones: neighbours are alike."""
    planes = numbers.view(np.uint8).reshape(-1, numbers.itemsize).T
    return base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode("ascii")


REFERENCES = (("r", "y"), ("reference", "measured"), ("reference", "y"))
"""Names of inputs of controllers."""


def differences(result: Result) -> list[tuple[str, str]]:
    """Pairs of signals, each in one pair at most; none where the result does not hold its diagram."""
    provenance = result.provenance
    try:
        diagram = provenance.source
        if diagram is None and provenance.description:
            from ...diagrams.yaml import loads

            diagram = loads(provenance.description)
        blocks = flatten(diagram).blocks if diagram is not None else ()
    except BlockdynError:
        return []
    pairs: list[tuple[str, str]] = []
    for flat in blocks:
        for ports in _compared_inputs(flat.block, tuple(flat.sources)):
            sources = [flat.sources[port] for port in ports]
            paths = tuple(".".join(source) for source in sources if source is not None)
            if len(set(paths)) == 2 and not any(path in pair for pair in pairs for path in paths):
                pairs.append((paths[0], paths[1]))
    return [pair for pair in pairs if _match_times(result, pair)]


def _compared_inputs(block: object, ports: tuple[str, ...]) -> list[tuple[str, str]]:
    """The inputs whose difference a block takes, the reference first."""
    if isinstance(block, Sum):
        signs = block.signs if isinstance(block.signs, str) else ""
        return [(ports[signs.index("+")], ports[signs.index("-")])] if sorted(signs) == ["+", "-"] else []
    return [pair for pair in REFERENCES if set(pair) <= set(ports)][:1]


def _match_times(result: Result, pair: tuple[str, str]) -> bool:
    traces = [result.signals.get(path) for path in pair]
    return all(trace is not None for trace in traces) and traces[0].shape == traces[1].shape  # type: ignore[union-attr]


MOST_TOGETHER = 6  # scalars of one unit in a scope
MOST_FIRST = 12  # scopes that are seen at once where the diagram declares none
MOST_SAMPLES = 8_000_000  # of a page: some 30 MB
_LEAST_COLUMNS = 3000


@dataclass
class Lines:
    """The lines of a page, each once, and the instants that they share."""

    stop: float
    samples: int  # of a line, at most
    times: list[str] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    thinned: int = 0
    _time_numbers: dict[bytes, int] = field(default_factory=dict)
    _numbers: dict[tuple[str, int, str, str], int] = field(default_factory=dict)

    def add(self, trace: Trace, element: int, name: str, unit: str) -> int:
        """The number of the line of one element of a trace."""
        key = (trace.path, element, name, unit)
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            time, values = self._drawn(trace, trace.flat[:, element], unit)
            line = {"name": name, "unit": unit, "time": self._time(time), "held": trace.kind == "discrete"}
            self.lines.append(line | singles(values))
        return self._numbers[key]

    def _drawn(self, trace: Trace, values: FloatArray, unit: str) -> tuple[FloatArray, FloatArray]:
        """With gaps where an angle wraps, held to the end, and thinned where there are too many samples."""
        time = trace.time
        if trace.kind == "discrete":
            if time.size and time[-1] < self.stop:
                time, values = np.append(time, self.stop), np.append(values, values[-1])
        else:
            gaps = wraps(values, unit)
            gaps = gaps[time[gaps] > time[gaps - 1]]  # at an event both limits are there, and joined
            values, time = (*break_line(gaps, values), np.insert(time, gaps, time[gaps]))
        if time.size > self.samples:
            self.thinned += 1
            return thin_line(time, values, columns=max(_LEAST_COLUMNS, self.samples // 4))
        return time, values

    def _time(self, time: FloatArray) -> int:
        key = time.tobytes()
        if key not in self._time_numbers:
            self._time_numbers[key] = len(self.times)
            self.times.append(doubles(time))
        return self._time_numbers[key]


def scopes(result: Result, lines: Lines) -> list[dict[str, Any]]:
    """Every scope of a page: the diagram's scopes, then all other signals, by their units."""
    declared = declared_scopes(result, lines)
    shown = {path for scope in result.scopes if scope.form != "file" for path in scope.traces}
    others = list(
        _group_traces([t for t in result.signals.values() if t.path not in shown], differences(result))
    )
    return declared + [
        {
            "title": title,
            "form": "time",
            "first": not declared and k < MOST_FIRST,
            "lines": _numbers(traces, lines),
        }
        for k, (title, traces) in enumerate(others)
    ]


def declared_scopes(result: Result, lines: Lines) -> list[dict[str, Any]]:
    """The scopes of the diagram itself."""
    return [_declared_scope(result, scope, lines) for scope in result.scopes if scope.form != "file"]


def _declared_scope(result: Result, scope: Any, lines: Lines) -> dict[str, Any]:
    numbers = []
    traces = [result.trace(path) for path in scope.traces]
    units = [unit.strip() for unit in scope.unit.split(",")]
    labels = scope.labels
    if scope.form == "xy":
        half = len(traces) // 2
        curves = [f" {name}" for name in labels[2:]] or [""] * half
        units = [unit for unit in units for _ in range(half)]
        labels = [f"{label}{curve}" for label in labels[:2] for curve in curves]
    if len(units) != len(traces):
        units = units * len(traces) if len(units) == 1 else [""] * len(traces)
    for k, trace in enumerate(traces):
        label = labels[k] if labels else trace.path
        for i, (name, unit) in enumerate(zip(trace.names, trace.units)):
            numbers.append(lines.add(trace, i, label + name[len(trace.path) :], units[k] or unit))
    form = "xy" if scope.form == "xy" else "time"
    return {"title": scope.title or scope.path, "form": form, "first": True, "lines": numbers}


def _group_traces(
    traces: Sequence[Trace], pairs: Sequence[tuple[str, str]]
) -> Iterable[tuple[str, list[Trace]]]:
    """A reference and its response share a scope, as do scalars of one unit; other vectors have their own."""
    by_path = {trace.path: trace for trace in traces}
    for pair in pairs:
        if all(path in by_path for path in pair):
            yield ", ".join(pair), [by_path.pop(path) for path in pair]
    traces = list(by_path.values())
    for trace in traces:
        if trace.shape:
            yield trace.path, [trace]
    scalars = sorted((trace for trace in traces if not trace.shape), key=lambda trace: trace.unit)
    for _, group in groupby(scalars, key=lambda trace: trace.unit):
        together = list(group)
        for k in range(0, len(together), MOST_TOGETHER):
            chosen = together[k : k + MOST_TOGETHER]
            yield ", ".join(trace.path for trace in chosen), chosen


def _numbers(traces: Sequence[Trace], lines: Lines) -> list[int]:
    """Of the lines of a scope; under the path of a vector its elements have their names alone."""
    several = len(traces) > 1
    return [
        lines.add(trace, i, name if several else name[len(trace.path) :].strip("[]") or name, unit)
        for trace in traces
        for i, (name, unit) in enumerate(zip(trace.names, trace.units))
    ]
