"""Periodic orbits and their multipliers: published periods, closed forms through impacts and switches."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.analysis.errors import UnknownVariable
from blockdyn.gradients.errors import GradientError
from blockdyn.native.tangent.frame import NotDifferentiable
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.method import runge_kutta

BY_PYTHON = bd.Method(  # dopri5, with steps that Python takes, as steps of a user's own method are
    "by_python", "Dormand-Prince", "none", METHODS["dopri5"].data, steps=lambda *given: runge_kutta(*given)
)


def van_der_pol(mu=1.0):
    d = bd.Diagram("van-der-pol")
    x, v = d.add("x", bd.Integrator(2.0)), d.add("v", bd.Integrator(0.0))
    force = d.add("force", bd.Expression("mu * (1 - x**2) * v - x", coefficients={"mu": mu}))
    d.connect(x, force["x"])
    d.connect(v, [force["v"], x])
    d.connect(force, v)
    return d


@pytest.fixture(scope="module")
def oscillator():
    return van_der_pol()


@pytest.fixture(scope="module")
def cycle(oscillator):
    return oscillator.orbit(at=20.0, stop=20.0, rtol=1e-13, atol=1e-14)


def test_the_period_of_van_der_pol(cycle):
    """Digits: Amore, Boyd and Fernandez, arXiv 1710.01269; the product is Liouville's formula."""
    assert cycle.period == pytest.approx(6.6632868593231301896996820305, abs=1e-12)
    assert cycle.autonomous
    assert cycle.stable
    assert cycle.residual < 1e-12
    assert cycle.multipliers[0] == pytest.approx(1.0, abs=1e-11)
    t = np.linspace(cycle.time, cycle.time + cycle.period, 4001)[:-1]  # spectral for what is periodic
    x = cycle.run.resample(t)["x.x"]
    assert np.prod(cycle.multipliers) == pytest.approx(np.exp(cycle.period * np.mean(1.0 - x**2)), rel=1e-7)
    assert cycle.exponents[1] == pytest.approx(np.mean(1.0 - x**2), rel=1e-8)


def test_a_run_stays_on_the_orbit_and_a_double_guess_finds_the_least_period(oscillator, cycle):
    r = oscillator.simulate(
        start=cycle.time, stop=cycle.time + 3 * cycle.period, initial=cycle.initial, rtol=1e-11, atol=1e-13
    )
    assert r["x"].values[-1] == pytest.approx(cycle.states["x.x"], abs=1e-9)
    assert oscillator.orbit(13.0, at=20.0).period == pytest.approx(cycle.period, rel=1e-8)


def table_and_ball(restitution, amplitude, omega):
    """y'' = -g; where y meets A sin(w t), v becomes -e v + (1 + e) A w cos(w t)."""
    d = bd.Diagram("table")
    y = d.add("y", bd.Integrator(0.1))
    v = d.add("v", bd.Integrator(0.0, reset="falling", level=0.0))
    table = d.add("table", bd.Sine(amplitude=amplitude, frequency=omega))
    speed = d.add("speed", bd.Sine(amplitude=amplitude * omega, frequency=omega, phase=np.pi / 2))
    gap, after = d.add("gap", bd.Sum("+-")), d.add("after", bd.Sum("++"))
    d.connect(d.add("weight", bd.Constant(-9.81)), v["u"])
    d.connect(v, [y, d.add("back", bd.Gain(-restitution))])
    d.connect(y, gap[0])
    d.connect(table, gap[1])
    d.connect(gap, v["trigger"])
    d.connect("back", after[0])
    d.connect(speed, d.add("push", bd.Gain(1.0 + restitution)), after[1])
    d.connect(after, v["value"])
    return d


