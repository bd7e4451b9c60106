"""FDyn: motion of arms without dry friction, against published numbers, energy and inverse dynamics."""

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.fdyn import FDyn
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.robots import load
from blockdyn.robots.mechanics.bodies import EVERYTHING, work_shape
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.kinematics import body_poses
from blockdyn.robots.mechanics.mass_matrix import mass_matrix
from blockdyn.robots.model.table import MASS, MOMENT

from .falling import let_go, slider

PUMA = load("puma560")


def test_the_puma_collapses_as_sl_ztorque_does():
    """Figures of an independent implementation of the toolbox model sl_ztorque; qdd(0) is RTB's accel."""
    r = let_go(PUMA.without_friction("coulomb")).simulate(
        stop=5.0, rtol=1e-8, atol=1e-10, times=[0.0, 1.0, 2.0, 5.0]
    )
    expected = [
        [0.1796, -1.8658, -0.9530, 0.0003, -0.0118, 0.0],
        [-0.0503, -1.6456, -1.4191, -0.0007, -0.0426, 0.0],
        [0.0004, -1.5887, -1.5111, 0.0003, -0.0432, 0.0],
    ]
    np.testing.assert_allclose(r["arm.q"].values[1:], expected, atol=6e-5)
    start = [-0.2462, -8.6829, 3.1462, 0.0021, 0.0603, 0.0001]
    np.testing.assert_allclose(r["arm.qdd"].values[0], start, atol=6e-5)
    assert len(r.events) == 0


def test_two_links_keep_their_energy():
    """Point masses in the middle of two links of 1 m: energy from their places and speeds, by hand."""
    d = let_go(load("twolink"), q0=[0.3, -0.5], qd0=[0.5, 1.0])
    r = d.simulate(stop=10.0, rtol=1e-11, atol=1e-12, every=0.1)
    (a, b), (u, v) = r["arm.q"].values.T, r["arm.qd"].values.T
    first = 0.25 * u**2
    second = u**2 + 0.25 * (u + v) ** 2 + u * (u + v) * np.cos(b)
    height = 0.5 * np.sin(a) + np.sin(a) + 0.5 * np.sin(a + b)
    energy = 0.5 * (first + second) + 9.81 * height
    np.testing.assert_allclose(energy, energy[0], atol=1e-7)


def test_a_puma_without_friction_keeps_its_energy():
    robot = PUMA.without_friction()
    r = let_go(robot, pose="qn").simulate(stop=10.0, rtol=1e-10, atol=1e-11, every=2.5)
    arm, n = robot.table(), robot.n
    energies = []
    for q, qd in zip(r["arm.q"].values, r["arm.qd"].values, strict=True):
        work, M, poses = np.zeros(work_shape(n)), np.zeros((n, n)), np.zeros((n, 4, 4))
        mass_matrix(arm, q, work, M)
        body_poses(arm, q, work, poses)
        heights = [
            arm[i, MASS] * poses[i, 2, 3] + poses[i, 2, :3] @ arm[i, MOMENT : MOMENT + 3] for i in range(n)
        ]
        energies.append(0.5 * qd @ M @ qd + 9.81 * sum(heights))
    np.testing.assert_allclose(energies, energies[0], atol=2e-7)


def test_inverse_dynamics_of_the_motion_gives_the_torque_back():
    robot = PUMA.without_friction("coulomb")
    wrench = [3.0, -2.0, 5.0, 0.1, 0.2, -0.3]
    r = let_go(robot, torque=1.5, wrench=wrench, pose="qn").simulate(stop=0.5)
    tau = np.zeros(6)
    rnea(
        robot.table(), r.final("arm.q"), r.final("arm.qd"), r.final("arm.qdd"), np.array(wrench), EVERYTHING,
        np.zeros(work_shape(6)), tau,
    )  # fmt: skip
    np.testing.assert_allclose(tau, 1.5, atol=1e-11)


def test_a_wrench_pulls_the_tool():
    r = let_go(slider(2.0), wrench=[3.0, 0, 0, 0, 0, 0], qd0=1.0).simulate(stop=2.0)
    np.testing.assert_allclose(r.final("arm.q"), 2.0 + 0.5 * 1.5 * 4.0, rtol=1e-9)


def test_viscous_friction_and_the_motor_slow_a_mass():
    """Time constant (m + G^2 Jm) / (G^2 B)."""
    robot = slider(2.0, viscous=0.5, gear=-3.0, motor_inertia=0.25)
    r = let_go(robot, qd0=1.0).simulate(stop=1.0, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(r.final("arm.qd"), np.exp(-4.5 / 4.25), rtol=1e-8)


def test_compiled_and_interpreted_agree():
    d = let_go(PUMA, torque=2.0, pose="qr")
    compiled, interpreted = (d.simulate(stop=0.3, compiled=c) for c in (True, False))
    np.testing.assert_allclose(compiled.final("arm.q"), interpreted.final("arm.q"), rtol=1e-12, atol=1e-14)
    assert [e.time for e in compiled.events] == pytest.approx([e.time for e in interpreted.events], rel=1e-12)


def test_starts_relative_to_a_named_pose():
    r = let_go(PUMA, pose="qn", q0=[0.1, 0, 0, 0, 0, 0]).simulate(stop=0.1)
    np.testing.assert_allclose(r["arm.q"].values[0], PUMA.named["qn"] + [0.1, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"pose": "qnn"}, "qn"),
        ({"q0": [1.0, 2.0]}, "6 numbers"),
        ({"robot": "planar2"}, "inertia"),
    ],
)
def test_refuses_what_it_cannot_move(parameters, told):
    with pytest.raises(ParameterError, match=told):
        FDyn(**{"robot": "puma560", **parameters})


@pytest.mark.parametrize("compiled", [True, False])
def test_a_scalar_drives_an_arm_of_one_joint(compiled: bool) -> None:
    """I d2q/dt2 = 2 sin t with I = m r^2: a point mass of 1.5 kg at the end of a link of 1 m, no weight."""
    robot = {"name": "planar1", "links": {"link1": {"mass": 1.5}}, "gravity": [0, 0, 0]}
    d = bd.Diagram("one")
    arm = d.add("arm", bd.FDyn(robot=robot))
    d.connect(d.add("torque", bd.Sine(amplitude=2.0)), arm["tau"])
    run = d.simulate(stop=1.0, rtol=1e-10, atol=1e-12, compiled=compiled)
    np.testing.assert_allclose(run.final("arm.qd"), [2 * (1 - np.cos(1.0)) / 1.5], rtol=1e-9)
