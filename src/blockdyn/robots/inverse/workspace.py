"""The workspace is the set of positions of a robot's tool, sampled by random poses within the limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..calls.frames import frames, many_frames
from ..model.poses import Array
from ..model.robot import TOOL, Robot
from .search import BOUNDLESS, METRE, ranges

SAMPLES = 20_000


@dataclass(frozen=True)
class Workspace:
    """The extent of the tool's positions.

    `reach` is the largest distance from the origin of the first moving joint's frame, m; `low` and `high`
    bound the positions in the world; `assumed` names the assumed limits.
    """

    reach: float
    low: tuple[float, ...]
    high: tuple[float, ...]
    samples: int
    assumed: str


def workspace(robot: Robot, samples: int = SAMPLES, seed: int = 0) -> Workspace:
    """The extent of sampled positions of the tool."""
    positions, assumed = sample_positions(robot, samples, seed)
    reach = float(np.linalg.norm(positions - _first_axis_point(robot), axis=1).max())
    low, high = positions.min(axis=0), positions.max(axis=0)
    return Workspace(reach, tuple(low.tolist()), tuple(high.tolist()), len(positions), assumed)


def sample_positions(robot: Robot, samples: int = SAMPLES, seed: int = 0) -> tuple[Array, str]:
    """Positions of the tool (k, 3), m, at random joint coordinates, and the joints with assumed limits.

    Joints without limits turn all around, or slide over 1 m. Half of the coordinates of half of the samples
    are at an end or the middle of their range, where most arms have their extremes.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    lower, upper = ranges(robot, True)
    samples = max(1000, min(samples, 400_000 // max(1, robot.n)))
    share = rng.uniform(size=(samples, robot.n))
    ends = rng.integers(0, 5, size=share.shape) / 4.0
    share[::2] = np.where(rng.uniform(size=share[::2].shape) < 0.5, ends[::2], share[::2])
    places = many_frames(robot, lower + share * (upper - lower))
    slides = [
        joint.name
        for joint in robot.moving
        if joint.kind == "prismatic" and joint.upper - joint.lower > BOUNDLESS
    ]
    note = f"{', '.join(slides)} without limits taken to slide over {METRE:g} m" if slides else ""
    return np.asarray(places[TOOL][:, :3, 3]), note


def _first_axis_point(robot: Robot) -> Array:
    """A point of the first moving joint's axis, which is fixed."""
    first = robot.moving[0]
    return np.asarray((frames(robot, np.zeros(robot.n))[first.parent] @ np.array(first.place))[:3, 3])
