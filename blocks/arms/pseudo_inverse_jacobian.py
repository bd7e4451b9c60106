"""PseudoInverseJacobian: joint rates from the tool's velocity, for any Jacobian, with optional damping."""

from __future__ import annotations

from collections.abc import Mapping

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size
from ..matrices.inverse_kernels import pseudo_inverse
from .inverse_jacobian import multiply

ROUNDING = 1e-12  # singular values up to this fraction of the largest count as zero
WORST = 2.0**52  # a larger ratio of singular values is rounding; finite, so that the run continues


class PseudoInverseJacobian(Block):
    """The pseudo-inverse of a Jacobian, and the smallest joint rates for a velocity of the tool.

        Jinv = J^T (J J^T + damping^2 I)^-1,    qd = Jinv v

    Without damping Jinv is the Moore-Penrose inverse: of all rates that come closest to v, qd has the
    smallest norm. It jumps where the arm becomes singular; with damping it is smooth, and |qd| never exceeds
    |v| / (2 damping).
    `condition` is the ratio of the largest to the smallest singular value of J, at most 4.5e15. J: rows x n;
    v: rows, in the order of the rows of J (0 if unconnected).
    Source: Wampler, Manipulator Inverse Kinematic Solutions Based on Vector Formulations and Damped
    Least-Squares Methods, IEEE Trans. Systems, Man, and Cybernetics 16(1), 1986.

    Example:
        {type: PseudoInverseJacobian, n: 7, damping: 0.01}
    """

    icon = "J^{+}"

    n: int = option(default=6, doc="number of joints: columns of J")
    rows: int = option(default=6, doc="rows of J")
    damping: Real = parameter(
        default=0.0, unit="[J]", doc="damping of the inverse", minimum=0, dimensions=(0,)
    )

    def check(self) -> None:
        for name in ("n", "rows"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= 100:
                raise ParameterError(self.kind(), name, value, "a whole number from 1 to 100")

    def input_ports(self) -> tuple[Port, ...]:
        return (
            Port("J", Size((self.rows, self.n)), "m or 1, per rad or m", size_rule="rows x n"),
            Port("v", Size((self.rows,)), "m/s or rad/s", "velocity of the tool", 0.0, size_rule="rows"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("Jinv", Size((self.n, self.rows)), size_rule="n x rows"),
            Port("qd", Size((self.n,)), "rad/s or m/s", size_rule="n"),
            Port("condition", 1, "", "largest over smallest singular value of J"),
        )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        short, long = sorted((self.rows, self.n))
        return {"U": (long, short), "V": (short, short), "values": (short,)}

    @staticmethod
    def output(
        J: Array, v: Array, damping: float, U: Array, V: Array, values: Array, Jinv: Array, qd: Array
    ) -> float:  # fmt: skip
        pseudo_inverse(J, damping, ROUNDING, U, V, Jinv, values)
        multiply(Jinv, v, qd)
        least = values[values.shape[0] - 1]
        return values[0] / least if least * WORST > values[0] else WORST
