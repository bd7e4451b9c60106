"""The poles of a diagram are computed over one of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.checked import checked
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from .errors import AnalysisError, wrong_argument
from .linearize import linear_model
from .models.linear_model import Complex
from .models.root_locus import RootLocus, edges, growing, over
from .point import At


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
    """The poles of the diagram over one of its numbers: "control.kp", "arm.robot.payload.mass".

    `values` are increasing values of the number; the path is like the path of a sweep's axis. The other
    arguments are passed to `linearize`. With transport delays, `pade` is the order of the approximants in
    their place, see `LinearModel.pade`. The locus of a loop over its gain is `LinearModel.root_locus`.

    Raises AnalysisError, UnknownPath, and the errors of `linearize`.
    """

    def program_at(value: float) -> Program:
        return diagram.compile(parameters, {**(set or {}), number: value}, loops=loops)

    return locus(program_at, number, values, at=at, time=time, sample_time=sample_time, pade=pade)
