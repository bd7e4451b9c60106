"""BDF: backward differentiation formulas of orders 1 to 5, in the form for steps of one length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .data import Coefficients, Data, Kind, without_weights
from .method import Method, bdf

MOST_ORDER = 5  # BDF6 is stable in too thin a wedge, and those beyond nowhere


@dataclass(frozen=True, eq=False)
class Backward(Data):
    """Formulas over backward differences of the states, which are kept up to two orders more.

        sum_{j=1}^k 1/j nabla^j x = h f(t, x) + kappa_k gamma_k (x - predicted),    gamma_k = sum_{j=1}^k 1/j

    `kappa` trades a little stability for a smaller error: the numerical differentiation formulas.
    Source: Shampine and Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing 18(1) (1997),
    1-22, doi:10.1137/S1064827594276424, table 1.
    """

    order: int
    kappa: tuple[float, ...]  #: by order, from 0 on
    places: int = 5  #: along a step, its ends among them, at which the loop sees zero crossings

    @property
    def kind(self) -> Kind:
        """Implicit."""
        return "implicit"

    @property
    def gamma(self) -> tuple[float, ...]:
        """By order, from 0 on."""
        return tuple(sum(1.0 / j for j in range(1, k + 1)) for k in range(self.order + 1))

    @property
    def alpha(self) -> tuple[float, ...]:
        """The weight of the newest difference, by order."""
        return tuple((1.0 - k) * g for k, g in zip(self.kappa, self.gamma, strict=True))

    @property
    def errors(self) -> tuple[float, ...]:
        """Factor of the next difference in the error, by order."""
        pairs = zip(self.kappa, self.gamma, strict=True)
        return tuple(kappa * gamma + 1.0 / (k + 1) for k, (kappa, gamma) in enumerate(pairs))

    def arrays(self) -> Coefficients:
        """Return the nodes; the weights are written into the code."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Coefficients:
        nodes = without_weights(self.places, self.order, 2, self.order + 1)  # a run begins with order 1
        return replace(nodes, differences=self.order + 3)


NUMBERS = Backward(order=MOST_ORDER, kappa=(0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0))
BDF = Method(
    name="bdf",
    title="Backward differentiation formulas of orders 1 to 5, sparse",
    source="L. F. Shampine and M. W. Reichelt, The MATLAB ODE Suite, SIAM Journal on Scientific Computing"
    " 18(1) (1997) 1-22, doi:10.1137/S1064827594276424",
    data=NUMBERS,
    steps=bdf,
    wants=("sparse jacobian",),
    aliases=("qndf",),
)
