"""PseudoInverse: the inverse of a matrix signal of any rank, with optional damping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size
from .inverse_kernels import pseudo_inverse


class PseudoInverse(Block):
    """Moore-Penrose inverse of a signal u of rows x columns, with damping.

        u = U diag(s) V^T,   y = V diag(s / (s^2 + damping^2)) U^T

    Without damping, y b is the shortest x that minimises |u x - b|. Singular values up to `tolerance` times
    the largest count as zero; when one becomes zero, y jumps. With damping y = u^T (u u^T + damping^2 I)^-1
    is smooth, and none of its singular values exceeds 1 / (2 damping): damped least squares, for a Jacobian
    near singular poses. The output `singular_values` has the largest s first. u feeds through to both outputs
    directly.
    Source: Golub, Van Loan, Matrix Computations (4th ed., 2013), section 5.5; Wampler, IEEE Transactions on
    Systems, Man, and Cybernetics 16(1), 1986.

    Example:
        {type: PseudoInverse, rows: 6, columns: 7, damping: 0.01}
    """

    icon = "A^{+}"
    outputs: ClassVar = (
        Port("y", size_rule="columns x rows"),
        Port("singular_values", size_rule="the smaller of rows and columns"),
    )

    rows: int = option(default=6, doc="rows of u")
    columns: int = option(default=6, doc="columns of u")
    damping: Real = parameter(default=0.0, unit="[u]", doc="lambda", minimum=0, dimensions=(0,))
    tolerance: Real = parameter(
        default=1e-12, unit="1", doc="as a fraction of the largest singular value", minimum=0, dimensions=(0,)
    )

    def check(self) -> None:
        for name in ("rows", "columns"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= 100:
                raise ParameterError("PseudoInverse", name, value, "a whole number from 1 to 100")

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", Size((self.rows, self.columns)), size_rule="rows x columns"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("y", Size((self.columns, self.rows)), size_rule="columns x rows"),
            Port(
                "singular_values",
                Size((min(self.rows, self.columns),)),
                "",
                "largest first",
                size_rule="the smaller of rows and columns",
            ),
        )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        short, long = sorted((self.rows, self.columns))
        return {"U": (long, short), "V": (short, short)}

    @staticmethod
    def output(
        u: Array, damping: float, tolerance: float, U: Array, V: Array, y: Array, singular_values: Array
    ) -> None:
        pseudo_inverse(u, damping, tolerance, U, V, y, singular_values)
