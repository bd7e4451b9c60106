"""Sensors without noise against mechanics, the standard atmosphere and SciPy; their noise by its moments."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError

TILTED = Rotation.from_euler("ZYX", [0.7, -0.4, 0.3])
Q = TILTED.as_quat(scalar_first=True)


def readings(sensor: bd.Block, stop: float = 0.0, seed: int = 1, **inputs: object) -> bd.Result:
    """What a sensor shows of signals that do not change."""
    d = bd.Diagram("sensor")
    s = d.add("sensor", sensor)
    for name, value in inputs.items():
        d.connect(d.add(name, bd.Constant(value)), s[name])
    return d.simulate(stop=stop, seed=seed)


def test_an_accelerometer_off_the_centre_feels_the_turning() -> None:
    """At r on a wheel that turns at w and speeds up by a: -w^2 r inwards, a r along the path."""
    imu = bd.IMU(
        place=[0.2, 0.0, 0.0], accelerometer_noise=0.0, gyroscope_noise=0.0, gyroscope_bias=[0.0, 0.1, 0.0]
    )
    r = readings(
        imu, specific_force=[0.0, 0.0, -9.81], rates=[0.0, 0.0, 3.0], angular_acceleration=[0.0, 0.0, 5.0]
    )
    np.testing.assert_allclose(r.final("sensor.accelerometer"), [-1.8, 1.0, -9.81], rtol=1e-14)
    np.testing.assert_allclose(r.final("sensor.gyroscope"), [0.0, 0.1, 3.0], rtol=1e-14)


def test_readings_end_at_the_range() -> None:
    imu = bd.IMU(accelerometer_range=8.0, gyroscope_range=2.0)
    r = readings(imu, specific_force=[0.0, 0.0, -9.81], rates=[3.0, 0.0, -30.0])
    assert r.final("sensor.accelerometer")[2] == -8.0
    assert r.final("sensor.gyroscope")[[0, 2]].tolist() == [2.0, -2.0]


def test_the_allan_deviation_is_the_noise_density_and_the_walk() -> None:
    """N / sqrt(tau) of the white noise, K sqrt(tau / 3) of a walk: IEEE Std 952-1997, Annex C."""
    step, noise, walk = 0.01, 0.02, 0.05
    imu = bd.IMU(gyroscope_noise=[noise, 0.0, 0.0], gyroscope_walk=[0.0, walk, 0.0], sample_time=step)
    r = readings(imu, stop=2000.0, specific_force=[0.0, 0.0, 0.0], rates=[0.0, 0.0, 0.0])
    rates = r["sensor.gyroscope"].values[:-1]
    angle = np.cumsum(rates, axis=0) * step
    for tau, tolerance in ((1.0, 0.06), (5.0, 0.15)):
        m = round(tau / step)
        second = angle[2 * m :] - 2 * angle[m:-m] + angle[: -2 * m]
        allan = np.sqrt(np.mean(second**2, axis=0) / 2) / tau
        np.testing.assert_allclose(
            allan, [noise / np.sqrt(tau), walk * np.sqrt(tau / 3), 0.0], rtol=tolerance
        )


def test_the_slow_error_of_gps_is_the_same_from_the_start_and_lasts() -> None:
    """Over scenarios: its deviation at once and after a third of its correlation time, and exp(-1/3)."""
    gps = bd.GPS(position_noise=0.0, drift=[1.0, 2.0, 4.0], drift_time=6.0, sample_time=0.2)
    at = {"position": [0.0, 0.0, 0.0], "velocity": [0.0, 0.0, 0.0]}
    d = bd.Diagram("sensor")
    s = d.add("sensor", gps)
    for name, value in at.items():
        d.connect(d.add(name, bd.Constant(value)), s[name])
    program, count = d.compile(), 150
    runs = np.array(
        [
            program.simulate(stop=2.0, times=[0.0, 2.0], seed=k)["sensor.measured_position"].values
            for k in range(count)
        ]
    )
    np.testing.assert_allclose(runs.std(axis=0), [[1.0, 2.0, 4.0]] * 2, rtol=4 / np.sqrt(2 * count))
    for axis in range(3):
        correlation = np.corrcoef(runs[:, 0, axis], runs[:, 1, axis])[0, 1]
        assert correlation == pytest.approx(np.exp(-1 / 3), abs=4 / np.sqrt(count))


@pytest.mark.parametrize(("height", "pressure"), [(0.0, 101325.0), (1000.0, 89874.6), (5000.0, 54019.9)])
def test_pressure_is_the_standard_atmospheres(height: float, pressure: float) -> None:
    """The tables of ISO 2533."""
    r = readings(bd.Barometer(noise=0.0), position=[3.0, 4.0, -height])
    assert r.final("sensor.pressure") == pytest.approx(pressure, rel=2e-5)
    assert r.final("sensor.height") == pytest.approx(height, abs=1e-6)


def test_the_field_is_seen_from_the_body() -> None:
    field, iron = np.array([2e-5, 1e-6, 4e-5]), np.array([1e-6, 0.0, -2e-6])
    r = readings(bd.Magnetometer(field=field, hard_iron=iron, noise=0.0), quaternion=1.7 * Q)
    np.testing.assert_allclose(r.final("sensor"), TILTED.inv().apply(field) + iron, rtol=0, atol=1e-19)


def test_cameras_follow_the_marker() -> None:
    """Without noise the marker's place and the unit attitude; with noise turned by as much as said."""
    exact = bd.MotionCapture(position_noise=0.0, attitude_noise=0.0, marker=[0.1, 0.2, -0.3])
    r = readings(exact, position=[1.0, 2.0, 3.0], quaternion=2.0 * Q)
    np.testing.assert_allclose(
        r.final("sensor.measured_position"),
        np.add(TILTED.apply([0.1, 0.2, -0.3]), [1.0, 2.0, 3.0]),
        rtol=1e-14,
    )
    np.testing.assert_allclose(r.final("sensor.measured_quaternion"), Q, rtol=1e-14)
    r = readings(
        bd.MotionCapture(attitude_noise=[0.1, 0.2, 0.3]), stop=20.0, position=[0.0] * 3, quaternion=Q
    )
    seen = Rotation.from_quat(r["sensor.measured_quaternion"].values, scalar_first=True)
    turned = (TILTED.inv() * seen).as_rotvec()
    np.testing.assert_allclose(turned.std(axis=0), [0.1, 0.2, 0.3], rtol=4 / np.sqrt(2 * len(turned)))


