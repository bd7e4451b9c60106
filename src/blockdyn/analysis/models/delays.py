"""Constant delays of a linear model, which have infinitely many states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...base.schema import is_number
from ...base.words import short
from ..errors import AnalysisError

if TYPE_CHECKING:
    from .linear_model import LinearModel, Matrix

MOST = 100  # states per delay


@dataclass(frozen=True, eq=False)
class Delays:
    """Delays w(t) = z(t - T), element by element, added to the A, B, C, D of a model, which leave w constant:

        dx' = A dx + B du + B2 dw      dy = C dx + D du + D12 dw      dz = C2 dx + D21 du + D22 dw + h_t dt

    names, times   of q delays, T in s (q,)
    B2 (n, q), D12 (p, q), C2 (q, n), D21 (q, m), D22 (q, q), h_t (q,)

    Source: Gahinet and Shampine, Software for modeling and analysis of linear systems with delays, Proc.
    American Control Conference (2004), 5600-5605.
    """

    names: tuple[str, ...]
    times: Matrix
    B2: Matrix
    D12: Matrix
    C2: Matrix
    D21: Matrix
    D22: Matrix
    h_t: Matrix

    def arrays(self) -> dict[str, Matrix]:
        """The arrays by name, without `names`."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "names"}

    def combined(self, combine: Callable[[str, Matrix], Any]) -> Delays:
        """A copy with other arrays, each computed from its name and the present array."""
        return Delays(self.names, **{name: combine(name, array) for name, array in self.arrays().items()})

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Delays | None:
        """The delays between these outputs and inputs, without those that have no input or no effect."""
        part = replace(self, D12=self.D12[..., rows, :], D21=self.D21[..., columns])
        into, out = (
            _changing(part.C2, -1) | _changing(part.D21, -1),
            _changing(part.B2, -2) | _changing(part.D12, -2),
        )
        through = np.any(part.D22 != 0.0, axis=tuple(range(part.D22.ndim - 2)))
        for _ in self.names:
            into, out = into | np.any(through & into, axis=1), out | np.any(through & out[:, None], axis=0)
        return part._only(np.nonzero(into & out)[0])

    def _only(self, chosen: Any) -> Delays | None:
        if chosen.size == len(self.names):
            return self
        if not chosen.size:
            return None
        return Delays(
            tuple(self.names[k] for k in chosen), self.times[..., chosen], self.B2[..., chosen],
            self.D12[..., chosen], self.C2[..., chosen, :], self.D21[..., chosen, :],
            self.D22[..., chosen, :][..., chosen], self.h_t[..., chosen],
        )  # fmt: skip

    def beside(self, count: int) -> Delays:
        """A copy with this number of further outputs, without direct feedthrough from delays."""
        shape = (*self.D12.shape[:-2], count, self.D12.shape[-1])
        return replace(self, D12=np.concatenate([self.D12, np.zeros(shape)], axis=-2))


