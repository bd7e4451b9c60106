"""The state at an event is as accurate as that at a step's end, however many events there are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

METHODS = ["auto", "dopri5", "tsit5", "bs32", "dop853", "rodas5p", "radau5", "bdf"]


def sawtooth(law: str) -> bd.Diagram:
    """x from 1 by a law of x, of u, a ramp that is reset every 0.01 s, and of a constant."""
    d = bd.Diagram()
    x, y = d.add("x", bd.Integrator(1.0)), d.add("y", bd.Integrator(0.0, reset="rising", level=0.01))
    f = d.add("f", bd.Expression(law))
    if "rate" in law:
        d.connect(d.add("constant", bd.Constant(60.0)), f["rate"])
    d.connect(d.add("one", bd.Constant(1.0)), y["u"])
    d.connect(y, [y["trigger"], f["u"]])
    d.connect(x, f["x"])
    d.connect(f, x)
    return d


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_two_hundred_resets_add_no_errors_of_the_interpolant(method: str, compiled: bool) -> None:
    """x' = -x^3 + 50 u against SciPy's DOP853, period by period."""
    events, rtol = (200, 1e-9) if compiled else (20, 1e-9)
    right = 1.0
    for _ in range(events):
        right = solve_ivp(
            lambda t, x: -(x**3) + 50.0 * t, (0.0, 0.01), [right], method="DOP853", rtol=1e-13, atol=1e-15
        ).y[0, -1]
    r = sawtooth("-x**3 + 50*u").simulate(
        stop=0.01 * events, method=method, rtol=rtol, atol=1e-13, max_step=0.04, compiled=compiled
    )
    assert r.final("x") == pytest.approx(right, abs=20.0 * rtol)


@pytest.mark.parametrize("method", ["auto", "tsit5", "rodas5p"])
def test_a_run_with_derivatives_is_as_accurate(method: str) -> None:
    """x' = -rate u x: x = exp(-rate n / 2e4) after n periods, and dx/drate = -n x / 2e4."""
    d = sawtooth("-rate*x*u")
    n = 100
    s = d.sensitivities("constant.value", "x", stop=0.01 * n, method=method, rtol=1e-8, atol=1e-12)
    right = np.exp(-60.0 * n / 2e4)
    assert s["x"].values[-1] == pytest.approx(right, abs=1e-7)
    assert s["x", "constant.value"].values[-1] == pytest.approx(-n / 2e4 * right, abs=1e-7)
