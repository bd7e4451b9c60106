"""Controllers of arms, against closed forms, published figures and conservation laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import load

from .loop import closed, still
from .one_block import fed, shown

SMOOTH = {"name": "puma560", "without_friction": True}
MOVE = {"q0": np.zeros(6), "qf": [math.pi / 4, math.pi / 2, -math.pi / 2, 0.0, 0.0, 0.0]}
BOOK, WRONG = "modern_robotics_3r", "modern_robotics_3r_wrong"
K = np.array([math.sqrt(2), 1.0, 1.0])  # the book's first screw has the length sqrt 2


def test_sl_ctorque() -> None:
    """Figures of a reference implementation of the toolbox's model: all error is due to the 5 ms."""
    reference = bd.JointTrajectory(**MOVE, duration=5.0)
    robot = {"name": "puma560", "without_friction": "coulomb"}
    d = closed(bd.ComputedTorque(robot, Kp=20.0, Kd=5.0), bd.FDyn(robot), reference, hold=0.005)
    r = d.simulate(stop=5.0, rtol=1e-6, log=["error", "arm.q"])
    np.testing.assert_allclose(abs(r["error"].values).max(axis=0), [2e-4, 6e-4, 6e-4, 0, 0, 0], atol=6e-5)
    np.testing.assert_allclose(r.final("arm.q"), MOVE["qf"], atol=1e-4)


