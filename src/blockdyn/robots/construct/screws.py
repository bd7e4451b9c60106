"""The data of Modern Robotics (M, Slist or Blist, Mlist, Glist) become a robot."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.checked import checked_numbers
from ..errors import InvalidRobot, RobotWarning, count_own_frames
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import TOLERANCE, Array, inverse, numbers, pose, translation
from ..model.robot import EARTH, Robot


@checked_numbers(InvalidRobot)
def from_screws(
    M: Any = None,
    S: Any = None,
    B: Any = None,
    Mlist: Any = None,
    Glist: Any = None,
    accepted: Sequence[bool] = (),
    *,
    name: str = "robot",
    base: Any = (0.0, 0.0, 0.0),
    tool: Any = (0.0, 0.0, 0.0),
    gravity: Any = EARTH,
    poses: Mapping[str, Any] | None = None,
    **about: str,
) -> Robot:
    """A serial robot from screw axes in its home position q = 0.

        T(q) = exp([S_1] q_1) ... exp([S_n] q_n) M = M exp([B_1] q_1) ... exp([B_n] q_n)

    `S` or `B` is the 6xn array whose columns are the axes (omega, v) in the frame of the base or of the tool;
    `Mlist` holds the n + 1 poses M_{i-1,i} of the link frames and, last, of the tool; `Glist` the n spatial
    inertias [[I_b, m [c]], [-m [c], m 1]] in these link frames. Without Mlist the links have no inertia, and
    their frames are parallel to the base's, each on its axis. `M` may be omitted with Mlist.
    `accepted` is True for each inertia whose violation of the triangle inequality is accepted.
    from_screws(**to_screws(robot)) has the motions and torques of `robot`.

    A screw whose omega (or, if that is 0, v) has the length L instead of 1 is accepted with a warning
    (RobotWarning), and its axis is normalised. The robot needs L q for the motion exp([S] q), with L
    times the screw's rates and 1 / L times its torque; `poses` give the screws' q, and are converted to the
    robot's. A screw with a pitch is not a revolute joint. Source: Lynch and Park, Modern Robotics (2017),
    chapters 4 and 8.
    Raises InvalidRobot.
    """
    chain = _home_frames(M, Mlist, name)
    M_home = chain[-1] if chain else np.array(pose(M, f"{name}, M"))
    axes = _axes(S, B, M_home, name)
    n = axes.shape[1]
    if chain and len(chain) != n + 1:
        raise InvalidRobot(
            name, f"{n} screws and {len(chain)} poses in Mlist", f"{n + 1} poses for {n} screws"
        )
    if Glist is not None and (not chain or len(Glist) != n):
        raise InvalidRobot(name, f"{n} screws and {len(Glist)} inertias", "Mlist, and one inertia per screw")
    joints, links = [], []
    parent, carried = BASE, np.eye(4)
    for i in range(n):
        kind, axis, point = _joint(axes[:, i], f"{name}, screw {i + 1}", carried)
        home = chain[i] if chain else translation(*point)
        place = inverse(carried) @ translation(*point)  # axes parallel to the base's
        inertial = _inertial(Glist[i], f"{name}, inertia {i + 1}") if Glist is not None else {}
        inertial["accepted"] = i < len(accepted) and bool(accepted[i])
        joints.append(Joint(f"joint{i + 1}", kind, parent, place, axis))
        links.append(Link(f"link{i + 1}", frame=inverse(translation(*point)) @ home, **inertial))
        parent, carried = f"link{i + 1}", home
    extra = np.array(pose(tool, f"{name}, tool"))
    return Robot(
        name, tuple(joints), tuple(links), base=base, tool=inverse(carried) @ M_home @ extra,
        gravity=gravity, poses=convert_poses(poses or {}, axes), **about,
    )  # fmt: skip


def _home_frames(M: Any, Mlist: Any, name: str) -> list[Array]:
    """The link frames and the tool in the base, at q = 0."""
    if Mlist is None:
        if M is None:
            raise InvalidRobot(name, "neither M nor Mlist", "the home pose of the tool, or all of Mlist")
        return []
    frames: list[Array] = []
    for i, step in enumerate(Mlist):
        before = frames[-1] if frames else np.eye(4)
        frames.append(before @ np.array(pose(step, f"{name}, Mlist {i + 1}")))
    if M is not None and np.abs(np.array(pose(M, f"{name}, M")) - frames[-1]).max() > TOLERANCE:
        raise InvalidRobot(name, "M is not the product of Mlist", "one of them, or both the same")
    return frames


def _axes(S: object, B: object, M: Array, name: str) -> Array:
    """The axes as columns, in the frame of the base."""
    if S is None and B is None:
        raise InvalidRobot(name, "neither S nor B", "one of them")
    if S is not None and B is not None:
        fixed, turned = _axes(S, None, M, name), _axes(None, B, M, name)
        if fixed.shape != turned.shape or np.abs(fixed - turned).max(initial=0.0) > TOLERANCE:
            raise InvalidRobot(name, "S and B are different axes", "one of them, or both the same")
        return fixed
    axes: Array = numbers(S if S is not None else B)
    if axes.ndim != 2 or axes.shape[0] != 6 or not np.isfinite(axes).all():
        problem = f"the screws have the shape {axes.shape}"
        raise InvalidRobot(name, problem, "6 rows (omega, v) and a column for every joint, finite numbers")
    if S is not None:
        return axes
    R, p = M[:3, :3], M[:3, 3]
    omega = R @ axes[:3]
    return np.vstack([omega, R @ axes[3:] + np.cross(p, omega.T).T])


def convert_poses(poses: Mapping[str, Any], axes: object) -> dict[str, Any]:
    """Poses in the coordinates of the screws (6, n) as poses of the robot, whose axes have the length 1.

    A value that is not a pose is returned unchanged; Robot refuses it.
    """
    lengths = np.array([_length(screw) for screw in numbers(axes).T])
    lengths[np.abs(lengths - 1.0) <= TOLERANCE] = 1.0
    values = {pose: numbers(value) for pose, value in poses.items()}
    return {pose: q * lengths if q.shape == lengths.shape else poses[pose] for pose, q in values.items()}


def _length(screw: Array) -> float:
    """The length of omega or, if omega is 0, of v."""
    turning = float(np.linalg.norm(screw[:3]))
    return turning if turning > 1e-9 else float(np.linalg.norm(screw[3:]))


def _joint(screw: Array, place: str, before: Array) -> tuple[Any, Array, Array]:
    """Kind, unit axis, and a point of the axis, in the frame of the base."""
    omega, v = screw[:3], screw[3:]
    turning, length = float(np.linalg.norm(omega)), _length(screw)
    if length < 1e-9:
        raise InvalidRobot(place, "all six numbers are 0", "an axis")
    if abs(length - 1.0) > TOLERANCE:
        text = f"{place}: length {length:.6g} instead of 1; the axis is normalised: q and qd of the robot are"
        text += f" {length:.6g} times the screw's, its torque is the screw's divided by {length:.6g}"
        warnings.warn(text, RobotWarning, stacklevel=count_own_frames())
    if turning <= 1e-9:
        return "prismatic", v / length, before[:3, 3]
    pitch = float(omega @ v) / turning**2
    if abs(pitch) > TOLERANCE:
        raise InvalidRobot(
            place, f"a pitch of {pitch:.4g} m/rad", "omega at right angles to v: no screw motion"
        )
    return "revolute", omega / length, np.cross(omega, v) / turning**2


def _inertial(G: object, place: str) -> dict[str, Any]:
    """Mass, centre of mass and inertia about it, from a 6x6 spatial inertia in (omega, v) order."""
    array: Array = numbers(G)
    if array.shape != (6, 6) or not np.isfinite(array).all():
        raise InvalidRobot(place, f"the shape {array.shape}", "a 6x6 spatial inertia, finite numbers")
    mass = float(array[5, 5])
    block = array[:3, 3:]
    c = np.array([block[2, 1], block[0, 2], block[1, 0]]) / mass if mass > 0 else np.zeros(3)
    scale = max(1.0, float(np.abs(array).max()))
    rebuilt = np.diag([mass] * 3)
    if (
        np.abs(array[3:, 3:] - rebuilt).max() > TOLERANCE * scale
        or np.abs(block + block.T).max() > TOLERANCE * scale
    ):
        raise InvalidRobot(place, "not a spatial inertia of a rigid body", "[[I_b, m [c]], [-m [c], m 1]]")
    about_c = array[:3, :3] - mass * (float(c @ c) * np.eye(3) - np.outer(c, c))
    return {"mass": mass, "com": c, "inertia": about_c}
