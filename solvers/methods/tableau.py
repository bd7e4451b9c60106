"""A tableau: the exact numbers of an explicit Runge-Kutta method, its error estimate and its dense output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data import Coefficients, Data, Kind

Rationals = tuple[Fraction, ...]
PART_ROWS = 5  # of K, for solvers.steps.parts: states at thirds and the end of a step, slopes at thirds


def rationals(text: str) -> Rationals:
    """The exact values of integers, ratios and decimals separated by white space: ``"0 1/3 0.161"``."""
    return tuple(Fraction(word) for word in text.split())


def hermite(weights: Sequence[Fraction], bump: Sequence[Sequence[Fraction]] = ()) -> tuple[Rationals, ...]:
    """Return the dense output that meets both ends of a step in value and in slope.

        x(theta) = H(theta) + h theta^2 (1 - theta)^2 sum_m theta^m sum_i bump[m][i] k_i

    H is the cubic Hermite interpolant of x0, h k_first, x_new = x0 + h sum_i weights_i k_i and h k_last, with
    k_last = f(t + h, x_new) the stage that follows the weighed ones. The bump raises the order.

    Args:
        weights: weights of the step, the last row of the tableau.
        bump: one row for each power of theta, one weight per stage; stages after k_last serve the dense
            output only.

    Returns:
        Coefficients as in `Tableau.dense`: one row per stage, one column per power of theta from 1 up.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section II.6.
    """
    zero = Fraction(0)
    last = len(weights)
    stages = len(bump[0]) if bump else last + 1
    rows = []
    for i in range(stages):
        weight = weights[i] if i < last else zero
        at_start, at_end = Fraction(i == 0), Fraction(i == last)
        row = [at_start, 3 * weight - 2 * at_start - at_end, at_start + at_end - 2 * weight]
        row += [zero] * len(bump)
        for m, bump_weights in enumerate(bump):
            for column, factor in ((m + 1, 1), (m + 2, -2), (m + 3, 1)):
                row[column] += factor * bump_weights[i]
        rows.append(tuple(row))
    return tuple(rows)


def nested(rows: Sequence[Rationals]) -> tuple[Rationals, ...]:
    """Return polynomials in theta, given by powers from theta^1 up, as nested products.

        n_0 theta + n_1 theta (1 - theta) + n_2 theta^2 (1 - theta) + n_3 theta^2 (1 - theta)^2 + ...
        = theta (n_0 + (1 - theta) (n_1 + theta (n_2 + (1 - theta) (n_3 + ...))))

    At theta = 1 only n_0 is left. In float64 the powers of DOP853 cancel down to 3e-13, these to 4e-15.

    Source: E. Hairer and G. Wanner, codes DOPRI5 and DOP853, functions CONTD5 and CONTD8.
    """
    basis: list[Rationals] = [(Fraction(1),)]  # of theta^1 up
    for m in range(1, len(rows[0])):
        low, high = (*basis[-1], Fraction(0)), (Fraction(0), *basis[-1])
        basis.append(tuple(x - y for x, y in zip(low, high, strict=True)) if m % 2 else high)
    polynomials = []
    for row in rows:
        remainder, coefficients = list(row), [Fraction(0)] * len(row)
        for m in reversed(range(len(row))):
            coefficients[m] = remainder[m] / basis[m][m]
            for j, factor in enumerate(basis[m]):
                remainder[j] -= coefficients[m] * factor
        polynomials.append(tuple(coefficients))
    return tuple(polynomials)


@dataclass(frozen=True, eq=False)
class Tableau(Data):
    """An explicit Runge-Kutta method, written so that its last stage is the derivative where the step ends.

        k_i = f(t + c_i h, x + h sum_{j<i} a_ij k_j)         x_new = x + h sum_i b_i k_i
        error = h sum_i e_i k_i                              x(t + theta h) = x + h sum_ij k_i P_ij theta^j

    With c_last = 1 and a_last = b the last stage is f(t + h, x_new): the first stage of the next step (FSAL),
    and the slope that dense output needs. Methods that lack it get it added.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), chapter II.
    """

    order: int
    c: Rationals  #: nodes, one per stage
    a: tuple[Rationals, ...]  #: row i holds the i weights of the stages before it
    dense: tuple[Rationals, ...]  #: row per stage, extra ones included; column j is the factor of theta^(j+1)
    dense_order: int  #: order of the dense output in the open interval 0 < theta < 1
    error_order: int = 0  #: order of the embedded solution x_new - error; 0 if none
    e: Rationals = ()  #: weights of the error estimate, b minus the embedded weights, one per stage
    error_order_3: int = 0  #: order of the second embedded solution (DOP853); 0 if none
    e3: Rationals = ()  #: weights of the second error estimate
    extra_c: Rationals = ()  #: nodes of the stages for dense output only
    extra_a: tuple[Rationals, ...] = ()  #: their rows
    multistep: Rationals = ()  #: x_new = x + h sum_j multistep_j f_(n-j), once past derivatives exist

    def written(self) -> dict[str, Any]:
        """Its numbers in JSON's terms, fractions as text; `read` makes the same tableau of them."""
        return {each.name: _to_text(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def read(cls, numbers: Mapping[str, Any]) -> Tableau:
        """The tableau that `written` has written."""
        return cls(**{name: _from_text(value) for name, value in numbers.items()})

    @property
    def kind(self) -> Kind:
        """Steps of a fixed size, by one step or by several, or steps chosen by their estimated error."""
        return "multistep" if self.multistep else "adaptive" if self.error_order > 0 else "fixed"

    @property
    def stages(self) -> int:
        """Number of stages of a step, the one at its end included."""
        return len(self.c)

    @property
    def extra(self) -> int:
        """Number of stages evaluated for dense output only."""
        return len(self.extra_c)

    @property
    def b(self) -> Rationals:
        """Weights of the step, one per stage; the last, of the stage at its end, is zero."""
        return (*self.a[-1], Fraction(0))

    @property
    def estimate_order(self) -> int:
        """Power of h that the error estimate shrinks with, 0 if there is none.

        One embedded solution of order q: q + 1. With two, the estimate e^2 / sqrt(e^2 + 0.01 e3^2) behaves as
        e^2 / e3, which has the power 2 (q + 1) - (q3 + 1).

        Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section II.10.
        """
        if not self.adaptive:
            return 0
        if not self.error_order_3:
            return self.error_order + 1
        return 2 * (self.error_order + 1) - (self.error_order_3 + 1)

    @property
    def multistep_dense(self) -> tuple[Rationals, ...]:
        """Dense output of the multistep formula, empty for one-step methods.

        Same layout as `dense`, with the slots of the stages holding f_n, f_(n-1), ... and, last, f_(n+1): the
        cubic Hermite interpolant of the step.
        """
        return hermite(self.multistep) if self.multistep else ()

    @cached_property
    def stability(self) -> float:
        """Length of the stability interval on the negative real axis: |R(-z)| <= 1 from 0 up to there.

        Source: Hairer, Wanner, Solving Ordinary Differential Equations II (1996), section IV.2.
        """
        rows = [[float(w) for w in row] for row in self.a]
        for z in np.arange(0.01, 20.0, 0.01):
            stages: list[float] = []
            for row in rows:
                stages.append(1.0 - z * sum(w * k for w, k in zip(row, stages, strict=True)))
            if abs(stages[-1]) > 1.0:
                return float(z)
        return float(np.inf)

    def arrays(self) -> Coefficients:
        """Return the tableau in float64, the same object at every call."""
        return self._arrays

    @cached_property
    def _arrays(self) -> Coefficients:
        total, degree = self.stages + self.extra, len(self.dense[0])
        return Coefficients(
            A=_matrix((*self.a, *self.extra_a), total, total),
            C=_vector((*self.c, *self.extra_c), total),
            B=_vector(self.b, total),
            E=_vector(self.e, total),
            E3=_vector(self.e3, total),
            P=_matrix(self.dense, total, degree),
            N=_matrix(nested(self.dense), total, degree),
            M=_vector(self.multistep, total),
            PM=_matrix(self.multistep_dense, total, degree),
            NM=_matrix(nested(self.multistep_dense) if self.multistep else (), total, degree),
            stages=self.stages,
            extra=self.extra,
            slopes=total + (self.stages + PART_ROWS if self.extra else 0),
            back=max(0, len(self.multistep) - 1),
            two_errors=bool(self.e3),
            order=self.order,
            error_order=self.error_order,
            estimate_order=self.estimate_order,
            degree=degree,
        )


def _to_text(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_to_text(each) for each in value]
    return value if isinstance(value, int) else str(value)


def _from_text(value: Any) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(_from_text(each) for each in value)
    return value if isinstance(value, int) else Fraction(value)


def _vector(values: Rationals, size: int) -> NDArray[np.float64]:
    vector = np.zeros(size)
    vector[: len(values)] = [float(value) for value in values]
    vector.setflags(write=False)
    return vector


def _matrix(rows: tuple[Rationals, ...], height: int, width: int) -> NDArray[np.float64]:
    matrix = np.zeros((height, width))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] = [float(value) for value in row]
    matrix.setflags(write=False)
    return matrix
