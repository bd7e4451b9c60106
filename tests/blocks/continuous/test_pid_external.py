"""Continuous PIDs that clamp their integral, follow an actuator, and are reset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

KINDS = pytest.mark.parametrize("kind", [bd.PID, bd.PID2DOF])
COMPILED = pytest.mark.parametrize("compiled", [True, False])


def run(
    kind: Any, error: str, stop: float, *, compiled: bool = True, others: Any = (), **options: Any
) -> bd.Result:
    """A controller alone; PID2DOF with b = c = 1 has the error r - m, of which m is a third."""
    d = bd.Diagram()
    if kind is bd.PID:
        d.connect(d.add("e", bd.Expression(error)), d.add("c", bd.PID(**options))["u"])
    else:
        c = d.add("c", bd.PID2DOF(b=1.0, c=1.0, **options))
        d.connect(d.add("r", bd.Expression(f"4 / 3 * ({error})")), c["r"])
        d.connect(d.add("m", bd.Expression(f"1 / 3 * ({error})")), c["m"])
    for port, source in dict(others).items():
        d.connect(d.add(port, source), d["c"][port])
    return d.simulate(stop=stop, rtol=1e-10, atol=1e-12, max_step=0.05, compiled=compiled)


@KINDS
@COMPILED
def test_a_clamped_integral_comes_to_rest_beyond_the_limit(kind: Any, compiled: bool) -> None:
    """v = 1 + 2 t meets 4 at 1.5 s; then d(v - 4)/dt = 2 - n (v - 4)."""
    limits = {"lower": -np.inf, "upper": 4.0, "anti_windup": "clamping"}
    r = run(kind, "1 + 0*t", 3.0, compiled=compiled, kp=1.0, ki=2.0, n=50.0, **limits)
    times = np.array([1.0, 1.6, 2.3])
    expected = np.where(times < 1.5, 2.0 * times, 3.0 + 2.0 / 50.0 * (1.0 - np.exp(-50.0 * (times - 1.5))))
    assert r.trace("c.i").at(times, "interpolate") == pytest.approx(expected, abs=1e-3)
    assert r.final("c.i") == pytest.approx(3.04, abs=1e-9)
    assert r.final("c.y") == 4.0


@KINDS
def test_clamping_does_not_chatter(kind: Any) -> None:
    """Against SciPy's integration of the equation, with the errors' signs changing beyond both limits."""
    kp, ki, n, limit = 1.0, 1.5, 40.0, 1.0

    def slope(t: float, i: Any) -> Any:
        u = 2.0 * np.cos(t) + 0.5
        v, push = kp * u + i[0], ki * u
        e = abs(v) - limit
        side = np.sign(v) if e > 0.0 else 0.0
        outward = side * push > 0.0
        return [side * max(0.0, side * push - n * e) if outward else push]

    exact = solve_ivp(slope, (0.0, 20.0), [0.0], rtol=1e-9, atol=1e-11, max_step=0.005).y[0, -1]
    r = run(
        kind, "2 * cos(t) + 0.5", 20.0, kp=kp, ki=ki, n=n, lower=-limit, upper=limit, anti_windup="clamping"
    )
    assert r.final("c.i") == pytest.approx(exact, abs=1e-5)
    assert len(r.events) < 60


@KINDS
@COMPILED
@pytest.mark.parametrize("upper", [np.inf, 9.0])
def test_an_integral_follows_the_actuator(kind: Any, compiled: bool, upper: float) -> None:
    """Without an error, i goes to the actuator's output at the rate of tracking."""
    actual = {"actual": bd.Constant(3.0)}
    r = run(
        kind,
        "0*t",
        1.0,
        compiled=compiled,
        others=actual,
        kp=1.0,
        ki=1.0,
        tracks=True,
        tracking=2.0,
        upper=upper,
    )
    assert r.final("c.i") == pytest.approx(3.0 * (1.0 - np.exp(-2.0)), abs=1e-8)


@KINDS
@COMPILED
@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"upper": 90.0},
        {"upper": 90.0, "anti_windup": "clamping"},
        {"upper": 90.0, "anti_windup": "limited-integral"},
    ],
)
def test_an_edge_brings_the_integral_back(kind: Any, compiled: bool, limits: dict[str, Any]) -> None:
    """The trigger rises at 1 s and 2 s: v = 1 + 0.25 + (t - 2) there."""
    edges = {"trigger": bd.Square(period=1.0)}
    r = run(
        kind,
        "1 + 0*t",
        2.75,
        compiled=compiled,
        others=edges,
        kp=1.0,
        ki=1.0,
        initial=0.25,
        reset="rising",
        **limits,
    )
    assert r.final("c.y") == pytest.approx(1.0 + 0.25 + 0.75, abs=1e-9)
    assert sum(event.detail == "reset" for event in r.events) == 2


def test_tracking_needs_back_calculation() -> None:
    with pytest.raises(bd.BlockdynError, match="back-calculation"):
        bd.PID(tracks=True, anti_windup="clamping", upper=1.0)
