"""Every method converges with its own order, at the steps and between them."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

ORDERS = {"euler": 1, "heun": 2, "rk4": 4, "ab4": 4, "bs32": 3, "dopri5": 5, "tsit5": 5, "dop853": 8}
STEPS = {
    "euler": 2000,
    "heun": 400,
    "rk4": 160,
    "ab4": 400,
    "bs32": 200,
    "dopri5": 80,
    "tsit5": 80,
    "dop853": 32,
}
ECCENTRICITY = 0.2


def orbit() -> bd.Diagram:
    """Kepler's problem with a = mu = 1, started at the pericentre: d2r/dt2 = -r/|r|^3."""
    e = ECCENTRICITY
    d = bd.Diagram("orbit")
    v = d.add("v", bd.Integrator([0.0, np.sqrt((1 + e) / (1 - e))]))
    r = d.add("r", bd.Integrator([1.0 - e, 0.0]))
    parts = d.add("parts", bd.Demux(2))
    pull = {axis: d.add(axis, bd.Expression(f"-{axis} / (a * a + b * b) ** 1.5")) for axis in "ab"}
    both = d.add("both", bd.Mux(2))
    d.connect(v, r, parts)
    for i, block in enumerate(pull.values()):
        d.connect(parts[0], block["a"])
        d.connect(parts[1], block["b"])
        d.connect(block, both[i])
    d.connect(both, v)
    return d


def kepler(t: np.ndarray) -> np.ndarray:
    """The position at t: Kepler's equation M = E - e sin E by Newton's iteration."""
    e = ECCENTRICITY
    E = np.array(t, float)
    for _ in range(30):
        E -= (E - e * np.sin(E) - t) / (1 - e * np.cos(E))
    return np.stack([np.cos(E) - e, np.sqrt(1 - e * e) * np.sin(E)], axis=-1)


def fixed(d: bd.Diagram, method: str, stop: float, steps: int, **more) -> bd.Result:
    """A run with equal steps: adaptive methods get a longest step and tolerances that never reject."""
    h = stop / steps
    if method in ("euler", "heun", "rk4", "ab4"):
        return d.simulate(stop=stop, method=method, step=h, **more)
    return d.simulate(stop=stop, method=method, max_step=h, first_step=h, rtol=1e6, atol=1e6, **more)


def order(errors: list[float]) -> float:
    return float(np.log2(errors[0] / errors[1]))


@pytest.mark.parametrize("method", ORDERS)
def test_order_on_keplers_problem(method):
    stop, n = 4.0, STEPS[method]
    results = [fixed(orbit(), method, stop, n * k) for k in (1, 2)]
    errors = [np.abs(r.final("r") - kepler(np.array(stop))).max() for r in results]
    assert [r.statistics["steps"] for r in results] == [n, 2 * n]
    assert order(errors) == pytest.approx(ORDERS[method], abs=0.35)


@pytest.mark.parametrize("method", ORDERS)
def test_order_of_a_right_hand_side_that_depends_on_time(growth, method):
    stop, n = 2.0, max(6, STEPS[method] // 4)
    errors = [abs(fixed(growth(), method, stop, n * k).final("x") - np.exp(np.sin(stop))) for k in (1, 2)]
    assert order(errors) > ORDERS[method] - 0.4


@pytest.mark.parametrize("method", ORDERS)
def test_order_between_the_steps(method):
    """Rows at times off the steps converge as fast as the steps do."""
    stop, n = 4.0, STEPS[method]
    times = np.linspace(0.0, stop, 3 * n + 2)[1:-1]
    errors = [
        np.abs(fixed(orbit(), method, stop, n * k, times=times)["r"].values - kepler(times)).max()
        for k in (1, 2)
    ]
    assert order(errors) > ORDERS[method] - 0.5


@pytest.mark.parametrize("method", ["bs32", "dopri5", "tsit5", "dop853"])
def test_rows_between_the_steps_are_as_accurate_as_the_steps(method):
    times = np.linspace(0.0, 4.0, 1013)
    steps = orbit().simulate(stop=4, method=method, rtol=1e-7, atol=1e-9, max_step=np.inf)
    at_steps = np.abs(steps["r"].values - kepler(steps["r"].time.values)).max()
    grid = orbit().simulate(stop=4, method=method, rtol=1e-7, atol=1e-9, max_step=np.inf, times=times)
    assert np.abs(grid["r"].values - kepler(times)).max() < 4 * at_steps + 1e-9


def test_an_output_grid_does_not_move_the_steps():
    free = orbit().simulate(stop=4, rtol=1e-8)
    grid = orbit().simulate(stop=4, rtol=1e-8, times=np.linspace(0, 4, 77))
    assert grid.final("r").tobytes() == free.final("r").tobytes()
    assert grid.statistics["steps"] == free.statistics["steps"]


def test_refined_rows_are_as_accurate_as_the_steps():
    r = orbit().simulate(stop=4, rtol=1e-9, atol=1e-11, refine=7)
    trace = r.trace("r")
    assert np.abs(trace.values - kepler(trace.time)).max() < 1e-7
    plain = orbit().simulate(stop=4, rtol=1e-9, atol=1e-11)
    assert set(plain.trace("r").time) <= set(trace.time)


def test_resampling_a_result_uses_dense_output():
    times = np.linspace(0.1, 3.9, 201)
    r = orbit().simulate(stop=4, rtol=1e-9, atol=1e-11)
    found = r.to_dataset(times)["r.y"] if "r.y" in r.to_dataset(times) else r.to_dataset(times)["r"]
    assert np.abs(found.values - kepler(times)).max() < 1e-7


@pytest.mark.parametrize("method", ["rodas5p", "radau5", "bdf"])
def test_implicit_methods_between_their_steps(method):
    times = np.linspace(0.0, 4.0, 213)
    r = orbit().simulate(stop=4, method=method, rtol=1e-8, atol=1e-10, times=times)
    assert np.abs(r["r"].values - kepler(times)).max() < 2e-5
