"""Sensitivities of runs against closed forms: along flows, through events, ticks, and instants that move."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import cont2discrete

import blockdyn as bd
from blockdyn.gradients.errors import GradientError
from blockdyn.native.tangent.frame import NotDifferentiable
from blockdyn.solvers.methods import METHODS
from blockdyn.solvers.methods.method import runge_kutta

from .balls import ball

BY_PYTHON = bd.Method(  # dopri5, with steps that Python takes, as steps of a user's own method are
    "by_python", "Dormand-Prince", "none", METHODS["dopri5"].data, steps=lambda *given: runge_kutta(*given)
)

TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def slope(function, *arguments, by):
    """The derivative of an analytic function, exact to rounding: Squire and Trapp, SIAM Review 40 (1998)."""
    moved = [value + 1e-30j if i == by else value for i, value in enumerate(arguments)]
    return np.imag(function(*moved)) / 1e-30


def height_at(t, bounces, restitution, height, gravity):
    """The height t seconds after the drop, behind so many bounces."""
    first = np.sqrt(2.0 * height / gravity)
    last = first + sum(2.0 * first * restitution**k for k in range(1, bounces))
    since, speed = t - last, np.sqrt(2.0 * height * gravity) * restitution**bounces
    return speed * since - gravity / 2.0 * since**2


@pytest.mark.parametrize("method", ["bs32", "dopri5", "dop853", "tsit5", "auto"])
def test_at_rest_derivatives_stay_where_they_are(method):
    """x' = a (b - x), x = b: dx/db = 1 - exp(-a t). The state has no error there, however long the steps."""
    d = bd.Diagram("rest")
    lag = d.add("lag", bd.TransferFunction(num=[300.0], den=[1.0, 300.0]))
    d.connect(d.add("b", bd.Constant(0.0)), lag)
    d.log(lag)
    s = d.sensitivities("b.value", "lag", [0.01, 1.0, 60.0], method=method)
    expected = 1.0 - np.exp(-300.0 * np.array([0.01, 1.0, 60.0]))
    np.testing.assert_allclose(s["lag", "b.value"], expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "auto"])
def test_sampled_blocks_that_nothing_but_a_log_reads(method):
    """x = v t at ticks every 0.1 s: what holds it changes by the tick's time, a difference by the period."""
    d = bd.Diagram("sampled")
    d.connect(d.add("v", bd.Constant(2.0)), d.add("x", bd.Integrator()), d.add("held", bd.ZeroOrderHold(0.1)))
    d.connect("x", d.add("delayed", bd.UnitDelay(0.1)))
    d.connect(
        "x", d.add("step", bd.DiscreteTransferFunction(num=[1.0, -1.0], den=[1.0, 0.0], sample_time=0.1))
    )
    d.log("held", "delayed", "step")
    s = d.sensitivities("v.value", ["held", "delayed", "step"], [0.95, 2.95], method=method)
    for name, expected in {"held": [0.9, 2.9], "delayed": [0.8, 2.8], "step": [0.1, 0.1]}.items():
        np.testing.assert_allclose(s[name, "v.value"], expected, rtol=1e-12)
        np.testing.assert_allclose(s[name], 2.0 * np.array(expected), rtol=1e-12)
    g = d.gradient({"last": {"final": "held"}, "area": {"integral": "held"}}, "v.value", stop=1.0)
    np.testing.assert_allclose(g.matrix[:, 0], [1.0, 0.45], rtol=1e-9)


def test_a_fast_pole_at_rest_asks_for_an_implicit_method():
    d = bd.Diagram("rest")
    lag = d.add("lag", bd.TransferFunction(num=[1e6], den=[1.0, 1e6]))
    d.connect(d.add("b", bd.Constant(0.0)), lag)
    with pytest.raises(GradientError, match=r"too fast.*\n.*rodas5p"):
        d.sensitivities("b.value", "lag", [60.0])
    s = d.sensitivities("b.value", "lag", [60.0], method="rodas5p")
    assert s["lag", "b.value"].item() == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "radau5", "bdf", "auto"])
