"""Linear: a matrix times a state and another times an input, as a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Array, Real, option, parameter
from ...blocks.contract.port import Port, Size


class Linear(Block):
    """y = A x + B u, of vectors; without `direct` y = A x, and there is no input u."""

    outputs: ClassVar = (Port("y"),)

    A: Real = parameter(doc="factor of x", dimensions=(2,))
    B: Real = parameter(doc="factor of u", dimensions=(2,))
    direct: bool = option(default=True, doc="whether u counts")

    def input_ports(self) -> tuple[Port, ...]:
        x = Port("x", Size((np.shape(self.A)[1],)))  # type: ignore[arg-type]
        return (x, Port("u", Size((np.shape(self.B)[1],)))) if self.direct else (x,)  # type: ignore[arg-type]

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", Size((np.shape(self.A)[0],))),)  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": of_both if self.direct else of_state}


def of_both(x: Array, u: Array, A: Array, B: Array, y: Array) -> None:
    linear(A, B, x, u, y)


def of_state(x: Array, A: Array, y: Array) -> None:
    for i in range(y.shape[0]):
        y[i] = 0.0
        for j in range(x.shape[0]):
            y[i] += A[i, j] * x[j]


def linear(A: Array, B: Array, x: Array, u: Array, result: Array) -> None:
    """A x + B u, into `result`."""
    for i in range(result.shape[0]):
        result[i] = 0.0
        for j in range(x.shape[0]):
            result[i] += A[i, j] * x[j]
        for j in range(u.shape[0]):
            result[i] += B[i, j] * u[j]