def test_a_beam_meets_level_ground() -> None:
    exact = bd.RangeFinder(noise=0.0, maximum=4.0, ground=0.5)
    down = TILTED.as_matrix()[2, 2]
    assert readings(exact, position=[0.0, 0.0, -2.0], quaternion=Q).final("sensor.range") == pytest.approx(
        2.5 / down
    )
    for z, q in ((-4.0, Q), (1.0, Q), (-2.0, [0.0, 1.0, 0.0, 0.0])):  # too far, below the ground, upside down
        r = readings(exact, position=[0.0, 0.0, z], quaternion=q)
        assert (r.final("sensor.range"), r.final("sensor.valid")) == (4.0, 0.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bd.IMU(gyroscope_noise=[1.0, 2.0]), "gyroscope_noise.*a number, or three"),
        (lambda: bd.IMU(place=[1.0]), "place.*a number, or three"),
        (lambda: bd.GPS(drift=-1.0), "drift"),
        (lambda: bd.Barometer(sample_time=0.0), "sample_time"),
        (lambda: bd.Magnetometer(field=[1.0, 2.0]), "field.*three"),
        (lambda: bd.RangeFinder(maximum=0.0), "maximum"),
    ],
)
def test_what_is_no_sensor_is_refused(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"(?s){message}"):
        make()  # type: ignore[operator]
