"""Algebraic loops with limits and kinks that have one solution, against SciPy's bracketing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False])
TIMES = np.linspace(0.05, 9.95, 67)


def dead(v: float) -> float:
    return v - min(max(v, -0.5), 0.5)


BLOCKS: dict[str, tuple[Any, Callable[[float], float], float]] = {
    "dead zone": (bd.DeadZone(), dead, 1.0),
    "steep dead zone": (bd.DeadZone(), dead, 300.0),
    "limit": (bd.Saturation(lower=-0.5, upper=0.5), lambda v: min(max(v, -0.5), 0.5), 2.0),
    "steep limit": (bd.Saturation(lower=-0.5, upper=0.5), lambda v: min(max(v, -0.5), 0.5), 1e4),
    "larger of two": (bd.Expression("max(a, 3 * a - 1)"), lambda v: max(v, 3 * v - 1), 5.0),
    "table": (
        bd.Lookup1D(breakpoints=[-1, 0, 1], table=[-5, 0, 1], outside="extrapolate", events=True),
        lambda v: 5 * v if v < 0 else v, 3.0,
    ),
    "root": (bd.Expression("sign(a) * sqrt(abs(a))"), lambda v: float(np.sign(v) * abs(v) ** 0.5), 4.0),
    "diode": (
        bd.Expression("1e-6 * (exp(40 * a) - 1)"), lambda v: 1e-6 * (np.exp(min(40 * v, 600)) - 1), 50.0,
    ),
}  # fmt: skip


def solution(residual: Callable[[float], float]) -> float:
    return float(brentq(residual, -20.0, 20.0, xtol=1e-15, rtol=1e-14))


@pytest.mark.parametrize(
    ("name", "compiled"),
    [*((name, True) for name in BLOCKS), *((name, False) for name in ("dead zone", "steep limit", "root"))],
)
def test_a_sum_with_feedback_through_a_kink(feedback, name, compiled):
    """e = u - k f(e), with u = 3 sin t and f monotone."""
    block, f, k = BLOCKS[name]
    d = feedback(bd.Sine(amplitude=3.0), block, bd.Gain(k=k))
    times = TIMES if compiled else TIMES[:14]  # over a maximum of u
    found = (
        d.simulate(stop=times[-1] + 0.05, loops="solve", max_step=0.1, compiled=compiled).trace("e").at(times)
    )
    expected = [solution(lambda e, t=t: e - 3 * np.sin(t) + k * f(e)) for t in times]
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-4)  # between rows
    ends = d.simulate(times=times, loops="solve", compiled=compiled)["e"].values
    np.testing.assert_allclose(ends, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize(("gain", "compiled"), [(0.5, True), (2.0, True), (1e3, True), (1e3, False)])
def test_an_equation_with_a_dead_zone(gain, compiled):
    """0 = u - z - gain dead(z)."""
    d = bd.Diagram()
    e, z = d.add("e", bd.Sum("+--")), d.add("z", bd.AlgebraicConstraint())
    d.connect(d.add("u", bd.Sine(amplitude=3.0)), e[0])
    d.connect(z, e[1])
    d.connect(z, d.add("f", bd.DeadZone()), d.add("g", bd.Gain(k=gain)), e[2])
    d.connect(e, z)
    times = TIMES if compiled else TIMES[:14]
    found = d.simulate(times=times, compiled=compiled)["z"].values
    expected = [solution(lambda v, t=t: v - 3 * np.sin(t) + gain * dead(v)) for t in times]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


@BOTH
def test_events_are_the_passages_of_the_kinks(feedback, compiled):
    """y = u - DeadZone(y) is at a kink where |u| = 1/2; each passage is one event."""
    d = feedback(bd.Sine(amplitude=3.0), bd.DeadZone(), bd.Gain(k=1.0))
    r = d.simulate(stop=10 if compiled else 4, loops="solve", compiled=compiled)
    a = np.arcsin(1 / 6)
    expected = [a, *(n * np.pi + s * a for n in ((1, 2, 3) if compiled else (1,)) for s in (-1, 1))]
    np.testing.assert_allclose([event.time for event in r.events], expected, atol=1e-9)


@BOTH
def test_a_jump_of_the_input_over_several_limits(compiled):
    """e = u - A clip(e) of two elements, A positive definite, where u jumps from one side to the other."""
    A = np.array([[50.0, 20.0], [20.0, 10.0]])
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    d.connect(d.add("u", bd.Step(time=1.0, initial=[-100.0, 60.0], final=[30.0, -80.0])), e[0])
    d.connect(e, d.add("f", bd.Saturation(lower=-1.0, upper=1.0)), d.add("A", bd.MatrixGain(A)), e[1])
    r = d.simulate(stop=2.0, loops="solve", compiled=compiled)
    for t, u in ((0.5, [-100.0, 60.0]), (1.5, [30.0, -80.0])):
        v = r.trace("e").at(t)
        np.testing.assert_allclose(v, u - A @ np.clip(v, -1.0, 1.0), atol=1e-9)


def test_gradients_through_a_limit_that_is_reached(feedback):
    """The integral of s = clip(g (u - s), -1/2, 1/2) for u = t: t g/(1 + g) until g (1 + g)^-1 t = 1/2."""
    d = feedback(bd.Clock(), bd.Gain(k=2.0), bd.Saturation(lower=-0.5, upper=0.5))
    d.connect("back", d.add("x", bd.Integrator()))
    g, stop = 2.0, 2.0
    at_limit = 0.5 * (1 + g) / g
    r = d.simulate(stop=stop, loops="solve", rtol=1e-10, atol=1e-12)
    assert r.final("x") == pytest.approx(0.5 * g / (1 + g) * at_limit**2 + 0.5 * (stop - at_limit), abs=1e-9)
    step = 1e-5
    near = [
        d.simulate(stop=stop, loops="solve", rtol=1e-10, atol=1e-12, set={"forward.k": g + way * step}).final(
            "x"
        )
        for way in (-1, 1)
    ]
    assert (near[1] - near[0]) / (2 * step) == pytest.approx(0.5 * at_limit**2 / (1 + g) ** 2, rel=1e-5)
