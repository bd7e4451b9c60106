"""ResolvedRate: joint rates for a commanded velocity of the tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...robots.mechanics.kinematics import jacobian
from ...robots.mechanics.singularity import NEAR, above, determinant
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from ..matrices.inverse_kernels import pseudo_inverse
from .inverse_jacobian import multiply
from .jacobian import select_rows
from .pseudo_inverse_jacobian import ROUNDING
from .velocity_rows import VelocityBlock


class Tool(NamedTuple):
    """The arm and the velocity of its tool."""

    arm: Array
    frame_code: float
    rows: Array  # indices of the selected rows of J
    work: Array
    full: Array  # (6, n)


class Inverse(NamedTuple):
    """Workspace: the m selected rows of the Jacobian, their singular values and their inverse."""

    J: Array  # (m, n)
    Jinv: Array  # (n, m)
    U: Array
    V: Array
    values: Array


class ResolvedRate(VelocityBlock):
    """Resolved-rate motion control.

        qd = J^T (J J^T + damping^2 I)^-1 v

    These are the smallest joint rates that give the tool the velocity v, or come closest to it; frame, order
    and part define v, as in Jacobian. Without damping the run ends with BlockFailed at a singular pose, where
    the smallest singular value of J is at most 1e-6 of the largest, even if that happens only between two
    steps. With damping |qd| is at most |v| / (2 damping). Integrate qd with an Integrator, or with a
    DiscreteIntegrator like a joint servo. v: 6, or 3 with part trans or rot. q and v feed through to qd
    directly.
    Source: Whitney, Resolved Motion Rate Control of Manipulators and Human Prostheses, IEEE Trans.
    Man-Machine Systems 10(2), 1969; damping: Wampler, IEEE Trans. Systems, Man, and Cybernetics 16(1), 1986.

    Example:
        {type: ResolvedRate, robot: puma560, damping: 0.01}
    """

    icon = "J^-1 v"

    damping: Real = parameter(
        default=0.0, unit="[J]", doc="damping of the inverse", minimum=0, dimensions=(0,)
    )

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.row_port("v", "m/s", "rad/s", "reference velocity of the tool"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("qd", "rad/s or m/s"),)

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        rows, n = len(self.rows()), self.model.n
        short, long = sorted((rows, n))
        return {
            **super().scratch(),
            "J": (rows, n), "Jinv": (n, rows), "U": (long, short), "V": (short, short), "values": (short,),
        }  # fmt: skip

    def zero_crossings(self) -> tuple[Crossing, ...]:
        near = Crossing("near", -1)
        return (near, Crossing("singular")) if self._changes_sign() else (near,)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        crossing = nearness_and_sign if self._changes_sign() else nearness
        return {**super().functions(), "crossing": crossing}

    def _changes_sign(self) -> bool:
        """True if the Jacobian is square: its determinant changes sign at most singular poses."""
        return len(self.rows()) == self.model.n

    @staticmethod
    def output(q: Array, v: Array, tool: Tool, damping: float, inverse: Inverse, qd: Array) -> None:
        values = inverse.values
        invert(q, tool, damping, inverse)
        if damping == 0.0 and values[values.shape[0] - 1] <= NEAR * values[0]:
            raise Refusal(
                "the arm is at a singular pose, where some tool velocity requires infinite joint rates\n"
                "expected: a path that keeps away from it, or some damping, such as 0.01, here or in a"
                " PseudoInverseJacobian"
            )
        multiply(inverse.Jinv, v, qd)


def invert(q: Array, tool: Tool, damping: float, inverse: Inverse) -> None:
    """The selected rows of the Jacobian, their singular values and damped inverse."""
    jacobian(tool.arm, q, int(tool.frame_code), tool.work, tool.full)
    select_rows(tool.full, tool.rows, inverse.J)
    pseudo_inverse(inverse.J, damping, ROUNDING, inverse.U, inverse.V, inverse.Jinv, inverse.values)


def nearness(q: Array, damping: float, tool: Tool, inverse: Inverse) -> float:
    """Zero crossing that decreases near a singular pose; constant 1 if damped. J stays in `inverse`."""
    if damping > 0.0:  # singular poses are allowed: a constant has no events
        return 1.0
    values = inverse.values
    invert(q, tool, 0.0, inverse)
    return above(values[values.shape[0] - 1] / values[0] if values[0] > 0.0 else 0.0)


def nearness_and_sign(q: Array, damping: float, tool: Tool, inverse: Inverse) -> tuple[float, float]:
    """The crossing, and the scaled determinant of the selected rows; Jinv is workspace."""
    if damping > 0.0:
        return 1.0, 1.0
    near = nearness(q, damping, tool, inverse)
    return near, determinant(inverse.J, inverse.Jinv)
