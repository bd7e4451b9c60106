"""Locus: the poles of a diagram over one of its numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..base.checked import checked
from ..diagrams.compiler.program import Program
from .errors import AnalysisError, wrong_argument
from .linearize import linearize
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
        model = linearize(program_at(value), (), (), at=at, time=time, open=(), sample_time=sample_time)
        periods.append(model.sample_time)
        if model.delays is None:
            return model.poles()
        if pade is None:
            found = (
                f"delays ({', '.join(model.delays.names)}), with which a diagram has infinitely many poles"
            )
            expected = f"the order of finite models in their place: root_locus({number!r}, values, pade=4)"
            raise AnalysisError(found, expected)
        orders.add(pade)
        return model.pade(pade).poles()

    table = over(poles_at, growing("values", values))
    crossings = edges(poles_at, *table, periods[0])
    return RootLocus(
        *table, crossings, np.zeros(0, np.complex128), name=number, sample_time=periods[0], pade=max(orders)
    )
