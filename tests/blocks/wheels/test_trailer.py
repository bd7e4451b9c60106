"""Trailer: it follows on circles and lines in closed form, and jackknifes when that says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
FINE = {"rtol": 1e-11, "atol": 1e-13}


def towed(trailer: bd.Trailer, v: float, gamma: float) -> bd.Diagram:
    d = bd.Diagram()
    car, behind = d.add("car", bd.Bicycle(wheelbase=2.0)), d.add("trailer", trailer)
    d.connect(d.add("v", bd.Constant(v)), car["v"])
    d.connect(d.add("gamma", bd.Constant(gamma)), car["gamma"])
    d.connect(car["pose"], behind["towed_by"])
    d.connect(car["speed"], behind["speed"])
    d.connect(car["turn_rate"], behind["turn_rate"])
    return d


@BOTH
def test_pulled_straight_on_the_fold_fades(compiled: bool) -> None:
    """dphi/dt = -v/d sin(phi): tan(phi/2) = tan(phi0/2) exp(-v t/d)."""
    d = towed(bd.Trailer(length=3.0, hitch_offset=0.7, initial_angle=1.2), 2.0, 0.0)
    r = d.simulate(stop=4.0, compiled=compiled, **FINE)
    phi = 2 * math.atan(math.tan(0.6) * math.exp(-8.0 / 3.0))
    assert r.final("trailer.hitch_angle") == pytest.approx(phi, abs=1e-9)
    expected = [8.0 - 0.7 - 3.0 * math.cos(phi), 3.0 * math.sin(phi), -phi]
    np.testing.assert_allclose(r.final("trailer.pose"), expected, atol=1e-9)


def test_on_a_circle_its_axle_rolls_about_the_same_centre() -> None:
    """Circle R, hitch c behind the axle: the axle of the trailer at the radius sqrt(R^2 + c^2 - d^2)."""
    d = towed(bd.Trailer(length=3.0, hitch_offset=0.5), 2.0, 0.3)
    r = d.simulate(stop=60.0, **FINE)
    R = 2.0 / math.tan(0.3)
    x, y, _ = r.final("trailer.pose")
    assert math.hypot(x, y - R) == pytest.approx(math.sqrt(R * R + 0.25 - 9.0), abs=1e-9)
    assert r.final("trailer.trailer_turn_rate") == pytest.approx(2.0 / R, abs=1e-9)
    assert r.final("trailer.trailer_speed") == pytest.approx(
        2.0 / R * math.sqrt(R * R + 0.25 - 9.0), abs=1e-9
    )


@BOTH
def test_pushed_it_jackknifes_at_the_instant_of_the_closed_form(compiled: bool) -> None:
    instant = 3.0 / 2.0 * math.log(math.tan(math.pi / 4) / math.tan(0.05))
    d = towed(bd.Trailer(length=3.0, initial_angle=0.1, tolerated=True), -2.0, 0.0)
    r = d.simulate(stop=60.0, compiled=compiled, **FINE)
    assert r.statistics["end"] == pytest.approx(instant, abs=1e-8)
    wrong = towed(bd.Trailer(length=3.0, initial_angle=-0.1), -2.0, 0.0)
    with pytest.raises(bd.BlockdynError, match=r"trailer.*jackknifed: .*90 degrees"):
        wrong.simulate(stop=60.0, compiled=compiled)


def test_a_second_trailer_follows_the_first() -> None:
    """Against LaValle's equations of a car with two trailers, hitched on their axles, by SciPy."""
    d = towed(bd.Trailer(length=3.0), 2.0, 0.25)
    last = d.add("last", bd.Trailer(length=2.5))
    d.connect("trailer.pose", last["towed_by"])
    d.connect("trailer.trailer_speed", last["speed"])
    d.connect("trailer.trailer_turn_rate", last["turn_rate"])
    r = d.simulate(stop=7.0, **FINE)

    def slopes(t: float, x: np.ndarray) -> list[float]:
        a, b, c = x
        return [
            math.tan(0.25),
            2.0 / 3.0 * math.sin(a - b),
            2.0 / 2.5 * math.cos(a - b) * math.sin(b - c),
        ]

    _, b, c = solve_ivp(slopes, (0, 7), [0, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    assert r.final("last.pose")[2] == pytest.approx(c, abs=1e-9)
    assert r.final("trailer.pose")[2] == pytest.approx(b, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"initial_angle": 1.6}, "less than the angle"),
        ({"length": 0.0}, "length"),
        ({"jackknife": 4.0}, "jackknife"),
    ],
)
def test_what_no_trailer_has_is_refused(wrong: dict[str, float], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        bd.Trailer(**wrong)
