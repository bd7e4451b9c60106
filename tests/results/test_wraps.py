"""A line has a gap where an angle wraps, and nowhere else."""

from math import pi

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.results import Result, Trace
from blockdyn.diagrams.yaml import loads

TURNING = """
blockdyn: 1
blocks:
  sine: {type: Sine, frequency: 1.0}
  cosine: {type: Sine, frequency: 1.0, phase: 1.5707963267948966}
  heading: {type: Trigonometry, function: atan2}
  clock: {type: Clock}
wires:
  - sine -> heading.u0
  - cosine -> heading.u1
simulate: {stop: 20}
"""


def joined(figure: object) -> float:
    """The longest stroke between two points of the first line, along y."""
    y = np.asarray(figure.axes[0].lines[0].get_ydata(), float)  # type: ignore[attr-defined]
    return float(np.nanmax(np.abs(np.diff(y))))


def test_an_angle_against_another_signal_has_no_strokes_across() -> None:
    r = loads(TURNING).simulate()
    assert np.ptp(r["heading"].values) == pytest.approx(2 * pi, abs=1e-9)
    assert joined(r.plot_xy("clock", "heading")) < 0.2
    x = np.asarray(r.plot_xy("heading", "clock").axes[0].lines[0].get_xdata(), float)
    assert np.nanmax(np.abs(np.diff(x))) < 0.2
    assert np.isnan(x).sum() == 3  # 20 rad are three wraps


def test_an_angle_that_wraps_between_two_steps_is_not_joined_over_time() -> None:
    d = bd.Diagram("turning")
    d.add("clock", bd.Clock())
    d.add("heading", bd.AngleDifference())
    d.connect("clock", "heading.u0")
    d.connect(d.add("none", bd.Constant(0.0)), "heading.u1")
    r = d.simulate(stop=20.0)
    both = r.plot("heading")
    assert joined(both) == pytest.approx(2 * pi, abs=1e-6)  # an event: both limits, joined by an upright

    time = np.linspace(0.0, 20.0, 301)
    trace = Trace("a.y", time, (time + pi) % (2 * pi) - pi, "rad")
    assert joined(Result({"a.y": trace}).plot()) < 0.1


def test_what_is_no_wrapped_angle_stays_joined() -> None:
    time = np.arange(0.0, 10.0)
    rotor = Trace("a.y", time, 2 * pi * time, "rad")  # a turn a sample
    assert joined(Result({"a.y": rotor}).plot()) == pytest.approx(2 * pi)
    saw = Trace("a.y", time, np.where(time % 2 > 0, pi, -pi), "m")
    assert joined(Result({"a.y": saw}).plot()) == pytest.approx(2 * pi)
    swing = Trace("a.y", time, np.where(time % 2 > 0, 2.0, -2.0), "rad")
    assert joined(Result({"a.y": swing}).plot()) == pytest.approx(4.0)


def test_a_long_run_keeps_its_gaps() -> None:
    time = np.linspace(0.0, 20.0, 40_001)
    trace = Trace("a.y", time, (time + pi) % (2 * pi) - pi, "rad")
    assert joined(Result({"a.y": trace}).plot()) < 0.1
