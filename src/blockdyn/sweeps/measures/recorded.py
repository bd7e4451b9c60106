"""Compute measures of a finished result from its samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...blocks.contract.formula import parse
from ...solvers import layout
from ...solvers.loop.record import CROSSING, TIMER
from . import kinds
from .declaration import GRADIENT, MARGINS, Measure
from .declared import Measures
from .kernel import Absorber
from .signals import Signal, Signals
from .text import Formula, Parameter, read_formula

if TYPE_CHECKING:
    from ...diagrams.compiler.plan.layout import Plan
    from ...diagrams.model.diagram import Diagram
    from ...diagrams.results.result import Result
    from ...diagrams.results.trace import Trace

Floats = NDArray[np.float64]
NOT_RECORDED = (GRADIENT, *MARGINS, "saturated")
"""Kinds of measures that samples of signals do not show."""
INSIDE = (0.25, 0.5, 0.75)  # points of a step between its ends
LEAST = 4  # samples of a cubic spline
LEFT, RIGHT = "left", "right"  # limits


def measure_recorded(result: Result, measures: Measures, diagram: Diagram) -> dict[str, float]:
    """The numbers of a result by name. Raises SweepError, UnknownPath, UnknownSignal."""
    for measure in measures.measures:
        if measure.kind in NOT_RECORDED:
            problem = f"`{measure.kind}` is not in the samples of a result"
            raise measure.wrong(problem, "expected: another kind; `diagram.measure` runs the diagram for it")
    program = measures.diagram.compile().with_log(list(measures.signals))
    compiled = measures.compiled(program)
    rows = _rows(_ResultSignals(result, Signals(diagram)), measures.measures, compiled.refine)
    spec = compiled.spec.copy()
    spec[:, kinds.COLUMN] = np.arange(len(spec))  # each measure has its own
    absorber = Absorber(replace(compiled, spec=spec))
    absorber.take(rows, _events(result, program.plan))
    numbers = measures.finish(absorber.concluded(float(rows[-1, 0]))[None, :])[0].tolist()
    steps = float(result.provenance.statistics.get("steps", np.nan))
    return {
        measure.name: steps if measure.kind == "steps" else number
        for measure, number in zip(measures.measures, numbers, strict=True)
    }


class _ResultSignals:
    """Signals of a result at any time: cubic splines between the samples of continuous signals."""

    def __init__(self, result: Result, signals: Signals) -> None:
        self.result, self.signals = result, signals
        self._lines: dict[str, _Line] = {}
        self._events = np.unique([event.time for event in result.events])

    def formula(self, measure: Measure) -> tuple[Formula, bool]:
        """The formula of a measure, and True if its absolute value is meant."""
        return read_formula(measure, self.signals)

    def line(self, signal: Signal) -> _Line:
        """The samples of an output. Raises UnknownSignal if the result does not keep them."""
        if signal.log not in self._lines:
            self._lines[signal.log] = _Line(self.result.trace(signal.log), self._events)
        return self._lines[signal.log]

    def outputs(self, formula: Formula) -> Iterator[_Line]:
        """The outputs that a formula reads."""
        for part in formula.inputs.values():
            if isinstance(part, Signal):
                yield self.line(part)
            elif isinstance(part, Formula):
                yield from self.outputs(part)

    def values(self, formula: Formula, times: Floats, side: str) -> Floats:
        """The values (n, elements) of a formula: limits from one side."""
        parsed = parse(formula.text)
        parts = {name: self._part(part, times, side) for name, part in formula.inputs.items()}
        parts["t"] = parts.get("t", times[:, None])
        value = parsed(*(parts[name] for name in parsed.names))
        values = np.asarray(value, np.float64)
        return np.broadcast_to(values, np.broadcast_shapes(values.shape, (len(times), 1)))

    def _part(self, part: Signal | Parameter | Formula, times: Floats, side: str) -> Floats:
        if isinstance(part, Signal):
            values = self.line(part).at(times, side)
            return values if part.index is None else values[:, [part.index]]
        if isinstance(part, Parameter):
            value = self.result.provenance.parameters.get(part.name, self.signals.flat.parameters[part.name])
            return np.ravel(np.asarray(value, np.float64))[None, :]
        norms: Floats = np.linalg.norm(self.values(part, times, side), axis=1, keepdims=True)
        return norms


class _Line:
    """One trace, in stretches between events.

    Rows on a grid may lack a limit of an event; then the signal is linear from the last row before it.
    """

    def __init__(self, trace: Trace, events: Floats) -> None:
        self.trace, self.held = trace, trace.kind == "discrete"
        self.time, self.flat = trace.time, trace.flat
        twice = np.flatnonzero(np.diff(self.time) == 0.0)
        self.jumps = self.time if self.held else self.time[twice]
        after = np.searchsorted(self.time, events[~np.isin(events, self.jumps)], side="left")
        self._starts = np.unique(np.concatenate([[0], twice + 1, after, [len(self.time)]]))
        self._splines: dict[int, Any] = {}

    def at(self, times: Floats, side: str) -> Floats:
        """The values (n, elements) at increasing times, limits from one side."""
        last = np.searchsorted(self.time, times, side="right") - 1
        if side == LEFT:
            last = np.maximum(np.searchsorted(self.time, times, side="left") - 1, 0)
        if self.held:
            return self.flat[last]
        values = np.empty((len(times), self.flat.shape[1]))
        stretch = np.searchsorted(self._starts, last, side="right") - 1
        for number in np.unique(stretch).tolist():
            chosen = stretch == number
            values[chosen] = self._spline(number)(times[chosen])
        between = times > self.time[self._starts[stretch + 1] - 1]
        if between.any():
            values[between] = self.trace.at(times[between], "interpolate").reshape(-1, values.shape[1])
        return values

    def _spline(self, number: int) -> Any:
        from scipy.interpolate import CubicSpline, make_interp_spline

        if number not in self._splines:
            part = slice(self._starts[number], self._starts[number + 1])
            time, flat = self.time[part], self.flat[part]
            if len(time) == 1:
                self._splines[number] = lambda times: np.repeat(flat, len(times), axis=0)
            elif len(time) < LEAST or not np.isfinite(flat).all():
                self._splines[number] = make_interp_spline(time, flat, k=1)
            else:
                self._splines[number] = CubicSpline(time, flat)
        return self._splines[number]


def _rows(recorded: _ResultSignals, measures: Iterable[Measure], refine: int) -> Floats:
    """Rows as a run passes them to the kernel: time, flag, the signal of each measure."""
    read = [recorded.formula(m) if m.looks_at == "signal" else None for m in measures]
    lines = [line for each in read if each is not None for line in recorded.outputs(each[0])]
    result = recorded.result
    instants = np.unique(np.concatenate([result.time, *(line.time for line in lines)]))
    ends = instants[:-1, None], instants[1:, None]
    inside = ends[0] + (ends[1] - ends[0]) * np.array(INSIDE if refine > 1 else ())
    jumps = np.unique(np.concatenate([[], *(line.jumps for line in lines)]))
    jumping = instants[1:][np.isin(instants[1:], jumps)]
    times = np.concatenate([instants[:1], inside.ravel(), instants[1:], jumping])
    flags = np.full(len(times), float(layout.AT_STEP))
    flags[0] = layout.INITIAL
    flags[1 + inside.size : 1 + inside.size + len(instants) - 1][np.isin(instants[1:], jumps)] = layout.LEFT
    flags[len(times) - len(jumping) :] = layout.RIGHT
    order = np.argsort(times, kind="stable")
    rows = np.zeros((len(times), 2 + len(read)))
    rows[:, 0], rows[:, 1] = times[order], flags[order]
    left = rows[:, 1] == layout.LEFT
    for column, each in enumerate(read):
        if each is not None:
            for side, chosen in ((LEFT, left), (RIGHT, ~left)):
                values = recorded.values(each[0], rows[chosen, 0], side)
                rows[chosen, 2 + column] = values[:, 0]
    return rows


def _events(result: Result, plan: Plan) -> Floats:
    """The events of a result as a run passes them to the kernel: time, kind, number."""
    owners = reversed([*enumerate(plan.crossing_owner)])
    crossings = {(plan.units[unit].path, name): i for i, (unit, name) in owners}
    timers = {plan.units[owner].path: i for i, owner in enumerate(plan.timer_owner) if owner >= 0}
    rows = [
        (event.time, CROSSING, crossings.get((event.path, event.detail), -1))
        if event.kind == "zero crossing"
        else (event.time, TIMER, timers.get(event.path, -1))
        for event in result.events
    ]
    return np.array(sorted(rows), np.float64).reshape(-1, 3)
