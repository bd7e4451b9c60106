"""InverseJacobian: joint rates from the tool's velocity, for square Jacobians."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...robots.mechanics.singularity import NEAR, above, closeness, determinant
from ..contract.block import Block
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Crossing, Port, Size
from ..matrices.inverse_kernels import invert_matrix


class InverseJacobian(Block):
    """The inverse of a square Jacobian, and the joint rates for a velocity of the tool.

        Jinv = J^-1,    qd = Jinv v

    At a singular pose the run ends with BlockFailed, which reports the time; with damping,
    PseudoInverseJacobian continues. J counts as singular if 1 / (|J| |J^-1|) is below 1e-6 (Frobenius norms).
    The instant at which it falls below this bound, or at which det J changes sign, is located, so that no
    singular pose is stepped over. J: n x n; v: n, in the order of the rows of J (0 if unconnected).
    Source: Siciliano et al., Robotics (2009), section 3.5.

    Example:
        {type: InverseJacobian, n: 6}
    """

    icon = "J^-1"
    crossings: ClassVar = (Crossing("singular"), Crossing("near", -1))

    n: int = option(default=6, doc="number of joints, and of rows")

    def check(self) -> None:
        if type(self.n) is not int or not 1 <= self.n <= 100:
            raise ParameterError(self.kind(), "n", self.n, "a whole number from 1 to 100")

    def input_ports(self) -> tuple[Port, ...]:
        return (
            Port("J", Size((self.n, self.n)), "m or 1, per rad or m", size_rule="n x n"),
            Port("v", Size((self.n,)), "m/s or rad/s", "velocity of the tool", 0.0, size_rule="n"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("Jinv", Size((self.n, self.n)), size_rule="n x n"),
            Port("qd", Size((self.n,)), "rad/s or m/s", size_rule="n"),
        )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": (self.n, self.n), "trial": (self.n, self.n)}

    @staticmethod
    def output(J: Array, v: Array, work: Array, Jinv: Array, qd: Array) -> None:
        if not invert_matrix(J, work, Jinv) or closeness(J, Jinv) < NEAR:
            raise Refusal(
                "the arm is at a singular pose, where its Jacobian has no inverse\n"
                "expected: a path that keeps away from it, or PseudoInverseJacobian with some damping"
            )
        multiply(Jinv, v, qd)

    @staticmethod
    def crossing(J: Array, work: Array, trial: Array) -> tuple[float, float]:
        # det J changes sign at most singular poses, but only touches zero at some. Nearness decreases at all
        # of them, but often within one step. Each detects poses that the other may miss.
        near = closeness(J, trial) if invert_matrix(J, work, trial) else 0.0
        return determinant(J, work), above(near)


def multiply(A: Array, x: Array, y: Array) -> None:
    """y = A x."""
    for i in range(A.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[i, j] * x[j]
        y[i] = total