@pytest.mark.parametrize("side", [1.0, -1.0], ids=["stable", "saddle"])
def test_a_ball_on_a_moving_table(side):
    """Between impacts y(t) is a parabola of duration T = 2 pi / w, so v = g T / 2 behind each, and the table
    is then at a phase with A w cos(phase) = g T (1 - e) / (2 (1 + e)). From the impact's equations the map of
    (instant, speed) has determinant e^2 and trace 1 + e^2 - (1 + e)^2 A w^2 sin(phase) / g.

    Guckenheimer and Holmes, Nonlinear Oscillations (1983), section 2.4, with the table's motion in full.
    """
    g, e, omega, amplitude = 9.81, 0.7, 20.0, 0.017
    T = 2 * np.pi / omega
    phase = side * np.arccos(g * T * (1 - e) / (2 * (1 + e)) / (amplitude * omega))
    since = (-phase / omega) % T  # from an impact to t = 0
    height = amplitude * np.sin(phase) + g * T / 2 * since - g * since**2 / 2
    begin = {"y.x": height * 1.002, "v.x": g * T / 2 - g * since + 0.002}
    o = table_and_ball(e, amplitude, omega).orbit(T, at=begin)
    assert not o.autonomous
    assert o.states["y.x"] == pytest.approx(height, abs=1e-9)
    assert o.states["v.x"] == pytest.approx(g * T / 2 - g * since, abs=1e-9)
    trace = 1 + e**2 - (1 + e) ** 2 * amplitude * omega**2 * np.sin(phase) / g
    exact = np.roots([1.0, -trace, e**2])
    np.testing.assert_allclose(np.sort_complex(o.multipliers), np.sort_complex(exact + 0j), atol=1e-8)
    assert o.stable is (side > 0)


def test_oscillation_of_a_relay():
    """1/(s + 1)^3 behind a relay of 1 with hysteresis 0.1. Half a period h has C x = 0.1 at x = (I + F)^-1 G,
    F = exp(A h), G = int exp(A s) ds B; perturbations go from switch to switch by W = (I - w C / (C w)) F.

    Astrom, Oscillations in systems with relay feedback, IMA Volumes 74 (1995) 1-25.
    """
    A, B = np.array([[-1.0, 1, 0], [0, -1, 1], [0, 0, -1]]), np.array([0.0, 0, 1])
    C, level = np.array([1.0, 0, 0]), 0.1

    def at_switch(h):
        F = expm(A * h)
        return np.linalg.solve(np.eye(3) + F, np.linalg.solve(A, F - np.eye(3)) @ B), F

    h = brentq(lambda h: C @ at_switch(h)[0] - level, 0.5, 10.0, xtol=1e-14)
    x, F = at_switch(h)
    w = A @ -x - B
    W = (np.eye(3) - np.outer(w, C) / (C @ w)) @ F
    d = bd.Diagram("relay")
    plant = d.add("plant", bd.StateSpace(A=A, B=B[:, None], C=C[None], D=[[0.0]], initial=[0.3, 0.1, 0.0]))
    relay = d.add("relay", bd.Relay(switch_on=level, switch_off=-level, on=-1.0, off=1.0))
    d.connect(plant, relay)
    d.connect(relay, plant)
    o = d.orbit(at=30.0, stop=30.0, rtol=1e-12, atol=1e-13)
    assert o.period == pytest.approx(2 * h, abs=1e-10)
    exact = np.linalg.eigvals(W) ** 2
    exact = exact[np.argsort(-np.abs(exact))][:2]
    assert o.multipliers[0] == pytest.approx(1.0, abs=1e-9)
    np.testing.assert_allclose(np.sort_complex(o.multipliers[1:]), np.sort_complex(exact + 0j), atol=1e-9)


def test_a_linear_system_with_coefficients_that_switch():
    """Meissner's equation x'' + (2 + s(t)) x = 1, s a square wave: products of matrix exponentials."""
    d = bd.Diagram("meissner")
    x, v = d.add("x", bd.Integrator(0.3)), d.add("v", bd.Integrator(0.0))
    total = d.add("total", bd.Expression("1 - (2 + s) * x"))
    d.connect(v, x, total["x"])
    d.connect(d.add("s", bd.Square(period=2 * np.pi, amplitude=1.0)), total["s"])
    d.connect(total, v)
    stiff, soft = (np.array([[0, 1.0, 0], [-k, 0, 1], [0, 0, 0]]) for k in (3.0, 1.0))
    affine = expm(soft * np.pi) @ expm(stiff * np.pi)
    o = d.orbit(2 * np.pi, rtol=1e-12, atol=1e-13)
    order = [o.names.index("x.x"), o.names.index("v.x")]
    np.testing.assert_allclose(o.monodromy[np.ix_(order, order)], affine[:2, :2], atol=1e-10)
    exact = np.linalg.solve(np.eye(2) - affine[:2, :2], affine[:2, 2])
    np.testing.assert_allclose([o.states["x.x"], o.states["v.x"]], exact, atol=1e-10)


