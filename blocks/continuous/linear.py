"""The equations of a linear system as kernels, for scalar and vector inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..contract.parameter import Array


def output_function(inputs: int, outputs: int, feedthrough: bool) -> Callable[..., Any]:
    """The kernel of y = C x + D u; without feedthrough u is not an argument."""
    if not feedthrough:
        return scalar_output if outputs == 1 else vector_output
    if inputs == 1:
        return scalar_output_of_scalar if outputs == 1 else vector_output_of_scalar
    return scalar_output_of_vector if outputs == 1 else vector_output_of_vector


# A scalar port reaches a kernel as a number and a vector as an array, and an output that names u has direct
# feedthrough. Each case therefore has its own kernel, without branches at run time. Kernels of derivatives
# and of next states compute the same sums: only the name of the target differs, d_x or next_x.


def scalar_output(x: Array, C: Array) -> float:
    y = 0.0
    for i in range(x.shape[0]):
        y += C[0, i] * x[i]
    return y


def vector_output(x: Array, C: Array, y: Array) -> None:
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(x.shape[0]):
            total += C[k, i] * x[i]
        y[k] = total


def scalar_output_of_scalar(x: Array, u: float, C: Array, D: Array) -> float:
    y: float = D[0, 0] * u
    for i in range(x.shape[0]):
        y += C[0, i] * x[i]
    return y


def scalar_output_of_vector(x: Array, u: Array, C: Array, D: Array) -> float:
    y = 0.0
    for j in range(u.shape[0]):
        y += D[0, j] * u[j]
    for i in range(x.shape[0]):
        y += C[0, i] * x[i]
    return y


def vector_output_of_scalar(x: Array, u: float, C: Array, D: Array, y: Array) -> None:
    for k in range(y.shape[0]):
        total = D[k, 0] * u
        for i in range(x.shape[0]):
            total += C[k, i] * x[i]
        y[k] = total


def vector_output_of_vector(x: Array, u: Array, C: Array, D: Array, y: Array) -> None:
    for k in range(y.shape[0]):
        total = 0.0
        for j in range(u.shape[0]):
            total += D[k, j] * u[j]
        for i in range(x.shape[0]):
            total += C[k, i] * x[i]
        y[k] = total


def slope_of_scalar(x: Array, u: float, A: Array, B: Array, d_x: Array) -> None:
    for k in range(x.shape[0]):
        total = B[k, 0] * u
        for i in range(x.shape[0]):
            total += A[k, i] * x[i]
        d_x[k] = total


def slope_of_vector(x: Array, u: Array, A: Array, B: Array, d_x: Array) -> None:
    for k in range(x.shape[0]):
        total = 0.0
        for j in range(u.shape[0]):
            total += B[k, j] * u[j]
        for i in range(x.shape[0]):
            total += A[k, i] * x[i]
        d_x[k] = total


def next_of_scalar(x: Array, u: float, A: Array, B: Array, next_x: Array) -> None:
    for k in range(x.shape[0]):
        total = B[k, 0] * u
        for i in range(x.shape[0]):
            total += A[k, i] * x[i]
        next_x[k] = total


def next_of_vector(x: Array, u: Array, A: Array, B: Array, next_x: Array) -> None:
    for k in range(x.shape[0]):
        total = 0.0
        for j in range(u.shape[0]):
            total += B[k, j] * u[j]
        for i in range(x.shape[0]):
            total += A[k, i] * x[i]
        next_x[k] = total
