"""Controllers in flight: along an eight, against drag, from upside down, sampled, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import blockdyn as bd
from blockdyn import robots
from blockdyn.diagrams.yaml import dumps, loads

Array = NDArray[np.float64]

RACER = robots.load_vehicle("hummingbird").replaced(
    linear_drag=(0.35, 0.3, 0.1), quadratic_drag=(0.0, 0.0, 0.0)
)
EIGHT = bd.FigureEight(length=6.0, width=3.0, frequency=1.6, ramp=2.0, centre=[0.0, 0.0, -2.0], along=True)
HOVER = bd.MinimumSnap([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], times=[0.0, 1.0])
SEEN = ("position", "velocity", "quaternion", "rates")
FLOWN = ("position", "velocity", "acceleration", "jerk", "snap", "yaw", "yaw_rate", "yaw_acceleration")


def flight(control: Any, path: Any = EIGHT, known: tuple[str, ...] = FLOWN, **start: Any) -> bd.Diagram:
    """A flight, its controller, a mixer within the rotors' limits, the vehicle with its drag."""
    d = bd.Diagram("flight")
    f, c = d.add("flight", path), d.add("control", control)
    mixer = d.add("mixer", bd.MotorMixer(RACER))
    begin = {"initial_position": path.flight.at([0.0]).position[0], **start}
    v = d.add("vehicle", bd.NRotor(RACER, body_drag=True, **begin))
    for name in SEEN:
        d.connect(v[name], c[name])
    for name in known:
        d.connect(f[name], c[f"{name}_ref"])
    d.connect(c["torque"], mixer["torque"])
    d.connect(c["thrust"], mixer["thrust"])
    d.connect(mixer["omega"], v["omega"])
    return d


def away(d: bd.Diagram, stop: float = 10.0) -> float:
    """The rms distance from the flight in its steady part, m."""
    r = d.simulate(stop=stop, times=np.linspace(3.0, stop, 701))
    assert not [key for key in r.statistics if key.startswith("python")]
    miss = r["vehicle.position"].values - r["flight.position"].values
    return float(np.sqrt(np.mean(np.sum(miss**2, axis=1))))


def test_feed_forward_and_making_up_for_drag_take_the_error_away() -> None:
    """At up to 6.8 m/s; drag of one or two N at a mass of half a kilogram."""
    blind = ("position", "velocity", "yaw")
    errors = {
        "bare": away(flight(bd.CascadeControl(RACER), known=blind)),
        "ahead": away(flight(bd.CascadeControl(RACER))),
        "drag": away(flight(bd.CascadeControl(RACER, against_drag=True))),
        "geometric": away(flight(bd.GeometricControl(RACER))),
        "geometric drag": away(flight(bd.GeometricControl(RACER, against_drag=True))),
        "mellinger": away(flight(bd.MellingerControl(RACER))),
        "mellinger drag": away(flight(bd.MellingerControl(RACER, against_drag=True))),
    }
    assert errors["ahead"] < 0.4 * errors["bare"]
    assert errors["drag"] < 0.2 * errors["ahead"]
    assert errors["geometric drag"] < 0.2 * errors["geometric"]
    assert errors["mellinger drag"] < 0.6 * errors["mellinger"]
    assert max(errors["drag"], errors["geometric drag"]) < 0.05


@pytest.mark.parametrize("kind", [bd.GeometricControl, bd.CascadeControl])
def test_from_upside_down_they_come_back(kind: Any) -> None:
    d = flight(kind(RACER), HOVER, initial_attitude=[3.0, 0.1, 0.5])
    r = d.simulate(stop=12.0)
    np.testing.assert_allclose(r.final("vehicle.position"), 0.0, rtol=0, atol=0.02)
    upright = 1.0 - 2.0 * np.sum(r["vehicle.quaternion"].values[:, 1:3] ** 2, axis=1)
    assert upright[0] < -0.95
    assert upright[-1] > 1.0 - 1e-6


@pytest.mark.parametrize(
    ("continuous", "sampled"),
    [
        (bd.GeometricControl, bd.SampledGeometricControl),
        (bd.CascadeControl, bd.SampledCascadeControl),
    ],
)
def test_sampled_ten_times_as_often_they_are_ten_times_as_near_to_continuous(
    continuous: Any, sampled: Any
) -> None:
    def end(control: Any) -> Array:
        return np.asarray(flight(control).simulate(stop=3.0, rtol=1e-8, atol=1e-9).final("vehicle.position"))

    exact = end(continuous(RACER))
    slow, fast = (np.linalg.norm(end(sampled(RACER, sample_time=h)) - exact) for h in (5e-3, 5e-4))
    assert fast < 2e-3
    assert slow / fast == pytest.approx(10.0, rel=0.5)


def test_yaml_flies() -> None:
    text = """
blockdyn: 1
name: hop
blocks:
  flight: {type: MinimumSnap, points: [[0, 0, -1], [1, 1, -2]], speed: 1.0}
  control: {type: CascadeControl, vehicle: {name: crazyflie, payload: {mass: 0.002}}}
  mixer: {type: MotorMixer, vehicle: crazyflie}
  vehicle: {type: NRotor, vehicle: crazyflie, initial_position: [0, 0, -1]}
wires:
  - vehicle.* -> control.*
  - flight.* -> control.*_ref
  - control.* -> mixer.*
  - mixer.omega -> vehicle.omega
"""
    d = loads(text)
    assert loads(dumps(d)).wires == d.wires
    r = d.simulate(stop=20.0)
    np.testing.assert_allclose(r.final("vehicle.position"), [1.0, 1.0, -2.0], rtol=0, atol=5e-3)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: bd.CascadeControl("crazyflie", Kp=[1.0, 2.0]), "a number or three"),
        (lambda: bd.CascadeControl("crazyflie", tilt_limit=1.6), "less than pi/2"),
        (lambda: bd.CascadeControl("crazyfly"), "crazyfly"),
        (lambda: bd.GeometricControl("crazyflie", k_attitude=-1.0), "greater than zero"),
        (lambda: bd.SampledGeometricControl("crazyflie", sample_time=0.0), "greater than zero"),
    ],
)
def test_what_is_no_controller_is_refused(make: Any, what: str) -> None:
    with pytest.raises(bd.ParameterError, match=what):
        make()
