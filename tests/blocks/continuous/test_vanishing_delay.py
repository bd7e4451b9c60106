"""Delays that touch 0 or rest there: the output is then the input, and stays smooth within steps."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed

METHODS = [("dopri5", True), ("dop853", True), ("rodas5p", True), ("bdf", True), ("dopri5", False)]


def shown(u: str, delay: str, **parameters) -> bd.Diagram:
    """y(t) = u(t - delay), and its integral."""
    d = bd.Diagram()
    late = d.add("late", bd.VariableTransportDelay(0.0, 2.0, **parameters))
    d.connect(d.add("u", bd.Expression(u)), late["u"])
    d.connect(d.add("delay", bd.Expression(delay)), late["delay"])
    d.connect(late, d.add("x", bd.Integrator()))
    return d


@pytest.mark.parametrize(("method", "compiled"), METHODS)
def test_the_pantograph(method, compiled):
    """x' = -x(t/2), x(0) = 1: sum of (-1)^k t^k / (2^(k (k-1)/2) k!); the delay t/2 vanishes at the start."""
    d = bd.Diagram("pantograph")
    x, late = d.add("x", bd.Integrator(1.0)), d.add("late", bd.VariableTransportDelay(0.0, 5.0))
    d.connect(x, late["u"])
    d.connect(d.add("delay", bd.Expression("t/2")), late["delay"])
    d.connect(late, d.add("minus", bd.Gain(-1.0)), x)
    r = d.simulate(stop=5.0, method=method, compiled=compiled, rtol=1e-9, atol=1e-11)
    trace = r.trace("x")
    series = sum((-1) ** k * trace.time**k / 2.0 ** (k * (k - 1) / 2) / factorial(k) for k in range(30))
    np.testing.assert_allclose(trace.values, series, atol=1e-9)


@pytest.mark.parametrize(("method", "compiled"), METHODS)
def test_a_delay_that_touches_0(method, compiled):
    """u(t - |sin t|), with a jump of u at 4."""
    d = shown("where(t < 4, sin(2*t), 3 + cos(t))", "abs(sin(t))")
    r = d.simulate(stop=10.0, method=method, compiled=compiled, rtol=1e-9, atol=1e-12)
    y = r.trace("late")
    then = y.time - np.abs(np.sin(y.time))
    clear = np.abs(then - 4.0) > 1e-12
    expected = np.where(then < 4.0, np.sin(2.0 * then), 3.0 + np.cos(then))
    np.testing.assert_allclose(y.values[clear], expected[clear], atol=1e-8)
    assert np.count_nonzero(~clear) <= 2


@pytest.mark.parametrize("compiled", [True, False])
def test_a_delay_that_rests_at_0(compiled):
    """max(0, 1 - t): y = u(2t - 1), the history at first; from 1 on u, whose jump at 2 passes at once."""
    d = shown("where(t < 2, t**2, -1)", "max(0, 1 - t)", history="t")
    r = d.simulate(stop=3.0, compiled=compiled, rtol=1e-9, atol=1e-12)
    times = np.array([0.0, 0.2, 0.49, 0.6, 0.99, 1.0, 1.5, 1.99, 2.01, 3.0])
    then = times - np.maximum(0.0, 1.0 - times)
    expected = np.where(then < 0.0, then, np.where(then < 2.0, then**2, -1.0))
    np.testing.assert_allclose(r.trace("late").at(times).ravel(), expected, atol=1e-9)
    area = -0.25 + 1.0 / 6.0 + (8.0 - 1.0) / 3.0 - 1.0
    np.testing.assert_allclose(r.final("x"), area, atol=1e-9)


def test_a_delay_that_grows_from_0_after_a_jump():
    """Delay 0 up to 2, then (t - 2)/2: the jump of u at 1 passed at once; the one at 2.5 is seen at 3."""
    d = shown("where(t < 1, 0, where(t < 2.5, 1, 3))", "max(0, (t - 2)/2)")
    r = d.simulate(stop=4.0, rtol=1e-9)
    assert r.trace("late").at([0.9, 1.1, 2.2, 2.9, 3.1]).ravel().tolist() == [0.0, 1.0, 1.0, 1.0, 3.0]
    np.testing.assert_allclose(r.final("x"), 2.0 + 3.0, atol=1e-12)


def test_a_delay_by_a_state():
    """x' = x(t - x^2) - sin((t - sin^2 t)) + cos t has the solution sin t, whose delay vanishes at pi."""
    d = bd.Diagram()
    x, late = (
        d.add("x", bd.Integrator(0.0)),
        d.add("late", bd.VariableTransportDelay(0.0, 1.1, history="sin(t)")),
    )
    d.connect(x, late["u"])
    d.connect(x, d.add("square", bd.Expression("x**2")), late["delay"])
    slope = d.add("slope", bd.Expression("y - sin(t - sin(t)**2) + cos(t)"))
    d.connect(late, slope["y"])
    d.connect(slope, x)
    trace = d.simulate(stop=5.0, rtol=1e-9, atol=1e-12).trace("x")
    np.testing.assert_allclose(trace.values, np.sin(trace.time), atol=1e-6)


def test_derivatives_and_linear_models():
    """The integral of u(t - k t) with u = cos t: sin((1 - k) t)/(1 - k)."""
    d = bd.Diagram(parameters={"k": 0.5})
    late = d.add("late", bd.VariableTransportDelay(0.0, 9.0))
    d.connect(d.add("u", bd.Expression("cos(t)")), late["u"])
    d.connect(d.add("t", bd.Clock()), d.add("delay", bd.Gain(bd.expression("k"))), late["delay"])
    d.connect(late, d.add("x", bd.Integrator()))
    slope = d.gradient({"last": {"final": "x"}}, ["k"], stop=3.0, rtol=1e-9, atol=1e-12)
    exact = -3.0 * np.cos(1.5) / 0.5 + np.sin(1.5) / 0.25
    np.testing.assert_allclose(np.ravel(slope.matrix), exact, atol=1e-6)
    d = bd.Diagram()
    late = d.add("late", bd.VariableTransportDelay(0.0, 9.0))
    d.connect(d.add("r", bd.Inport(default=0.0)), late["u"])
    d.connect(d.add("T", bd.Constant(0.0)), late["delay"])
    d.connect(late, d.add("lag", bd.TransferFunction([1.0], [1.0, 1.0])))
    for T in (0.0, 0.7):
        model = d.linearize("r", "lag", set={"T.value": T})
        expected = np.exp(-2.0j * T) / (2.0j + 1.0)
        np.testing.assert_allclose(model.frequency_response([2.0])[0, 0, 0], expected, atol=1e-13)


def test_what_is_refused():
    with pytest.raises(BlockFailed, match="the delay is below 0"):
        shown("t", "1 - t").simulate(stop=2.0)
    with pytest.raises(BlockFailed, match="the delay is above `maximum`"):
        shown("t", "3").simulate(stop=2.0)
    with pytest.raises(bd.ParameterError):
        bd.VariableTransportDelay(-1.0, 2.0)
    d = bd.Diagram()  # without a state, an output that may be the input is a loop
    late = d.add("late", bd.VariableTransportDelay(0.0, 2.0))
    d.connect(d.add("delay", bd.Expression("abs(sin(t))")), late["delay"])
    d.connect(late, d.add("gain", bd.Gain(0.5)), late["u"])
    with pytest.raises(bd.DiagramError, match="algebraic loop"):
        d.compile()
