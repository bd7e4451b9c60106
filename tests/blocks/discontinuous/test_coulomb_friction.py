"""CoulombFriction: bodies that slide, stop, stick and break away at times that have closed forms."""

from math import log, pi, sqrt

import numpy as np
import pytest

import blockdyn as bd


def body(
    force: str, friction: bd.CoulombFriction, speed: object = 0.0, mass: float = 1.0, place: object = 0.0
) -> bd.Diagram:
    """m dv/dt = force + friction, dx/dt = v; the force may use t, x and v."""
    d = bd.Diagram()
    f, dry, total = (
        d.add("force", bd.Expression(force)),
        d.add("friction", friction),
        d.add("total", bd.Sum("++")),
    )
    v, x = d.add("v", bd.Integrator(initial=speed)), d.add("x", bd.Integrator(initial=place))
    d.connect(f, [total[0], dry["force"]])
    d.connect(dry, total[1])
    d.connect(total, d.add("per_mass", bd.Gain(k=1.0 / mass)), v, [x, dry["velocity"]])
    for name, source in (("x", x), ("v", v)):
        if name in [port.name for port in bd.Expression(force).input_ports()]:
            d.connect(source, f[name])
    return d


def test_a_sliding_body_stops_where_and_when_it_must_and_stays() -> None:
    """v0 = 3, friction 2 N on 1.5 kg: t = m v0 / F = 2.25 s, x = m v0^2 / (2 F) = 3.375 m."""
    r = body("0*t", bd.CoulombFriction(2.0), 3.0, 1.5).simulate(stop=10.0)
    stop = [e.time for e in r.events if e.path == "friction"]
    assert stop[-1] == pytest.approx(2.25, abs=1e-12)
    assert r.final("x") == pytest.approx(3.375, abs=1e-12)
    v = r["v"]
    rest = v.values[v["time"].values > stop[-1]]
    assert np.all(rest == rest[0])
    assert abs(rest[0]) < 1e-14


def test_viscous_friction_adds_to_the_dry_one() -> None:
    """m dv/dt = -F - c v: stops at t = m/c ln(1 + c v0 / F)."""
    r = body("0*t", bd.CoulombFriction(2.0, 0.5), -3.0).simulate(stop=10.0, rtol=1e-10, atol=1e-12)
    found = [e.time for e in r.events if e.path == "friction"]
    assert found[-1] == pytest.approx(2.0 * log(1.75), abs=1e-9)
    assert r.final("x") == pytest.approx(-(3.0 - 2.0 * 2.0 * log(1.75)) / 0.5, abs=1e-8)


def test_breaks_away_when_the_force_exceeds_the_static_one() -> None:
    """force = t, breakaway 2, coulomb 1: at rest up to t = 2, then v = ((t - 1)^2 - 1) / 2."""
    r = body("t", bd.CoulombFriction(1.0, breakaway=2.0)).simulate(
        times=[1.99, 3.0, 4.0], stop=4.0, rtol=1e-10
    )
    np.testing.assert_allclose(r["v"].values, [0.0, 1.5, 4.0], rtol=0, atol=1e-10)
    assert r["v"].values[0] == 0.0
    r = body("-t", bd.CoulombFriction(1.0, breakaway=2.0)).simulate(stop=4.0, rtol=1e-10)
    assert r.final("v") == pytest.approx(-4.0, abs=1e-10)


def test_an_oscillator_loses_a_fixed_amount_every_half_period_and_sticks() -> None:
    """m x'' = -k x -+ F: turning points x0 - 2 n F/k, every pi sqrt(m/k); stuck once |k x| <= F.

    k = 4, F = 0.5, x0 = 1: turns at -0.75, 0.5, -0.25, 0 -> where k x = 0 <= F it sticks.
    """
    r = body("-4*x", bd.CoulombFriction(0.5), place=1.0).simulate(stop=20.0, rtol=1e-11, atol=1e-13)
    assert r.final("x") == pytest.approx(0.0, abs=1e-8)
    turns = [e.time for e in r.events if e.path == "friction"]
    np.testing.assert_allclose(turns, 0.5 * pi * np.arange(1, 5), rtol=0, atol=1e-7)


def test_turns_at_once_where_the_force_is_stronger_than_friction() -> None:
    """Thrown up a slope, 5 N against 2 N of friction on 1 kg: up -7, down -3 m/s2, back with v0 sqrt(3/7)."""
    r = body("-5 + 0*t", bd.CoulombFriction(2.0), 7.0).simulate(stop=10.0, times=[1.0, 2.0])
    assert r["x"].values[0] == pytest.approx(3.5, abs=1e-9)
    assert r["v"].values[1] == pytest.approx(-3.0, abs=1e-9)
    fall = sqrt(2 * 3.5 / 3)
    again = body("-5 + 0*t", bd.CoulombFriction(2.0), 7.0).simulate(stop=1.0 + fall)
    assert again.final("v") == pytest.approx(-7.0 * sqrt(3 / 7), abs=1e-9)


def test_dissipates_what_the_body_loses() -> None:
    """Work of the friction force equals the loss of energy, through sticking and slipping."""
    d = body("3*sin(t) - x", bd.CoulombFriction(1.0, 0.1, 1.5), 0.5)
    power, work = d.add("power", bd.Expression("f*v")), d.add("work", bd.Integrator())
    d.connect(d["friction"], power["f"])
    d.connect(d["v"], power["v"])
    d.connect(power, work)
    drive, done = d.add("drive", bd.Expression("3*sin(t)*v")), d.add("done", bd.Integrator())
    d.connect(d["v"], drive["v"])
    d.connect(drive, done)
    r = d.simulate(stop=30.0, rtol=1e-10, atol=1e-12)
    energy = 0.5 * r.final("v") ** 2 + 0.5 * r.final("x") ** 2 - 0.5 * 0.5**2
    assert energy == pytest.approx(r.final("work") + r.final("done"), abs=1e-7)
    assert np.all(np.diff(r["work"].values) <= 1e-12)


def test_bodies_in_a_vector_stop_one_by_one() -> None:
    r = body("0*v", bd.CoulombFriction([1.0, 2.0]), [2.0, -1.0]).simulate(stop=5.0)
    np.testing.assert_allclose(r.final("x"), [2.0, -0.25], rtol=0, atol=1e-12)


def test_breakaway_below_coulomb_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match="at least coulomb"):
        bd.CoulombFriction(2.0, breakaway=1.0)
