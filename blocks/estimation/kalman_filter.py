"""KalmanFilter: the best linear estimate of a state from noisy measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size, State
from .covariance import covariance
from .kalman_kernels import kalman_bucy_gain, kalman_gain, propagate_covariance, reduce_covariance
from .linear_model import LinearModel, add_product, drift, estimate, innovation, residual


class KalmanFilter(LinearModel):
    """Estimates the state of dx/dt = A x + B u + w from y = C x + D u + v, w and v white noise.

        dz/dt = A z + B u + K (y - C z - D u)        K = P C' R^-1
        dP/dt = A P + P A' + Q - K R K'

    Q and R are the intensities of w and v: numbers, diagonals or symmetric matrices. P, the covariance of the
    error, begins at P0, or by default at its steady state; the gain is then constant. `varying` lists
    matrices that are inputs, such as [A, C] for a model along a trajectory. No input feeds through to x.
    Raises SizeError if sizes disagree, ParameterError for a covariance that is not symmetric, for an R that
    is not positive definite, and if a steady state does not exist.
    Source: Kalman, Bucy, J. Basic Engineering 83(1), 1961, 95-108, doi:10.1115/1.3658902.

    Example:
        {type: KalmanFilter, A: [[0, 1], [0, 0]], B: [0, 1], C: [1, 0], Q: [0.0, 0.1], R: 0.01}
    """

    icon = "Kalman\nfilter"
    states: ClassVar = (State("z", "start"), State("P", "begin"))

    Q: Real = parameter(
        default=1.0, unit="[x]^2/s or [x]^2", doc="intensity of w, n x n", dimensions=(0, 1, 2)
    )
    R: Real = parameter(
        default=1.0, unit="[y]^2 s or [y]^2", doc="intensity of v, p x p", dimensions=(0, 1, 2)
    )
    P0: Real | None = parameter(
        default=None,
        unit="[x]^2",
        doc="covariance at the start; default: the steady state",
        dimensions=(0, 1, 2),
    )
    varying: Sequence[str] = option(default=(), doc="matrices that are inputs, of A, B, C, D, Q, R")

    def check(self) -> None:
        for name in self.varying:
            if name not in "ABCDQR" or len(name) != 1:
                raise ParameterError(self.kind(), "varying", self.varying, "names of A, B, C, D, Q, R")
        self.constants()

    def input_ports(self) -> tuple[Port, ...]:
        numbers = self.constants() if self.varying else {}
        return (
            *super().input_ports(),
            *(Port(name, Size(numbers[name].shape), size_rule="as the parameter") for name in self.varying),
        )

    def output_ports(self) -> tuple[Port, ...]:
        n = self.model().A.shape[0]
        return (
            Port("x", n, flat=True, size_rule="n, rows of A"),
            Port("covariance", Size((n, n)), size_rule="n x n"),
        )

    def constants(self) -> Mapping[str, Any]:
        numbers = self.matrices()
        p, n = numbers["C"].shape
        Q, R = covariance(self, "Q", n), covariance(self, "R", p, positive=True)
        if self.P0 is not None:
            begin = covariance(self, "P0", n)
        else:
            begin = self._steady(numbers["A"], numbers["C"], Q, R)
        return {**numbers, "Q": Q, "R": R, "begin": begin}

    def _steady(self, A: Array, C: Array, Q: Array, R: Array) -> Array:
        try:
            return np.ascontiguousarray(self._riccati()(A.T, C.T, Q, R))
        except (np.linalg.LinAlgError, ValueError) as error:
            expected = "a covariance at the start, because the filter has no steady state"
            raise ParameterError(self.kind(), "P0", self.P0, expected, reason=error) from None

    def _riccati(self) -> Callable[..., Any]:
        from scipy.linalg import solve_continuous_are

        return solve_continuous_are

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        p, n = self.model().C.shape
        return {"e": (p,), "K": (n, p), "PC": (n, p), "S": (p, p), "AP": (n, n)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output_x": estimate, "output_covariance": spread, "derivative": slope}


class SampledKalmanFilter(KalmanFilter):
    """Estimates the state of x_{k+1} = A x_k + B u_k + w_k from y_k = C x_k + D u_k + v_k.

        x = z + K (y_k - C z - D u_k)           K = P C' (C P C' + R)^-1
        z_{k+1} = A x + B u_k                   P_{k+1} = A (P - K C P) A' + Q

    Q and R are the covariances of w_k and v_k. x and its `covariance` include y_k, which feeds through to
    them directly; P0 is the covariance of `initial`, before the first measurement. `varying` and errors are
    as in KalmanFilter. Source: Anderson, Moore, Optimal Filtering (1979), chapter 3.

    Example:
        {type: SampledKalmanFilter, A: [[1, 0.1], [0, 1]], B: [0, 0.1], C: [1, 0], Q: 0.01, R: 0.1,
        sample_time: 0.1}
    """

    sampled: ClassVar[bool] = True

    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def _riccati(self) -> Callable[..., Any]:
        from scipy.linalg import solve_discrete_are

        return solve_discrete_are

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        feeds = "D" in self.varying or bool(np.any(self.model().D))
        return {"output": correct_with_input if feeds else correct, "update": predict}


def spread(P: Array, covariance: Array) -> None:
    for i in range(P.shape[0]):
        for j in range(P.shape[0]):
            covariance[i, j] = P[i, j]


class Matrices(NamedTuple):
    """The matrices of the model."""

    A: Array
    B: Array
    C: Array
    D: Array


class Workspace(NamedTuple):
    """Arrays for the innovation and the gain."""

    e: Array
    K: Array
    PC: Array
    S: Array


def slope(
    z: Array, P: Array, u: Array, y: Array, model: Matrices, Q: Array, R: Array,
    work: Workspace, AP: Array, d_z: Array, d_P: Array,
) -> None:  # fmt: skip
    A, C, K, PC = model.A, model.C, work.K, work.PC
    n, p = P.shape[0], C.shape[0]
    kalman_bucy_gain(P, C, R, PC, work.S, K)
    innovation(z, u, y, C, model.D, work.e)
    drift(z, u, A, model.B, d_z)
    add_product(K, work.e, d_z)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A[i, k] * P[k, j]
            AP[i, j] = total
    for i in range(n):
        for j in range(n):
            total = AP[i, j] + AP[j, i] + Q[i, j]
            for k in range(p):
                total -= K[i, k] * PC[j, k]
            d_P[i, j] = total


def correct(
    z: Array, P: Array, y: Array, C: Array, R: Array, work: Workspace, x: Array, covariance: Array
) -> None:
    residual(z, y, C, work.e)
    take_in(z, P, C, R, work, x, covariance)


def correct_with_input(
    z: Array, P: Array, u: Array, y: Array, C: Array, D: Array, R: Array,
    work: Workspace, x: Array, covariance: Array,
) -> None:  # fmt: skip
    innovation(z, u, y, C, D, work.e)
    take_in(z, P, C, R, work, x, covariance)


def take_in(z: Array, P: Array, C: Array, R: Array, work: Workspace, x: Array, covariance: Array) -> None:
    kalman_gain(P, C, R, work.PC, work.S, work.K)
    estimate(z, x)
    add_product(work.K, work.e, x)
    reduce_covariance(P, work.K, work.PC, covariance)


def predict(
    x: Array, covariance: Array, u: Array, A: Array, B: Array, Q: Array,
    AP: Array, next_z: Array, next_P: Array,
) -> None:  # fmt: skip
    drift(x, u, A, B, next_z)
    propagate_covariance(A, covariance, Q, AP, next_P)
