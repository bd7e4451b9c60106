"""PID: its transfer function, its limits and the windup that it avoids."""

from math import exp

import numpy as np
import pytest
from scipy import signal
from scipy.integrate import solve_ivp

import blockdyn as bd

TIMES = np.linspace(0.0, 4.0, 33)


def alone(error: str, controller: bd.PID) -> bd.Result:
    d = bd.Diagram()
    d.connect(d.add("e", bd.Expression(error)), d.add("c", controller))
    return d.simulate(times=TIMES, stop=4.0, rtol=1e-10, atol=1e-12, max_step=0.05)


def test_is_the_textbook_transfer_function() -> None:
    """kp + ki/s + kd n s/(s + n), driven by a step and by a ramp."""
    kp, ki, kd, n = 2.0, 3.0, 0.5, 20.0
    num = np.array([kp + kd * n, kp * n + ki, ki * n])
    law = signal.TransferFunction(num, [1.0, n, 0.0])
    for error, u in (("1 + 0*t", np.ones_like(TIMES)), ("t", TIMES)):
        found = alone(error, bd.PID(kp, ki, kd, n))["c"].values
        _, expected, _ = signal.lsim(law, u, TIMES)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def test_vectors_are_controlled_element_by_element() -> None:
    d = bd.Diagram()
    d.connect(d.add("e", bd.Constant([1.0, -2.0])), d.add("c", bd.PID([1.0, 2.0], [0.5, 0.0], lower=-3.0)))
    np.testing.assert_allclose(d.simulate(stop=2.0, rtol=1e-10).final("c"), [2.0, -3.0], atol=1e-9)


def test_reaches_its_limit_at_the_exact_instant() -> None:
    """e = 1, kp = 1, ki = 2: v = 1 + 2 t meets 4 at t = 1.5."""
    d = bd.Diagram()
    d.connect(d.add("e", bd.Constant(1.0)), d.add("c", bd.PID(1.0, 2.0, upper=4.0)))
    r = d.simulate(stop=3.0)
    assert r.final("c") == 4.0
    assert [e.time for e in r.events if e.path == "c"][:1] == pytest.approx([1.5], abs=1e-12)


def test_a_limited_integral_is_held_and_lets_it_go_when_the_error_turns() -> None:
    """e = 1 up to t = 3, then -1; ki = 1: i stops at 2 when t = 2, and y = 2 - (t - 3) from t = 3 on."""
    r = alone("where(t < 3, 1, -1)", bd.PID(0.0, 1.0, upper=2.0, anti_windup="limited-integral"))
    expected = np.where(TIMES < 2, TIMES, np.where(TIMES < 3, 2.0, 5.0 - TIMES))
    np.testing.assert_allclose(r["c"].values, expected, rtol=0, atol=1e-9)


def test_back_calculation_draws_the_integral_to_its_closed_form() -> None:
    """At the limit di/dt = ki e + kt (upper - kp e - i): i tends to upper - kp e + ki e / kt.

    kp = ki = e = 1, upper = 0.5, kt = 4: limited from the start, i = -0.25 (1 - exp(-4 t)).
    """
    d = bd.Diagram()
    d.connect(d.add("e", bd.Constant(1.0)), d.add("c", bd.PID(1.0, 1.0, upper=0.5, tracking=4.0)))
    r = d.simulate(stop=1.0, rtol=1e-10, atol=1e-12)
    assert r.final("c.i") == pytest.approx(-0.25 * (1 - exp(-4.0)), abs=1e-9)


def overshoot(anti_windup: str) -> float:
    """Of a double lag behind limits of +-1, asked for 0.9 of what the limit can do."""
    d = bd.Diagram()
    error = d.add("error", bd.Sum("+-"))
    c = d.add("c", bd.PID(8.0, 4.0, 1.0, lower=-1.0, upper=1.0, anti_windup=anti_windup))
    plant = d.add("plant", bd.TransferFunction([1.0], [1.0, 2.0, 1.0]))
    d.connect(d.add("r", bd.Constant(0.9)), error[0])
    d.connect(error, c, plant)
    d.connect(plant, error[1])
    r = d.simulate(stop=30.0, rtol=1e-8)
    assert r.final("plant") == pytest.approx(0.9, abs=1e-3)
    return float(np.max(r["plant"].values)) - 0.9


def test_anti_windup_takes_away_the_overshoot_of_windup() -> None:
    wound = overshoot("none")
    assert wound > 0.05
    assert overshoot("limited-integral") < 0.5 * wound
    assert overshoot("back-calculation") < 0.5 * wound


def test_limited_loop_agrees_with_an_independent_integration() -> None:
    kp, ki, kt, top = 3.0, 2.0, 5.0, 1.5

    def slope(t: float, x: np.ndarray) -> list[float]:
        e = np.sin(t) - x[0]
        v = kp * e + x[1]
        y = min(max(v, -top), top)
        return [y, ki * e + kt * (y - v)]

    expected = solve_ivp(slope, (0, 4), [1.0, 0.0], rtol=1e-10, atol=1e-12, t_eval=TIMES, max_step=0.01).y[0]
    d = bd.Diagram()
    error, plant = d.add("error", bd.Sum("+-")), d.add("plant", bd.Integrator(initial=1.0))
    c = d.add("c", bd.PID(kp, ki, lower=-top, upper=top, tracking=kt))
    d.connect(d.add("r", bd.Expression("sin(t)")), error[0])
    d.connect(error, c, plant)
    d.connect(plant, error[1])
    found = d.simulate(times=TIMES, stop=4.0, rtol=1e-10, atol=1e-12)["plant"].values
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7)


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="upper"):
        bd.PID(lower=1.0, upper=0.0)
