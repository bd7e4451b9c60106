"""Algebraic loops, solved as the equations that they are."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.formula import parse

BOTH = pytest.mark.parametrize("compiled", [True, False])

# ---- equations with known solutions ----


@BOTH
def test_unit_feedback_divides_by_one_plus_the_gain(feedback, compiled):
    r = feedback(bd.Sine(), bd.Gain(k=1.0), bd.Gain(k=0.5)).simulate(stop=2, loops="solve", compiled=compiled)
    np.testing.assert_allclose(r["e"].values, r["u"].values / 1.5, rtol=1e-14, atol=1e-15)


@BOTH
@pytest.mark.parametrize("gain", [-0.999, 1e-9, 1e3, 1e9])
def test_any_gain_of_the_circle(feedback, gain, compiled):
    r = feedback(bd.Constant(3.0), bd.Gain(k=gain), bd.Gain(k=1.0)).simulate(
        stop=1, loops="solve", compiled=compiled
    )
    np.testing.assert_allclose(r["forward"].values, 3.0 * gain / (1.0 + gain), rtol=1e-12 + 1e-15 * gain)


@BOTH
def test_a_circle_of_vectors_is_a_system_of_linear_equations(feedback, compiled):
    A = np.array([[0.0, 2.0, -1.0], [0.5, -1.0, 3.0], [1.0, 0.25, 0.5]])
    u = np.array([1.0, -2.0, 0.5])
    r = feedback(bd.Constant(u), bd.MatrixGain(K=A), bd.Gain(k=2.0)).simulate(
        stop=1, loops="solve", compiled=compiled
    )
    expected = np.linalg.solve(np.eye(3) + 2.0 * A, u)
    np.testing.assert_allclose(r["e"].values[-1], expected, rtol=1e-12)


@BOTH
def test_units_of_very_different_size(feedback, compiled):
    """x1 in micrometres of metres, x2 in kilonewtons: the equations are the same."""
    A = np.array([[0.3, 2e-9], [1e9, -0.7]])
    u = np.array([1e-6, 1e3])
    r = feedback(bd.Constant(u), bd.MatrixGain(K=A), bd.Gain(k=1.0)).simulate(
        stop=1, loops="solve", compiled=compiled
    )
    np.testing.assert_allclose(r["e"].values[-1], np.linalg.solve(np.eye(2) + A, u), rtol=1e-11)


@BOTH
@pytest.mark.parametrize(
    ("formula", "solution"),
    [
        ("cos(y_)", 0.7390851332151607),  # the Dottie number, OEIS A003957
        ("exp(-y_)", 0.5671432904097838),  # the omega constant, OEIS A030178
        ("2 / y_", 2.0**0.5),  # there is nothing at 0, where the search begins
        ("3 - 10 * tanh(y_)", 0.27911764),
        ("1e-12 * (exp((5 - 1000 * y_) / 0.025) - 1)", 4.44463e-3),  # a diode behind a resistor, A
    ],
)
def test_fixed_points_of_functions(equation, formula, solution, compiled):
    r = equation(formula).simulate(stop=1, loops="solve", compiled=compiled)
    assert r["f"].values[-1] == pytest.approx(solution, rel=1e-6)
    y = r["f"].values[-1]
    assert parse(formula)(y) == pytest.approx(y, rel=1e-9)


@BOTH
def test_a_cubic_is_followed_over_time(equation, compiled):
    """y = u - y^3 has one real solution, Cardano's."""
    r = equation("u - y_ ** 3").simulate(stop=10, loops="solve", compiled=compiled)
    u, y = r["u"].values, r["f"].values
    root = np.sqrt(u**2 / 4 + 1 / 27)
    np.testing.assert_allclose(y, np.cbrt(u / 2 + root) + np.cbrt(u / 2 - root), rtol=1e-9, atol=1e-12)


@BOTH
def test_the_branch_taken_first_is_kept(equation, compiled):
    """y = (y^2 + 2 - u) / 3 has the solutions 1 and 2 at u = 0 and both of them move."""
    r = equation("(y_ ** 2 + 2 - u) / 3").simulate(stop=5, loops="solve", compiled=compiled, max_step=0.5)
    np.testing.assert_allclose(r["f"].values, (3 - np.sqrt(1 + 4 * r["u"].values)) / 2, atol=1e-11)


