"""Delays against the method of steps in rational numbers, published solutions and closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import e, factorial

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import BlockFailed
from blockdyn.sweeps.sweep import Sweep

METHODS = [("dopri5", True), ("dop853", True), ("radau5", True), ("dopri5", False)]


def fed_back(delay: float = 1.0) -> bd.Diagram:
    """x' = -x(t - delay), x = 1 before t = 0."""
    d = bd.Diagram("fed back")
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("late", bd.TransportDelay(delay, initial=1.0)), d.add("minus", bd.Gain(-1.0)), x)
    return d


def steps(t: float) -> float:
    """x(t) for a delay of 1: sum over k of (-1)^k (t - k + 1)^k / k!, k up to t + 1 (Bellen, Zennaro)."""
    exact = Fraction(t)
    count = int(exact) + 2 if exact >= 0 else 1
    return float(sum(((-1) ** k * (exact - k + 1) ** k / factorial(k) for k in range(count)), Fraction(0)))


@pytest.mark.parametrize(("method", "compiled"), METHODS)
def test_the_method_of_steps(method, compiled):
    """Kinks of ever higher derivatives at 1, 2, 3 ...: events, as far as a method of order 8 sees them."""
    settings = {"stop": 20.0, "method": method, "rtol": 1e-9, "atol": 1e-11, "compiled": compiled}
    r = fed_back().simulate(**settings)
    x, late = r.trace("x"), r.trace("late")
    np.testing.assert_allclose(x.values, [steps(t) for t in x.time], atol=1e-9, rtol=0.0)
    np.testing.assert_allclose(
        late.values, [steps(max(t, 0.0)) for t in late.time - 1.0], atol=1e-9, rtol=0.0
    )
    assert [(event.time, event.path, event.kind) for event in r.events] == [
        (float(k), "late", "time") for k in range(1, 10)
    ]
    assert not [name for name in r.provenance.statistics if name.startswith("python")]


def test_fixed_steps_keep_their_order():
    """rk4 with a sixteenth and a thirty-second of the delay: sixteen times the error, nearly."""
    errors = [
        abs(fed_back().simulate(stop=10.0, method="rk4", step=1 / n).final("x") - steps(10.0)) for n in (4, 8)
    ]
    assert 12.0 < errors[0] / errors[1] < 40.0
    with pytest.raises(BlockFailed, match="a step is longer than the delay"):
        fed_back(0.1).simulate(stop=3.0, method="rk4", step=0.125)


def signals() -> bd.Diagram:
    """Many delays in one diagram: of waves, of jumps, of a vector and of a matrix, of themselves."""
    d = bd.Diagram("signals")
    wave, late = d.add("wave", bd.Sine(frequency=5.0)), d.add("late", bd.TransportDelay(0.3, initial=-7.0))
    edges = d.add("edges", bd.Square(period=0.8))
    d.connect(wave, late)
    d.connect(edges, d.add("square", bd.TransportDelay(0.35)), d.add("area", bd.Integrator()))
    both = d.add("both", bd.Mux(2))
    d.connect(wave, both[0])
    d.connect(edges, both[1])
    d.connect(both, d.add("pair", bd.TransportDelay(0.3, initial=[-7.0, 3.0])))
    matrix = d.add("matrix", bd.Expression("t * u + t**3"))
    d.connect(d.add("numbers", bd.Constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), matrix)
    d.connect(matrix, d.add("old", bd.TransportDelay(0.5)))
    held = d.add("held", bd.ZeroOrderHold(0.1))
    d.connect(wave, held, d.add("held_late", bd.TransportDelay(0.25)))
    echo = d.add("echo", bd.Sum("+-"))
    d.connect(d.add("one", bd.Constant(1.0)), echo[0])
    d.connect(echo, d.add("again", bd.TransportDelay(1.0)), d.add("half", bd.Gain(0.5)), echo[1])
    return d


def check_the_wave(r):
    """It is what was 0.3 s before, alone and in a vector."""
    late = r.trace("late")
    past = late.time != 0.3
    was = np.where(late.time > 0.3, np.sin(5.0 * (late.time - 0.3)), -7.0)
    np.testing.assert_allclose(late.values[past], was[past], atol=1e-12)
    assert late.values[~past].tolist() == [-7.0, pytest.approx(0.0, abs=1e-15)]
    pair = r.trace("pair")
    np.testing.assert_array_equal(pair.values[:, 0], r.trace("late").values)


