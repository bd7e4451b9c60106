"""Derivative: the rate of change of a signal, behind a lag."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.parameter import Real, parameter
from ..contract.port import Like, Port, State


class Derivative(Block):
    """Filtered derivative, element by element.

        y = dx/dt = (u - x) / time_constant,  x(start) = initial:   y(s) = s u(s) / (time_constant s + 1)

    There is no block for the derivative itself: it is no function of the signal's value at an instant, and
    differences over the solver's steps would change with the steps and be meaningless at jumps. Sources such
    as JointTrajectory give exact derivatives of their own, and the input of an Integrator is the derivative
    of its output. `initial` is what u is at the start; otherwise y begins at (u - initial) / time_constant.

    Example:
        {type: Derivative, time_constant: 0.01}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), seconds=-1)),)
    states: ClassVar = (State("x", "initial", like="u"),)
    elementwise: ClassVar = True

    time_constant: Real = parameter(default=0.01, unit="s", doc="of the lag", above=0)
    initial: Real = parameter(default=0.0, doc="u at the start")

    @staticmethod
    def derivative(u: float, x: float, time_constant: float) -> float:
        return (u - x) / time_constant

    @staticmethod
    def output(u: float, x: float, time_constant: float) -> float:
        return (u - x) / time_constant