@BOTH
def test_independent_and_nested_circles(compiled):
    d = bd.Diagram()
    d.add("u", bd.Constant(1.0))
    for name, gain in (("a", 0.5), ("b", 3.0)):  # e = 1 - g e, twice
        d.add(name, bd.Sum("+-"))
        d.add(f"{name}k", bd.Gain(k=gain))
        d.connect("u", f"{name}[0]")
        d.connect(name, f"{name}k", f"{name}[1]")
    d.add("outer", bd.Sum("+-"))  # inner = outer - 2 inner; outer = 1 - inner
    d.add("inner", bd.Sum("+-"))
    d.add("k", bd.Gain(k=2.0))
    d.connect("u", "outer[0]")
    d.connect("outer", "inner[0]")
    d.connect("inner", ["outer[1]", "k"])
    d.connect("k", "inner[1]")
    r = d.simulate(stop=1, loops="solve", compiled=compiled)
    values = {name: r[name].values[-1] for name in ("a", "b", "inner", "outer")}
    assert values == pytest.approx({"a": 2 / 3, "b": 1 / 4, "inner": 1 / 4, "outer": 3 / 4}, rel=1e-14)


@BOTH
def test_one_circle_may_feed_another(feedback, compiled):
    d = feedback(bd.Sine(), bd.Gain(k=3.0), bd.Gain(k=1.0))
    d.add("mux", bd.Mux(2))
    d.add("second", bd.Sum("+-"))
    d.add("half", bd.Gain(k=0.5))
    d.connect("e", ["mux[0]", "second[0]"])
    d.connect("second", "half", ["second[1]", "mux[1]"])
    r = d.simulate(stop=3, loops="solve", compiled=compiled)
    u = r["u"].values
    np.testing.assert_allclose(r["mux"].values, np.stack([u / 4, u / 12], 1), rtol=1e-13, atol=1e-15)


# ---- with states, modes, ticks ----


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "rk4", "rodas5p", "radau5"])
def test_an_integrator_behind_a_circle(method, compiled):
    """w = -x - 0.5 w, dx/dt = w: dx/dt = -x / 1.5."""
    d = bd.Diagram()
    d.add("w", bd.Sum("--"))
    d.add("half", bd.Gain(k=0.5))
    d.add("x", bd.Integrator(initial=2.0))
    d.connect("w", ["x", "half"])
    d.connect("x", "w[0]")
    d.connect("half", "w[1]")
    step = 0.01 if method == "rk4" else None
    r = d.simulate(stop=3, loops="solve", method=method, step=step, rtol=1e-9, atol=1e-12, compiled=compiled)
    np.testing.assert_allclose(r["x"].values, 2.0 * np.exp(-r["x"].time.values / 1.5), rtol=1e-7)


@BOTH
def test_a_pendulum_whose_acceleration_is_on_both_sides(compiled):
    """(1 + m) a = -sin(q), written as a = -sin(q) - m a: energy (1 + m) v^2 / 2 - cos(q) stays."""
    d = bd.Diagram()
    d.add("a", bd.Expression("-sin(q) - m * a_", coefficients={"m": 0.7}))
    d.add("v", bd.Integrator())
    d.add("q", bd.Integrator(initial=1.5))
    d.connect("a", ["v", "a.a_"])
    d.connect("v", "q", "a.q")
    r = d.simulate(stop=10, loops="solve", rtol=1e-10, atol=1e-12, compiled=compiled)
    energy = 1.7 * r["v"].values ** 2 / 2 - np.cos(r["q"].values)
    np.testing.assert_allclose(energy, -np.cos(1.5), atol=1e-8)


@BOTH
def test_a_limit_in_the_circle_switches_at_located_events(feedback, compiled):
    """y = sat(2 (u - y)), u = sin t: y = 2 u / 3 up to the limit 0.5, which is reached at u = 0.75."""
    d = feedback(bd.Sine(), bd.Gain(k=2.0), bd.Saturation(lower=-0.5, upper=0.5))
    r = d.simulate(stop=6, loops="solve", compiled=compiled)
    u = r["u"].values
    np.testing.assert_allclose(r["back"].values, np.clip(2 * u / 3, -0.5, 0.5), atol=1e-9)
    times = [event.time for event in r.events]
    first = np.arcsin(0.75)
    assert times == pytest.approx([first, np.pi - first, np.pi + first, 2 * np.pi - first], abs=1e-9)


