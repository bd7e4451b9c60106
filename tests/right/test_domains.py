"""Guards in formulas guard: a branch that is not taken never makes a run fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import sici

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False])


@BOTH
@pytest.mark.parametrize(
    ("formula", "exact"),
    [
        ("where(t == 0, 1, sin(t) / t)", sici(2.0)[0]),
        ("sqrt(max(1 - t, 0))", 2 / 3),
        ("where(t < 1, sqrt(1 - t), 0)", 2 / 3),
        ("where(t > 1, log(t), 0)", 2 * np.log(2) - 1),
        ("max(1 - t, 0) ** 1.5", 2 / 5),
        ("1 / max(0.5 - t, 0.1)", np.log(5) + 16),
        ("sqrt(abs(t - 1))", 4 / 3),
        ("acos(min(t, 1))", 1.0),
        ("0 if t < 0.5 else 1 / (t - 0.25)", np.log(7)),
    ],
)
def test_guarded_formulas_of_time(formula, exact, compiled):
    d = bd.Diagram()
    d.connect(d.add("f", bd.Expression(formula)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=2, rtol=1e-8, atol=1e-10, compiled=compiled)
    assert r.final("x") == pytest.approx(exact, rel=1e-5)


@BOTH
def test_a_saturation_guards_the_root_behind_it(compiled):
    d = bd.Diagram()
    ramp, limit = d.add("ramp", bd.Ramp(slope=-1.0, initial=1.0)), d.add("limit", bd.Saturation(lower=0.0))
    d.connect(ramp, limit, d.add("root", bd.Power(0.5)), d.add("x", bd.Integrator()))
    r = d.simulate(stop=2, rtol=1e-8, atol=1e-10, compiled=compiled)
    assert r.final("x") == pytest.approx(2 / 3, rel=1e-5)


@BOTH
def test_a_tank_runs_empty(compiled):
    """dh/dt = -sqrt(h), h >= 0: h = (1 - t/2)^2, empty at 2 s (Torricelli)."""
    d = bd.Diagram()
    h, f = d.add("h", bd.Integrator(1.0)), d.add("outflow", bd.Expression("-sqrt(max(h, 0))"))
    d.connect(h, f, h)
    r = d.simulate(stop=1.9, rtol=1e-8, atol=1e-10, compiled=compiled)
    assert r.final("h") == pytest.approx(0.05**2, rel=1e-4)
    assert abs(d.simulate(stop=3.0, compiled=compiled).final("h")) < 1e-6
