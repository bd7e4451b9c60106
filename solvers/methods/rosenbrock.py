"""Rosenbrock: the numbers of a linearly implicit method, as they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .data import Coefficients, Data, Kind, without_weights

EXTRA = 2  # rows after the increments: the error within the step, a residual

Numbers = tuple[float, ...]


def numbers(text: str) -> Numbers:
    """The doubles of decimals separated by white space."""
    return tuple(map(float, text.split()))


@dataclass(frozen=True, eq=False)
class Rosenbrock(Data):
    """A stiffly accurate Rosenbrock method of s stages, in the form that multiplies no matrix.

        (1 / (h gamma) I - J) u_i = f(t + alpha_i h, x + sum_j a_ij u_j) + sum_j c_ij / h u_j + h d_i f_t

    J and f_t are the derivatives of f at (t, x); sums run over j < i. The step ends in
    x + sum_j a_sj u_j + u_s, and u_s estimates its error. Within the step, with x_new at its end,

        x(theta) = (1 - theta) x + theta (x_new + (1 - theta) (p_0 + theta (p_1 + theta p_2))),

    where p_k = sum_j dense[k][j] u_j.

    Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.7.
    """

    order: int
    error_order: int  #: order of the embedded solution
    gamma: float
    nodes: Numbers  #: alpha_i
    time: Numbers  #: d_i, the weights of f_t
    a: Sequence[Numbers]  #: rows of a_ij
    c: Sequence[Numbers]  #: rows of c_ij
    dense: Sequence[Numbers]
    worst: float  #: theta where the dense output is worst, for stiff systems
    places: int = 5  #: along a step, its ends among them, at which the loop sees zero crossings

    @property
    def kind(self) -> Kind:
        """Implicit."""
        return "implicit"

    @property
    def stages(self) -> int:
        """The number of systems of equations to a step."""
        return len(self.nodes)

    @property
    def weights(self) -> Numbers:
        """Coefficients of the increments in the step."""
        return (*self.a[-1], 1.0)

    def within(self, theta: float) -> tuple[Numbers, Numbers]:
        """The weights of the increments in x(theta) - x, and in its derivative with respect to theta."""
        back = 1.0 - theta
        values, slopes = [], []
        for b, p, q, r in zip(self.weights, *self.dense, strict=True):
            bump, tilt = p + theta * (q + theta * r), q + 2.0 * theta * r
            values.append(theta * (b + back * bump))
            slopes.append(b + (back - theta) * bump + theta * back * tilt)
        return tuple(values), tuple(slopes)

    def arrays(self) -> Coefficients:
        """Return the nodes; the weights are written into the code."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Coefficients:
        return without_weights(self.places, self.order, self.error_order + 1, self.stages + EXTRA)
