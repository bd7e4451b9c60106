"""HitCrossing: every passage of a fast sine is counted, at its time."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd


def count(source: bd.Block, stop: float, **hit: object) -> bd.Result:
    d = bd.Diagram()
    d.add("u", source)
    d.add("hit", bd.HitCrossing(**hit))  # type: ignore[arg-type]
    d.connect("u", "hit")
    return d.simulate(stop=stop)


@pytest.mark.parametrize(("direction", "number"), [("rising", 500), ("falling", 500), ("either", 1000)])
def test_all_500_periods_of_a_50_hz_sine(direction: str, number: int) -> None:
    r = count(bd.Sine(frequency=100 * pi, phase=pi / 3), 10.0, direction=direction)
    assert r.final("hit") == number
    assert np.all(np.diff(r.trace("hit").values) >= 0)


def test_passages_of_a_high_level_are_located() -> None:
    r = count(bd.Sine(frequency=100 * pi), 0.1, direction="rising", level=0.5)
    times = [e.time for e in r.events if e.path == "hit"]
    assert times == pytest.approx([0.02 * k + 0.02 / 12 for k in range(5)], abs=1e-15)


def test_two_passages_within_one_step() -> None:
    """A parabola that dips below zero for 2 ms in a run of 10 s."""
    d = bd.Diagram()
    d.add("f", bd.Expression(formula="(t - 5.037) ** 2 - 1e-6"))
    d.add("hit", bd.HitCrossing())
    d.connect("f", "hit")
    r = d.simulate(stop=10.0)
    times = [e.time for e in r.events if e.path == "hit"]
    assert times == pytest.approx([5.036, 5.038], abs=1e-11)


def test_elements_count_for_themselves() -> None:
    r = count(bd.Sine(frequency=[2 * pi, 6 * pi], phase=0.1), 4.0, direction="falling")
    assert r.final("hit").tolist() == [4.0, 12.0]  # type: ignore[union-attr]


def test_jumps_count_too() -> None:
    """A square wave that starts high rises ten times more in ten periods."""
    assert count(bd.Square(period=0.1), 1.0, direction="rising", initial=5.0).final("hit") == 5.0 + 10.0


def test_a_touch_is_no_passage() -> None:
    assert count(bd.Expression(formula="(t - 1) ** 2"), 2.0).final("hit") == 0.0
