"""AlgebraicConstraint: the value for which another signal is zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Port, Size, Unknown


class AlgebraicConstraint(Block):
    """The z for which the input f is 0, element by element, at every instant.

        f(z, ...) = 0

    z must affect f through the diagram's wires, with direct feedthrough; otherwise the diagram is
    Undetermined. Newton's method solves the loop at every evaluation, and `loops: solve` is not needed. It
    starts from the last solution, and from `initial` when a run begins, so `initial` determines which of
    several solutions is found. A run ends with LoopNotSolved if such a z does not exist, or if f does not
    change with it.
    Source: Deuflhard, Newton Methods for Nonlinear Problems (2004), chapter 3.

    Example:
        {type: AlgebraicConstraint, initial: 0.6}
    """

    icon = "f(z) = 0"
    inputs: ClassVar = (Port("f", doc="the expression that must be 0"),)
    outputs: ClassVar = (Port("z"),)
    elementwise: ClassVar = True

    initial: Real = parameter(default=0.0, unit="[z]", doc="start of the first search for z")

    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("z", "initial"),)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        z = super().sizes(inputs)["z"]
        return {"z": z, "solved_z": z}

    def guess(self) -> Size:
        return Size(np.shape(self.numbers()["initial"]))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": output, "output_solved_z": improve}


def output(z: float) -> float:
    return z


def improve(z: float, f: float) -> float:
    return z + f
