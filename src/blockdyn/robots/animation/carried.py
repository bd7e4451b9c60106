"""Carried points: points that the frames of a robot carry along, some of them by a sliding joint's stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..calls.frames import many_frames
from ..model.poses import Array
from ..model.robot import Robot

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Motion:
    """Where the frames of a robot are at k instants.

    R (k, m, 3, 3) and p (k, m, 3) of its m frames in the world, in the order of `robot.frames`; `strokes`
    (k, j) how far the point of joint j next to its link's frame lies along the axis from the point next to
    the parent's frame, m, which only a prismatic joint changes.
    """

    R: Array
    p: Array
    strokes: Array

    def __len__(self) -> int:
        return len(self.p)


def motion_of(robot: Robot, q: Array) -> Motion:
    """The frames of the robot for every row of q (k, n). Raises InvalidRobot for a wrong size."""
    places = many_frames(robot, q)
    T = np.stack([places[name] for name in robot.frames], axis=1)
    strokes = np.zeros((len(q), len(robot.joints)))
    i = 0
    for j, (joint, link) in enumerate(zip(robot.joints, robot.links)):
        if not joint.moves:
            continue
        place, frame, axis = np.array(joint.place), np.array(link.frame), np.array(joint.axis)
        strokes[:, j] = axis @ frame[:3, 3] + (place[:3, :3] @ axis) @ place[:3, 3]
        if joint.kind == "prismatic":
            strokes[:, j] += q[:, i] + joint.offset
        i += 1
    return Motion(T[..., :3, :3], T[..., :3, 3], strokes)


@dataclass(frozen=True)
class Carried:
    """Points x = at + along stroke[joint] in their frames: `frame` (n,), `at` (n, 3), `along` (n, 3)."""

    frame: Numbers
    at: Array
    along: Array
    joint: Numbers

    def world(self, motion: Motion, k: int) -> Array:
        """The points in the world at instant k, (n, 3)."""
        stroke = motion.strokes[k][self.joint] if motion.strokes.shape[1] else np.zeros(len(self.joint))
        local = self.at + self.along * stroke[:, None]
        turned = np.einsum("nij,nj->ni", motion.R[k][self.frame], local)
        return np.asarray(turned + motion.p[k][self.frame])


def together(parts: Sequence[tuple[int, Array, Any, int]]) -> Carried:
    """One set of points from parts: frame, points (n, 3), along (0 or (n, 3)), joint."""
    counts = [len(at) for _, at, _, _ in parts]
    return Carried(
        np.repeat([frame for frame, *_ in parts], counts),
        np.concatenate([at for _, at, _, _ in parts]),
        np.concatenate([np.broadcast_to(along, at.shape) for _, at, along, _ in parts]),
        np.repeat([joint for *_, joint in parts], counts),
    )
