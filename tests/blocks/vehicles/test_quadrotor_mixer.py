"""QuadrotorMixer: what it asks of the rotors is what the body then gets."""

import numpy as np
import pytest

import blockdyn as bd

INPUTS = ("tau_roll", "tau_pitch", "tau_yaw", "thrust")


def diagram(demands: dict[str, float], mixer: bd.QuadrotorMixer) -> bd.Diagram:
    d = bd.Diagram()
    m = d.add("mixer", mixer)
    for name in INPUTS:
        d.connect(d.add(name, bd.Constant(demands.get(name, 0.0))), m[name])
    return d


def test_the_body_gets_the_torques_and_the_thrust_asked_for() -> None:
    """For a moment from rest: J w = tau t and m v = (m g - T) t."""
    d = diagram({"tau_roll": 0.5, "tau_pitch": -0.8, "tau_yaw": 0.03, "thrust": 50.0}, bd.QuadrotorMixer())
    d.connect(d["mixer"], d.add("quad", bd.Quadrotor(gravity=9.81)))
    t = 1e-5
    r = d.simulate(stop=t, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(
        r.final("quad.rates") * [0.082, 0.082, 0.149] / t, [0.5, -0.8, 0.03], rtol=1e-5
    )
    assert r.final("quad.velocity")[2] / t == pytest.approx(9.81 - 50.0 / 4.0, rel=1e-6)


def test_thrust_alone_is_shared_equally_in_alternating_senses() -> None:
    omega = diagram({"thrust": 4.0 * 9.81}, bd.QuadrotorMixer()).simulate(stop=1.0).final("mixer")
    np.testing.assert_allclose(omega, 860.984 * np.array([1, -1, 1, -1]), rtol=0, atol=5e-4)


def test_speeds_stay_within_the_limits() -> None:
    demands = {"tau_roll": 10.0, "thrust": 40.0}
    omega = diagram(demands, bd.QuadrotorMixer(lower=100.0, upper=1000.0)).simulate(stop=1.0).final("mixer")
    np.testing.assert_allclose(np.abs(omega)[[1, 3]], [100.0, 1000.0], rtol=0, atol=1e-9)
    assert np.all(np.sign(omega) == [1, -1, 1, -1])


def test_limits_are_met_at_located_instants() -> None:
    """Thrust 4 b (100 t)^2 reaches 500 rad/s on every rotor at t = 5; none before 0.1 s, where it is 10."""
    b = 1.3233618e-5
    d = bd.Diagram()
    m = d.add("mixer", bd.QuadrotorMixer(lower=10.0, upper=500.0))
    for name in INPUTS[:3]:
        d.connect(d.add(name, bd.Constant(0.0)), m[name])
    d.connect(d.add("thrust", bd.Expression(f"4*{b}*(100*t)**2")), m["thrust"])
    r = d.simulate(stop=10.0)
    times = sorted({round(e.time, 9) for e in r.events if e.path == "mixer"})
    np.testing.assert_allclose([times[0], times[-1]], [0.1, 5.0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(r.final("mixer"), [500.0, -500.0, 500.0, -500.0], rtol=0, atol=1e-9)


def test_limits_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="less than upper"):
        bd.QuadrotorMixer(lower=5.0, upper=1.0)
