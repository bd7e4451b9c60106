"""The poles of a diagram and the transfer function of its loops are computed over its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.checked import checked
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.values.overrides import overrides
from ..diagrams.values.reach import Reach
from ..diagrams.values.resolve import resolve
from ..diagrams.values.view import View
from .errors import AnalysisError, wrong_argument
from .linearize import Question, finite, linear_model
from .models.linear_model import Complex, LinearModel
from .models.root_locus import RootLocus, edges, growing, over
from .opening import require_loop
from .point import At, point_of


@checked(wrong_argument)
def locus(
    program_at: Callable[[float], Program], number: str, values: ArrayLike, *, at: At, time: float | None,
    sample_time: float | None, pade: int | None,
) -> RootLocus:  # fmt: skip
    """See `Diagram.root_locus`."""
    periods, orders = [], {0}

    def poles_at(value: float) -> Complex:
        model = linear_model(program_at(value), (), (), at=at, time=time, open=(), sample_time=sample_time)
        periods.append(model.sample_time)
        if model.delays is None:
            return model.poles()
        if pade is None:
            actual = (
                f"delays ({', '.join(model.delays.names)}), with which a diagram has infinitely many poles"
            )
            expected = f"the order of finite models in their place: root_locus({number!r}, values, pade=4)"
            raise AnalysisError(actual, expected)
        orders.add(pade)
        return model.pade(pade).poles()

    table = over(poles_at, growing("values", values))
    crossings = edges(poles_at, *table, periods[0])
    return RootLocus(
        *table, crossings, np.zeros(0, np.complex128), name=number, sample_time=periods[0], pade=max(orders)
    )


def root_locus(
    diagram: Diagram,
    number: str, values: ArrayLike, *,
    at: At = None, time: float | None = None, sample_time: float | None = None, pade: int | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: str | None = None,
) -> RootLocus:  # fmt: skip
    """The poles of the diagram over one of its parameters: "control.kp", "arm.robot.payload.mass".

    `values` are its increasing values; the path is written as for an axis of a sweep. The other
    arguments are passed to `linearize`. With transport delays, `pade` is the order of the approximants in
    their place, see `LinearModel.pade`. The locus of a loop over its gain is `LinearModel.root_locus`.

    Raises AnalysisError, UnknownPath, and the errors of `linearize`.
    """

    def program_at(value: float) -> Program:
        return diagram.compile(parameters, {**(set or {}), number: value}, loops=loops)

    return locus(program_at, number, values, at=at, time=time, sample_time=sample_time, pade=pade)


class Loop:
    """A loop opened at a wire, at the initial state of runs, or at their state at a time, s."""

    def __init__(
        self, diagram: Diagram, wire: str, time: float | None = None, loops: str | None = None
    ) -> None:
        self._diagram, self._wire, self._time, self._loops = diagram, wire, time, loops
        self._view = View(diagram)
        self._paths: tuple[str, ...] | None = None

    def model(self, numbers: Mapping[str, Any]) -> LinearModel:
        """The transfer function L of the loop, closed as 1 / (1 + L), for these parameter values by path.

        Compiled code is reused if only the values at the same paths change. Raises the errors of `linearize`.
        """
        if self._paths != (*numbers,):
            self.open(numbers)
        meant = overrides(self._targets, numbers)
        question = None
        if not (meant.initial or meant.simulate):
            blocks, _ = self._reach.changed(meant.parameters, meant.set)
            program, question = self._program.with_blocks(blocks), self._question.with_blocks(blocks)
        if question is None or program is None:
            self.open(numbers)
            program, question = self._program, self._question
        return -finite(question.chosen(question.model(point_of(program, self._time, None))))

    def open(self, numbers: Mapping[str, Any]) -> None:
        """Compile for the parameters at these paths. Raises the errors of `linearize`."""
        self._paths = (*numbers,)
        self._targets = {path: resolve(self._view, path) for path in numbers}
        self._reach = Reach.of(self._diagram, self._targets.values())
        self._program = self._diagram.compile(None, dict(numbers), loops=self._loops)
        require_loop(self._wire, self._program.flat)
        self._question = Question(self._program, self._wire, self._wire, self._wire, None)
        self._question.refuse_own_ticks()
        self._question.refuse_vectors()