def test_an_oscillator_at_rest_by_its_velocity(method):
    """x'' + 0.4 x' + 900 x = 0 at x = 0: dx/dv = exp(-0.2 t) sin(w t) / w, w^2 = 900 - 0.04."""
    d = bd.Diagram("rest")
    d.connect(
        d.add("none", bd.Constant(0.0)), d.add("x", bd.TransferFunction(num=[1.0], den=[1.0, 0.4, 900.0]))
    )
    d.log("x")
    times = np.array([0.5, 1.9, 10.0, 30.0])
    s = d.sensitivities("x.x[0]", "x", times, method=method)
    w = np.sqrt(900.0 - 0.04)
    expected = np.exp(-0.2 * times) * np.sin(w * times) / w
    np.testing.assert_allclose(s["x", "x.x[0]"], expected, rtol=0, atol=1e-4 / w)  # 143 periods


@pytest.mark.parametrize("method", ["dopri5", "dop853", "tsit5", "rodas5p", "auto"])
def test_a_bouncing_ball_by_height_restitution_and_gravity(method):
    paths = ["back.k", "x.x", "weight.value"]
    s = ball(0.8, 1.0, 9.81).sensitivities(paths, "x", [0.5, 1.3, 1.9], method=method)
    for k, flight in enumerate([(0.5, 1), (1.3, 2), (1.9, 3)]):
        numbers = [0.8, 1.0, 9.81]
        assert s["x"].values[k] == pytest.approx(height_at(*flight, *numbers), abs=1e-12)
        for i, (path, sign) in enumerate(zip(paths, (-1.0, 1.0, -1.0), strict=True)):
            exact = sign * slope(height_at, *flight, *numbers, by=2 + i)
            assert s["x", path].values[k] == pytest.approx(exact, abs=1e-9), path
    assert s.differences == s.computed == ()


def test_a_linear_system_by_an_element_of_its_matrix():
    d = bd.Diagram("plant")
    d.add("plant", bd.StateSpace(A=[[0.0, 1.0], [-4.0, -0.6]], B=[0, 0], C=[1.0, 0.0], initial=[1.0, 0.0]))
    d.add("none", bd.Constant(0.0))
    d.connect("none", "plant")
    times = np.linspace(0.3, 6.0, 20)
    s = d.sensitivities(["plant.A[1, 0]", "plant.A[1, 1]"], "plant", times, **TIGHT)
    for path, at in (("plant.A[1, 0]", (1, 0)), ("plant.A[1, 1]", (1, 1))):
        generator = np.zeros((4, 4))  # Van Loan: the derivative of the exponential lies beside it
        generator[:2, :2] = generator[2:, 2:] = [[0.0, 1.0], [-4.0, -0.6]]
        generator[at[0], 2 + at[1]] = 1.0
        exact = [(expm(generator * t)[:2, 2:] @ [1.0, 0.0])[0] for t in times]
        np.testing.assert_allclose(s["plant", path], exact, atol=1e-9)


def test_an_instant_that_is_a_number():
    """A step at T into 1/(s + 1): y = 1 - e^(T - t)."""
    d = bd.Diagram("lag")
    d.add("step", bd.Step(time=0.5, final=2.0))
    d.add("lag", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect("step", "lag")
    times = np.array([0.2, 0.6, 1.0, 3.0])
    s = d.sensitivities(["step.time", "step.final"], "lag", times, **TIGHT)
    after = times > 0.5
    left = np.exp(0.5 - times)
    np.testing.assert_allclose(s["lag", "step.time"], np.where(after, -2.0 * left, 0.0), atol=1e-10)
    np.testing.assert_allclose(s["lag", "step.final"], np.where(after, 1.0 - left, 0.0), atol=1e-10)
    assert "step.time" in s.computed


def test_instants_that_repeat_by_period_and_width():
    """An integrator of pulses of height 3 and width 0.1 every 0.4 s."""
    d = bd.Diagram("train")
    d.add("pulse", bd.Pulse(period=0.4, width=0.1, amplitude=3.0))
    d.add("sum", bd.Integrator())
    d.connect("pulse", "sum")
    s = d.sensitivities(["pulse.period", "pulse.width", "pulse.amplitude"], "sum", [0.2, 0.45, 1.1])
    np.testing.assert_allclose(s["sum", "pulse.width"], [3.0, 3.0, 9.0], rtol=1e-9)
    np.testing.assert_allclose(s["sum", "pulse.amplitude"], [0.1, 0.15, 0.3], rtol=1e-12)
    np.testing.assert_allclose(s["sum", "pulse.period"], [0.0, -3.0, 0.0], atol=1e-9)  # in a pulse it is late


def test_a_sampled_loop_by_its_gain():
    """x' = -x + u with u = -k x held over h: x[n] = (e^-h - k (1 - e^-h))^n."""
    d = bd.Diagram("sampled")
    d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0], initial=[1.0]))
    d.add("hold", bd.ZeroOrderHold(sample_time=0.1))
    d.add("gain", bd.Gain(-2.0))
    d.connect("plant", "hold")
    d.connect("hold", "gain")
    d.connect("gain", "plant")
    times = 0.1 * np.arange(1, 31)
    s = d.sensitivities(["gain.k"], "plant", times, **TIGHT)
    a, b, *_ = cont2discrete(tuple(map(np.atleast_2d, (-1.0, 1.0, 1.0, 0.0))), 0.1)
    pole, n = float(a[0, 0] - 2.0 * b[0, 0]), np.arange(1, 31)
    np.testing.assert_allclose(s["plant"], pole**n, atol=1e-10)
    np.testing.assert_allclose(s["plant", "gain.k"], n * pole ** (n - 1) * b[0, 0], atol=1e-9)


