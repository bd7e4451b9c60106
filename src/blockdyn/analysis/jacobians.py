"""Jacobians are exact derivatives of state derivatives and outputs with respect to states, inputs and the
time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..diagrams.compiler.program import Program
from ..diagrams.compiler.variables import Variable
from ..diagrams.runs.directions import Directions, Element
from ..diagrams.runs.evaluation import Point, evaluation_of
from ..solvers.layout import Floats
from ..solvers.loop.run import Run
from .models.linear_model import LinearModel


class Jacobians:
    """The Jacobians of a program; safe to call from several threads."""

    def __init__(self, program: Program) -> None:
        evaluation = self._evaluation = evaluation_of(program)
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
        """See `Program.jacobian`; `numbers`, block parameters by name, become inputs after the others."""
        arrays = self._evaluation.at(t, x, u, held)
        self._evaluation.go_on(float(t), arrays)
        rows = self.directions.columns(float(t), arrays, self._by(numbers), [*self.slopes, *self.outputs])
        self._evaluation.give_back(arrays)
        return self._model(rows, numbers)

    def along(
        self, stops: Iterable[tuple[float, Run]], count: int, numbers: Mapping[str, Element] | None = None
    ) -> LinearModel:
        """The Jacobians at each instant at which a run stops, stacked along a new first dimension."""
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


def jacobians_of(program: Program) -> Jacobians:
    """The Jacobians of a program, created at the first call."""
    made: Jacobians | None = program.__dict__.get("_jacobians")
    if made is None:
        made = program.__dict__["_jacobians"] = Jacobians(program)
    return made


def jacobian(
    program: Program,
    t: float,
    x: ArrayLike | Mapping[str, ArrayLike] | None = None,
    u: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    held: Mapping[str, ArrayLike] | None = None,
) -> LinearModel:
    """The derivatives of x' = f(t, x, u) and of the outputs y = g(t, x, u), exact to rounding.

    Arguments as for `derivative`. A, B, C and D have a row for each derivative or output, and a
    column for each state or input. Modes (of limits, switches, friction) and held values stay as at
    the point: at a kink, the derivative belongs to the side on which a run that begins there continues.
    Algebraic loops are differentiated by the implicit function theorem. Blocks that run in Python, or whose
    code has no derivative, are differentiated by finite differences and listed in `differences`. The first
    call compiles; the code is kept.

    The method is forward differentiation of the program's machine code before its last step, eight
    directions at once. Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 3.

    Raises NotDifferentiable, and the errors of `derivative`.
    """
    return jacobians_of(program).at(t, x, u, held)
