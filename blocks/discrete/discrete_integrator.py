"""DiscreteIntegrator: the sum of a sampled signal times the sample time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import factor
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Like, Port, State

WEIGHTS = {"forward": 0.0, "backward": 1.0, "trapezoidal": 0.5}
"""The fraction of the present sample that a rule adds in the same tick."""


class DiscreteIntegrator(Block):
    """Integral of a sampled signal, element by element, by one of three rules.

        forward      y_k = y_{k-1} + T u_{k-1}
        backward     y_k = y_{k-1} + T u_k
        trapezoidal  y_k = y_{k-1} + T (u_{k-1} + u_k) / 2

    T is the sample time. With x_0 = initial, y_k = x_k + a T u_k and x_{k+1} = y_k + (1 - a) T u_k, where
    a = 0, 1, 1/2. With limits y_k is held within lower ... upper and the sum continues from there, so it
    leaves a limit with the first sample that points inwards. With the forward rule u does not feed through to
    y directly.
    Raises ParameterError unless lower < upper and `initial` lies within them.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), chapter 6.

    Example:
        {type: DiscreteIntegrator, sample_time: 0.01, method: trapezoidal}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), seconds=1)),)
    states: ClassVar = (State("x", "initial", like="y"),)
    elementwise: ClassVar = True
    sampled: ClassVar = True
    held_initial: ClassVar = "initial"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    method: str = option(default="forward", doc="rule", choices=tuple(WEIGHTS))
    initial: Real = parameter(default=0.0, unit="[y]", doc="x at the first tick, y before it")
    lower: Real = parameter(default=-np.inf, unit="[y]", doc="lower limit of y", infinite=True)
    upper: Real = parameter(default=np.inf, unit="[y]", doc="upper limit of y", infinite=True)

    def symbol(self) -> Icon:
        T = factor(self.sample_time, "T").strip()
        over, under = {
            "forward": (T or "1", "z - 1"),
            "backward": (f"{T} z".strip(), "z - 1"),
        }.get(self.method, (f"{T} (z + 1)".strip(), "2 (z - 1)"))
        return Icon(fraction=(over, under))

    def check(self) -> None:
        if not np.all(np.less(self.lower, self.upper)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")
        inside = np.less_equal(self.lower, self.initial) & np.less_equal(self.initial, self.upper)  # type: ignore[arg-type]
        if not np.all(inside):
            expected = f"within {self.lower} ... {self.upper}"
            raise ParameterError(self.kind(), "initial", self.initial, expected)

    def constants(self) -> Mapping[str, Array | float]:
        return {"a": WEIGHTS[self.method]}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": delayed_output if self.method == "forward" else output, "update": update}


# One state for all three rules: x holds the sum of the samples before this one, and the weight a is the
# fraction of this sample that is added in the same tick. The update continues from y, the limited value, not
# from x: no windup.


def delayed_output(x: float, lower: float, upper: float) -> float:
    return min(max(x, lower), upper)


def output(x: float, u: float, a: float, sample_time: float, lower: float, upper: float) -> float:
    return min(max(x + a * sample_time * u, lower), upper)


def update(y: float, u: float, a: float, sample_time: float) -> float:
    return y + (1.0 - a) * sample_time * u
