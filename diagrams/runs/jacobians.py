"""Jacobians: the exact derivatives of a program's slopes and outputs by its states, inputs and the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...analysis.models.linear_model import LinearModel
from ...solvers.layout import Floats
from ..compiler.program import Program
from ..compiler.variables import Variable
from .directions import Directions, Element
from .evaluation import Evaluation, Point


class Jacobians:
    """The Jacobians of a program; threads may call at once."""

    def __init__(self, program: Program, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self.directions = Directions(program)
        n = program.plan.states
        self.slopes: list[Element] = [("dx", i) for i in range(n)]
        self.outputs: list[Element] = [
            ("w", i) for _, at, _ in evaluation.output_places for i in range(at.start, at.stop)
        ]
        self.states: list[Element] = [("x", i) for i in range(n)]
        self.inputs: list[Element] = [("p", int(i)) for i in evaluation.inputs]
        self.names = names(program.states), names(program.inputs), names(program.output_ports)

    def at(
        self, t: float, x: Point, u: Point, held: Mapping[str, Any] | None,
        numbers: Mapping[str, Element] | None = None,
    ) -> LinearModel:  # fmt: skip
        """See `Program.jacobian`; `numbers` of blocks by name are inputs behind the others."""
        arrays = self._evaluation.at(t, x, u, held)
        by = [*self.states, *self.inputs, *(numbers or {}).values(), ("t", 0)]
        rows = self.directions.columns(float(t), arrays, by, [*self.slopes, *self.outputs])
        self._evaluation.give_back(arrays)
        n, m = len(self.states), len(by) - len(self.states) - 1
        states, inputs, outputs = self.names
        by_states, by_inputs, by_time = (np.array(part) for part in np.split(rows, [n, n + m], axis=1))
        return LinearModel(
            by_states[:n], by_inputs[:n], by_states[n:], by_inputs[n:], by_time[:n, 0], by_time[n:, 0],
            states, (*inputs, *(numbers or {})), outputs, self.directions.differences,
        )  # fmt: skip

    def along(self, times: Floats, states: Floats) -> LinearModel:
        """The Jacobians at k times and states (k, n), as arrays of one more dimension."""
        evaluation, n, m = self._evaluation, len(self.states), len(self.inputs)
        by = (*self.states, *self.inputs, ("t", 0))
        of = (*self.slopes, *self.outputs)
        rows = np.empty((len(times), len(of), len(by)))
        arrays = evaluation.at(float(times[0]), states[0], None, None)
        for k, t in enumerate(times.tolist()):
            evaluation.move(t, states[k], arrays)
            rows[k] = self.directions.columns(t, arrays, by, of)
        evaluation.give_back(arrays)
        return LinearModel(
            rows[:, :n, :n], rows[:, :n, n : n + m], rows[:, n:, :n], rows[:, n:, n : n + m],
            rows[:, :n, n + m], rows[:, n:, n + m], *self.names, self.directions.differences,
        )  # fmt: skip


def names(variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """The names of their elements, in C order."""
    return tuple(
        variable.name + (f"[{', '.join(map(str, index))}]" if index else "")
        for variable in variables
        for index in np.ndindex(variable.shape)
    )
