"""Radau IIA of order 5: collocation at three points, the last of which is the end of the step.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.8,
doi:10.1007/978-3-642-05221-7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from .data import Coefficients, Data, Kind, without_weights
from .method import Method, radau5

Numbers = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Collocation(Data):
    """The stages z_i = x(t + c_i h) - x of a polynomial that meets x' = f(t, x) at c_1, c_2 and c_3 = 1.

        Z = h A F(x + Z),    T^-1 A^-1 T = diag(real, [[re, -im], [im, re]])

    In W = T^-1 Z Newton's equations fall apart into a real system and a complex one, of n states each.
    The step's error is estimated by (real / h I - J)^-1 (f(t, x) + sum_i e_i z_i / h).
    """

    order: int
    nodes: Numbers
    transform: tuple[Numbers, ...]  #: T
    real: float  #: the real eigenvalue of A^-1
    pair: complex  #: its complex eigenvalue with the positive imaginary part
    errors: Numbers  #: e_i
    worst: float  #: theta where the polynomial is worst, for stiff systems
    places: int = 5  #: along a step, its ends among them, at which the loop sees zero crossings

    @property
    def kind(self) -> Kind:
        """Implicit."""
        return "implicit"

    @property
    def inverse(self) -> tuple[Numbers, ...]:
        """T^-1."""
        return tuple(map(tuple, np.linalg.inv(np.array(self.transform)).tolist()))

    @property
    def bumps(self) -> tuple[Numbers, Numbers]:
        """The weights of the stages in b_0 and b_1, where the polynomial is

        z(theta) = theta (z_3 + (1 - theta) (b_0 + theta b_1)).
        """
        first, second, _ = self.nodes
        at_first = np.array([1.0 / first, 0.0, -1.0]) / (1.0 - first)
        at_second = np.array([0.0, 1.0 / second, -1.0]) / (1.0 - second)
        tilt = (at_second - at_first) / (second - first)
        return tuple((at_first - first * tilt).tolist()), tuple(tilt.tolist())

    def within(self, theta: float) -> tuple[Numbers, Numbers]:
        """The weights of the stages in z(theta), and in its derivative with respect to theta."""
        (flat, tilt), end, back = map(np.array, self.bumps), np.array([0.0, 0.0, 1.0]), 1.0 - theta
        bump = flat + theta * tilt
        slopes = end + (back - theta) * bump + theta * back * tilt
        return tuple((theta * (end + back * bump)).tolist()), tuple(slopes.tolist())

    def arrays(self) -> Coefficients:
        """Return the nodes; the weights are written into the code."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Coefficients:
        # the estimate comes from an embedded formula of order 3; rows: see solvers.steps.collocation_newton
        return replace(without_weights(self.places, self.order, 4, ROWS), pairs=1)


ROWS = 11
_ROOT = sqrt(6.0)
_THIRD, _NINTH = 3.0 ** (1.0 / 3.0), 3.0 ** (2.0 / 3.0)
NUMBERS = Collocation(
    order=5,
    nodes=((4.0 - _ROOT) / 10.0, (4.0 + _ROOT) / 10.0, 1.0),
    transform=(
        (0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492),
        (0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779),
        (0.96604818261509293619, 1.0, 0.0),
    ),
    real=3.0 + _NINTH - _THIRD,
    pair=complex(3.0 + 0.5 * (_THIRD - _NINTH), 0.5 * sqrt(3.0) * (_THIRD + _NINTH)),
    errors=((-13.0 - 7.0 * _ROOT) / 3.0, (-13.0 + 7.0 * _ROOT) / 3.0, -1.0 / 3.0),
    worst=0.85,
)
RADAU5 = Method(
    name="radau5",
    title="Radau IIA of order 5",
    source="E. Hairer and G. Wanner, Solving Ordinary Differential Equations II (1996), section IV.8,"
    " doi:10.1007/978-3-642-05221-7",
    data=NUMBERS,
    steps=radau5,
    wants=("jacobian", "sparse jacobian"),
    aliases=("radau",),
)
