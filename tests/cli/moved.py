"""Results in which arms move, without a run."""

from __future__ import annotations

from typing import Any

import numpy as np

import blockdyn as bd
from blockdyn.diagrams.results.provenance import Provenance
from blockdyn.diagrams.results.trace import Trace
from blockdyn.plots.films.animation import Animation
from blockdyn.robots import Robot
from blockdyn.robots.mechanics.bodies import work_shape
from blockdyn.robots.mechanics.kinematics import tool_pose

ARM = """\
blockdyn: 1
name: falling
blocks:
  arm: {type: FDyn, robot: twolink}
  twin: {type: FDyn, robot: twolink}
  still: {type: Constant, value: [0.0, 0.0]}
  place: {type: FKine, robot: twolink}
wires: ["still -> [arm.tau, twin.tau]", arm.q -> place]
"""
ONE = ARM.replace("  twin: {type: FDyn, robot: twolink}\n", "").replace("[arm.tau, twin.tau]", "arm.tau")
SMALL: Any = {"size": (160, 120)}


def moved(*names: str, description: str | None = ONE, duration: float = 1.0, n: int = 2) -> bd.Result:
    """A run in which every joint of the signals turns from 0 to 1 rad."""
    time = np.linspace(0.0, duration, 5)
    turn = np.repeat(time[:, None] / duration, n, axis=1)
    signals = {name: Trace(name, time, turn, "rad") for name in names or ("arm.q",)}
    return bd.Result(signals, provenance=Provenance("falling", description))


def forward(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The pose of the tool by the kernel of the mechanics, as plain Python."""
    T = np.zeros((4, 4))
    tool_pose(robot.table(), q, np.zeros(work_shape(robot.n)), T)
    return T


def signals_of(shown: Animation) -> list[str]:
    """The signals that move what is drawn."""
    return [actor.trace.path for actor in shown.actors]
