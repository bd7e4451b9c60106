"""Rodas5P and Radau IIA: published solutions, closed forms, orders, when the Jacobian is renewed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag, expm

import blockdyn as bd

from .stiff_problems import PROBLEMS, SCALED_VAN_DER_POL

BOTH = pytest.mark.parametrize("method", ["rodas5p", "radau5"])


@pytest.mark.parametrize("method", ["rodas5p", "radau5", "auto"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_test_set_within_two_tolerances(name: str, rtol: float, method: str) -> None:
    problem = PROBLEMS[name]
    solution = np.array(problem.solution)
    small = 1e-10 if np.abs(solution).min() < 1e-6 else 1e-3  # where a state is that small all along
    y = problem.final(method=method, rtol=rtol, atol=small * rtol)
    np.testing.assert_allclose(y, solution, rtol=2.0 * rtol)


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize("name", PROBLEMS)
def test_evaluations_of_auto_and_of_bdf(name: str, rtol: float) -> None:
    """Steps are not refused for rounding errors that look like growing modes: one system took 170 000."""
    settings = {"rtol": rtol, "atol": 1e-3 * rtol, "max_step": np.inf, "stop": PROBLEMS[name].stop}
    auto, rosenbrock, multistep = (
        PROBLEMS[name].diagram().simulate(method=method, **settings).statistics["evaluations"]
        for method in ("auto", "rodas5p", "bdf")
    )
    assert auto < 1.7 * rosenbrock
    assert rosenbrock < 6.0 * multistep  # of order 5, and 30 times as accurate


@pytest.mark.parametrize(("method", "tolerances"), [("rodas5p", 20), ("radau5", 1), ("auto", 20)])
def test_eleven_points_between_the_jumps_of_the_van_der_pol_equation(method: str, tolerances: float) -> None:
    problem, rtol, times = PROBLEMS["van_der_pol_scaled"], 1e-8, np.arange(1.0, 12.0)
    r = problem.diagram().simulate(
        stop=11.0, times=times, method=method, rtol=rtol, atol=1e-3 * rtol, max_step=np.inf
    )
    y = np.stack([r.trace(name).at(times) for name in ("y1", "y2")], axis=1)
    np.testing.assert_allclose(y, SCALED_VAN_DER_POL, rtol=tolerances * rtol)


def forced() -> bd.Diagram:
    """x' = x cos t - (x - exp(sin t))^3, x(0) = 1: x = exp(sin t)."""
    d = bd.Diagram()
    f = d.add("f", bd.Expression("x * cos(t) - (x - exp(sin(t))) ** 3"))
    d.connect(d.add("x", bd.Integrator(1.0)), f["x"])
    d.connect(f, "x")
    return d


@pytest.mark.parametrize("compiled", [True, False])
def test_the_order_at_the_steps_and_between(compiled: bool) -> None:
    """Steps of one size, at tolerances that all of them meet."""
    program = forced().compile()
    at_steps, between = [], []
    for count in (20, 40, 80):
        h = 2.0 / count
        r = program.simulate(
            stop=2.0, method="rodas5p", rtol=1.0, atol=1.0, first_step=h, max_step=h, refine=4,
            compiled=compiled,
        )  # fmt: skip
        assert r.statistics["steps"] == count
        t, x = r.trace("x").time, r.trace("x").values
        errors = np.abs(x - np.exp(np.sin(t)))
        at_steps.append(errors[::4].max())
        between.append(errors.max())
    assert np.log2(at_steps[0] / at_steps[1]) > 4.5
    assert np.log2(at_steps[1] / at_steps[2]) > 4.5
    assert np.log2(between[1] / between[2]) > 3.7


@pytest.mark.parametrize("compiled", [True, False])
def test_the_order_of_radau_at_the_steps_and_between(compiled: bool) -> None:
    """x' = -x + cos t from 1: (cos t + sin t + exp(-t)) / 2. Newton's method is exact."""
    d = bd.Diagram()
    f = d.add("f", bd.Expression("cos(t) - x"))
    d.connect(d.add("x", bd.Integrator(1.0)), f["x"])
    d.connect(f, "x")
    program = d.compile()
    at_steps, between = [], []
    for count in (10, 20, 40):
        h = 4.0 / count
        r = program.simulate(
            stop=4.0, method="radau5", rtol=1.0, atol=1.0, first_step=h, max_step=h, refine=4,
            compiled=compiled,
        )  # fmt: skip
        assert r.statistics["steps"] == count
        t, x = r.trace("x").time, r.trace("x").values
        errors = np.abs(x - 0.5 * (np.cos(t) + np.sin(t) + np.exp(-t)))
        at_steps.append(errors[::4].max())
        between.append(errors.max())
    assert np.log2(at_steps[0] / at_steps[1]) > 4.7
    assert np.log2(at_steps[1] / at_steps[2]) > 4.7
    assert np.log2(between[1] / between[2]) > 3.7


