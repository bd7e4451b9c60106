"""Operating points at which a diagram is linearised: the time, its states, inputs, and held values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..base.hints import AttributeHints
from ..base.schema import is_number
from ..base.shown import NotebookText
from ..base.text_table import Table, plain
from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import places
from ..diagrams.runs.evaluation import find_variable, numbers
from ..diagrams.runs.owned import make_owned_objects
from ..diagrams.runs.prepared import prepare_run
from ..diagrams.touches.course import Course
from ..solvers.addressed import bare
from ..solvers.loop.run import Run
from .errors import AnalysisError, UnknownVariable
from .models.linear_model import Matrix


def stops_along(program: Program, instants: Matrix, *, signals: bool = True) -> Iterator[tuple[float, Run]]:
    """Yield the run at each of increasing instants, not before its start, with its `signals`.

    Steps end at the instants. Raises AnalysisError, and the errors of runs.
    """
    begin = float(program.flat.simulation.get("start") or 0.0)
    end = float(instants[-1]) if instants.size else begin
    arguments: dict[str, Any] = {"stop": end, "progress": False}
    prepared = prepare_run(program, arguments)
    run, calls = prepared.run()
    m, s = run.memory, run.work
    s.refine = 0  # no rows between the ends of steps
    course = Course(prepared.program, run, calls, _forget)
    evaluate = bare(prepared.program.addresses)[1]
    x, scratch, memory = m.x.ctypes.data, s.scratch.ctypes.data, m.address
    with make_owned_objects(prepared.program, m.p):
        status = calls[0]()
        for instant in instants.tolist():
            if status == 0 and instant > begin:
                status = course.cut(instant)
            if status != 0 or s.t != instant:
                program.simulate(**arguments)  # raises the error of the run
                raise AnalysisError(f"the run ends at {s.t:g} s", "times up to its end")
            if signals:
                evaluate(instant, x, scratch, memory)
            yield instant, run


def _forget(run: Run) -> None:
    """Reserve space in the log."""
    run.work.rows = run.work.event_rows = 0


Values: TypeAlias = Mapping[str, Any]
At: TypeAlias = "OperatingPoint | Values | float | None"
"""A point, values by name, the time of a run, or None for the initial state of a run."""


@dataclass(frozen=True)
class OperatingPoint(AttributeHints, NotebookText):
    """A point of a diagram: `time` in s, and by name the `states` and `inputs`, and the values `held` between
    ticks: discrete states, outputs of sampled blocks. Omitted values are the initial ones of a run.

    Mappings of its values begin a run there: `simulate(initial=point.initial, inputs=point.inputs)`.
    """

    time: float = 0.0
    states: Values = field(default_factory=dict)
    inputs: Values = field(default_factory=dict)
    held: Values = field(default_factory=dict)

    @property
    def initial(self) -> dict[str, Any]:
        """States and held signals, as `simulate(initial=...)` takes them."""
        return {**self.states, **self.held}

    def __repr__(self) -> str:
        rows = [
            (kind, name, ", ".join(f"{float(number):.6g}" for number in np.ravel(value)))
            for kind in ("states", "inputs", "held", "outputs")
            for name, value in (getattr(self, kind, None) or {}).items()
        ]
        return plain(Table(f"{type(self).__name__} at {self.time:g} s", ("kind", "signal", "value"), rows))

    def with_inputs(self, inputs: Values) -> OperatingPoint:
        """The same point with additional inputs."""
        return OperatingPoint(self.time, self.states, {**self.inputs, **inputs}, self.held)


def point_of(program: Program, at: At, time: float | None) -> OperatingPoint:
    """The point described by `at`. Raises AnalysisError, and the errors of a run to a time."""
    if time is not None and not (is_number(time) and np.isfinite(time)):
        raise AnalysisError(f"time is {time!r:.80}", "a time, s")
    if isinstance(at, OperatingPoint):
        return at if time is None else OperatingPoint(time, at.states, at.inputs, at.held)
    settled = dict(program.flat.simulation.get("initial") or {})
    begin = _begin(program)
    if isinstance(at, Mapping):
        return _sort_values(program, {**settled, **at}, begin if time is None else time)
    if at is None:
        return _sort_values(program, settled, begin if time is None else time)
    if not (is_number(at) and np.isfinite(at)):
        expected = (
            "a time of a run, s, values by name, or an OperatingPoint; `linearize_along` takes many times"
        )
        raise AnalysisError(f"at is {at!r:.80}", expected)
    if time is not None:
        raise AnalysisError(f"at is the time {at!r}, and there is another, {time!r}", "one of them")
    _require_begun(f"at is {at!r:.80}", float(at), begin)
    if float(at) == begin:
        return _sort_values(program, settled, begin)
    result = program.simulate(stop=float(at), log=[], states=False, progress=False)
    if not result.provenance.complete or result.provenance.stopped_by:
        actual = f"the run does not reach {float(at):g} s: {result.provenance.cut_short}"
        raise AnalysisError(actual, "times up to its end")
    return _sort_values(program, result.final_states(), float(at))


def _begin(program: Program) -> float:
    return float(program.flat.simulation.get("start") or 0.0)


def _require_begun(point: str, time: float, begin: float) -> None:
    if time < begin:
        raise AnalysisError(f"{point}, which is before the run begins", f"a time from {begin:g} s on")


def instants_of(times: ArrayLike, program: Program) -> Matrix:
    """The instants of a run, increasing. Raises AnalysisError."""
    try:
        instants = np.asarray(times, np.float64)
    except (TypeError, ValueError, OverflowError):
        instants = np.zeros(0)
    grows = instants.ndim == 1 and bool(instants.size) and bool(np.all(np.isfinite(instants)))
    if not grows or np.any(np.diff(instants) <= 0.0):
        raise AnalysisError(f"times are {times!r:.80}", "increasing times of a run, s")
    _require_begun(f"times[0] is {instants[0]:g}", instants[0], _begin(program))
    return instants


def points_along(program: Program, instants: Matrix) -> Iterator[OperatingPoint]:
    """The points of one run, whose steps end at these instants. Raises AnalysisError, and errors of runs."""
    begin = _begin(program)
    for instant in instants[instants == begin].tolist():
        yield point_of(program, None, instant)
    listed = list(places(program.plan))
    names = {variable.name for variable in program.states}
    for instant, run in stops_along(program, instants[instants > begin]):
        arrays = dict(run.memory.arrays())
        values = {place.name: np.array(place.at_end(arrays)) for place in listed}
        states = {name: value for name, value in values.items() if name in names}
        held = {name: value for name, value in values.items() if name not in names}
        yield OperatingPoint(instant, states, {}, held)


def _sort_values(program: Program, values: Values, time: float) -> OperatingPoint:
    """Sort values by kind into an operating point."""
    kinds = {"states": program.states, "inputs": program.inputs, "held": program.held}
    parts: dict[str, dict[str, Any]] = {kind: {} for kind in kinds}
    for name, value in values.items():
        kind = next((k for k, variables in kinds.items() if any(v.name == name for v in variables)), None)
        if kind is None:
            names = [variable.name for variables in kinds.values() for variable in variables]
            raise UnknownVariable("at", name, names, "state, input or held signal")
        shape = find_variable("at", name, value, kinds[kind]).shape
        array = numbers(f"at[{name!r}]", value, shape, infinite=kind == "held")
        parts[kind][name] = float(array.ravel()[0]) if shape == () else np.reshape(array, shape)
    return OperatingPoint(time, **parts)