def test_what_was_is_what_comes_in_python_too():
    r = signals().simulate(stop=0.8, rtol=1e-9, compiled=False)
    check_the_wave(r)
    assert [event.time for event in r.events if event.path == "square"] == pytest.approx(
        [0.35, 0.75], abs=1e-15
    )
    np.testing.assert_allclose(r.final("area"), 0.4 - 0.05, atol=1e-12)


def test_what_was_is_what_comes():
    r = signals().simulate(stop=3.0, rtol=1e-9)
    check_the_wave(r)
    square, edges = r.trace("square"), r.trace("edges")
    middle = np.linspace(0.0, 2.6, 27) + 0.013
    np.testing.assert_array_equal(square.at(middle + 0.35), edges.at(middle))
    arrivals = [event.time for event in r.events if event.path == "square"]
    np.testing.assert_allclose(arrivals, 0.35 + 0.4 * np.arange(7), atol=1e-15)
    np.testing.assert_allclose(r.final("area"), 0.4 + 0.4 - 0.4 + 0.25 - 0.4, atol=1e-12)
    then = r.final("old") - (2.5 * np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) + 2.5**3)
    np.testing.assert_allclose(then, 0.0, atol=1e-12)
    samples = np.floor((middle - 1e-9) / 0.1) * 0.1
    np.testing.assert_allclose(r.trace("held_late").at(middle + 0.25), np.sin(5.0 * samples), atol=1e-12)
    echo = [r.trace("echo").at(n + 0.5) for n in range(3)]  # a loop of a delay and no state jumps for ever
    np.testing.assert_allclose(echo, [1.0, 0.5, 0.75], atol=1e-15)


def test_delays_that_vary():
    """Waves and jumps through t - 1 - sin(1.5 t)/2; x' = -x(t/2) by the method of steps from 1 to 16."""
    d = bd.Diagram("varying")
    delay = d.add("delay", bd.Expression("1 + 0.5*sin(1.5*t)"))
    wave, jump = (d.add(n, bd.VariableTransportDelay(minimum=0.4, maximum=1.6)) for n in ("wave", "jump"))
    d.connect(d.add("sine", bd.Sine()), wave["u"])
    d.connect(d.add("step", bd.Step(time=1.5)), jump["u"])
    for each in (wave, jump):
        d.connect(delay, each["delay"])
    d.connect(jump, d.add("area", bd.Integrator()))
    r = d.simulate(start=1.0, stop=5.0, rtol=1e-8)
    seen = r.trace("wave")
    then = seen.time - 1.0 - 0.5 * np.sin(1.5 * seen.time)
    here = np.abs(then - 1.0) > 1e-12
    np.testing.assert_allclose(seen.values[here], np.where(then > 1.0, np.sin(then), 0.0)[here], atol=1e-12)
    arrives = brentq(lambda t: t - 1.0 - 0.5 * np.sin(1.5 * t) - 1.5, 1.0, 5.0, xtol=1e-15)
    assert min(abs(event.time - arrives) for event in r.events if event.path == "jump") < 4e-15
    np.testing.assert_allclose(r.final("area"), 5.0 - arrives, atol=1e-13)

    d = bd.Diagram("pantograph")
    x, late = (
        d.add("x", bd.Integrator(1.0)),
        d.add("late", bd.VariableTransportDelay(minimum=0.5, maximum=8.0, initial=1.0)),
    )
    d.connect(x, late["u"])
    d.connect(d.add("half", bd.Expression("t/2")), late["delay"])
    d.connect(late, d.add("minus", bd.Gain(-1.0)), x)
    r = d.simulate(start=1.0, stop=16.0, rtol=1e-10, atol=1e-12)
    polynomial, at = np.polynomial.Polynomial([1.0]), 1.0
    for begin in (1.0, 2.0, 4.0, 8.0):
        halved = np.polynomial.Polynomial(polynomial.coef / 2.0 ** np.arange(polynomial.coef.size))
        area = halved.integ()
        polynomial = at + area(begin) - area
        inside = (r.trace("x").time >= begin) & (r.trace("x").time <= 2.0 * begin)
        times = r.trace("x").time[inside]
        np.testing.assert_allclose(r.trace("x").values[inside], polynomial(times), atol=1e-9)
        at = polynomial(2.0 * begin)
    assert {2.0, 4.0, 8.0} <= {round(event.time, 12) for event in r.events}


