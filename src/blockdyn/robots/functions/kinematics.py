"""Kinematics of a robot: poses of its frames, Jacobians and their derivatives."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..calls.kernel import FLAG, WORK, Array, Input, Kernel, Output, Scratch, as_robot, bound
from ..construct.elementary import from_elementary
from ..mechanics import jacobian_rate as rate, kinematics, kinematics as analytic, kinematics as geometric
from ..mechanics.errors import WrongSize, singular_angles
from ..mechanics.kinematics import ANGLES, FRAMES
from ..model.poses import IDENTITY
from ..model.robot import Robot

Frame = Literal["world", "body", "space"]
Angles = Literal["none", "rpy", "zyx", "xyz", "yxz", "arm", "vehicle", "camera", "euler", "exp"]

REPRESENTATIONS = ("none", *ANGLES)

FKINE = Kernel(kinematics.tool_pose, (Input("q"), WORK, Output((4, 4))))
LINKS = Kernel(kinematics.link_poses, (Input("q"), WORK, Output(("joints", 4, 4))))
JACOBIAN = Kernel(geometric.jacobian, (Input("q"), FLAG, WORK, Output((6, "n"))))
ANALYTIC = Kernel(
    analytic.analytic_jacobian,
    (Input("q"), FLAG, WORK, Scratch((4, 4)), Scratch((3, 3)), Output((6, "n"))),
)
RATE = Kernel(rate.jacobian_rate, (Input("q"), Input("qd"), FLAG, WORK, Output((6, "n"))))
DRIFT = Kernel(rate.rate_times_rates, (Input("q"), Input("qd"), FLAG, WORK, Output((6,))))


def fkine(robot: Robot | str, q: ArrayLike, *, of: str = "tool") -> Array:
    """Pose of the tool, or of another frame, in the world: (4, 4), m.

        T = T_base A_1(q_1) ... A_n(q_n) T_tool

    robot: a Robot, or its name in the library. q (n,) in rad or m, or (k, n): then (k, 4, 4).
    Raises WrongSize, UnknownFrame.
    """
    return bound(FKINE, robot, of).call(q)


def link_poses(robot: Robot | str, q: ArrayLike) -> Array:
    """Poses of the frames of all links with a moving joint, in the world: (n, 4, 4).

    Joints that mimic another joint are included.
    Raises WrongSize.
    """
    return bound(LINKS, robot).call(q)


def jacobian(
    robot: Robot | str, q: ArrayLike, *, frame: Frame = "world", angles: Angles = "none", of: str = "tool"
) -> Array:
    """The Jacobian of the tool or of another frame: [v; w] = J(q) qd, (6, n); (k, 6, n) for q (k, n).

    of: tool, base, or a link. frame: "world", velocity of the origin of that frame and angular velocity in
    world axes; "body", both in its own axes; "space", velocity of the body's point at the world's origin
    (with w, the spatial twist).

    angles, in the frame world only: the rows of w become rates of "rpy" (or one of its orders: zyx, xyz, yxz,
    arm), of "euler" (ZYZ), or of the exponential coordinates, "exp".

    Siciliano et al., Robotics, 2009, sections 3.1 and 3.6; Lynch, Park, Modern Robotics, 2017, section 5.1.
    Raises WrongSize, UnknownFrame, MechanicsError.
    """
    axes = FRAMES[choice("frame", frame, FRAMES)]
    if isinstance(angles, str) and angles == "none":
        return bound(JACOBIAN, robot, of, (axes,)).call(q)
    if frame != "world":
        raise WrongSize("frame", f"found {frame!r} together with angles", '"world"')

    def failed(robot: Robot, status: int) -> None:
        raise singular_angles(robot.name, angles)

    return bound(ANALYTIC, robot, of, (ANGLES[choice("angles", angles, REPRESENTATIONS)],))(q, failed=failed)


def jacobian_dot(
    robot: Robot | str, q: ArrayLike, qd: ArrayLike, *, frame: Frame = "world", of: str = "tool"
) -> Array:
    """The time derivative of the Jacobian at the rates qd: (6, n), exact. frame as in `jacobian`.

    Raises WrongSize, UnknownFrame.
    """
    return bound(RATE, robot, of, (FRAMES[choice("frame", frame, FRAMES)],)).call(q, qd)


def jacobian_dot_qd(
    robot: Robot | str, q: ArrayLike, qd: ArrayLike, *, frame: Frame = "world", of: str = "tool"
) -> Array:
    """(dJ/dt) qd, (6,): the frame's acceleration if qdd = 0. O(n). frame as in `jacobian`.

    Raises WrongSize, UnknownFrame.
    """
    return bound(DRIFT, robot, of, (FRAMES[choice("frame", frame, FRAMES)],)).call(q, qd)


def choice(name: str, value: str, choices: Collection[str]) -> str:
    """The value, if it is one of the choices. Raises WrongSize."""
    if type(value) is not str or value not in choices:
        raise WrongSize(name, f"found {value!r:.80}", "one of " + ", ".join(choices))
    return value


@checked_numbers(WrongSize)
def relative_pose(robot: Robot | str, q: ArrayLike, *, of: str = "tool", to: str = "base") -> Array:
    """The pose of one frame of a robot in another frame, (4, 4); (k, 4, 4) for q (k, n).

    Frames are `base`, the names of links, and `tool`. relative_pose(robot, q, of="link2", to="link1") is the
    transform of row 2 of a Denavit-Hartenberg table, A_2(q_2). Raises WrongSize, UnknownFrame.
    """
    robot = as_robot(robot)
    A, B = fkine(robot, q, of=to), fkine(robot, q, of=of)
    B[..., :3, 3] -= A[..., :3, 3]
    B[..., :3, :] = A[..., :3, :3].swapaxes(-1, -2) @ B[..., :3, :]
    return B


@checked_numbers(WrongSize)
def trchain(text: str, q: ArrayLike = (), **values: float) -> Array:
    """The product of elementary transforms, "Rz(q1) Tx(a) Rx(-90deg)", at the coordinates q, (4, 4).

    values are numbers for names in the text, m and rad. The syntax is as in robots.from_elementary.
    Raises InvalidRobot, WrongSize.
    """
    robot = from_elementary(text, values, name="trchain", base=IDENTITY)
    return fkine(robot, q)
