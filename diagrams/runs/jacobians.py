"""Jacobians: the exact derivatives of a program's slopes and outputs by its states, inputs and the time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...analysis.models.linear_model import LinearModel
from ...solvers.layout import Floats
from ...solvers.loop.run import Run
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
        self._evaluation.go_on(float(t), arrays)
        rows = self.directions.columns(float(t), arrays, self._by(numbers), [*self.slopes, *self.outputs])
        self._evaluation.give_back(arrays)
        return self._model(rows, numbers)

    def along(
        self, stops: Iterable[tuple[float, Run]], count: int, numbers: Mapping[str, Element] | None = None
    ) -> LinearModel:
        """The Jacobians where a run of the program stops, as arrays of one more dimension."""
        by, of = self._by(numbers), [*self.slopes, *self.outputs]
        rows, moving = np.empty((count, len(of), len(by))), None
        for k, (t, run) in enumerate(stops):
            moving = moving or self.directions.moving(run, by, of)
            rows[k] = moving(t)
        return self._model(rows, numbers)

    def _by(self, numbers: Mapping[str, Element] | None) -> list[Element]:
        return [*self.states, *self.inputs, *(numbers or {}).values(), ("t", 0)]

    def _model(self, rows: Floats, numbers: Mapping[str, Element] | None) -> LinearModel:
        n, m = len(self.states), rows.shape[-1] - len(self.states) - 1
        states, inputs, outputs = self.names
        parts = np.split(rows, [n, n + m], axis=-1)
        by_states, by_inputs, by_time = parts if rows.ndim > 2 else map(np.array, parts)  # many stay one
        return LinearModel(
            by_states[..., :n, :], by_inputs[..., :n, :], by_states[..., n:, :], by_inputs[..., n:, :],
            by_time[..., :n, 0], by_time[..., n:, 0], states, (*inputs, *(numbers or {})), outputs,
            self.directions.differences,
        )  # fmt: skip


def names(variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """The names of their elements, in C order."""
    return tuple(
        variable.name + (f"[{', '.join(map(str, index))}]" if index else "")
        for variable in variables
        for index in np.ndindex(variable.shape)
    )