def rimless_wheel(alpha, gamma):
    """theta'' = sin theta between the spokes' impacts at gamma + alpha; g / l = 1."""
    d = bd.Diagram("wheel")
    edge = {"reset": "rising", "level": alpha + gamma}
    theta, omega = (
        d.add("theta", bd.Integrator(gamma - alpha, **edge)),
        d.add("omega", bd.Integrator(0.6, **edge)),
    )
    d.connect(theta, d.add("gravity", bd.Expression("sin(theta)")), omega["u"])
    d.connect(omega, [theta["u"], d.add("loss", bd.Gain(np.cos(2 * alpha)))])
    d.connect("loss", omega["value"])
    d.connect(
        theta,
        [
            theta["trigger"],
            omega["trigger"],
            d.add("step", bd.Expression("u - a", coefficients={"a": 2 * alpha})),
        ],
    )
    d.connect("step", theta["value"])
    return d


def test_a_rimless_wheel_rolls_downhill():
    """Behind an impact omega^2 = 4 sin(alpha) sin(gamma) cot^2(2 alpha); the multiplier is cos^2(2 alpha).

    Coleman, Chatterjee and Ruina, Dynamics and Stability of Systems 12(3) (1997) 139-159.
    """
    alpha, gamma = np.pi / 8, 0.08
    o = rimless_wheel(alpha, gamma).orbit(at=20.0)
    after = 4 * np.sin(alpha) * np.sin(gamma) / np.tan(2 * alpha) ** 2
    energy = o.states["omega.x"] ** 2 / 2 + np.cos(o.states["theta.x"])
    assert energy == pytest.approx(after / 2 + np.cos(gamma - alpha), abs=1e-9)
    np.testing.assert_allclose(o.multipliers, [1.0, np.cos(2 * alpha) ** 2], atol=1e-8)


def test_the_simplest_walker():
    """At a slope of 0.009 the published gait; at 0.0151 a multiplier passes -1.

    Numbers: Wisse and Schwab, Int. J. Humanoid Robotics 2(2) (2005) 231-247; Garcia, Chatterjee, Ruina and
    Coleman, J. Biomechanical Engineering 120 (1998) 281-288.
    """
    d = bd.load("passive-walker")
    gait = d.orbit(at=30.0)
    theta, speed = (gait.run.states[name].flat[:, 0] for name in ("theta.x", "theta_d.x"))
    behind = np.argmax(theta)
    assert theta[behind] == pytest.approx(0.200310900544287, abs=1e-10)
    assert speed[behind] == pytest.approx(-0.199832473004977, abs=1e-10)
    assert abs(gait.multipliers[1]) == pytest.approx(0.589, abs=1e-3)
    assert abs(gait.multipliers[3]) < 1e-10  # the swing leg forgets at each strike
    kinds = []
    for slope in (0.011, 0.013, 0.015, 0.0152):
        gait = d.orbit(gait.period, at=gait, set={"slope": slope})
        kinds.append(gait.kind)
    assert kinds == ["stable"] * 3 + ["unstable"]
    assert gait.multipliers[1].real < -1.0


def test_a_pendulum_that_turns_round_gains_a_turn():
    """theta'' = 1.5 - sin theta - 0.5 theta': the mean power of the torque is that of friction."""
    d = bd.Diagram("pendulum")
    theta, omega = d.add("theta", bd.Integrator(0.0)), d.add("omega", bd.Integrator(3.0))
    total = d.add("total", bd.Expression("1.5 - sin(theta) - 0.5 * omega"))
    d.connect(theta, total["theta"])
    d.connect(omega, [theta, total["omega"]])
    d.connect(total, omega)
    o = d.orbit(2.2, at=20.0, advances={"theta.x": 2 * np.pi})
    np.testing.assert_allclose(
        np.sort(o.multipliers.real), np.sort([1.0, np.exp(-0.5 * o.period)]), atol=1e-9
    )
    assert "gains 6.28" in repr(o)


