"""Sensitivities through delays, algebraic loops and steps of implicit methods, against closed forms."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.gradients.errors import GradientError
from blockdyn.native.tangent.frame import NotDifferentiable

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
METHODS = ["dopri5", "rodas5p", "auto"]


def slopes(function, t, numbers):
    """Derivatives by each number, exact to rounding: Squire and Trapp, SIAM Review 40 (1998)."""
    for i in range(len(numbers)):
        moved = [complex(value, 1e-30 * (k == i)) for k, value in enumerate(numbers)]
        yield np.array([np.imag(function(each, *moved)) / 1e-30 for each in t])


@pytest.fixture(scope="module")
def late():
    """x' = k x(t - T)."""
    d = bd.Diagram("late")
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("late", bd.TransportDelay(delay=1.0, initial=1.0)), d.add("k", bd.Gain(-1.0)), x)
    return d


def by_steps(t, k, delay, begin, before):
    """x' = k x(t - T) by the method of steps, x = `before` for t < 0."""
    total = 0.0
    for j in range(6):
        since, later = t - j * delay, t - (j + 1) * delay
        if since.real > 0.0:
            total += begin * k**j * since**j / factorial(j)
            total += before * k ** (j + 1) * since ** (j + 1) / factorial(j + 1)
        if later.real > 0.0:
            total -= before * k ** (j + 1) * later ** (j + 1) / factorial(j + 1)
    return total


@pytest.mark.parametrize("method", [*METHODS, "dop853"])
def test_a_delay_by_its_time_too(late, method):
    """Breaks at T, 2 T, 3 T move with T, and with them all that follows."""
    paths, t = ["k.k", "late.delay", "x.x", "late.initial"], np.array([0.5, 1.5, 2.5, 3.7])
    s = late.sensitivities(paths, "x", t, method=method, **TIGHT)
    for path, exact in zip(paths, slopes(by_steps, t, [-1.0, 1.0, 1.0, 1.0]), strict=True):
        np.testing.assert_allclose(s["x", path], exact, atol=1e-10, err_msg=path)


class KeptByPython(bd.TransportDelay):
    """A delay whose `remember` is no machine code."""

    @staticmethod
    def remember(t, u, delay, pieces, breaks, levels, mark, passed, due):
        time = float(f"{t:.17g}")
        bd.TransportDelay.remember(time, u, delay, pieces, breaks, levels, mark, passed, due)


def test_a_history_that_python_keeps():
    """The run is the same; it cannot be followed, and says so."""
    d = bd.Diagram("late")
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("late", KeptByPython(delay=1.0, initial=1.0, buffer=64)), d.add("k", bd.Gain(-1.0)), x)
    assert d.simulate(stop=2.5).final("x") == pytest.approx(by_steps(2.5, -1.0, 1.0, 1.0, 1.0), abs=1e-8)
    with pytest.raises(NotDifferentiable, match=r"^late: .*a history that Python keeps"):
        d.sensitivities(["k.k"], "x", [1.5])


def test_a_jump_that_a_delay_shows_later():
    """A step at T shown D later, integrated: t - T - D."""
    d = bd.Diagram("shown")
    d.add("step", bd.Step(time=0.4, final=2.0))
    d.connect("step", d.add("late", bd.TransportDelay(delay=0.7)), d.add("x", bd.Integrator()))
    s = d.sensitivities(["step.time", "late.delay", "step.final"], "x", [1.0, 2.0])
    np.testing.assert_allclose(s["x", "step.time"], [0.0, -2.0], atol=1e-12)
    np.testing.assert_allclose(s["x", "late.delay"], [0.0, -2.0], atol=1e-12)
    np.testing.assert_allclose(s["x", "step.final"], [0.0, 0.9], atol=1e-12)


def test_a_delay_that_varies():
    """u = sin t as it was a + b t ago."""
    d = bd.Diagram("varies")
    late = d.add("late", bd.VariableTransportDelay(minimum=0.1, maximum=3.0))
    time = d.add("time", bd.Clock())
    d.connect(time, d.add("wave", bd.Expression("sin(u)")), late["u"])
    total = d.add("total", bd.Sum("++"))
    d.connect(d.add("a", bd.Constant(0.5)), total[0])
    d.connect(time, d.add("b", bd.Gain(0.1)), total[1])
    d.connect(total, late["delay"])
    t = np.array([1.5, 3.0, 4.0])
    s = d.sensitivities(["a.value", "b.k"], "late", t, rtol=1e-10, atol=1e-12)
    rate = -np.cos(t - 0.5 - 0.1 * t)
    np.testing.assert_allclose(s["late", "a.value"], rate, atol=1e-9)
    np.testing.assert_allclose(s["late", "b.k"], rate * t, atol=1e-9)


