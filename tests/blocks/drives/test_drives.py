"""Drives, against figures of the Robotics Toolbox models and their steady states."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

G, LOAD = 107.815, 20.0 / 107.815
TRAPEZE = bd.RepeatingSequence(times=[0, 0.1, 0.3, 0.4, 0.6], values=[0, 0, 50, 50, 0])


def velocity(load: float = 0.0, **parameters: float) -> bd.Diagram:
    """vloop_test of the Robotics Toolbox for MATLAB."""
    d = bd.Diagram("vloop")
    motor = d.add("motor", bd.VelocityLoop(J=580e-6, Kv=0.6, **parameters))
    d.connect(d.add("wanted", TRAPEZE), motor["w_ref"])
    d.connect(d.add("load", bd.Constant(load)), motor["tau_d"])
    return d


def test_vloop() -> None:
    """Figures of a reference implementation of the model."""
    r = velocity().simulate(stop=0.6, every=1e-4, rtol=1e-9)
    assert abs(r["motor.error"].values).max() == pytest.approx(1.346, abs=6e-4)
    at = round(0.399 / 1e-4)
    assert r["motor.w"].values[at] == pytest.approx(49.703, abs=6e-4)
    assert r["motor.tau"].values[at] == pytest.approx(0.0406, abs=6e-5)
    assert r["motor.tau"].values[3000] == pytest.approx(0.184, abs=6e-4)
    loaded = velocity(LOAD).simulate(stop=0.399, rtol=1e-9)
    assert loaded.final("motor.w") == pytest.approx(48.355, abs=6e-4)
    integral = velocity(LOAD, Ki=2.0).simulate(stop=0.399, rtol=1e-9)
    assert integral.final("motor.w") == pytest.approx(49.859, abs=2e-3)


def test_native_and_interpreted_runs_agree() -> None:
    native, plain = (velocity(LOAD, Ki=2.0).simulate(stop=0.2, compiled=way) for way in (True, False))
    np.testing.assert_array_equal(native["motor.w"].values, plain["motor.w"].values)


def test_the_torque_is_limited() -> None:
    d = bd.Diagram("jump")
    d.connect(d.add("wanted", bd.Constant(1000.0)), d.add("motor", bd.VelocityLoop(B=0.0, tau_max=0.5)))
    r = d.simulate(stop=0.1, every=1e-3)
    np.testing.assert_allclose(r["motor.w"].values[-1], 0.5 * 0.099 / 372e-6, rtol=1e-9)  # a tick late


def position(reference: bd.Block, load: float = 0.0, **parameters: float) -> bd.Diagram:
    d = bd.Diagram("ploop")
    wanted, joint = d.add("wanted", reference), d.add("joint", bd.PositionLoop(**parameters))
    d.connect(wanted["q"], joint["q_ref"])
    d.connect(wanted["qd"], joint["qd_ref"])
    d.connect(d.add("load", bd.Constant(load)), joint["tau_d"])
    return d


def test_a_load_deflects_the_position_loop() -> None:
    """At rest tau = tau_d, so that w_ref = tau_d / (Km Kv) and the error is that over Kp."""
    r = position(bd.JointTrajectory(q0=0.0, qf=1.0), LOAD).simulate(stop=2.0)
    assert r.final("joint.error") == pytest.approx(LOAD / 0.228 / 4000.0, rel=1e-5)
    assert r.final("joint.w") == pytest.approx(0.0, abs=1e-6)


def test_feeding_the_speed_forward_leaves_friction_to_the_error() -> None:
    """At the speed w the torque is B w, the error that over Km Kv Kp, and w / Kp without feed-forward."""
    ramp = bd.JointTrajectory(q0=0.0, qf=10.0, duration=10.0, method="trapezoidal", speed=1.1)
    w = 1.1 * G
    friction = 817e-6 * w / 0.228
    for part, lag in ((1.0, 0.0), (1.0 / G, w - 1.1), (0.0, w)):
        r = position(ramp, Kff=part).simulate(stop=5.0)
        assert r.final("joint.error") * 4000.0 == pytest.approx(friction + lag, rel=2e-3)


def test_a_motor_at_a_voltage() -> None:
    """Steady: V = Rm i + Km w, Km i = B w + tau_d, V = Ka Kv (w_ref - w)."""
    d = bd.Diagram("voltage")
    motor = d.add("motor", bd.MotorVoltage(Kv=0.01))
    d.connect(d.add("wanted", bd.Constant(50.0)), motor["w_ref"])
    d.connect(d.add("load", bd.Constant(0.1)), motor["tau_d"])
    r = d.simulate(stop=10.0, rtol=1e-8, log=["motor.w", "motor.tau"])
    Km, B, Rm, Ka = 0.228, 817e-6, 0.1, 10.0 * 0.01
    w = (Ka * 50.0 - Rm * 0.1 / Km) / (Ka + Rm * B / Km + Km)
    assert r.final("motor.w") == pytest.approx(w, rel=1e-5)
    assert r.final("motor.tau") == pytest.approx(B * w + 0.1, rel=1e-4)


def test_limits_of_torques() -> None:
    d = bd.Diagram("limits")
    d.connect(
        d.add("asked", bd.Sine(amplitude=[2.0, 2.0, 2.0])),
        d.add("limit", bd.TorqueSaturation(tau_max=[1.0, 3.0, 1.5], tau_min=[-np.inf, -3.0, -0.5])),
    )
    r = d.simulate(stop=6.0, every=0.1)
    asked = r["asked"].values
    np.testing.assert_allclose(
        r["limit.tau"].values, np.clip(asked, [-1.0, -3.0, -0.5], [1.0, 3.0, 1.5]), atol=1e-12
    )
    assert len(r.events) == 7
    with pytest.raises(bd.ParameterError, match="below tau_max"):
        bd.TorqueSaturation(tau_max=1.0, tau_min=2.0)
