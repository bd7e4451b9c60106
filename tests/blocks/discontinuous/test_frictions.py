"""Stribeck and LuGre friction: times and places by quadrature, steady sliding, presliding."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from scipy.integrate import quad

import blockdyn as bd


def test_a_body_that_stribeck_friction_stops() -> None:
    """dv/dt = -F(v): it stops after the integral of dv / F, at that of v dv / F; each body by itself."""
    d = bd.Diagram()
    friction = d.add("friction", bd.StribeckFriction([1.0, 0.5], 1.5, 0.3, viscous=0.2))
    v = d.add("v", bd.Integrator([1.0, -0.8]))
    d.connect(v, [friction["velocity"], d.add("x", bd.Integrator([0.0, 0.0]))])
    d.connect(d.add("none", bd.Constant([0.0, 0.0])), friction["force"])
    d.connect(friction, v)
    r = d.simulate(stop=3.0, rtol=1e-11, atol=1e-13)

    def force(v: float, coulomb: float) -> float:
        return coulomb + (1.5 - coulomb) * exp(-((v / 0.3) ** 2)) + 0.2 * v

    stops = [quad(lambda v, c=c: 1.0 / force(v, c), 0.0, s)[0] for c, s in ((1.0, 1.0), (0.5, 0.8))]
    places = [quad(lambda v, c=c: v / force(v, c), 0.0, s)[0] for c, s in ((1.0, 1.0), (0.5, 0.8))]
    times = sorted(e.time for e in r.events if e.path == "friction")
    assert [times[0], times[-1]] == pytest.approx(sorted(stops), abs=1e-9)
    np.testing.assert_allclose(r.final("x"), [places[0], -places[1]], atol=1e-9)


def test_it_sticks_up_to_its_static_force() -> None:
    """force = t on 1 kg breaks away at t = 2, not before."""
    d = bd.Diagram()
    friction, force = d.add("friction", bd.StribeckFriction(1.0, 2.0)), d.add("force", bd.Ramp())
    v, total = d.add("v", bd.Integrator()), d.add("total", bd.Sum("++"))
    d.connect(force, [total[0], friction["force"]])
    d.connect(friction, total[1])
    d.connect(total, v, friction["velocity"])
    r = d.simulate(stop=2.5)
    assert [e.time for e in r.events if e.path == "friction"] == pytest.approx([2.0], abs=1e-9)
    assert np.all(r["v"].values[r["v"].time < 2.0] == 0.0)
    assert r.final("v") > 0.1


def test_lugre_slides_as_stribeck_and_presses_back_like_a_spring_before() -> None:
    """Steady: -(g(v) + viscous v). Held at a small place x: about -stiffness x."""
    speeds = np.array([0.05, -0.01, 0.002])
    d = bd.Diagram()
    d.connect(d.add("v", bd.Constant(speeds)), d.add("steady", bd.LuGreFriction()))
    d.connect(
        d.add("nudge", bd.Expression("1e-8*cos(t)")),
        d.add("held", bd.LuGreFriction(damping=0.0, viscous=0.0)),
    )
    r = d.simulate(stop=3.0, rtol=1e-9, atol=1e-13, method="radau5")
    g = 1.0 + 0.5 * np.exp(-((speeds / 0.001) ** 2))
    np.testing.assert_allclose(r.final("steady"), -np.sign(speeds) * g - 0.4 * speeds, rtol=1e-6)
    assert r.final("held") == pytest.approx(-1e5 * 1e-8 * np.sin(3.0), rel=0.02)


def test_a_static_force_below_the_dynamic_one_is_refused() -> None:
    for kind in (bd.StribeckFriction, bd.LuGreFriction):
        with pytest.raises(
            bd.ParameterError, match=rf"{kind.__name__}\.static .*\nexpected: at least coulomb"
        ):
            kind(coulomb=2.0)
