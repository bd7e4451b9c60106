"""Sketch: a small drawing of a robot as the icon of the blocks that move it."""

from __future__ import annotations

from itertools import pairwise
from math import dist

import numpy as np

from ...robots.model.robot import Robot
from ..contract.icon import Icon
from ..contract.marks import arc

BENT = 0.6  # rad, the angle of every joint if a robot has no named poses; a straight arm shows little
APART = 0.02  # fraction of the unit square: closer joints share a dot
ACROSS = np.array([[0.8, -0.6, 0.0], [0.18, 0.24, 0.95]])  # seen from the side, a little from above


def sketch(robot: Robot) -> Icon:
    """The line from base to tool, with a dot at each joint; a planar robot is seen from above."""
    from ...robots.functions.kinematics import fkine, link_poses

    q = next((pose for name, pose in robot.named.items() if name in ("qn", "nominal", "ready")), None)
    if q is None:
        q = np.where(np.arange(robot.n) % 2, -BENT, BENT)
    poses = [np.array(robot.base), *link_poses(robot, q), fkine(robot, q)]
    points = np.array([pose[:3, 3] for pose in poses])
    flat = bool(np.ptp(points[:, 2]) < 1e-6 * max(1e-9, float(np.ptp(points, axis=0).max())))
    seen = points[:, :2] if flat else points @ ACROSS.T
    size = float(np.ptp(seen, axis=0).max()) or 1.0
    middle = (seen.max(axis=0) + seen.min(axis=0)) / 2
    drawn = [(float(x), float(y)) for x, y in 0.5 + 0.8 * (seen - middle) / size]
    joints = [drawn[0]]
    joints += [end for begin, end in pairwise(drawn) if dist(begin, end) > APART]
    x, y = joints[0]
    below = max(0.0, y - 0.04)
    ground = [(max(0.0, x - 0.15), below), (min(1.0, x + 0.15), below)]
    arm = [joints] if len(joints) > 1 else []
    return Icon(lines=[*arm, ground], fills=[arc(x, y, 0.04) for x, y in joints])