def test_computed_torque_makes_the_error_linear() -> None:
    """Two poles at -p: e0 (1 + p t) exp(-p t); with the integral three: e0 (1 + p t - p2 t2) exp(-p t)."""
    p, e0 = 5.0, np.array([0.3, -0.2, 0.1, 0.4, -0.5, 0.2])
    plant = bd.FDyn(SMOOTH, q0=-e0)
    times = np.linspace(0.0, 2.0, 9)
    decay = np.outer(np.exp(-p * times), e0)
    for gains, shape in (
        ({"Kp": p**2, "Kd": 2 * p}, 1 + p * times),
        ({"Kp": np.eye(6) * 3 * p**2, "Kd": [3 * p] * 6, "Ki": p**3}, 1 + p * times - (p * times) ** 2),
    ):
        d = closed(bd.ComputedTorque(SMOOTH, **gains), plant, still(np.zeros(6)))
        r = d.simulate(stop=2.0, times=times, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(r["error"].values, shape[:, None] * decay, atol=1e-7)


def test_computed_torque_of_the_book() -> None:
    """The law of Modern Robotics, (11.37), at one instant; the manual's figure has Ki (eint + e) in it."""
    block = bd.ComputedTorque(BOOK, Kp=1.3, Ki=1.2, Kd=1.1, integral0=0.2 * K)
    tau = shown(
        block, q=K * 0.1, qd=K * [0.1, 0.2, 0.3], q_ref=K, qd_ref=K * [2.0, 1.2, 2.0], qdd_ref=K * 0.1
    )["tau"]
    np.testing.assert_allclose(K * tau, [108.99792489, -32.20323245, -3.69870084], atol=1e-8)


@pytest.mark.parametrize(
    ("model", "largest"), [(BOOK, [0.00485, 0.00970, 0.01455]), (WRONG, [0.02295, 0.08707, 0.51179])]
)
def test_the_book_study_with_true_and_wrong_model(model: str, largest: list[float]) -> None:
    """The task of SimulateControl in Modern Robotics in continuous time, by a reference implementation."""
    reference = bd.JointTrajectory(q0=K * 0.1, qf=K * [math.pi / 2, math.pi, 1.5 * math.pi])
    controller = bd.ComputedTorque(model, Kp=20.0, Ki=10.0, Kd=18.0)
    d = closed(controller, bd.FDyn(BOOK, q0=K * 0.1, qd0=K * [0.1, 0.2, 0.3]), reference)
    r = d.simulate(stop=1.0, rtol=1e-9, atol=1e-11, every=1e-3, log=["error"])
    np.testing.assert_allclose(abs(r["error"].values / K).max(axis=0), largest, rtol=4e-4)


def test_pd_hangs_through_and_pd_with_gravity_does_not() -> None:
    q_ref = [0.3, 0.4]
    for controller in (bd.PD(Kp=[50.0, 30.0], Kd=10.0), bd.PDGravity("twolink", Kp=[50.0, 30.0], Kd=10.0)):
        r = closed(controller, bd.FDyn("twolink"), still(q_ref)).simulate(stop=20.0, log=["error", "arm.q"])
        lost = np.zeros(2)
        if isinstance(controller, bd.PD):
            lost = shown(bd.Gravload("twolink"), q=r.final("arm.q"))["g"]
        np.testing.assert_allclose(r.final("error") * [50.0, 30.0], lost, atol=1e-5)


def test_an_arm_without_weight_stays_where_it_is() -> None:
    d = bd.Diagram("held")
    arm, hold = d.add("arm", bd.FDyn(SMOOTH, pose="qn")), d.add("hold", bd.GravityCompensation(SMOOTH))
    d.connect(arm["q"], hold, arm)
    r = d.simulate(stop=5.0)
    np.testing.assert_allclose(r.final("arm.q"), load("puma560").named["qn"], atol=1e-9)


def test_slotine_takes_energy_from_s_alone() -> None:
    """V = s M s / 2, with s = qd - qd_ref - Lambda (q_ref - q), falls at the rate s K s."""
    robot = {"name": "puma560", "without_friction": True}
    reference = bd.JointTrajectory(**MOVE, duration=2.0)
    gain, rate = np.array([20.0, 20.0, 10.0, 2.0, 2.0, 2.0]), 4.0
    d = closed(bd.Slotine(robot, Lambda=rate, K=gain), bd.FDyn(robot, q0=0.2, qd0=-0.5), reference)
    d.connect("arm.q", d.add("M", bd.Inertia(robot)))
    r = d.simulate(stop=2.0, every=1e-3, rtol=1e-9, atol=1e-11)
    s = r["arm.qd"].values - r["wanted.qd"].values - rate * r["error"].values
    energy = 0.5 * np.einsum("ti,tij,tj->t", s, r["M"].values, s)
    power = (gain * s**2).sum(axis=1)
    spent = np.concatenate([[0.0], np.cumsum((power[2::2] + 4 * power[1::2] + power[:-1:2]) / 3) * 1e-3])
    np.testing.assert_allclose(energy[::2] + spent, energy[0], rtol=1e-6)
    assert np.linalg.norm(r["error"].values[-1]) < 1e-2 * np.linalg.norm(r["error"].values[0])


def test_force_against_a_wall_is_balanced() -> None:
    """Where the wall pushes back as hard as the tool is to push, nothing moves."""
    force = np.array([3.0, -4.0, 5.0, 0.1, -0.2, 0.3])
    qn = load("puma560").named["qn"]
    d = closed(bd.ForceMotion(SMOOTH, Kp=0.0, Kd=10.0), bd.FDyn(SMOOTH, pose="qn"), still(qn))
    d.connect(d.add("wanted_force", bd.Constant(force)), "control.force_ref")
    d.connect(d.add("wall", bd.Constant(-force)), "arm.wrench")
    np.testing.assert_allclose(d.simulate(stop=1.0).final("arm.q"), qn, atol=1e-9)


@pytest.mark.parametrize("kind", [bd.Slotine, bd.ForceMotion, bd.FeedForward, bd.ComputedTorque])
def test_on_its_reference_a_true_model_needs_no_feedback(kind: type[bd.Block]) -> None:
    """From the reference's start the torque of every law is that of inverse dynamics: the error stays 0."""
    gains = {bd.Slotine: (10.0, 10.0), bd.ForceMotion: (25.0, 10.0), bd.ComputedTorque: (25.0, 10.0)}
    robot = {"name": "puma560", "without_friction": "coulomb"}
    reference = bd.JointTrajectory(**MOVE, duration=1.0)
    if kind is bd.FeedForward:
        d = bd.Diagram("forward")
        wanted, forward = d.add("wanted", reference), d.add("control", bd.FeedForward(robot))
        for name in ("q", "qd", "qdd"):
            d.connect(wanted[name], forward[f"{name}_ref"])
        arm = d.add("arm", bd.FDyn(robot))
        d.connect(forward, arm["tau"])
    else:
        d = closed(kind(robot, *gains[kind]), bd.FDyn(robot), reference)  # type: ignore[arg-type]
    r = d.simulate(stop=1.0, rtol=1e-9, atol=1e-11, log=["arm.q", "wanted.q"])
    np.testing.assert_allclose(r["arm.q"].values, r["wanted.q"].values, atol=1e-7)


@pytest.mark.parametrize("kind", [bd.FeedForward, bd.Slotine])
def test_friction_is_met_where_joints_turn_back(kind: type[bd.Block]) -> None:
    """A Puma with all its friction swings: at each turn it rests, and breaks away as the model says."""
    A, w = np.array([0.5, 0.3, 0.4, 0.3, 0.2, 0.3]), 3.0
    d = bd.Diagram("swing")
    control = d.add("control", kind("puma560", **({"Lambda": 10.0, "K": 20.0} if kind is bd.Slotine else {})))
    arm = d.add("arm", bd.FDyn("puma560", q0=0.0, qd0=A * w))
    waves = {"q_ref": (A, 0.0), "qd_ref": (A * w, math.pi / 2), "qdd_ref": (A * w * w, math.pi)}
    for name, (amplitude, phase) in waves.items():
        wave = bd.Sine(amplitude=amplitude, frequency=w, phase=phase)
        d.connect(d.add(name, wave), control[name])
    for name in ("q", "qd") if kind is bd.Slotine else ():
        d.connect(arm[name], control[name])
    d.connect(control, arm["tau"])
    r = d.simulate(stop=2.0, rtol=1e-9, atol=1e-11, log=["arm.q", "q_ref"])
    np.testing.assert_allclose(r["arm.q"].values, r["q_ref"].values, atol=1e-7)
    assert sum(event.path == "control" for event in r.events) == 12  # six joints, at w t = pi/2 and 3 pi/2


def test_gains_are_for_as_many_joints() -> None:
    with pytest.raises(bd.ParameterError, match="a number, 6 numbers, or a 6 x 6 matrix"):
        bd.ComputedTorque("puma560", Kp=[1.0, 2.0], Kd=1.0)
    with pytest.raises(bd.ParameterError, match="integral0"):
        bd.ComputedTorque("puma560", Kp=1.0, Kd=1.0, Ki=1.0, integral0=[1.0, 2.0])


def test_the_integral_is_a_state_only_where_it_is_used() -> None:
    d = fed(bd.ComputedTorque("twolink", Kp=1.0, Kd=1.0), q=[0.0, 0.0], qd=[0.0, 0.0], q_ref=[0.1, 0.2])
    assert not d.simulate(stop=1.0).states
    d = fed(
        bd.ComputedTorque("twolink", Kp=1.0, Kd=1.0, Ki=2.0), q=[0.0, 0.0], qd=[0.0, 0.0], q_ref=[0.1, 0.2]
    )
    r = d.simulate(stop=1.0)
    np.testing.assert_allclose(r.states["block.integral"].values[-1], [0.1, 0.2], atol=1e-9)
