"""What functions of a robot are not computed for: no masses, no limits, no finite numbers, no such name."""

import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from blockdyn.blocks.arms import (
    computed_torque,
    fdyn,
    gravity_compensation,
    gravload,
    inertia,
    pd_gravity,
    rne,
)
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.robots import RobotWarning, UnknownRobot, functions as f, load
from blockdyn.robots.mechanics.errors import WrongSize

ZERO = np.zeros(6)


@pytest.mark.parametrize(
    "call",
    [
        lambda robot: f.rne(robot, ZERO, ZERO, ZERO),
        lambda robot: f.gravload(robot, ZERO),
        lambda robot: f.inertia(robot, ZERO),
        lambda robot: f.coriolis(robot, ZERO, ZERO),
        lambda robot: f.kinetic_energy(robot, ZERO, ZERO),
        lambda robot: f.centre_of_mass(robot, ZERO),
    ],
)
def test_dynamics_without_masses_warn_once_for_each_robot_at_the_callers_line(call: Any) -> None:
    robot = replace(load("irb140"), title="another object")
    with pytest.warns(RobotWarning, match="irb140 has no masses: kinematics only") as seen:
        call(robot)
    assert [warning.filename for warning in seen] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(robot)


def test_kinematics_without_masses_and_motors_without_links_are_silent() -> None:
    robot = replace(load("irb140"), title="another object")
    motors = replace(robot, joints=tuple(replace(joint, motor_inertia=2.0) for joint in robot.joints))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f.fkine(robot, ZERO)
        f.wrench_torque(robot, ZERO, ZERO)
        assert np.allclose(f.rne(motors, ZERO, ZERO, np.ones(6)), 2.0)


@pytest.mark.parametrize(
    ("block", "given"),
    [
        (rne.RNE, {}),
        (gravity_compensation.GravityCompensation, {}),
        (pd_gravity.PDGravity, {"Kp": 1.0, "Kd": 1.0}),
        (computed_torque.ComputedTorque, {"Kp": 1.0, "Kd": 1.0}),
        (gravload.Gravload, {}),
        (inertia.Inertia, {}),
        (fdyn.FDyn, {}),
    ],
)
def test_blocks_that_weigh_refuse_a_robot_without_masses(block: Any, given: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="irb140 has no masses: kinematics only"):
        block(robot="irb140", **given)


def test_a_load_that_nothing_bounds_asks_for_torques() -> None:
    q = load("puma560").named["qn"]
    with pytest.raises(WrongSize, match="no joint of puma560 has an effort limit\nexpected: a number"):
        f.paycap("puma560", q, [0, 0, -1, 0, 0, 0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kind", [np.array, list, lambda q: np.array([ZERO, q])])
def test_numbers_that_are_not_finite_are_named(bad: float, kind: Any) -> None:
    q = ZERO.copy()
    q[2] = bad
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in (f.fkine, f.jacobian, f.gravload):
            with pytest.raises(
                WrongSize, match=r"puma560, q: element .*2\] is (nan|inf)\nexpected: finite numbers"
            ):
                call("puma560", kind(q))
        with pytest.raises(WrongSize, match="puma560, qdd"):
            f.rne("puma560", ZERO, ZERO, kind(q))


def test_huge_finite_numbers_are_no_error() -> None:
    assert np.isfinite(f.fkine("puma560", np.array([1e308] * 6))).all()


def test_a_name_stands_for_the_robot() -> None:
    puma = load("puma560")
    q = puma.named["qn"]
    assert np.array_equal(f.rne("puma560", q, q, q), f.rne(puma, q, q, q))
    assert np.array_equal(f.accel("puma560", q, q, q), f.accel(puma, q, q, q))
    assert f.maniplty("puma560", q) == f.maniplty(puma, q)
    assert np.array_equal(f.itorque("puma560", q, q), f.itorque(puma, q, q))
    assert np.array_equal(f.ellipsoid("puma560", q).lengths, f.ellipsoid(puma, q).lengths)
    with pytest.raises(UnknownRobot, match=re.escape("did you mean `puma560`?")):
        f.fkine("pumo560", q)
