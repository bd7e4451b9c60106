"""ModelPredictive: inputs within limits that are optimal for the next samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, State
from .box_program import least_in_box
from .lqr import model_matrices
from .riccati import weight

MOST = 300  # numbers that are optimised: the work of a tick grows with their cube


class ModelPredictive(Block):
    """Model predictive control of x_{k+1} = A x_k + B u_k, its inputs within limits.

        min sum_{i=1..N} (x_i - x_ref)^T Q (x_i - x_ref) + sum_{i<N} u_i^T R u_i,   lower <= u_i <= upper

    from the state x of this tick; of the N = horizon inputs the first is put out, and the others are where
    the search begins at the next tick. The last state counts by `terminal` in place of Q, where it is given:
    with the matrix P of SampledLQR it is LQR while no limit is met. The program is solved exactly, by
    Bertsekas' projected Newton method, in machine code. An open x_ref is 0. x and x_ref reach u at once.
    Raises SizeError where sizes disagree, ParameterError unless lower < upper, R > 0 and horizon m <= 300.
    Source: Rawlings, Mayne, Diehl, Model Predictive Control (2017), chapter 1.

    Example:
        {type: ModelPredictive, A: [[1, 0.1], [0, 1]], B: [0.005, 0.1], Q: [1, 0.1], R: 0.1, lower: -1, upper:
        1,
         sample_time: 0.1}
    """

    icon = "MPC"
    outputs: ClassVar = ()
    states: ClassVar = (State("plan", "begin"),)
    sampled: ClassVar = True

    A: Real = parameter(doc="state matrix, n x n", dimensions=(0, 2))
    B: Real = parameter(doc="input matrix, n x m", dimensions=(0, 1, 2))
    Q: Real = parameter(default=1.0, doc="cost of the state", dimensions=(0, 1, 2))
    R: Real = parameter(default=1.0, doc="cost of the input", dimensions=(0, 1, 2))
    terminal: Real | None = parameter(
        default=None, doc="cost of the last state; none: Q", dimensions=(0, 1, 2)
    )
    lower: Real = parameter(default=-np.inf, doc="of u", infinite=True, dimensions=(0, 1))
    upper: Real = parameter(default=np.inf, doc="of u", infinite=True, dimensions=(0, 1))
    horizon: int = option(default=20, doc="samples that are looked ahead")
    sample_time: Real = parameter(default=0.1, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def model(self) -> tuple[Array, Array]:
        """A and B as matrices. Raises SizeError."""
        return model_matrices(self.A, self.B)

    def check(self) -> None:
        if not 1 <= self.horizon <= MOST // self.model()[1].shape[1]:
            expected = f"a whole number from 1 to {MOST // self.model()[1].shape[1]}"
            raise ParameterError(self.kind(), "horizon", self.horizon, expected)
        self.constants()

    def input_ports(self) -> tuple[Port, ...]:
        n = self.model()[0].shape[0]
        return (Port("x", n, flat=True), Port("x_ref", n, default=0.0, flat=True))

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("u", self.model()[1].shape[1], flat=True),)

    def constants(self) -> Mapping[str, Any]:
        A, B = self.model()
        n, m = B.shape
        N = self.horizon
        Q, R = weight(self.kind(), "Q", self.Q, n), weight(self.kind(), "R", self.R, m)
        if not np.all(np.linalg.eigvalsh(R) > 0.0):
            raise ParameterError(self.kind(), "R", self.R, "a cost above 0 in every direction")
        last = Q if self.terminal is None else weight(self.kind(), "terminal", self.terminal, n)
        limits = []
        for name in ("lower", "upper"):
            value = np.asarray(getattr(self, name), np.float64)
            if value.ndim and value.shape != (m,):
                raise ParameterError(self.kind(), name, getattr(self, name), f"a number, or {m} numbers")
            limits.append(np.tile(np.broadcast_to(value, (m,)), N))
        if not np.all(limits[0] < limits[1]):
            raise ParameterError(self.kind(), "lower", self.lower, f"less than upper, {self.upper}")
        # All states of the horizon at once: X = F x + G U.
        powers = [np.eye(n)]
        for _ in range(N):
            powers.append(A @ powers[-1])
        F = np.vstack(powers[1:])
        G = np.zeros((n * N, m * N))
        for i in range(N):
            for j in range(i + 1):
                G[n * i : n * i + n, m * j : m * j + m] = powers[i - j] @ B
        costs = np.kron(np.eye(N), Q)
        costs[-n:, -n:] = last
        H = G.T @ costs @ G + np.kron(np.eye(N), R)
        return {
            "hessian": np.ascontiguousarray(0.5 * (H + H.T)),
            "of_state": np.ascontiguousarray(G.T @ costs @ F),
            "of_reference": np.ascontiguousarray(-G.T @ costs @ np.tile(np.eye(n), (N, 1))),
            "low": limits[0], "high": limits[1], "begin": np.clip(np.zeros(m * N), *limits),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        size = self.horizon * self.model()[1].shape[1]
        return {"U": (size,), "linear": (size,), "slope": (size,), "trial": (size,), "factor": (size, size)}

    @staticmethod
    def output(
        plan: Array, x: Array, x_ref: Array, hessian: Array, of_state: Array, of_reference: Array,
        low: Array, high: Array, U: Array, linear: Array, slope: Array, trial: Array, factor: Array, u: Array,
    ) -> None:  # fmt: skip
        _planned(plan, x, x_ref, hessian, of_state, of_reference, low, high, U, linear, slope, trial, factor)
        for i in range(u.shape[0]):
            u[i] = U[i]

    @staticmethod
    def update(
        plan: Array, x: Array, x_ref: Array, u: Array, hessian: Array, of_state: Array, of_reference: Array,
        low: Array, high: Array, linear: Array, slope: Array, trial: Array, factor: Array, next_plan: Array,
    ) -> None:  # fmt: skip
        _planned(
            plan,
            x,
            x_ref,
            hessian,
            of_state,
            of_reference,
            low,
            high,
            next_plan,
            linear,
            slope,
            trial,
            factor,
        )
        m, size = u.shape[0], next_plan.shape[0]
        for i in range(size - m):  # one sample further on; the last input stays what it was
            next_plan[i] = next_plan[i + m]


def _planned(
    plan: Array, x: Array, x_ref: Array, hessian: Array, of_state: Array, of_reference: Array,
    low: Array, high: Array, U: Array, linear: Array, slope: Array, trial: Array, factor: Array,
) -> None:  # fmt: skip
    for i in range(U.shape[0]):
        U[i] = plan[i]
        total = 0.0
        for j in range(x.shape[0]):
            total += of_state[i, j] * x[j] + of_reference[i, j] * x_ref[j]
        linear[i] = total
    least_in_box(hessian, linear, low, high, U, slope, trial, factor)
