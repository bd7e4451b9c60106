"""True and False are no numbers, in functions of robots and arguments of runs as in blocks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.robots import functions, inverse, lie, modern_robotics, trajectories

POSES = {
    "a list": [True] * 6,
    "a tuple beside numbers": (0.5, True, 0.0, 0, 0, 0),
    "the last of a list": [0.5, 0, 0, 0, 0, np.False_],
    "an array": np.ones(6, bool),
    "an array of objects": np.array([0.5, True, 0, 0, 0, 0], object),
    "rows": [[0.0] * 6, [0.0, 0.0, True, 0.0, 0.0, 0.0]],
    "rows as an array": np.zeros((3, 6), bool),
}
REST = [0.0] * 6
LINKS = np.array([np.eye(4), np.eye(4)])
INERTIA = np.array([np.eye(6)])
AXIS = np.eye(6)[:, 2:3]


def dynamics(theta: Any, g: Any = (0, 0, -9.81), tip: Any = (0.0,) * 6, axis: Any = AXIS) -> Any:
    return modern_robotics.InverseDynamics(theta, [0.0], [0.0], g, tip, LINKS, INERTIA, axis)


CALLS: dict[str, Callable[[], Any]] = {
    "speed": lambda: trajectories.trapezoidal(0, 1, 1.5, speed=True),
    "target": lambda: trajectories.quintic(0, True, 2, 3),
    "one of targets": lambda: trajectories.cubic([0, 0.5], [0.2, True], 2, 3),
    "duration": lambda: trajectories.quintic(0, 1.0, True, 3),
    "instants": lambda: trajectories.quintic(0, 1.0, 2, [0.0, True]),
    "angle": lambda: lie.rotx(True),
    "angle of NumPy": lambda: lie.rotx(np.True_),
    "points": lambda: lie.transform_points(np.eye(4), [True, 0.0, 0.0]),
    "rotation": lambda: lie.rpy(np.eye(3, dtype=bool)),
    "pose": lambda: trajectories.cartesian_motion(np.eye(4, dtype=bool), np.eye(4), 2.0, 3),
    "start of a search": lambda: inverse.ikine("puma560", np.eye(4), q0=[True] * 6),
    "Jacobian": lambda: functions.jsingu(np.eye(6, dtype=bool)),
    "Normalize": lambda: modern_robotics.Normalize([True, 0.0]),
    "EulerStep": lambda: modern_robotics.EulerStep([True], [0.0], [0.0], 0.1),
    "JointTrajectory": lambda: modern_robotics.JointTrajectory([True, 0.0], [0.0, 1.0], 2, 3, 3),
    "InverseDynamics": lambda: dynamics([True]),
    "InverseDynamics, array": lambda: dynamics(np.array([True])),
    "gravity": lambda: dynamics([0.1], g=[0.0, 0.0, True]),
    "wrench": lambda: dynamics([0.1], tip=np.zeros(6, bool)),
    "screws": lambda: dynamics([0.1], axis=AXIS.astype(bool)),
}


def refused(call: Callable[[], Any]) -> None:
    with pytest.raises(BlockdynError, match="true is 1, false is 0"):
        call()


@pytest.mark.parametrize("kind", POSES)
def test_poses(kind: str) -> None:
    refused(lambda: functions.fkine("puma560", POSES[kind]))
    refused(lambda: functions.islimit("puma560", POSES[kind]))
    refused(lambda: functions.rne("puma560", REST, REST, POSES[kind]))


@pytest.mark.parametrize("name", CALLS)
def test_arguments(name: str) -> None:
    refused(CALLS[name])


def test_numbers_of_every_kind_are_taken_as_before() -> None:
    exact = functions.fkine("puma560", np.array([0.0, 1.0, 0.5, 1.0, 0.0, 1.0]))
    half = Fraction(1, 2)
    for q in (
        [0, 1, 0.5, 1, 0, 1],
        (0.0, np.int64(1), np.float32(0.5), 1.0, 0.0, 1.0),
        np.array([0, 1, 0.5, 1, 0, 1], np.float32),
        [0, 1, half, 1, 0, 1],
    ):
        assert np.array_equal(functions.fkine("puma560", q), exact)
    assert np.array_equal(dynamics([1]), dynamics(np.array([1.0])))


RUNS: list[dict[str, Any]] = [
    {"stop": True},
    {"stop": np.True_},
    {"stop": np.array(True)},
    {"start": False, "stop": 1},
    {"stop": 1, "rtol": True},
    {"stop": 1, "atol": [True]},
    {"stop": 1, "every": True},
    {"stop": 1, "max_steps": True},
    {"stop": 1, "seed": True},
    {"stop": 1, "times": [0.0, True]},
    {"times": np.array([False, True])},
    {"stop": 1, "initial": {"x.x": True}},
    {"stop": 1, "initial": {"x.x": np.array([True])}},
]


@pytest.mark.parametrize("arguments", RUNS, ids=str)
def test_arguments_of_a_run(arguments: dict[str, Any]) -> None:
    diagram = bd.Diagram("d")
    diagram.connect(diagram.add("c", bd.Constant(1.0)), diagram.add("x", bd.Integrator()))
    refused(lambda: diagram.simulate(**arguments))
