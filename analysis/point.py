"""Operating points: where a diagram is linearised: the time, its states, inputs, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ..diagrams.compiler.program import Program
from ..diagrams.runs.evaluation import named, numbers
from .errors import AnalysisError, UnknownVariable

Values: TypeAlias = Mapping[str, Any]
At: TypeAlias = "OperatingPoint | Values | float | None"
"""A point, values by name, the time of a run, or None: as a run begins."""


@dataclass(frozen=True)
class OperatingPoint:
    """A point of a diagram: `time` in s, and by name the `states` and `inputs`, and what is `held` between
    ticks: discrete states, outputs of sampled blocks. What is left out is as a run begins.

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

    def with_inputs(self, inputs: Values) -> OperatingPoint:
        """The same point with other inputs as well."""
        return OperatingPoint(self.time, self.states, {**self.inputs, **inputs}, self.held)


def point_of(program: Program, at: At, time: float | None) -> OperatingPoint:
    """The point that `at` says. Raises AnalysisError, and what a run to a time raises."""
    if isinstance(at, OperatingPoint):
        return at if time is None else OperatingPoint(time, at.states, at.inputs, at.held)
    settled = dict(program.flat.simulation.get("initial") or {})
    begin = float(program.flat.simulation.get("start") or 0.0)
    if isinstance(at, Mapping):
        return _sorted(program, {**settled, **at}, begin if time is None else time)
    if at is None:
        return _sorted(program, settled, begin if time is None else time)
    if isinstance(at, bool) or not isinstance(at, (int, float, np.integer, np.floating)):
        expected = "a time of a run, s, values by name, or an OperatingPoint"
        raise AnalysisError(f"at is {at!r:.80}", expected)
    if time is not None:
        raise AnalysisError(f"at is the time {at!r}, and there is another, {time!r}", "one of them")
    if float(at) <= begin:
        return _sorted(program, settled, float(at))
    result = program.simulate(stop=float(at), log=[], states=False, progress=False)
    return _sorted(program, result.final_states(), float(at))


def _sorted(program: Program, values: Values, time: float) -> OperatingPoint:
    """Values by what they are of."""
    kinds = {"states": program.states, "inputs": program.inputs, "held": program.held}
    parts: dict[str, dict[str, Any]] = {kind: {} for kind in kinds}
    for name, value in values.items():
        kind = next((k for k, variables in kinds.items() if any(v.name == name for v in variables)), None)
        if kind is None:
            names = [variable.name for variables in kinds.values() for variable in variables]
            raise UnknownVariable("at", name, names, "state, input or held signal")
        shape = named("at", name, value, kinds[kind]).shape
        array = numbers(f"at[{name!r}]", value, shape, infinite=kind == "held")
        parts[kind][name] = float(array.ravel()[0]) if shape == () else np.reshape(array, shape)
    return OperatingPoint(time, **parts)
