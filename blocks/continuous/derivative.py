"""Derivative: the rate of change of a signal, filtered by a lag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import factor
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Like, Port, State


class Derivative(Block):
    """Filtered derivative, element by element.

        y = dx/dt = (u - x) / time_constant,  x(start) = initial:   y(s) = s u(s) / (time_constant s + 1)

    A block for the exact derivative does not exist: the value of a signal at one instant does not determine
    it, and differences over the solver's steps would change with the steps and be meaningless at jumps.
    Sources such as JointTrajectory give their exact derivatives, and the input of an Integrator is the
    derivative of its output. Set `initial` to u at the start: y begins at (u - initial) / time_constant. u
    feeds through to y directly. The unit of y is the unit of u per s.

    Example:
        {type: Derivative, time_constant: 0.01}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), seconds=-1)),)
    states: ClassVar = (State("x", "initial", like="u", scale="scale"),)
    elementwise: ClassVar = True

    time_constant: Real = parameter(default=0.01, unit="s", doc="time constant of the lag", above=0)
    initial: Real = parameter(default=0.0, unit="[u]", doc="u at the start")

    def symbol(self) -> Icon:
        return Icon(fraction=("s", f"{factor(self.time_constant, 'T')}s + 1"))

    def constants(self) -> Mapping[str, Array]:
        return {"scale": np.minimum(np.asarray(self.time_constant, np.float64), 1.0)}

    @staticmethod
    def derivative(u: float, x: float, time_constant: float) -> float:
        return (u - x) / time_constant

    @staticmethod
    def output(u: float, x: float, time_constant: float) -> float:
        return (u - x) / time_constant