def linear(A: np.ndarray, start: list[float]) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("x", bd.Integrator(start)), d.add("A", bd.MatrixGain(A)), "x")
    return d


@pytest.mark.parametrize("fast", [1e3, 1e6, 1e9])
def test_a_linear_system_of_two_speeds(fast: float) -> None:
    """Decay by `fast` beside an oscillation that is hardly damped."""
    V = np.array([[1.0, 0.3, -0.2], [0.5, 1.0, 0.1], [-0.4, 0.2, 1.0]])
    A = V @ np.array([[-fast, 0, 0], [0, -0.1, 2.0], [0, -2.0, -0.1]]) @ np.linalg.inv(V)
    start = [1.0, -0.5, 0.25]
    r = linear(A, start).simulate(stop=5.0, method="rodas5p", rtol=1e-9, atol=1e-12)
    slow = V @ np.diag([0.0, 1.0, 1.0]) @ np.linalg.inv(V) @ start
    exact = V[:, 1:] @ expm(5.0 * np.array([[-0.1, 2.0], [-2.0, -0.1]])) @ (np.linalg.inv(V) @ slow)[1:]
    np.testing.assert_allclose(r.final("x"), exact, atol=1e-7)
    assert r.statistics["steps"] < 3000
    assert r.statistics["factorizations"] == r.statistics["steps"] + r.statistics["rejected"]
    assert r.statistics["jacobians"] == r.statistics["steps"]


LAG = np.array([[0.0, 1.0, 0.0], [-100.0, -2.0, 10.0], [3e3, 0.0, -1e4]])
OSCILLATING = {
    "B5": (block_diag([[-10.0, 100.0], [-100.0, -10.0]], -4.0, -1.0, -0.5, -0.1), [1.0] * 6, 20.0),
    "behind a lag": (LAG, [1.0, 0.0, 0.3], 10.0),
}


@pytest.mark.parametrize(("method", "times"), [("bdf", 100), ("rodas5p", 2), ("radau5", 2), ("auto", 2)])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("name", OSCILLATING)
def test_oscillations_within_so_many_tolerances_of_their_size(
    name: str, rtol: float, method: str, times: float
) -> None:
    """Problem B5 of Enright, Hull and Lindberg (BIT 15, 1975, 10-48), and one with a pole at -1e4.

    The error of a step is bounded, and those of an oscillation add up; BDF's are of one sign.
    """
    A, start, stop = OSCILLATING[name]
    grid = np.linspace(0.0, stop, 17)
    exact = np.array([expm(A * t) @ start for t in grid])
    r = linear(A, start).simulate(
        stop=stop, times=grid, method=method, rtol=rtol, atol=0.01 * rtol, max_step=np.inf
    )
    errors = np.abs(r["x"].sel(time=grid, method="nearest").values - exact)
    assert (errors / np.abs(exact).max(axis=0)).max() < times * rtol


