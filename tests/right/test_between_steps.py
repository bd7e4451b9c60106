"""Values between steps, on grids and at events, are as exact as those at the ends of steps."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

CELLS = 20


def prothero_robinson(rate: float) -> bd.Diagram:
    """x' = -rate (x - cos t) - sin t from 1, which is cos t; a count of its passages through 0.3."""
    d = bd.Diagram("prothero-robinson")
    x = d.add("x", bd.Integrator(1.0))
    law = d.add("law", bd.Expression("-rate * (x - cos(t)) - sin(t)", coefficients={"rate": rate}))
    d.connect(x, law["x"])
    d.connect(law, x)
    d.connect(x - 0.3, d.add("hit", bd.HitCrossing()))
    return d


@pytest.mark.parametrize("rtol", [1e-6, 1e-8])
@pytest.mark.parametrize("method", ["rodas5p", "bdf", "radau5"])
def test_a_stiff_solution_between_steps(method: str, rtol: float) -> None:
    """The passages of cos t through 0.3 lie at 2 pi k +- arccos 0.3; its slope there is 0.954."""
    given: dict[str, Any] = {"method": method, "rtol": rtol, "atol": rtol * 1e-3}
    r = prothero_robinson(1e6).simulate(stop=40.0, **given)
    times = np.array([event.time for event in r.events if event.path == "hit"])
    around = 2.0 * np.pi * np.arange(8)[:, None] + np.array([-1.0, 1.0]) * np.arccos(0.3)
    exact = np.sort(around[(around > 0.0) & (around < 40.0)])
    np.testing.assert_allclose(times, exact, atol=3.0 * rtol)
    grid = np.linspace(0.0, 40.0, 2001)
    x = prothero_robinson(1e6).simulate(times=grid, **given).trace("x.y").values
    np.testing.assert_allclose(x, np.cos(grid), atol=3.0 * rtol)


@cache
def brusselator() -> Any:
    """Hairer, Wanner, Solving Ordinary Differential Equations II (1996), section IV.1, with 20 cells."""

    def du(u, v):
        out = np.empty(20)
        for i in range(20):
            left = u[i - 1] if i > 0 else 1.0
            right = u[i + 1] if i < 19 else 1.0
            out[i] = 1.0 + u[i] * u[i] * v[i] - 4.0 * u[i] + 8.82 * (left - 2.0 * u[i] + right)
        return out

    def dv(u, v):
        out = np.empty(20)
        for i in range(20):
            left = v[i - 1] if i > 0 else 3.0
            right = v[i + 1] if i < 19 else 3.0
            out[i] = 3.0 * u[i] - u[i] * u[i] * v[i] + 8.82 * (left - 2.0 * v[i] + right)
        return out

    d = bd.Diagram("brusselator")
    places = np.arange(1, CELLS + 1) / (CELLS + 1)
    d.add("u", bd.Integrator(1.0 + np.sin(2.0 * np.pi * places)))
    d.add("v", bd.Integrator(3.0 * np.ones(CELLS)))
    for name, law in (("u", du), ("v", dv)):
        slope = d.add(f"d{name}", bd.Function(law, size=CELLS))
        d.connect("u", slope["u"])
        d.connect("v", slope["v"])
        d.connect(slope, name)
    d.log("u")
    return d.compile()


def reaction(t: float, y: Any) -> Any:
    u, v = y[:CELLS], y[CELLS:]
    ring, other = np.r_[1.0, u, 1.0], np.r_[3.0, v, 3.0]
    return np.r_[
        1.0 + u * u * v - 4.0 * u + 8.82 * (ring[2:] - 2.0 * u + ring[:-2]),
        3.0 * u - u * u * v + 8.82 * (other[2:] - 2.0 * v + other[:-2]),
    ]


@cache
def reacted() -> Any:
    """The brusselator over time by SciPy, to 1e-12."""
    places = np.arange(1, CELLS + 1) / (CELLS + 1)
    start = np.r_[1.0 + np.sin(2.0 * np.pi * places), 3.0 * np.ones(CELLS)]
    return solve_ivp(
        reaction,
        (0.0, 10.0),
        start,
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        max_step=0.02,
        dense_output=True,
    ).sol


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("method", ["dop853", "tsit5", "dopri5"])
def test_a_reaction_with_diffusion_between_steps(method: str, rtol: float) -> None:
    """Steps as long as stability allows, against SciPy: dop853's own polynomial is 25 times worse."""
    given: dict[str, Any] = {"method": method, "rtol": rtol, "atol": rtol * 1e-3, "states": False}
    grid = np.linspace(0.013, 9.99, 499)
    at_steps = brusselator().simulate(stop=10.0, **given).trace("u")
    between = brusselator().simulate(stop=10.0, times=grid, **given).trace("u")
    exact = reacted()
    worst = [np.abs(exact(trace.time)[:CELLS].T - trace.values).max() for trace in (at_steps, between)]
    assert worst[1] <= 7.0 * worst[0]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_fast_decay_to_a_slow_wave_by_dop853(compiled: bool) -> None:
    """Away from its end a step at the bound of stability must not be worse than there."""
    given: dict[str, Any] = {"method": "dop853", "rtol": 1e-6, "atol": 1e-9, "compiled": compiled}
    steps = prothero_robinson(60.0).simulate(stop=4.0, max_step=1.0, **given)
    grid = np.linspace(0.0, 4.0, 121)
    between = prothero_robinson(60.0).simulate(stop=4.0, max_step=1.0, times=grid, **given)
    at_ends = np.abs(steps.trace("x.y").values - np.cos(steps.trace("x.y").time)).max()
    assert np.abs(between.trace("x.y").values - np.cos(grid)).max() <= 5.0 * at_ends
    assert steps.statistics["steps"] == between.statistics["steps"]


def test_the_grid_does_not_move_the_steps_of_radau() -> None:
    given: dict[str, Any] = {"stop": 20.0, "method": "radau5"}
    steps = prothero_robinson(1e4).simulate(**given)
    grid = prothero_robinson(1e4).simulate(every=0.01, **given)
    assert steps.statistics["steps"] == grid.statistics["steps"]
    assert steps.final("x") == grid.final("x")