@BOTH
def test_a_sampled_block_closes_the_circle_at_ticks_only(compiled):
    """e = u - z, z = 0.5 e at ticks, kept between them: z(k) = u(k) / 3, e = u - z in between."""
    d = bd.Diagram()
    d.add("u", bd.Clock())
    d.add("e", bd.Sum("+-"))
    d.add("half", bd.Gain(k=0.5))
    d.add("z", bd.ZeroOrderHold(sample_time=0.25))
    d.add("x", bd.Integrator())
    d.connect("u", "e[0]")
    d.connect("e", ["half", "x"])
    d.connect("half", "z", "e[1]")
    grid = np.linspace(0.01, 0.99, 50)
    r = d.simulate(stop=1, loops="solve", times=grid, compiled=compiled)
    held = np.floor(grid / 0.25) * 0.25 / 3
    np.testing.assert_allclose(r["z"].values, held, atol=1e-14)
    np.testing.assert_allclose(r["e"].values, grid - held, atol=1e-14)
    ticks = np.arange(0.0, 1.0, 0.25)
    area = 0.99**2 / 2 - (np.minimum(np.append(ticks[1:], 0.99), 0.99) - ticks) @ (ticks / 3)
    assert r["x"].values[-1] == pytest.approx(area, abs=1e-12)


@BOTH
def test_a_circle_of_sampled_blocks_with_a_limit(compiled):
    """All held: z = hold(sat(4 (u - z))), at ticks of a ramp."""
    d = bd.Diagram()
    d.add("u", bd.Clock())
    d.add("held", bd.ZeroOrderHold(sample_time=0.1))
    d.add("e", bd.Sum("+-"))
    d.add("k", bd.Gain(k=4.0))
    d.add("limit", bd.Saturation(lower=-0.4, upper=0.4))
    d.add("z", bd.ZeroOrderHold(sample_time=0.1))
    d.connect("u", "held", "e[0]")
    d.connect("e", "k", "limit", "z", "e[1]")
    r = d.simulate(stop=1, loops="solve", compiled=compiled)
    t = r["z"].time.values
    np.testing.assert_allclose(r["z"].values, np.minimum(0.8 * np.round(t, 1), 0.4), atol=1e-12)


def test_python_functions_in_the_circle(feedback):
    def half(y):
        return complex(y, 0.0).real / 2  # in Python by request

    d = feedback(bd.Sine(), bd.Gain(k=1.0), bd.Function(half, compiled=False))
    r = d.simulate(stop=1, loops="solve")
    np.testing.assert_allclose(r["e"].values, r["u"].values / 1.5, rtol=1e-14, atol=1e-15)


@BOTH
@pytest.mark.parametrize("method", ["dopri5", "rodas5p", "bdf"])
def test_a_loop_that_changes_at_an_event_is_another_equation(method, compiled):
    """v = k v + 1 with k = 1/2, then 3: v = 2, then -1/2; the slope of before leads away from there."""
    d = bd.Diagram()
    k, v, sum_ = d.add("k", bd.Step(0.5, 0.5, 3.0)), d.add("v", bd.Product()), d.add("sum", bd.Sum("++"))
    d.connect(k, v[0])
    d.connect(v, sum_[0])
    d.connect(d.add("one", bd.Constant(1.0)), sum_[1])
    d.connect(sum_, v[1])
    d.connect(sum_, d.add("x", bd.Integrator()))
    r = d.simulate(stop=1.0, loops="solve", method=method, compiled=compiled)
    assert r["x"].values[-1] == pytest.approx(0.5 * 2.0 - 0.5 * 0.5, rel=1e-12)


def test_the_slope_of_a_loop_is_found_once_while_it_serves(feedback):
    """Thirty unknowns of a linear system: without it, each search would take 31 evaluations at least."""
    calls = []

    def seen(u):
        calls.append(1)
        return u

    A = np.random.default_rng(5).normal(size=(30, 30)) / 30.0
    d = feedback(bd.Sine(amplitude=np.ones(30)), bd.MatrixGain(K=A), bd.Function(seen, compiled=False))
    d.connect("e", d.add("x", bd.Integrator(np.zeros(30))))
    r = d.simulate(stop=1.0, loops="solve")
    assert len(calls) < 5 * r.statistics["evaluations"]
    np.testing.assert_allclose(r["e"].values + r["e"].values @ A.T, r["u"].values, atol=1e-12)
