"""LQR: the state feedback that is optimal for a linear model and quadratic costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port
from .riccati import regulator_gain, weight


class LQR(Block):
    """Linear quadratic regulator of the model dx/dt = A x + B u; the gain is computed from it.

        u = -K (x - x_ref),  K = R^-1 B^T P,  A^T P + P A - P B R^-1 B^T P + Q = 0

    It minimises the integral of (x - x_ref)^T Q (x - x_ref) + u^T R u. Q and R are matrices, or their
    diagonals. An unconnected x_ref is 0. x and x_ref feed through to u directly. Raises SizeError if sizes
    disagree, ParameterError for weights that are not symmetric or for which no gain makes the model stable.
    Source: Anderson, Moore, Optimal Control: Linear Quadratic Methods (1990), chapter 3.

    Example:
        {type: LQR, A: [[0, 1], [0, 0]], B: [0, 1], Q: [1.0, 0.1], R: 0.1}
    """

    icon = "LQR"
    outputs: ClassVar = ()

    A: Real = parameter(unit="[x]/([x] s)", doc="state matrix, n x n", dimensions=(0, 2))
    B: Real = parameter(unit="[x]/([u] s)", doc="input matrix, n x m", dimensions=(0, 1, 2))
    Q: Real = parameter(default=1.0, unit="1/[x]^2", doc="cost of the state", dimensions=(0, 1, 2))
    R: Real = parameter(default=1.0, unit="1/[u]^2", doc="cost of the input", dimensions=(0, 1, 2))

    def model(self) -> tuple[Array, Array, float | None]:
        """A, B and their sample time, s; None if they are continuous. Raises SizeError."""
        A, B = model_matrices(self.A, self.B)
        return A, B, None

    def gain(self) -> Array:
        """K. Raises SizeError and ParameterError."""
        A, B, period = self.model()
        Q = weight(self.kind(), "Q", self.Q, A.shape[0])
        R = weight(self.kind(), "R", self.R, B.shape[1], positive=True)
        try:
            return regulator_gain(A, B, Q, R, discrete=period is not None)
        except (np.linalg.LinAlgError, ValueError) as error:
            expected = "a stabilisable model, and a Q that weights all unstable modes"
            raise ParameterError(self.kind(), "A", self.A, expected, reason=error) from None

    def check(self) -> None:
        self.gain()

    def input_ports(self) -> tuple[Port, ...]:
        n = model_matrices(self.A, self.B)[0].shape[0]
        return (
            Port("x", n, flat=True, size_rule="n, rows of A"),
            Port("x_ref", n, default=0.0, flat=True, size_rule="n, rows of A"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        m = model_matrices(self.A, self.B)[1].shape[1]
        return (Port("u", m, flat=True, size_rule="m, columns of B"),)

    def constants(self) -> Mapping[str, Any]:
        return {"K": self.gain()}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": control}


class SampledLQR(LQR):
    """Linear quadratic regulator, computed once per tick, for inputs held between ticks.

        u_k = -K (x_k - x_ref),  K = (R + G^T P G)^-1 G^T P F,  P = F^T P F - F^T P G K + Q

    F and G are A and B over one sample_time, exactly, or with `discrete` A and B themselves. It minimises the
    sum of (x - x_ref)^T Q (x - x_ref) + u^T R u over the ticks. Raises as LQR does.
    Source: Franklin, Powell, Workman, Digital Control of Dynamic Systems (1998), section 9.2.

    Example:
        {type: SampledLQR, A: [[0, 1], [0, 0]], B: [0, 1], Q: [1.0, 0.1], R: 0.1, sample_time: 0.05}
    """

    sampled: ClassVar[bool] = True

    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    discrete: bool = option(default=False, doc="whether A and B are discrete-time matrices")

    def model(self) -> tuple[Array, Array, float | None]:
        A, B, _ = super().model()
        period = float(self.sample_time)  # type: ignore[arg-type]
        if not self.discrete:
            from scipy.linalg import expm

            n, m = B.shape
            joint = np.zeros((n + m, n + m))
            joint[:n, :n], joint[:n, n:] = A, B
            over = expm(joint * period)
            A, B = over[:n, :n], over[:n, n:]
        return A, B, period


def control(x: Array, x_ref: Array, K: Array, u: Array) -> None:
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(x.shape[0]):
            total -= K[i, j] * (x[j] - x_ref[j])
        u[i] = total


def model_matrices(a: object, b: object) -> tuple[Array, Array]:
    """A of n x n and B of n x m. Raises SizeError."""
    A = np.atleast_2d(np.asarray(a, np.float64))
    B = np.asarray(b, np.float64)
    B = B.reshape(-1, 1) if B.ndim < 2 else B
    if A.shape[0] != A.shape[1] or B.shape[0] != A.shape[0]:
        shapes = ["x".join(map(str, matrix.shape)) for matrix in (A, B)]
        raise SizeError(f"A of {shapes[0]}, B of {shapes[1]}", "A of n x n, B of n x m")
    return A, B