def test_a_relay_by_its_levels():
    """x' = u, a relay turns u at x = 1 and x = -1: a saw whose instants move with its levels."""
    d = bd.Diagram("saw")
    d.add("x", bd.Integrator(0.0))
    d.add("relay", bd.Relay(switch_on=1.0, switch_off=-1.0, on=-1.0, off=2.0))
    d.connect("x", "relay")
    d.connect("relay", "x")
    paths = ["relay.switch_on", "relay.switch_off", "relay.on", "relay.off"]
    s = d.sensitivities(paths, "x", [0.2, 1.0, 2.6, 4.0])

    def at(t, turns, on, off, down, up):
        instant, level = 0.0, 0.0
        for k in range(turns):
            target, rate = (on, up) if k % 2 == 0 else (off, down)
            instant, level = instant + (target - level) / rate, target
        return level + (up if turns % 2 == 0 else down) * (t - instant)

    for k, saw in enumerate([(0.2, 0), (1.0, 1), (2.6, 2), (4.0, 3)]):
        numbers = (1.0, -1.0, -1.0, 2.0)
        assert s["x"].values[k] == pytest.approx(at(*saw, *numbers), abs=1e-12)
        for i, path in enumerate(paths):
            assert s["x", path].values[k] == pytest.approx(slope(at, *saw, *numbers, by=2 + i), abs=1e-9)


