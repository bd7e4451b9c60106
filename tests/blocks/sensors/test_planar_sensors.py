"""GPS and IMU on the plane: against derivatives of their place; statistics of their errors."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

EXACT_GPS = {"drift": 0.0, "position_noise": 0.0, "velocity_noise": 0.0}
EXACT_IMU = {"accelerometer_noise": 0.0, "gyroscope_noise": 0.0}


def drifting(sensor: bd.Block, period: float) -> tuple[bd.Result, np.ndarray]:
    """A car that slides, with a sensor on it: the run, and the poses."""
    d = bd.Diagram()
    car = d.add("car", bd.DynamicBicycle(initial_speed=15.0))
    d.connect(d.add("wheel", bd.Sine(amplitude=0.05, frequency=0.4)), car["gamma"])
    d.connect(d.add("force", bd.Sine(amplitude=3000.0, frequency=0.3)), car["force"])
    d.connect(car["*"], d.add("sensor", sensor)["*"])
    log = ["car.pose", *(f"sensor.{port.name}" for port in sensor.outputs)]
    times = np.arange(0.0, 4.0, period)
    r = d.simulate(stop=4.0, rtol=1e-12, atol=1e-13, times=times, log=log)
    return r, r["car.pose"].values


def instrument(poses: np.ndarray, place: np.ndarray) -> np.ndarray:
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turned = np.stack([c * place[0] - s * place[1], s * place[0] + c * place[1]], axis=1)
    return poses[:, :2] + turned


def test_a_gps_shows_the_place_of_its_antenna_and_how_it_moves() -> None:
    place = np.array([0.7, -0.4])
    r, poses = drifting(bd.PlanarGPS(sample_time=0.001, place=place, **EXACT_GPS), 0.001)
    position, velocity = (r[f"sensor.measured_{name}"].values for name in ("position", "velocity"))
    np.testing.assert_allclose(position, instrument(poses, place), atol=1e-10)
    slopes = (position[2:] - position[:-2]) / 0.002
    np.testing.assert_allclose(velocity[1:-1], slopes, atol=1e-4)  # a third of the period squared, and jerk


def test_an_imu_shows_the_second_derivative_of_its_place() -> None:
    place, T = np.array([0.7, -0.4]), 0.001
    r, poses = drifting(bd.PlanarIMU(sample_time=T, place=place, **EXACT_IMU), T)
    where = instrument(poses, place)
    slopes = (where[2:] - 2.0 * where[1:-1] + where[:-2]) / T**2
    c, s = np.cos(poses[1:-1, 2]), np.sin(poses[1:-1, 2])
    force = np.stack([c * slopes[:, 0] + s * slopes[:, 1], c * slopes[:, 1] - s * slopes[:, 0]], axis=1)
    shown = r["sensor.accelerometer"].values[1:-1]
    np.testing.assert_allclose(shown[1:], force[1:], atol=0.02)  # means of T; of up to 8 m/s2
    assert np.abs(force).max() > 4.0
    rates = (poses[2:, 2] - poses[:-2, 2]) / (2.0 * T)
    np.testing.assert_allclose(r["sensor.gyroscope"].values[1:-1], rates, atol=1e-5)


def test_on_a_circle_an_imu_shows_what_pulls_outwards() -> None:
    d = bd.Diagram()
    car = d.add("car", bd.Unicycle())
    d.connect(d.add("v", bd.Constant(2.0)), car["v"])
    d.connect(d.add("omega", bd.Constant(0.5)), car["omega"])
    d.connect(
        car["*"],
        d.add("imu", bd.PlanarIMU(place=[0.0, 1.0], accelerometer_bias=[0.1, 0.0], **EXACT_IMU))["*"],
    )
    r = d.simulate(stop=1.0)
    np.testing.assert_allclose(r.final("imu.accelerometer"), [0.1, 0.5 * 2.0 - 0.25], atol=1e-13)
    assert r.final("imu.gyroscope") == pytest.approx(0.5, abs=1e-15)


STANDS = """
blockdyn: 1
blocks:
  v: {type: Constant, value: 0.0}
  car: {type: Bicycle, wheelbase: 1.0}
  gps: {type: PlanarGPS, sample_time: 0.1, drift: [0.5, 2.0], drift_time: 1.0}
  imu:
    type: PlanarIMU
    sample_time: 0.1
    gyroscope_noise: 0.01
    accelerometer_walk: 0.1
    accelerometer_noise: 0.0
wires:
  - v -> [car.v, car.gamma]
  - car.* -> gps.*
  - car.* -> imu.*
log: [gps.measured_position, gps.measured_velocity, imu.gyroscope, imu.accelerometer]
"""


def test_errors_of_a_car_that_stands_have_the_deviations_that_they_are_told() -> None:
    r = loads(STANDS).simulate(stop=4000.0, every=0.1, seed=3)
    position, velocity = (r[f"gps.measured_{name}"].values for name in ("position", "velocity"))
    # drifts of 1 s are 2000 samples of 2 s each: their deviation is off by 1.6 %, four times allowed
    np.testing.assert_allclose(position.std(axis=0), np.hypot([0.5, 2.0], 0.2), rtol=0.064)
    np.testing.assert_allclose(velocity.std(axis=0), 0.05, rtol=0.02)
    lagged = [np.corrcoef(position[:-10, i], position[10:, i])[0, 1] for i in (0, 1)]
    np.testing.assert_allclose(lagged[1], np.exp(-1.0), atol=0.1)
    assert r["imu.gyroscope"].values.std() == pytest.approx(0.01 / np.sqrt(0.1), rel=0.02)
    steps = np.diff(r["imu.accelerometer"].values, axis=0)
    np.testing.assert_allclose(steps.std(axis=0), 0.1 * np.sqrt(0.1), rtol=0.02)


@pytest.mark.parametrize(
    ("block", "name", "value"),
    [
        (bd.PlanarGPS, "drift", [1.0, 2.0, 3.0]),
        (bd.PlanarGPS, "place", [1.0, 2.0, 3.0]),
        (bd.PlanarGPS, "position_noise", -1.0),
        (bd.PlanarIMU, "accelerometer_bias", [1.0, 2.0, 3.0]),
        (bd.PlanarIMU, "gyroscope_walk", -1.0),
    ],
)
def test_bad_parameters(block: type[bd.Block], name: str, value: object) -> None:
    with pytest.raises(bd.ParameterError, match=name):
        block(**{name: value})  # type: ignore[arg-type]
