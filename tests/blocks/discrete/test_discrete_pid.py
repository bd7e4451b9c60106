"""DiscretePID: the transfer functions of its rules, limits, and the loop that it closes exactly."""

import numpy as np
import pytest
from scipy import signal
from scipy.linalg import expm

import blockdyn as bd

T = 0.02
KP, KI, KD, N = 2.0, 3.0, 0.1, 30.0
RULES = {"forward": ([T], [1, -1]), "backward": ([T, 0], [1, -1]), "trapezoidal": ([T / 2, T / 2], [1, -1])}


@pytest.mark.parametrize("method", RULES)
@pytest.mark.parametrize("filter_method", RULES)
def test_is_the_continuous_law_with_s_replaced_by_its_rules(method: str, filter_method: str) -> None:
    """kp + ki S(z) + kd n / (1 + n S'(z)) with S, S' the rules' transfer functions for 1/s."""
    ticks = T * np.arange(100)
    e = np.cos(4 * ticks)
    d = bd.Diagram()
    controller = bd.DiscretePID(T, kp=KP, ki=KI, kd=KD, n=N, method=method, filter_method=filter_method)
    d.connect(d.add("e", bd.Expression("cos(4*t)")), d.add("c", controller))
    found = d.simulate(times=ticks + T / 2, stop=2.0)["c"].values
    above, below = RULES[filter_method]
    derivative = (KD * N * np.array(below), np.polyadd(below, N * np.array(above)), T)
    _, integral = signal.dlsim((*RULES[method], T), KI * e, ticks)
    _, slope = signal.dlsim(derivative, e, ticks)
    np.testing.assert_allclose(found, KP * e + integral[:, 0] + slope[:, 0], rtol=0, atol=1e-11)


def test_without_filter_the_derivative_is_the_backward_difference() -> None:
    ticks = T * np.arange(1, 50)
    d = bd.Diagram()
    d.connect(d.add("e", bd.Expression("sin(9*t)")), d.add("c", bd.DiscretePID(T, kp=0.0, kd=1.0, n=np.inf)))
    found = d.simulate(times=ticks + T / 2, stop=1.0)["c"].values
    np.testing.assert_allclose(found, (np.sin(9 * ticks) - np.sin(9 * (ticks - T))) / T, rtol=0, atol=1e-10)


def test_closed_loop_is_the_exact_sampled_solution() -> None:
    """A PID at 50 Hz on 1/(s^2 + s): states at the ticks by matrix exponential of the held plant."""
    A, B = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([[1.0], [0.0]])
    step = expm(T * np.block([[A, B], [np.zeros((1, 3))]]))
    x, i, before, expected = np.zeros(2), 0.0, 0.0, []
    for _ in range(200):
        expected.append(x[1])
        e = 1.0 - x[1]
        u = KP * e + i + KD * (e - before) / T
        i, before = i + KI * T * e, e
        x = step[:2, :2] @ x + step[:2, 2] * u
    d = bd.Diagram()
    error, c = d.add("error", bd.Sum("+-")), d.add("c", bd.DiscretePID(T, kp=KP, ki=KI, kd=KD, n=np.inf))
    plant = d.add("plant", bd.TransferFunction([1.0], [1.0, 1.0, 0.0]))
    d.connect(d.add("r", bd.Constant(1.0)), error[0])
    d.connect(error, c, plant)
    d.connect(plant, error[1])
    found = d.simulate(times=T * np.arange(200), stop=4.0, rtol=1e-11, atol=1e-13)["plant"].values
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_clamping_stops_the_integral_beyond_the_limit() -> None:
    """e = 1 for 1 s, then -1; ki = 1, upper 0.3: y is back below the limit two samples after the turn."""
    d = bd.Diagram()
    e = d.add("e", bd.Expression("where(t < 0.99, 1, -1)"))
    d.connect(e, d.add("c", bd.DiscretePID(0.1, kp=0.0, ki=1.0, upper=0.3)))
    found = d.simulate(times=0.1 * np.arange(20) + 0.05, stop=2.0)["c"].values
    expected = [0, 0.1, 0.2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3]
    np.testing.assert_allclose(found[:10], expected, rtol=0, atol=1e-12)
    assert found[12] < 0.3
    assert np.all(np.diff(found[11:]) < 0.0)


def test_back_calculation_settles_where_error_and_tracking_balance() -> None:
    """At the limit i tends to upper - kp e + ki e / kt = 0.5 - 1 + 1/4; with e = 0 that is what y shows."""
    d = bd.Diagram()
    c = bd.DiscretePID(T, kp=1.0, ki=1.0, upper=0.5, anti_windup="back-calculation", tracking=4.0)
    d.connect(d.add("e", bd.Expression("where(t < 9.99, 1, 0)")), d.add("c", c))
    found = d.simulate(times=[9.98, 10.0], stop=10.01)["c"].values
    np.testing.assert_allclose(found, [0.5, -0.25], rtol=0, atol=1e-12)


def test_unstable_filter_rules_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="unstable"):
        bd.DiscretePID(0.1, n=20.0, filter_method="forward")
