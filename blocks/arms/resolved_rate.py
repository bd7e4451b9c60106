"""ResolvedRate: joint rates that move the tool as wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...robots.mechanics.jacobian import jacobian
from ...robots.mechanics.singular import NEAR, above, determinant
from ..contract.errors import Refusal
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port
from ..matrices.inverse_kernels import pseudo_inverse
from .inverse_jacobian import multiply
from .jacobian import chosen
from .pseudo_inverse_jacobian import ROUNDING
from .velocity_rows import VelocityBlock


class ResolvedRate(VelocityBlock):
    """Resolved-rate motion control.

        qd = J^T (J J^T + damping^2 I)^-1 v

    the shortest joint rates that give the tool the velocity v, or come nearest to it; frame, order and part
    say what v is, as in Jacobian. Without damping the run ends with an error at a singular pose, where the
    least singular value of J is below 1e-6 of the largest, also where that is so only between two steps;
    with it, qd is at most |v| / (2 damping). An Integrator makes q of qd; a DiscreteIntegrator, as a joint
    servo does. v: 6, or 3 with part trans or rot.
    Source: Whitney, Resolved Motion Rate Control of Manipulators and Human Prostheses, IEEE Trans.
    Man-Machine Systems 10(2), 1969; damping: Wampler, IEEE Trans. Systems, Man, and Cybernetics 16(1), 1986.

    Example:
        {type: ResolvedRate, robot: puma560, damping: 0.01}
    """

    damping: Real = parameter(default=0.0, doc="in units of the Jacobian", minimum=0, dimensions=(0,))

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.row_port("v", "m/s", "rad/s", "wanted velocity of the tool"),
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
        """Whether the Jacobian is square: its determinant changes sign at most singular poses."""
        return len(self.rows()) == self.model.n

    @staticmethod
    def output(
        q: Array, v: Array, arm: Array, frame_code: float, rows: Array, damping: float,
        work: Array, full: Array, J: Array, Jinv: Array, U: Array, V: Array, values: Array, qd: Array,
    ) -> None:  # fmt: skip
        jacobian(arm, q, int(frame_code), work, full)
        chosen(full, rows, J)
        pseudo_inverse(J, damping, ROUNDING, U, V, Jinv, values)
        if damping == 0.0 and values[values.shape[0] - 1] <= NEAR * values[0]:
            raise Refusal(
                "the arm is at a singular pose, where some velocity of the tool takes infinite joint rates\n"
                "expected: a path that keeps away from it, or some damping, such as 0.01, here or in a"
                " PseudoInverseJacobian"
            )
        multiply(Jinv, v, qd)


def nearness(
    q: Array, damping: float, arm: Array, frame_code: float, rows: Array,
    work: Array, full: Array, J: Array, Jinv: Array, U: Array, V: Array, values: Array,
) -> float:  # fmt: skip
    """What falls through zero near a singular pose, where that matters; leaves J."""
    if damping > 0.0:
        return 1.0
    jacobian(arm, q, int(frame_code), work, full)
    chosen(full, rows, J)
    pseudo_inverse(J, 0.0, ROUNDING, U, V, Jinv, values)
    return above(values[values.shape[0] - 1] / values[0] if values[0] > 0.0 else 0.0)


def nearness_and_sign(
    q: Array, damping: float, arm: Array, frame_code: float, rows: Array,
    work: Array, full: Array, J: Array, Jinv: Array, U: Array, V: Array, values: Array,
) -> tuple[float, float]:  # fmt: skip
    """The same, and the determinant of the wanted rows, scaled; Jinv is room to work in."""
    if damping > 0.0:
        return 1.0, 1.0
    near = nearness(q, damping, arm, frame_code, rows, work, full, J, Jinv, U, V, values)
    return near, determinant(J, Jinv)
