"""LinearModel: common part of estimators of the state of a linear system."""

from __future__ import annotations

from typing import Any, ClassVar

from ..continuous.system import System, state_space
from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port


class LinearModel(Block):
    """A model A, B, C, D with an input u of m elements and a measurement y of p."""

    abstract: ClassVar = True
    outputs: ClassVar[tuple[Port, ...]] = ()

    A: Real = parameter(unit="[x]/([x] s) or [x]/[x]", doc="state matrix, n x n")
    B: Real = parameter(unit="[x]/([u] s) or [x]/[u]", doc="input matrix, n x m")
    C: Real = parameter(unit="[y]/[x]", doc="output matrix, p x n")
    D: Real = parameter(default=0.0, unit="[y]/[u]", doc="feedthrough matrix, p x m")
    initial: Real = parameter(default=0.0, unit="[x]", doc="estimate at the start", dimensions=(0, 1))

    def model(self) -> System:
        """The matrices, and the estimate at the start. Raises SizeError."""
        return state_space(self.A, self.B, self.C, self.D, self.initial)

    def input_ports(self) -> tuple[Port, ...]:
        outputs, inputs = self.model().D.shape
        return (
            Port("u", inputs, flat=True, size_rule="m, columns of B"),
            Port("y", outputs, flat=True, size_rule="p, rows of C"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("x", self.model().A.shape[0], flat=True, size_rule="n, rows of A"),)

    def matrices(self) -> dict[str, Any]:
        """The model's matrices, by the names of the functions' arguments."""
        model = self.model()
        return {"A": model.A, "B": model.B, "C": model.C, "D": model.D, "start": model.initial}


def estimate(z: Array, x: Array) -> None:
    """The state of the estimator."""
    for i in range(x.shape[0]):
        x[i] = z[i]


def residual(z: Array, y: Array, C: Array, e: Array) -> None:
    """e = y - C z."""
    for i in range(e.shape[0]):
        total = y[i]
        for j in range(z.shape[0]):
            total -= C[i, j] * z[j]
        e[i] = total


def innovation(z: Array, u: Array, y: Array, C: Array, D: Array, e: Array) -> None:
    """e = y - C z - D u."""
    residual(z, y, C, e)
    for i in range(e.shape[0]):
        for j in range(u.shape[0]):
            e[i] -= D[i, j] * u[j]


def drift(z: Array, u: Array, A: Array, B: Array, out: Array) -> None:
    """out = A z + B u."""
    for i in range(out.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[i, j] * z[j]
        for j in range(u.shape[0]):
            total += B[i, j] * u[j]
        out[i] = total


def add_product(L: Array, e: Array, out: Array) -> None:
    """out += L e."""
    for i in range(out.shape[0]):
        for j in range(e.shape[0]):
            out[i] += L[i, j] * e[j]