def test_a_sampled_loop_under_a_sine():
    """x' = -x + sin(2 pi t) - 2 x_k, held over h = 0.1 s: ten ticks multiply by (3 e^-h - 2)^10."""
    d = bd.Diagram("sampled")
    total = d.add("total", bd.Sum("++"))
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect(d.add("sine", bd.Sine(frequency=2 * np.pi)), total[0])
    d.connect(
        total, plant, d.add("hold", bd.ZeroOrderHold(sample_time=0.1)), d.add("gain", bd.Gain(-2.0)), total[1]
    )
    o = d.orbit(1.0)
    left = np.exp(-0.1)
    np.testing.assert_allclose(
        np.sort(o.multipliers.real), np.sort([(left - 2 * (1 - left)) ** 10, 0.0]), atol=1e-9
    )
    assert "hold.y" in o.names


def test_what_is_no_orbit_says_why(oscillator):
    with pytest.raises(GradientError, match=r"equilibrium.*\nexpected: a start that is not an equilibrium"):
        oscillator.orbit(6.0, at={"x.x": 0.0, "v.x": 0.0})
    with pytest.raises(GradientError, match=r"period is -1\.0"):
        oscillator.orbit(-1.0)
    with pytest.raises(GradientError, match="neither a period nor"):
        oscillator.orbit()
    with pytest.raises(UnknownVariable, match=r"'z\.x'"):
        oscillator.orbit(6.0, at={"z.x": 1.0})
    with pytest.raises(GradientError, match=r"no state 'y\.x'"):
        oscillator.orbit(6.0, advances={"y.x": 1.0})
    with pytest.raises(GradientError, match="the method is by_python"):
        oscillator.orbit(6.0, method=BY_PYTHON)
    decay = bd.Diagram("decay")
    a, b = decay.add("a", bd.Integrator(1.0)), decay.add("b", bd.Gain(-1.0))
    decay.connect(a, b, a)
    with pytest.raises(GradientError, match="does not come back"):
        decay.orbit(stop=5.0)
    with pytest.raises(GradientError, match=r"no orbit with a period of about 2 s|found an equilibrium"):
        decay.orbit(2.0)


def test_what_the_time_drives_has_its_period():
    d = bd.Diagram("driven")
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect(d.add("sine", bd.Sine(frequency=2 * np.pi)), plant)
    with pytest.raises(GradientError, match="the time drives the diagram: sine"):
        d.orbit()
    with pytest.raises(
        GradientError, match=r"second period is another one(.|\n)*expected: a common period of all"
    ):
        d.orbit(0.7)
    assert d.orbit(1.0).multipliers[0] == pytest.approx(np.exp(-1.0), rel=1e-8)


def test_its_picture(cycle, tmp_path):
    cycle.plot(file=tmp_path / "orbit.png", show=False)
    cycle.plot("v.x", "x.x", show=False)
    with pytest.raises(GradientError, match=r"no continuous state 'w\.x'"):
        cycle.plot("w.x")


def relay_around(dead_time):
    """x' = u - x, u = -+1 with a hysteresis of 0.1 around x as it was."""
    d = bd.Diagram("relay")
    relay = bd.Relay(switch_on=0.1, switch_off=-0.1, on=-1.0, off=1.0)
    x = d.add("x", bd.TransferFunction([1.0], [1.0, 1.0]))
    d.connect(x, d.add("late", dead_time), d.add("relay", relay), x)
    return d


def test_what_the_error_puts_in_the_place_of_a_delay_has_nearly_its_orbit():
    """With a dead time T the peak is 1 - 0.9 e^-T, and half a period T + ln((1 + peak) / 0.9)."""
    with pytest.raises(NotDifferentiable, match="for late: TransferFunction") as error:
        relay_around(bd.TransportDelay(0.3)).orbit(at=5.0, stop=10.0)
    text = str(error.value).partition("for late: ")[2].partition(";")[0]
    instead = eval("bd." + text, {"bd": bd})  # as a user types it
    period = 2 * (0.3 + np.log((2 - 0.9 * np.exp(-0.3)) / 0.9))
    assert relay_around(instead).orbit(at=5.0, stop=10.0).period == pytest.approx(period, rel=5e-3)