def _changing(matrix: Matrix, along: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True for each row (along=-1) or column (-2) that has a nonzero element."""
    other = matrix.ndim - 3 - along
    return np.asarray(np.any(matrix != 0.0, axis=tuple(k for k in range(matrix.ndim) if k != other)))


class Finite(NamedTuple):
    """The finite-dimensional approximation of one delay: states' = A states + B z, w = C states + D z."""

    A: Matrix
    B: Matrix
    C: Matrix
    D: float


def finite(model: LinearModel, order: int = 4) -> LinearModel:
    """The model with each delay exp(-s T) replaced by its Pade approximant [order/order].

    It has `order` more states per delay, "late.pade[0]", and is accurate up to about omega = order / T.
    A model without delays is returned unchanged. Raises AnalysisError.
    """
    if not is_number(order) or order != int(order) or not 1 <= order <= MOST:
        raise AnalysisError(f"the order of an approximant is {short(order)}", f"a whole number, 1 to {MOST}")
    if model.delays is None:
        return model
    if model.A.ndim > 2:
        raise AnalysisError("models at several points", "one of them: models[0].pade(4)")
    return realized(model, [pade(int(order), float(time)) for time in model.delays.times], "pade")


def with_delays(model: LinearModel, inputs: Sequence[str], times: Matrix) -> LinearModel:
    """Turn a model whose last inputs are the outputs of delays of these times, and whose last outputs are
    their inputs, into one with delays, named by these inputs.
    """
    q = len(inputs)
    if not q:
        return model
    n_u, n_y = len(model.inputs) - q, len(model.outputs) - q
    delays = Delays(
        tuple(inputs), times, model.B[:, n_u:], model.D[:n_y, n_u:], model.C[n_y:], model.D[n_y:, :n_u],
        model.D[n_y:, n_u:], model.g_t[n_y:],
    )  # fmt: skip
    return replace(
        model,
        B=model.B[:, :n_u], C=model.C[:n_y], D=model.D[:n_y, :n_u], g_t=model.g_t[:n_y],
        inputs=model.inputs[:n_u], outputs=model.outputs[:n_y], delays=delays,
    )  # fmt: skip


def realized(model: LinearModel, finite: Sequence[Finite], word: str) -> LinearModel:
    """The model with each delay replaced by a finite model whose states are called `word`.

    Raises AnalysisError if their inputs depend on themselves, and have no solution.
    """
    delays = model.delays
    assert delays is not None
    from scipy.linalg import block_diag

    a, b, c = (block_diag(*(getattr(each, name) for each in finite)) for name in "ABC")
    d = np.diag([each.D for each in finite])
    n, q = len(model.states), len(finite)
    try:  # z of states, inputs and the time
        fed = np.linalg.solve(
            np.eye(q) - delays.D22 @ d,
            np.hstack([delays.C2, delays.D22 @ c, delays.D21, delays.h_t[:, None]]),
        )
    except np.linalg.LinAlgError:
        actual = f"the signals that the delays {', '.join(delays.names)} pass on at once depend on themselves"
        raise AnalysisError(actual, "another order") from None
    into, out = np.vstack([delays.B2 @ d, b]), delays.D12 @ d
    by_states = np.block([[model.A, delays.B2 @ c], [np.zeros((len(a), n)), a]]) + into @ fed[:, : n + len(a)]
    of_states = np.hstack([model.C, delays.D12 @ c]) + out @ fed[:, : n + len(a)]
    by_inputs = np.vstack([model.B, np.zeros((len(a), len(model.inputs)))]) + into @ fed[:, n + len(a) : -1]
    names = [
        f"{name}.{word}[{k}]" for name, each in zip(delays.names, finite, strict=True)
        for k in range(len(each.A))
    ]  # fmt: skip
    return replace(
        model,
        A=by_states, B=by_inputs, C=of_states, D=model.D + out @ fed[:, n + len(a) : -1],
        f_t=np.append(model.f_t, np.zeros(len(a))) + into @ fed[:, -1], g_t=model.g_t + out @ fed[:, -1],
        states=(*model.states, *names), delays=None,
    )  # fmt: skip


def pade(order: int, time: float) -> Finite:
    """Pade approximant [order/order] of exp(-s T): its value and 2 order derivatives at s = 0 are exact.

    It is (1 - Z) / (1 + Z), where Z is the truncated continued fraction of tanh x, x = s T / 2:

        1 / Z = 1/x + 1 / (3/x + 1 / (5/x + ...)),   a_{k-1} = (2k + 1) a_k / x + a_{k+1},   a_order = 0

    with Z = a_0 / a_{-1}. With the states a_k / x all coefficients stay near 1; those of a polynomial
    realization grow.
    Source: Wall, Analytic Theory of Continued Fractions (1948), section 91.
    """
    weights = 2.0 * np.arange(order) + 1.0
    rows = np.zeros((order + 2, order + 1))  # a_{-1}, a_0, ... of the states and the input
    for j in range(order - 1, -1, -2):
        rows[j] = rows[j + 2]
        rows[j, j] += weights[j]
    ends = (0, 1) if order % 2 else (1, 0)  # of a_{-1} and a_0; they add up to the input
    rows[ends[1]] = -rows[ends[0]]
    rows[ends[1], -1] += 1.0
    for j in range(ends[1], order - 1, 2):
        rows[j + 2] = rows[j]
        rows[j + 2, j] -= weights[j]
    slopes, shown = 2.0 / time * rows[1 : order + 1], -2.0 * rows[1]
    return Finite(slopes[:, :-1], slopes[:, -1:], shown[None, :-1], 1.0 + float(shown[-1]))


def samples(count: int) -> Finite:
    """The last n samples of an input: an exact delay of n periods."""
    row = np.eye(1, count)
    return Finite(np.eye(count, k=-1), row.T, row[:, ::-1], 0.0 if count else 1.0)
