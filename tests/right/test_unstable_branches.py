"""Branches of equilibria that repel the solution: no method rests on one of them."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

METHODS = pytest.mark.parametrize("method", ["dopri5", "auto", "rodas5p", "radau5", "bdf"])


def trigger(d: bd.Diagram, source: str, lag: float, name: str = "") -> str:
    """A Schmitt trigger of gain 1e4, feedback 1/4, limits of 10 and a lag: it switches at u = +-2.4989."""
    w = d.add(f"w{name}", bd.Expression("1e4 * (0.25 * o - u)"))
    o = d.add(f"o{name}", bd.TransferFunction([1.0], [lag, 1.0]))
    d.connect(source, w["u"])
    d.connect(w, d.add(f"limits{name}", bd.Saturation(lower=-10.0, upper=10.0)), o, w["o"])
    return f"o{name}"


def switched(t: float, delay: float = 0.0) -> float:
    """Its output by u = 5 sin(t - delay), away from the instants at which it switches."""
    phase, turn = t - delay, np.arcsin(2.5 / 5.0)
    return -10.0 if phase < np.pi + turn or phase > 2.0 * np.pi + turn else 10.0


@METHODS
@pytest.mark.parametrize("lag", [1e-3, 1e-5])
def test_a_schmitt_trigger_snaps(method: str, lag: float) -> None:
    d = bd.Diagram()
    d.add("u", bd.Sine(amplitude=5.0))
    trigger(d, "u", lag)
    o = d.simulate(stop=8.0, method=method).trace("o")
    for t in (0.3, 3.6, 3.7, 6.7, 6.9):
        assert o.at([t])[0] == pytest.approx(switched(t), abs=0.01)


@METHODS
def test_two_triggers_snap_side_by_side(method: str) -> None:
    """Two growing modes at once, whose determinants have a positive product."""
    d = bd.Diagram()
    d.add("u", bd.Sine(amplitude=5.0))
    d.add("later", bd.Sine(amplitude=5.0, phase=-0.2))
    trigger(d, "u", 1e-4)
    trigger(d, "later", 1e-4, "2")
    r = d.simulate(stop=8.0, method=method)
    assert r.final("o") == pytest.approx(-10.0, abs=0.01)
    assert r.trace("o").at([3.75])[0] == pytest.approx(10.0, abs=0.01)
    assert r.trace("o2").at([3.75])[0] == pytest.approx(switched(3.75, 0.2), abs=0.01)
    assert r.trace("o2").at([4.0])[0] == pytest.approx(10.0, abs=0.01)


@METHODS
def test_a_latch_follows_the_pulse_that_sets_it(method: str) -> None:
    """x' = (x - x^3 + u) / T, two attracting equilibria and one that repels between them."""
    d = bd.Diagram()
    f = d.add("f", bd.Expression("1e5 * (x - x**3 + u)"))
    x = d.add("x", bd.Integrator(0.0))
    d.connect(d.add("u", bd.Sine(amplitude=0.5)), f["u"])
    d.connect(x, f["x"])
    d.connect(f, x)
    r = d.simulate(stop=9.0, method=method)
    for t in (0.1, 3.0, 4.5, 6.0, 7.5):
        roots = np.roots([-1.0, 0.0, 1.0, 0.5 * np.sin(t)])
        real = np.sort(roots[abs(roots.imag) < 1e-9].real)
        turn = np.arcsin(2.0 / np.sqrt(27.0) / 0.5)  # at u = -2 / sqrt(27) the upper equilibrium ends
        upper = t < np.pi + turn or t > 2.0 * np.pi + turn
        assert r.trace("x").at([t])[0] == pytest.approx(real[-1] if upper else real[0], abs=1e-3)