def test_a_block_that_slides_to_rest():
    """It slides v0^2 / (2 mu) far, and stays: the length by speed and friction, and no speed any more."""
    d = bd.Diagram("slide")
    d.add("none", bd.Constant(0.0))
    d.add("friction", bd.CoulombFriction(coulomb=2.0))
    d.add("v", bd.Integrator(3.0))
    d.add("x", bd.Integrator(0.0))
    d.connect("v", "friction.velocity")
    d.connect("none", "friction.force")
    d.connect("friction", "v")
    d.connect("v", "x")
    s = d.sensitivities(["v.x", "friction.coulomb"], ["x", "v"], [1.0, 2.0])
    np.testing.assert_allclose(s["x"], [3.0 - 1.0, 9.0 / 4.0], rtol=1e-12)
    np.testing.assert_allclose(s["x", "v.x"], [1.0, 3.0 / 2.0], atol=1e-10)
    np.testing.assert_allclose(s["x", "friction.coulomb"], [-0.5, -9.0 / 8.0], atol=1e-10)
    np.testing.assert_allclose(s["v", "v.x"], [1.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(s["v", "friction.coulomb"], [-1.0, 0.0], atol=1e-10)


@pytest.mark.parametrize("method", ["dopri5", "rodas5p"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_run_that_begins_at_a_kink_has_the_side_on_which_it_goes_on(side, method):
    d = bd.Diagram("kink")
    x = d.add("x", bd.Integrator(0.0))
    d.connect(
        d.add("side", bd.Constant(side)), x, [d.add("abs", bd.Abs()), d.add("upper", bd.Saturation(0.0))]
    )
    s = d.sensitivities("x.initial", ["abs", "upper"], [0.0, 0.5], method=method)
    assert s["abs", "x.initial"].values.tolist() == [side, side]
    assert s["upper", "x.initial"].values.tolist() == [max(side, 0.0)] * 2


def test_instants_that_are_computed_and_move_alike():
    """Steps of 1, 2 and 3 at a + b, one of them by way of a root, one by way of a delay."""
    d = bd.Diagram("alike", parameters={"a": 1.0, "b": 0.5})
    d.add("one", bd.Step(time=bd.expression("a + b")))
    d.add("two", bd.Step(time=bd.expression("sqrt(a)**2 + b"), final=2.0))
    d.connect(
        d.add("three", bd.Step(time=bd.expression("a"), final=3.0)),
        late := d.add("late", bd.TransportDelay(delay=bd.expression("b"))),
    )
    total = d.add("total", bd.Sum("+++"))
    for i, name in enumerate(("one", "two", late)):
        d.connect(name, total[i])
    d.connect(total, d.add("x", bd.Integrator()))
    s = d.sensitivities(["a", "b"], "x", [2.0])
    np.testing.assert_allclose([s["x", "a"], s["x", "b"]], -6.0, atol=1e-9)


def test_what_has_no_derivative_is_refused_by_name():
    d = ball(0.8, 1.0, 9.81)
    with pytest.raises(GradientError, match=r"there is no parameter 'x\.x0'"):
        d.sensitivities(["x.x"], "x", [1.0])["x", "x.x0"]
    with pytest.raises(GradientError, match="setting of the run"):
        d.sensitivities(["simulate.rtol"], "x", [1.0])
    with pytest.raises(GradientError, match="increasing times"):
        d.sensitivities(["x.x"], "x", [1.0, 0.5])
    with pytest.raises(GradientError, match="twice"):
        d.sensitivities(["x.x", "x.x"], "x", [1.0])
    with pytest.raises(GradientError, match=r"whose steps can be differentiated"):
        d.sensitivities(["x.x"], "x", [1.0], method=BY_PYTHON)
    two = bd.Diagram("two")
    steps = [two.add(name, bd.Step(time=1.0)) for name in "ab"]
    two.add("x", bd.Integrator(0.0))
    two.connect(steps[0] * steps[1], "x")
    with pytest.raises(NotDifferentiable, match=r"a, b: .*two events at 1 s"):
        two.sensitivities(["a.time"], "x", [2.0])
    held = bd.Diagram("held")
    held.connect(held.add("t", bd.Clock()), held.add("hold", bd.ZeroOrderHold(sample_time=0.1)))
    with pytest.raises(NotDifferentiable, match=r"`hold\.sample_time`, by which clocks tick"):
        held.sensitivities(["hold.sample_time"], "hold", [2.0])


def test_texts_say_what_is_a_difference():
    """x' = g sin x, by a function that Python runs: tan(x/2) = tan(x0/2) exp(g t)."""
    d = bd.Diagram("python", parameters={"g": 3.0})
    slope = d.add("slope", bd.Function(lambda x, g: g * sorted([np.sin(x), 9.0])[0], compiled=False))
    x = d.add("x", bd.Integrator(0.3))
    d.connect(d.add("g", bd.Constant(bd.expression("g"))), slope["g"])
    d.connect(x, slope["x"])
    d.connect(slope, x)
    d.log(x)
    times = np.linspace(0.05, 0.5, 10)
    data = {"time": times, "x": 2.0 * np.arctan(np.tan(0.15) * np.exp(2.2 * times))}
    found = d.fit(data, "g")
    assert found["g"] == pytest.approx(2.2)
    tuned = d.tune("g", "off", {"end": {"final": "x"}, "off": {"value": "(end - 1)**2"}}, stop=0.5)
    for each in (
        found,
        tuned,
        d.sensitivities("g", stop=0.5),
        d.gradient({"f": {"final": "x"}}, "g", stop=0.5),
    ):
        assert each.differences == ("slope",)
        assert "by differences: slope" in repr(each)


@pytest.mark.parametrize("b", [0.0, 1e-8, 1e-12, -2e-15, 1e-18])
def test_a_number_near_zero_that_is_added_to_another(b):
    """x = (1 + b) t, and a capacitance is no small number beside itself: y = t / (1e6 c)."""
    d = bd.Diagram("near", parameters={"b": b, "c": 1e-9})
    d.connect(d.add("sum", bd.Constant(bd.expression("1 + b"))), d.add("x", bd.Integrator()))
    d.connect(d.add("inverse", bd.Constant(bd.expression("1 / (1e6 * c)"))), d.add("y", bd.Integrator()))
    s = d.sensitivities(["b", "c"], ["x", "y"], [1.0])
    assert s["x", "b"][0] == pytest.approx(1.0, rel=1e-10)
    assert s["y", "c"][0] == pytest.approx(-1e12, rel=1e-10)
