"""DiscreteTransferFunction: a linear recursion given by two polynomials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..continuous.system import System, canonical_form
from ..continuous.transfer_function import output, output_with_feedthrough
from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import polynomial
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State


class DiscreteTransferFunction(Block):
    """Rational function of the shift variable z.

        Y(z)/U(z) = (num[0] z^m + ... + num[m]) / (den[0] z^n + ... + den[n]),  m <= n,  n >= 1

    The state is in controllable canonical form, x_k = (w_{k-1}, ..., w_{k-n}) with W = z^n U / den, den
    divided by den[0]; it starts at `initial` (0: at rest). y is held between ticks; before the first it
    follows from the initial state alone. u feeds through to y directly only if m = n. u and y are scalars.
    Raises ParameterError for a den of degree 0 or with den[0] = 0, and for m > n.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), chapter 4.

    Example:
        {type: DiscreteTransferFunction, sample_time: 0.1, num: [0.1], den: [1, -0.9]}
    """

    icon = "discrete transfer function"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (State("x", "initial"),)
    sampled: ClassVar = True
    held_initial: ClassVar = "y_before"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    num: Real = parameter(
        unit="[y]/[u]", doc="numerator, coefficients of falling powers of z", dimensions=(0, 1)
    )
    den: Real = parameter(unit="1", doc="denominator, coefficients of falling powers of z", dimensions=(1,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="state at the first tick", dimensions=(0, 1))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def symbol(self) -> Icon:
        return Icon(fraction=(polynomial(self.num, "z"), polynomial(self.den, "z")))

    def system(self) -> System:
        """The controllable canonical form."""
        return canonical_form(self.kind(), self.num, self.den, self.initial)

    def check(self) -> None:
        self.system()

    def constants(self) -> Mapping[str, Array | float]:
        system = self.system()
        numbers = {"a": -system.A[0], "c": system.C[0], "d": system.D[0, 0], "initial": system.initial}
        return {**numbers, "y_before": float(system.C[0] @ system.initial)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        feeds = self.system().D[0, 0] != 0.0
        return {"output": output_with_feedthrough if feeds else output, "update": shift}


def shift(x: Array, u: float, a: Array, next_x: Array) -> None:
    total = u
    for i in range(x.shape[0]):
        total -= a[i] * x[i]
    for i in range(x.shape[0] - 1, 0, -1):  # downwards: correct also in place
        next_x[i] = x[i - 1]
    next_x[0] = total