@pytest.fixture(scope="module")
def loop():
    """u = k (r + x - f u), x' = -u."""
    d = bd.Diagram("loop")
    error, k, x = d.add("error", bd.Sum("++-")), d.add("k", bd.Gain(0.7)), d.add("x", bd.Integrator(0.3))
    d.connect(d.add("r", bd.Constant(1.5)), error[0])
    d.connect(error, k, d.add("f", bd.Gain(4.0)), error[2])
    d.connect(k, d.add("m", bd.Gain(-1.0)), x, error[1])
    d.log(x, k)
    return d


@pytest.mark.parametrize("method", [*METHODS, "bdf"])
def test_through_an_algebraic_loop(loop, method):
    """u = c (r + x) with c = k / (1 + k f), so that r + x falls as e^(-c t)."""
    paths, t = ["k.k", "f.k", "r.value", "x.x"], np.array([0.4, 1.7])
    s = loop.sensitivities(paths, None, t, loops="solve", method=method, **TIGHT)

    def u(t, k, f, r, begin):
        c = k / (1.0 + k * f)
        return c * (r + begin) * np.exp(-c * t)

    def x(t, k, f, r, begin):
        return (r + begin) * np.exp(-k / (1.0 + k * f) * t) - r

    bound = 1e-8 if method == "bdf" else 1e-9
    for name, function in (("k", u), ("x", x)):
        for path, exact in zip(paths, slopes(function, t, [0.7, 4.0, 1.5, 0.3]), strict=True):
            np.testing.assert_allclose(s[name, path], exact, atol=bound, err_msg=f"{name} by {path}")


def test_a_loop_whose_equation_is_singular_is_named():
    """v = v - (v - r)^3 has the root r, and no slope there that would tell how v changes."""
    d = bd.Diagram("singular")
    error, v = d.add("error", bd.Sum("+-")), d.add("v", bd.Sum("++"))
    d.connect(error, d.add("f", bd.Expression("u - u**3")), v[0])
    d.connect(v, error[0])
    d.connect(d.add("r", bd.Constant(0.0)), [error[1], v[1]])
    d.connect(v, d.add("x", bd.Integrator()))
    with pytest.raises(NotDifferentiable, match=r"v\.y.*algebraic loop.*singular at 0 s"):
        d.sensitivities(["r.value"], "x", [1.0], loops="solve")


@pytest.mark.parametrize("method", ["rodas5p", "radau5", "auto", "bdf"])
def test_a_stiff_scalar(method):
    """x' = -k (x - cos t) with k = 1e4: x follows (k^2 cos t + k sin t) / (1 + k^2)."""
    d = bd.Diagram("stiff")
    error, x = d.add("error", bd.Sum("+-")), d.add("x", bd.Integrator(0.3))
    d.connect(d.add("t", bd.Clock()), d.add("wave", bd.Expression("cos(u)")), error[0])
    d.connect(error, d.add("k", bd.Gain(1e4)), x, error[1])
    t = np.array([0.3, 1.0, 2.2])
    s = d.sensitivities(["k.k", "x.x"], "x", t, method=method, **TIGHT)
    (exact,) = slopes(lambda t, k: (k * k * np.cos(t) + k * np.sin(t)) / (1.0 + k * k), t, [1e4])
    np.testing.assert_allclose(s["x", "k.k"], exact, atol=1e-13)  # of some 1e-8
    np.testing.assert_allclose(s["x", "x.x"], 0.0, atol=1e-15)


def test_how_many_states_an_implicit_method_is_followed_with():
    d = bd.Diagram("many")
    d.connect(d.add("one", bd.Constant(np.ones(101))), d.add("x", bd.Integrator(np.zeros(101))))
    with pytest.raises(GradientError, match=r"rodas5p, with 101 states"):
        d.sensitivities(["x.x[0]"], "x", [1.0], method="rodas5p")
