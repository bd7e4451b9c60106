"""StateFeedback: a gain on the state, and a gain on a reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import SizeError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port


class StateFeedback(Block):
    """Linear feedback of a state.

        u = N r - K x

    K (m x n) is a matrix, or a row of n numbers for one u; N (m x p), if given, is the gain of a reference r,
    an input. For y = C x of the plant dx/dt = A x + B u to settle at r, N = -(C (A - B K)^-1 B)^-1. x and r
    feed through to u directly. Raises SizeError unless N has as many rows as K.
    Source: Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems (2015), section 7.5.

    Example:
        {type: StateFeedback, K: [3.0, 1.0], N: 3.0}
    """

    icon = "-K x"
    outputs: ClassVar = ()

    K: Real = parameter(unit="[u]/[x]", doc="gain of the state", dimensions=(0, 1, 2))
    N: Real | None = parameter(
        default=None, unit="[u]/[r]", doc="gain of the reference; default: no reference", dimensions=(0, 1, 2)
    )

    def gains(self) -> tuple[Array, Array]:
        """K and N as matrices."""
        K = np.atleast_2d(np.asarray(self.K, np.float64))
        if self.N is None:
            return K, np.zeros((K.shape[0], 1))
        N = np.asarray(self.N, np.float64)
        N = N.reshape(-1, 1) if N.ndim == 1 and N.size == K.shape[0] else np.atleast_2d(N)
        if N.shape[0] != K.shape[0]:
            raise SizeError(f"N of {N.shape[0]} rows", f"{K.shape[0]} rows, as K has")
        return K, N

    def check(self) -> None:
        self.gains()

    def input_ports(self) -> tuple[Port, ...]:
        K, N = self.gains()
        reference = () if self.N is None else (Port("r", N.shape[1], flat=True, size_rule="columns of N"),)
        return (Port("x", K.shape[1], flat=True, size_rule="columns of K"), *reference)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("u", self.gains()[0].shape[0], flat=True, size_rule="rows of K"),)

    def constants(self) -> Mapping[str, Array]:
        K, N = self.gains()
        return {"feedback": K, "forward": N}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": regulator if self.N is None else tracker}


def regulator(x: Array, feedback: Array, u: Array) -> None:
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(x.shape[0]):
            total -= feedback[i, j] * x[j]
        u[i] = total


def tracker(x: Array, r: Array, feedback: Array, forward: Array, u: Array) -> None:
    for i in range(u.shape[0]):
        total = 0.0
        for j in range(r.shape[0]):
            total += forward[i, j] * r[j]
        for j in range(x.shape[0]):
            total -= feedback[i, j] * x[j]
        u[i] = total
