"""TransferFunction: a linear system given by two polynomials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import polynomial
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, State
from .scales import state_scales
from .system import System, canonical_form


class TransferFunction(Block):
    """Rational function of the Laplace variable s.

        Y(s)/U(s) = (num[0] s^m + ... + num[m]) / (den[0] s^n + ... + den[n]),  m <= n,  n >= 1

    The state is in controllable canonical form, x = (w^(n-1), ..., dw/dt, w) with W = U / den,
    den divided by den[0]; it starts at `initial` (0: at rest). u feeds through to y directly only if m = n. u
    and y are scalars. Raises ParameterError for a den of degree 0 or with den[0] = 0, and for m > n.
    Source: Kailath, Linear Systems (1980), chapter 2.

    Example:
        {type: TransferFunction, num: [1], den: [0.01, 1]}
    """

    icon = "transfer function"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1),)
    states: ClassVar = (State("x", "initial", scale="scale"),)

    num: Real = parameter(
        unit="[y] s^k/[u]", doc="numerator, coefficients of falling powers k of s", dimensions=(0, 1)
    )
    den: Real = parameter(
        unit="s^k", doc="denominator, coefficients of falling powers k of s", dimensions=(1,)
    )
    initial: Real = parameter(default=0.0, unit="[u] s^i", doc="x_i at the start", dimensions=(0, 1))

    def symbol(self) -> Icon:
        return Icon(fraction=(polynomial(self.num), polynomial(self.den)))

    def system(self) -> System:
        """The controllable canonical form."""
        return canonical_form(self.kind(), self.num, self.den, self.initial)

    def check(self) -> None:
        self.system()

    def constants(self) -> Mapping[str, Array | float]:
        system = self.system()
        numbers = {"a": -system.A[0], "c": system.C[0], "d": system.D[0, 0], "initial": system.initial}
        return {**numbers, "scale": state_scales(system)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        feeds = self.system().D[0, 0] != 0.0
        return {"output": output_with_feedthrough if feeds else output, "derivative": slope}


def output(x: Array, c: Array) -> float:
    y = 0.0
    for i in range(x.shape[0]):
        y += c[i] * x[i]
    return y


def output_with_feedthrough(x: Array, u: float, c: Array, d: float) -> float:
    y = d * u
    for i in range(x.shape[0]):
        y += c[i] * x[i]
    return y


def slope(x: Array, u: float, a: Array, d_x: Array) -> None:
    # A companion matrix is one row and a shift: n products, where a full matrix takes n^2.
    total = u
    for i in range(x.shape[0]):
        total -= a[i] * x[i]
    for i in range(x.shape[0] - 1, 0, -1):
        d_x[i] = x[i - 1]
    d_x[0] = total
