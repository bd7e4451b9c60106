"""Flights as blocks: what integrators make of their derivatives, the same bits as the functions, events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

NAMES = ("position", "velocity", "acceleration", "jerk", "snap", "yaw", "yaw_rate", "yaw_acceleration")
FLIGHTS: list[Any] = [
    bd.MinimumSnap([[0, 0, 0], [0, 0, -1], [3, 1, -2], [1, 2, -1]], speed=2.0, stops=[1], start=0.2),
    bd.StraightLines([[0, 0, -1], [4, 0, -1], [4, 3, -2]], speed=1.5, along=True),
    bd.FigureEight(length=6.0, width=3.0, frequency=1.5, ramp=1.0, turns=1.5),
    bd.Helix(radius=2.0, climb=0.5, frequency=-1.0, ramp=0.5, turns=1.0, along=True),
    bd.Lissajous(amplitude=[2, 1, 0.5], ratio=[1, 2, 3], frequency=1.0, ramp=2.0),
]


@pytest.mark.parametrize("flight", FLIGHTS, ids=lambda flight: flight.kind())
def test_a_block_gives_what_its_function_gives(flight: Any) -> None:
    d = bd.Diagram("flight")
    d.add("f", flight)
    r = d.simulate(stop=6.0, times=np.linspace(0.01, 6.0, 61))
    values = flight.flight.at(r["f.yaw"].time.values)
    for name in NAMES:
        np.testing.assert_allclose(r[f"f.{name}"].values, getattr(values, name), rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("flight", FLIGHTS, ids=lambda flight: flight.kind())
def test_the_integral_of_the_jerk_is_flown(flight: Any) -> None:
    """No step straddles a knot: integrals are exact for polynomials, and close for sines."""
    d = bd.Diagram("integrals")
    f = d.add("f", flight)
    first = flight.flight.at([0.0])
    source = f["jerk"]
    for name in ("acceleration", "velocity", "position"):
        if name == "acceleration" and flight.kind() == "StraightLines":
            source = f[name]  # its jerk jumps, and so has the acceleration of the first blend inside it
            continue
        integral = d.add(name, bd.Integrator(getattr(first, name)[0]))
        d.connect(source, integral)
        source = integral["y"]
    turned = d.add("turned", bd.Integrator(0.0))
    d.connect(f["yaw_rate"], turned)
    r = d.simulate(stop=5.0, rtol=1e-10, atol=1e-11)
    last = flight.flight.at([5.0])
    np.testing.assert_allclose(r.final("position"), last.position[0], rtol=0, atol=1e-7)
    turn = r.final("turned") - (last.yaw[0] - first.yaw[0])
    assert abs(np.exp(1j * turn) - 1.0) < 1e-7


def test_points_are_events_and_values_of_a_run() -> None:
    d = bd.Diagram("points")
    d.add("f", bd.MinimumSnap([[0, 0, 0], [1, 0, 0], [2, 0, 0]], times=[0.5, 1.25, 2.0]))
    r = d.simulate(stop=3.0)
    assert [e.time for e in r.events if e.path == "f"] == [0.5, 1.25, 2.0]
    changed = d.simulate(stop=3.0, set={"f.points": [[0, 0, 0], [1, 0, 0], [0, 0, -3]]})
    np.testing.assert_allclose(changed.final("f.position"), [0.0, 0.0, -3.0], rtol=0, atol=1e-14)


def test_yaml_holds_a_flight() -> None:
    text = """
blockdyn: 1
name: mission
blocks:
  f: {type: MinimumSnap, points: [[0, 0, 0], [0, 0, -1], [3, 1, -2], [3, 1, 0]], stops: [1, 2], speed: 2.0}
"""
    r = loads(text).simulate(stop=20.0)
    assert np.linalg.norm(r["f.velocity"].values, axis=1).max() <= 2.0 + 1e-9
    np.testing.assert_allclose(r.final("f.position"), [3.0, 1.0, 0.0], rtol=0, atol=1e-12)


def test_a_flight_says_how_long_it_takes() -> None:
    """The vehicle moves up to there, and rests at the last point from there on."""
    flight = bd.MinimumSnap([[0, 0, 0], [0, 0, -1], [3, 1, -2]], stops=[1], speed=2.0, start=0.5)
    d = bd.Diagram("flight")
    d.add("f", flight)
    end = 0.5 + flight.duration
    speeds = d.simulate(stop=end + 1.0, times=[end - 0.2, end, end + 0.5])["f.velocity"].values
    assert np.linalg.norm(speeds[0]) > 1e-3
    np.testing.assert_allclose(speeds[1:], 0.0, atol=1e-12)
    assert bd.Lissajous().duration == np.inf
    assert bd.MinimumSnap([[0, 0, 0], [1, 0, 0]], times=[1.0, 3.5]).duration == 2.5


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: bd.MinimumSnap([[0, 0, 0], [1, 0, 0]], times=[1.0, 1.0]), "increasing times"),
        (lambda: bd.MinimumSnap([[0, 0, 0], [1, 0, 0]], times=[0.0, 1.0], speed=1.0), "segment 0 reaches"),
        (lambda: bd.StraightLines([[0, 0, 0], [1, 0, 0]]), "either segment_times or speed"),
        (lambda: bd.StraightLines([[0, 0, 0], [1, 0, 0]], speed=1.0, blend_time=[1.0]), "2 numbers"),
        (lambda: bd.Helix(frequency=0.0), "other than 0"),
        (lambda: bd.Lissajous(amplitude=[1.0, 2.0]), "three numbers"),
    ],
)
def test_what_cannot_be_flown_is_refused(make: Any, what: str) -> None:
    with pytest.raises(bd.ParameterError, match=what):
        make()
