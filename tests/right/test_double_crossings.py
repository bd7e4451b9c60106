"""A visit beyond a level is seen wherever it lies in a step, right at the step's ends too."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd

PLACES = np.concatenate(
    [np.linspace(0.0005, 0.9995, 160), np.linspace(0.0005, 0.06, 40), np.linspace(0.94, 0.9995, 40)]
)
WIDTH = 1e-4
FREE = {"max_step": np.inf, "first_step": 1.0}
METHODS = {
    "dopri5": FREE,
    "tsit5": FREE,
    "dop853": FREE,
    "bs32": FREE,
    "rk4": {"step": 1.0},
    "heun": {"step": 1.0},
    "ab4": {"step": 0.125},
    "radau5": {"max_step": np.inf},
    "rodas5p": {"max_step": np.inf},
}


def solution(direction: str) -> bd.Diagram:
    """f = sign ((t - place)^2 - WIDTH^2) as the solution of f'' = 2 sign."""
    d = bd.Diagram(parameters={"sign": 1.0, "place": 0.5, "width": WIDTH})
    d.connect(
        d.add("a", bd.Constant(bd.expression("2 * sign"))),
        d.add("v", bd.Integrator(bd.expression("-2 * place * sign"))),
        d.add("f", bd.Integrator(bd.expression("sign * (place ** 2 - width ** 2)"))),
        d.add("hits", bd.HitCrossing(direction=direction)),
    )
    return d


def of_time(direction: str) -> bd.Diagram:
    """The same as a function of time, beside a state that lets the solver take long steps."""
    d = bd.Diagram(parameters={"sign": 1.0, "place": 0.5, "width": WIDTH})
    numbers = {name: bd.expression(name) for name in ("sign", "place", "width")}
    f = d.add("f", bd.Expression("sign * ((t - place) ** 2 - width ** 2)", coefficients=numbers))
    d.connect(f, d.add("hits", bd.HitCrossing(direction=direction)))
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("k", bd.Gain(-0.01)), x)
    return d


CASES = [(make, method) for method in METHODS for make in (solution, of_time)]
CASES.remove((of_time, "heun"))  # whose stages, at the step's ends, do not resolve a function of time


@pytest.mark.parametrize(("make", "method"), CASES)
def test_every_placement_of_a_narrow_dip_in_a_step(make, method):
    """Both ends of the visit, place -+ 1e-4, or the one that goes the counted way."""
    diagrams = {way: make(way) for way in ("either", "rising", "falling")}
    rng = np.random.default_rng(1)
    missed = []
    for place in PLACES if method == "dopri5" else PLACES[::6]:
        sign, direction = float(rng.choice([-1.0, 1.0])), str(rng.choice(list(diagrams)))
        numbers = {"sign": sign, "place": float(place)}
        r = diagrams[direction].simulate(stop=1.0, method=method, parameters=numbers, **METHODS[method])
        found = [(event.time, event.direction) for event in r.events]
        ways = ("falling", "rising") if sign > 0 else ("rising", "falling")
        both = [(place - WIDTH, ways[0]), (place + WIDTH, ways[1])]
        exact = [event for event in both if direction in ("either", event[1])]
        if [way for _, way in found] != [way for _, way in exact] or not np.allclose(
            [time for time, _ in found], [time for time, _ in exact], rtol=0.0, atol=1e-8
        ):
            missed.append((float(place), sign, direction, found))
    assert not missed


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "dop853", "bs32"])
def test_tips_of_a_cosine_beside_a_decay(method):
    """cos t > 0.999999 for 2.8 ms around every 2 pi k: seven pairs in 45 s, after the fall at the start."""
    d = bd.Diagram()
    d.connect(d.add("tip", bd.Expression("cos(t) - 0.999999")), d.add("hits", bd.HitCrossing()))
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("k", bd.Gain(-1.0)), x)
    r = d.simulate(stop=45.0, method=method)
    half = np.arccos(0.999999)
    turns = 2 * np.pi * np.arange(8)
    exact = np.sort(np.concatenate([turns - half, turns + half]))[1:]
    np.testing.assert_allclose([event.time for event in r.events], exact, atol=1e-11)
    assert [event.direction for event in r.events] == ["falling", *["rising", "falling"] * 7]


def test_two_dips_of_two_signals_within_one_step():
    """Both visits are located, in order of time, also where one lies before the other's crossing."""
    d = bd.Diagram()
    for name, place in (("late", 0.52), ("early", 0.505)):
        f = d.add(name, bd.Expression("(t - c) ** 2 - 1e-8", coefficients={"c": place}))
        d.connect(f, d.add(f"{name}_hits", bd.HitCrossing()))
    d.connect(d.add("line", bd.Expression("0.53 - t")), d.add("line_hits", bd.HitCrossing()))
    x = d.add("x", bd.Integrator(1.0))
    d.connect(x, d.add("k", bd.Gain(-0.01)), x)
    r = d.simulate(stop=1.0, **FREE)
    exact = [0.505 - 1e-4, 0.505 + 1e-4, 0.52 - 1e-4, 0.52 + 1e-4, 0.53]
    np.testing.assert_allclose([event.time for event in r.events], exact, atol=1e-11)