@pytest.mark.parametrize(("method", "compiled"), [("dopri5", True), ("rodas5p", True), ("dopri5", False)])
def test_a_delay_that_goes_back_over_jumps(method, compiled):
    """A step and a corner of u at 1.2, seen at t - 1 - 0.8 sin 3t: every way over them is an event."""

    def then(t):
        return t - 1.0 - 0.8 * np.sin(3.0 * t)

    grid = np.linspace(0.5, 5.0, 4001)
    signs = np.signbit(then(grid) - 1.2)
    brackets = [(grid[i], grid[i + 1]) for i in np.flatnonzero(signs[1:] != signs[:-1])]
    ways = [brentq(lambda t: then(t) - 1.2, a, b, xtol=1e-15, rtol=4e-15) for a, b in brackets]
    assert len(ways) == 3  # there, back, there
    d = bd.Diagram("back")
    delay = d.add("delay", bd.Expression("1 + 0.8*sin(3*t)"))
    for name, source in (("jump", bd.Step(time=1.2)), ("corner", bd.Ramp(1.0, start=1.2))):
        late = d.add(name, bd.VariableTransportDelay(minimum=0.1, maximum=1.9))
        d.connect(d.add(f"{name}_u", source), late["u"])
        d.connect(delay, late["delay"])
        d.connect(late, d.add(f"{name}_area", bd.Integrator()))
    r = d.simulate(stop=5.0, method=method, rtol=1e-9, atol=1e-12, compiled=compiled)
    for name in ("jump", "corner"):
        seen = np.array([event.time for event in r.events if event.path == name])
        for way in ways:
            assert np.abs(seen - way).min() < 1e-13
    there, back, again = ways
    np.testing.assert_allclose(r.final("jump_area"), back - there + 5.0 - again, atol=1e-12)

    def area(t):  # of then - 1.2
        return t * t / 2.0 - 2.2 * t + 0.8 / 3.0 * np.cos(3.0 * t)

    exact = area(back) - area(there) + area(5.0) - area(again)
    np.testing.assert_allclose(r.final("corner_area"), exact, atol=1e-9)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_delay_that_jumps_back_over_a_jump(compiled):
    """The delay is 0.5, from t = 2 on 1.5: a step at 1 is seen from 1.5 to 2, and from 2.5 on."""
    d = bd.Diagram("jumps")
    late = d.add("late", bd.VariableTransportDelay(minimum=0.5, maximum=1.5))
    d.connect(d.add("u", bd.Step(time=1.0)), late["u"])
    d.connect(d.add("delay", bd.Step(time=2.0, initial=0.5, final=1.5)), late["delay"])
    d.connect(late, d.add("area", bd.Integrator()))
    r = d.simulate(stop=4.0, compiled=compiled)
    np.testing.assert_allclose(r.final("area"), 0.5 + 1.5, atol=1e-14)
    assert r.trace("late").at([1.4, 1.6, 2.1, 2.4, 2.6]).ravel().tolist() == [0.0, 1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize(("method", "compiled"), [("dopri5", True), ("dop853", True), ("dopri5", False)])
def test_a_delay_that_depends_on_the_state(method, compiled):
    """y' = y y(ln y)/t, y = 1 up to 1: t up to e, exp(t/e) up to e^2, then (e/(3 - ln t))^e.

    K. W. Neves, A. Feldstein, High order methods for state-dependent delay differential equations with
    nonsmooth solutions, SIAM J. Numer. Anal. 21(5), 1984, 844-863.
    """
    d = bd.Diagram("state")
    y, late = (
        d.add("y", bd.Integrator(1.0)),
        d.add("late", bd.VariableTransportDelay(minimum=0.5, maximum=9.0, initial=1.0)),
    )
    d.connect(y, late["u"])
    delay, rate = d.add("delay", bd.Expression("t - log(u)")), d.add("rate", bd.Expression("u*z/t"))
    d.connect(y, delay, late["delay"])
    d.connect(y, rate["u"])
    d.connect(late, rate["z"])
    d.connect(rate, y)
    r = d.simulate(start=1.0, stop=10.0, method=method, rtol=1e-10, atol=1e-12, compiled=compiled)
    t = r.trace("y").time
    late_part = (e / (3.0 - np.log(t))) ** e
    exact = np.where(t <= e, t, np.where(t <= e * e, np.exp(t / e), late_part))
    np.testing.assert_allclose(r.trace("y").values, exact, rtol=2e-9)
    events = np.array([event.time for event in r.events])
    for instant in (e, e * e):  # at e derivatives of y jump for the first time, at e^2 again
        assert np.abs(events - instant).min() < 1e-8


def test_a_run_goes_on_and_a_sweep_varies_delays():
    d = fed_back()
    settings = {"rtol": 1e-10, "atol": 1e-12}
    first = d.simulate(stop=2.3, **settings)
    later = d.simulate(start=2.3, stop=6.0, initial=first.final_states(), **settings)
    np.testing.assert_allclose(later.final("x"), steps(6.0), atol=1e-10)
    shifted = d.simulate(start=0.0, stop=3.7, initial=first.final_states(), **settings)
    np.testing.assert_allclose(shifted.final("x"), steps(6.0), atol=1e-10)
    delays = [0.5, 1.0, 1.25]
    sweep = Sweep(d, {"late.delay": delays}, {"last": {"final": "x"}}, stop=6.0, **settings)
    swept = sweep.run(progress=False).dataset["last"].values
    alone = [d.simulate(stop=6.0, set={"late.delay": each}, **settings).final("x") for each in delays]
    np.testing.assert_array_equal(swept, alone)
    assert abs(swept[1] - steps(6.0)) < 1e-10


def test_bad_delays():
    for wrong in ({"delay": 0.0}, {"delay": -1.0}, {"delay": np.inf}, {"delay": 1.0, "buffer": 10.5}):
        with pytest.raises(bd.ParameterError):
            bd.TransportDelay(**wrong)
    for limits in ({"minimum": -0.1, "maximum": 1.0}, {"minimum": 2.0, "maximum": 1.0}):
        with pytest.raises(bd.ParameterError):
            bd.VariableTransportDelay(**limits)
    with pytest.raises(BlockFailed, match="raise `buffer`"):
        fed_back().simulate(stop=3.0, set={"late.buffer": 16}, max_step=0.01)
    d = bd.Diagram()
    late = d.add("late", bd.VariableTransportDelay(minimum=0.1, maximum=0.5))
    d.connect(d.add("u", bd.Sine()), late["u"])
    d.connect(d.add("t", bd.Clock()), late["delay"])
    with pytest.raises(BlockFailed, match=r"outside `minimum` \.\.\. `maximum`\nwiden these") as refused:
        d.simulate(start=0.2, stop=2.0)
    assert refused.value.path == "late"
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Constant([1.0, 2.0])), d.add("late", bd.TransportDelay(1.0, initial=[1.0, 2.0, 3.0]))
    )
    with pytest.raises(bd.DiagramError, match="as `initial` is"):
        d.compile()


def test_a_stiff_method_by_the_method_of_steps():
    """Rounding makes x(1) = 0 a number of 1e-17, which may count as a jump: there may be one break more."""
    r = fed_back().simulate(stop=20.0, method="rodas5p", rtol=1e-9, atol=1e-11)
    x = r.trace("x")
    np.testing.assert_allclose(x.values, [steps(t) for t in x.time], atol=1e-9, rtol=0.0)
    assert [event.time for event in r.events][:9] == [float(k) for k in range(1, 10)]


@pytest.mark.parametrize("delay", [0.01, 0.02, 0.025])
def test_the_last_step_is_no_longer_than_the_delay(delay):
    """A step that nearly reaches the end of the run is stretched to it."""
    d = bd.Diagram()
    d.connect(
        d.add("t", bd.Clock()), d.add("late", bd.TransportDelay(delay=delay)), d.add("x", bd.Integrator())
    )
    assert d.simulate(stop=100.0).final("x") == pytest.approx((100.0 - delay) ** 2 / 2, rel=1e-9)