@BOTH
def test_large_systems_pivot_and_solve(method: str) -> None:
    """Forty states without a dominant diagonal: rows are exchanged at every elimination."""
    rng = np.random.default_rng(7)
    A = rng.normal(size=(40, 40)) - 10.0 * np.eye(40)[::-1] @ np.diag(rng.uniform(0.5, 1.0, 40))
    A -= (np.linalg.eigvals(A).real.max() + 0.1) * np.eye(40)
    start = rng.normal(size=40)
    r = linear(A, start.tolist()).simulate(stop=1.0, method=method, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(r.final("x"), expm(A) @ start, atol=1e-7)


@BOTH
def test_a_mode_that_changes_the_stiffness_renews_the_jacobian(method: str) -> None:
    """x' = -k x + 1, where k turns from 1 to 1e6 as x rises through a half: then x = 1e-6."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(0.0))
    law = d.add("law", bd.Expression("1 - k * x"))
    rate = d.add("rate", bd.Relay(0.5, -1.0, 1e6, 1.0))
    d.connect(x, rate)
    d.connect(rate, law["k"])
    d.connect(x, law["x"])
    d.connect(law, x)
    r = d.simulate(stop=5.0, method=method, rtol=1e-8, atol=1e-12)
    events = [e.time for e in r.events if e.path == "rate"]
    assert events == pytest.approx([np.log(2.0)], abs=1e-8)
    assert r.final("x") == pytest.approx(1e-6, rel=1e-6)
    assert r.statistics["steps"] < {"rodas5p": 300, "radau5": 600}[method]


@BOTH
def test_crossings_of_a_stiff_solution_to_1e_12(method: str) -> None:
    """x' = -1e6 (x - cos t) - sin t is cos t; it passes 0.3 with a slope of 0.954."""
    d = bd.Diagram()
    law = d.add("law", bd.Expression("-1e6 * (x - cos(t)) - sin(t)"))
    d.connect(d.add("x", bd.Integrator(1.0)), law["x"])
    d.connect(law, "x")
    d.connect("x", d.add("hits", bd.HitCrossing(0.3)))
    r = d.simulate(stop=7.0, method=method, rtol=1e-12, atol=1e-14)
    angle = np.arccos(0.3)
    times = [event.time for event in r.events]
    np.testing.assert_allclose(times, [angle, 2.0 * np.pi - angle], rtol=0.0, atol=1e-12)


@BOTH
def test_a_fast_pole_under_a_sampled_controller(method: str) -> None:
    """x' = 1e5 (u - x), u held for 1 ms each: at a tick x is the u of the tick before."""
    d = bd.Diagram()
    d.connect(d.add("r", bd.Sine(frequency=20.0)), d.add("u", bd.ZeroOrderHold(1e-3)))
    law = d.add("law", bd.Expression("1e5 * (u - x)"))
    d.connect("u", law["u"])
    d.connect(d.add("x", bd.Integrator(0.0)), law["x"])
    d.connect(law, "x")
    r = d.simulate(stop=0.5, method=method, rtol=1e-6, atol=1e-9)
    assert r.final("x") == pytest.approx(np.sin(20.0 * 0.499), abs=1e-6)
    assert r.statistics["steps"] < 20_000


@BOTH
def test_a_root_that_ends_at_zero(method: str) -> None:
    """A tank that runs out, sqrt(x)' = -1/2: the slope by the state is infinite where it is empty."""
    d = bd.Diagram()
    f = d.add("f", bd.Expression("-sqrt(max(x, 0))"))
    d.connect(d.add("x", bd.Integrator(1.0)), f["x"])
    d.connect(f, "x")
    r = d.simulate(stop=1.9, method=method, rtol=1e-8, atol=1e-10)
    assert r.final("x") == pytest.approx(0.05**2, abs=1e-8)
    full = d.simulate(stop=3.0, method=method, rtol=1e-6, atol=1e-9)
    assert full.final("x") == pytest.approx(0.0, abs=1e-6)


def decay(u: float) -> float:
    return float(f"{-1e4 * u:.17g}")  # formatting: Python's alone


@BOTH
def test_a_block_that_python_runs_has_differences_and_is_named(method: str) -> None:
    d = bd.Diagram()
    d.connect(d.add("x", bd.Integrator(1.0)), d.add("mine", bd.Function(decay, compiled=False)), "x")
    r = d.simulate(stop=1.0, method=method, rtol=1e-6, atol=1e-9)
    assert r.final("x") == pytest.approx(0.0, abs=1e-8)
    assert r.statistics["steps"] < 500
    assert any("mine" in notice and "difference" in notice for notice in r.notices)


@BOTH
@pytest.mark.parametrize("name", ["van_der_pol", "hires"])
def test_interpreted_it_is_the_same_method(name: str, method: str) -> None:
    problem = PROBLEMS[name]
    program = problem.diagram().compile()
    stop = problem.stop / 100.0
    runs = [
        program.simulate(stop=stop, method=method, rtol=1e-6, atol=1e-9, compiled=compiled)
        for compiled in (True, False)
    ]
    np.testing.assert_allclose(*map(problem.end, runs), rtol=1e-6, atol=1e-9)


@BOTH
def test_in_slices_and_at_once_are_the_same_bits(method: str) -> None:
    """A log that fills up is emptied between two steps; rows at given times move no step."""
    program = PROBLEMS["orego"].diagram().compile()
    settings = {"stop": 360.0, "method": method, "rtol": 1e-6, "atol": 1e-9}
    plain = program.simulate(**settings)
    others = [program.simulate(**settings, refine=9), program.simulate(**settings, every=0.01)]
    for other in others:
        assert other.final("y2") == plain.final("y2")
        assert other.statistics["steps"] == plain.statistics["steps"]


def test_the_jacobian_serves_several_steps_of_radau() -> None:
    problem = PROBLEMS["hires"]
    r = problem.diagram().simulate(stop=problem.stop, method="radau5", rtol=1e-8, atol=1e-11)
    counts = r.statistics
    assert counts["jacobians"] <= counts["factorizations"] < counts["steps"] / 2
