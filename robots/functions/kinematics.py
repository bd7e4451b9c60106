"""Kinematics of a robot: poses, Jacobians and their derivatives."""

from __future__ import annotations

from typing import Any, Literal

from ..calls import FLAG, WORK, Array, Input, Kernel, Output, Scratch, bound
from ..lie.orders import ORDERS
from ..mechanics import analytic_jacobian as analytic
from ..mechanics import frames
from ..mechanics import jacobian as geometric
from ..mechanics import jacobian_rate as rate
from ..mechanics.errors import SingularAngles, WrongSize
from ..robot import Robot

Sense = Literal["world", "body", "tool", "space"]
SENSES = {
    "world": geometric.WORLD, "body": geometric.BODY, "tool": geometric.BODY, "space": geometric.SPACE
}  # fmt: skip
RATES = {
    **ORDERS, "rpy": ORDERS["zyx"], "euler": analytic.EULER,
    "rotation_vector": analytic.ROTATION_VECTOR, "exp": analytic.ROTATION_VECTOR,
}  # fmt: skip

FKINE = Kernel(frames.tool_pose, (Input("q"), WORK, Output((4, 4))))
LINKS = Kernel(frames.link_poses, (Input("q"), WORK, Output(("n", 4, 4))))
JACOBIAN = Kernel(geometric.jacobian, (Input("q"), FLAG, WORK, Output((6, "n"))))
ANALYTIC = Kernel(
    analytic.analytic_jacobian,
    (Input("q"), FLAG, WORK, Scratch((4, 4)), Scratch((3, 3)), Output((6, "n"))),
)
RATE = Kernel(rate.jacobian_rate, (Input("q"), Input("qd"), FLAG, WORK, Output((6, "n"))))
DRIFT = Kernel(rate.rate_times_rates, (Input("q"), Input("qd"), FLAG, WORK, Output((6,))))


def fkine(robot: Robot | str, q: Any, *, frame: str | None = None) -> Array:
    """Pose of the tool, or of another frame, in the world: (4, 4), m.

        T = T_base A_1(q_1) ... A_n(q_n) T_tool

    robot: a Robot, or its name in the library. q (n,) in rad or m, or (k, n): then (k, 4, 4).
    Raises WrongSize, NotFinite, UnknownFrame.
    """
    return bound(FKINE, robot, frame)(q)


def link_poses(robot: Robot | str, q: Any) -> Array:
    """Poses of the frames of all links with a moving joint of their own, in the world: (n, 4, 4).

    Raises WrongSize.
    """
    return bound(LINKS, robot)(q)


def jacobian(
    robot: Robot | str, q: Any, *, sense: Sense = "world", rates: str | None = None, frame: str | None = None
) -> Array:
    """The Jacobian of the tool or of another frame: [v; w] = J(q) qd, (6, n); (k, 6, n) for q (k, n).

    sense: "world", velocity of the frame's origin and angular velocity in world axes; "body" or "tool", the
    same in the frame's own axes; "space", velocity of the body's point at the world's origin (with w, the
    spatial twist).

    rates, in the world sense only: the rows of w become rates of "rpy" (or one of its orders: zyx, xyz, yxz,
    arm), of "euler" (ZYZ), or of the "rotation_vector" or "exp" (exponential coordinates).

    Siciliano et al., Robotics, 2009, sections 3.1 and 3.6; Lynch, Park, Modern Robotics, 2017, section 5.1.
    Raises WrongSize, UnknownFrame, SingularAngles.
    """
    if rates is None:
        return bound(JACOBIAN, robot, frame, (_choice("sense", sense, SENSES),))(q)
    if sense != "world":
        raise WrongSize("sense", f"found {sense!r} beside rates", '"world"')

    def failed(robot: Robot, status: int) -> None:
        raise SingularAngles(robot.name, rates)

    return bound(ANALYTIC, robot, frame, (_choice("rates", rates, RATES),))(q, failed=failed)


def jacobian_dot(
    robot: Robot | str, q: Any, qd: Any, *, sense: Sense = "world", frame: str | None = None
) -> Array:
    """The time derivative of the Jacobian at the rates qd: (6, n), exact. Senses as in `jacobian`.

    Raises WrongSize, UnknownFrame.
    """
    return bound(RATE, robot, frame, (_choice("sense", sense, SENSES),))(q, qd)


def jacobian_dot_qd(
    robot: Robot | str, q: Any, qd: Any, *, sense: Sense = "world", frame: str | None = None
) -> Array:
    """(dJ/dt) qd, (6,): the frame's acceleration where qdd = 0. O(n). Senses as in `jacobian`.

    Raises WrongSize, UnknownFrame.
    """
    return bound(DRIFT, robot, frame, (_choice("sense", sense, SENSES),))(q, qd)


def _choice(name: str, value: str, known: dict[str, int]) -> int:
    if value not in known:
        raise WrongSize(name, f"found {value!r}", "one of " + ", ".join(known))
    return known[value]
