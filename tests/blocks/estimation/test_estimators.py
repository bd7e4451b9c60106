"""Estimators: consistent over many flights, as fast and as sure as theory says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm, solve_discrete_are
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

import blockdyn as bd

Array = NDArray[np.float64]

STILL = {"specific_force": [0.0, 0.0, -9.81], "rates": [0.0, 0.0, 0.0]}
NOISE: dict[str, Any] = {"accelerometer_noise": 0.01, "gyroscope_noise": 1e-3}
SHOWN = (
    *(f"ekf.{name}" for name in ("position", "velocity", "quaternion", "accelerometer_bias")),
    *("ekf.gyroscope_bias", "ekf.covariance", "f.position", "f.velocity", "truth.quaternion"),
)
SPREAD = np.repeat([0.1, 0.1, 0.1, 0.1, 0.02], 3)  # the defaults' deviations at the start


def turned(estimate: Array, truth: Array) -> Array:
    """The rotation vector from an estimated quaternion to the true one, in body axes."""
    frames = [Rotation.from_quat(q, scalar_first=True) for q in (estimate, truth)]
    return np.asarray((frames[0].inv() * frames[1]).as_rotvec())


def in_flight() -> bd.Diagram:
    """A vehicle on a Lissajous figure with an IMU at 100 Hz, cameras at 20, GPS and barometer at 10."""
    step = 0.01
    d = bd.Diagram("flight")
    f = d.add("f", bd.Lissajous(amplitude=[2, 1, 0.5], ratio=[1, 2, 3], frequency=1.0, ramp=1.0))
    truth = d.add("truth", bd.Flatness("hummingbird"))
    for name in ("velocity", "acceleration", "jerk", "snap", "yaw", "yaw_rate", "yaw_acceleration"):
        d.connect(f[name], truth[name])
    mass = bd.robots.load_vehicle("hummingbird").mass
    force = d.add("force", bd.Gain([0.0, 0.0, -1.0 / mass]))
    imu = d.add("imu", bd.IMU(sample_time=step, **NOISE))
    d.connect(truth["thrust"], force, imu["specific_force"])
    d.connect(truth["rates"], imu["rates"])
    cameras = d.add("cameras", bd.MotionCapture(sample_time=0.05, position_noise=0.02, attitude_noise=0.02))
    gps = d.add("gps", bd.GPS(sample_time=0.1, offset=0.03, drift=0.0, velocity_noise=[0.05, 0.05, 0.1]))
    barometer = d.add("barometer", bd.Barometer(sample_time=0.1, noise=1.2013))  # 12.013 Pa/m at the ground
    d.connect(f["position"], [cameras["position"], gps["position"], barometer["position"]])
    d.connect(f["velocity"], gps["velocity"])
    d.connect(truth["quaternion"], cameras["quaternion"])
    ekf = d.add(
        "ekf",
        bd.ErrorStateEKF(
            sample_time=step, **NOISE, accelerometer_walk=0.0, gyroscope_walk=0.0,
            position_sample_time=0.05, position_noise=0.02,
            quaternion_sample_time=0.05, quaternion_noise=0.02,
            velocity_sample_time=0.1, velocity_offset=0.03, velocity_noise=[0.05, 0.05, 0.1],
            height_sample_time=0.1, height_noise=0.1, covariance=True,
        ),
    )  # fmt: skip
    for name in ("accelerometer", "gyroscope"):
        d.connect(imu[name], ekf[name])
    for name in ("position", "quaternion"):
        d.connect(cameras[f"measured_{name}"], ekf[f"measured_{name}"])
    d.connect(gps["measured_velocity"], ekf["measured_velocity"])
    d.connect(barometer["height"], ekf["measured_height"])
    return d.compile()  # type: ignore[return-value]


def test_the_error_is_as_large_as_the_covariance_says_over_80_flights() -> None:
    """NEES of all 15 errors in its 95 % band (Bar-Shalom, Li, Kirubarajan, Estimation, 2001, section 5.4)."""
    program: Any = in_flight()
    times, count = [0.02, 0.5, 1.0, 3.0], 80
    nees = np.zeros((count, len(times)))
    for seed in range(count):
        wrong = SPREAD * np.random.default_rng(seed).standard_normal(15)
        start = bd.ErrorStateEKF(
            initial_position=-wrong[:3],
            initial_velocity=-wrong[3:6],
            initial_attitude=Rotation.from_rotvec(-wrong[6:9]).as_quat(scalar_first=True),
        ).constants()["x0"]
        initial = {"ekf.x": start, "imu.b_a": wrong[9:12], "imu.b_g": wrong[12:]}
        r = program.simulate(stop=times[-1], times=times, seed=seed, initial=initial)
        rows = {path: r.trace(path).values for path in SHOWN}
        for k in range(len(times)):
            value = {path: row[k] for path, row in rows.items()}
            error = np.concatenate(
                [
                    value["f.position"] - value["ekf.position"],
                    value["f.velocity"] - value["ekf.velocity"],
                    turned(value["ekf.quaternion"], value["truth.quaternion"]),
                    wrong[9:12] - value["ekf.accelerometer_bias"],
                    wrong[12:] - value["ekf.gyroscope_bias"],
                ]
            )
            nees[seed, k] = error @ np.linalg.solve(value["ekf.covariance"], error)
    low, high = chi2.ppf([0.025, 0.975], 15 * count) / count
    mean = nees.mean(axis=0)
    assert np.all((mean > low) & (mean < high)), (mean, low, high)
    deviation = np.sqrt(0.95 * 0.05 / nees.size)
    assert np.mean(nees < chi2.ppf(0.95, 15)) == pytest.approx(0.95, abs=2.6 * deviation)


def still(estimator: bd.Block, *, magnetic: bool = False, **imu: Any) -> Any:
    """A vehicle that rests level, heading north, its IMU and an estimator on one clock."""
    d = bd.Diagram("still")
    e = d.add("e", estimator)
    sensor = d.add("imu", bd.IMU(sample_time=estimator.sample_time, **imu))  # type: ignore[attr-defined]
    for name, value in STILL.items():
        d.connect(d.add(name, bd.Constant(value)), sensor[name])
    for name in ("accelerometer", "gyroscope"):
        d.connect(sensor[name], e[name])
    if magnetic:
        d.connect(d.add("field", bd.Constant([1.0, 0.0, 0.0])), e["magnetic_field"])
    return d


EXACT = {"accelerometer_noise": 0.0, "gyroscope_noise": 0.0}


def test_a_complementary_filter_converges_as_its_linearisation_does() -> None:
    """x' = -kP k x - b, b' = kI k x about each axis, k the directions across it: 1 (x), 2 (y), 1 (z)."""
    kP, kI = 2.0, 0.5
    x0, b0 = np.array([1e-3, -2e-3, 1.5e-3]), np.array([2e-4, 1e-4, -3e-4])
    block = bd.ComplementaryFilter(
        sample_time=5e-4, proportional=kP, integral=kI, magnetometer=True, field=[3.0, 0.0, 0.0],
        initial_attitude=Rotation.from_rotvec(-x0).as_quat(scalar_first=True),
    )  # fmt: skip
    r = still(block, magnetic=True, **EXACT, gyroscope_bias=b0).simulate(stop=3.0, times=[0.5, 1.0, 3.0])
    for k, t in enumerate((0.5, 1.0, 3.0)):
        x = turned(r["e.quaternion"].values[k], np.array([1.0, 0.0, 0.0, 0.0]))
        b = b0 - r["e.gyroscope_bias"].values[k]
        for axis, across in enumerate((1.0, 2.0, 1.0)):
            expected = expm(np.array([[-kP * across, -1.0], [kI * across, 0.0]]) * t) @ [x0[axis], b0[axis]]
            np.testing.assert_allclose([x[axis], b[axis]], expected, rtol=0, atol=4e-6)


def test_the_covariance_of_attitude_settles_where_the_riccati_equation_says() -> None:
    """Level and at rest, roll with its bias is a linear system of two states, seen by the y axis."""
    step, noise, walk, seen = 0.02, 0.02, 0.05, 0.5
    block = bd.AttitudeEKF(
        sample_time=step, gyroscope_noise=noise, gyroscope_walk=walk, acceleration=seen,
        magnetometer_sample_time=step, magnetometer_noise=0.1, field=[1.0, 0.0, 0.0], covariance=True,
    )  # fmt: skip
    r = still(block, magnetic=True, **EXACT).simulate(stop=40.0, times=[40.0])
    P = r.final("e.covariance")
    F, Q = np.array([[1.0, -step], [0.0, 1.0]]), np.diag([noise**2, walk**2]) * step
    roll = solve_discrete_are(F.T, [[9.81], [0.0]], Q, [[seen**2]])
    yaw = solve_discrete_are(F.T, [[1.0], [0.0]], Q, [[0.1**2]])
    pitch = solve_discrete_are(F.T, [[9.81, 1.0], [0.0, 0.0]], Q, np.diag([seen**2, 0.1**2]))
    for axis, expected in enumerate((roll, pitch, yaw)):
        np.testing.assert_allclose(P[axis::3, axis::3], expected, rtol=1e-9)
    np.testing.assert_allclose(r.final("e.deviations"), np.sqrt(np.diag(P)), rtol=1e-14)


@pytest.mark.parametrize("kind", [bd.AttitudeEKF, bd.ComplementaryFilter], ids=lambda kind: kind.__name__)
def test_the_bias_of_the_gyroscope_is_found_at_rest(kind: Any) -> None:
    bias = np.array([0.01, -0.02, 0.015])
    common = {"sample_time": 0.01, "field": [1.0, 0.0, 0.0]}
    if kind is bd.AttitudeEKF:
        block = kind(**common, magnetometer_sample_time=0.05, magnetometer_noise=0.01)
    else:
        block = kind(**common, magnetometer=True)
    r = still(block, magnetic=True, gyroscope_bias=bias).simulate(stop=60.0, seed=3)
    assert np.abs(r.final("e.gyroscope_bias") - bias).max() < 5e-4
    assert np.abs(r.final("e.rates")).max() < 0.02  # what is left is noise of one reading
    if kind is bd.AttitudeEKF:
        spread = r.final("e.deviations")[3:]
        assert np.all(np.abs(r.final("e.gyroscope_bias") - bias) < 4.0 * spread)


def test_a_held_measurement_counts_once() -> None:
    """The covariance shrinks at the ticks after a new one, 3, 7, 11 ..., and grows at all others."""
    block = bd.ErrorStateEKF(
        sample_time=0.01, offset=0.01, position_sample_time=0.04, position_offset=0.03,
        position_deviation=1e-3, velocity_deviation=0.5,
    )  # fmt: skip
    d = still(block, **EXACT)
    d.connect(d.add("place", bd.Constant([0.0, 0.0, 0.0])), d["e"]["measured_position"])
    trace = d.simulate(stop=0.2)["e.deviations"]
    spread = trace.values[1:-1, 0]  # from the first tick, at 0.01, to the last
    shrinks = np.flatnonzero(np.diff(spread) < 0.0)
    assert shrinks.tolist() == [2, 6, 10, 14]


def test_a_measured_quaternion_of_zero_ends_the_run() -> None:
    d = still(bd.ErrorStateEKF(sample_time=0.01, quaternion_sample_time=0.02))
    d.connect(d.add("cameras", bd.Constant([0.0, 0.0, 0.0, 0.0])), d["e"]["measured_quaternion"])
    with pytest.raises(bd.RunError, match=r"(?s)e.*the measured quaternion is zero"):
        d.simulate(stop=0.1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bd.ErrorStateEKF(position_sample_time=0.0), "position_sample_time.*greater than zero"),
        (lambda: bd.ErrorStateEKF(sample_time=0.0), "sample_time.*greater than zero"),
        (lambda: bd.ErrorStateEKF(sample_time=0.01, height_sample_time=0.025), "height_sample_time.*0.01 s"),
        (
            lambda: bd.ErrorStateEKF(sample_time=0.01, height_sample_time=0.001),
            "height_sample_time.*multiple",
        ),
        (
            lambda: bd.ErrorStateEKF(velocity_sample_time=0.1, velocity_offset=0.005),
            "velocity_offset.*0.01 s, from offset, 0 s",
        ),
        (lambda: bd.AttitudeEKF(magnetometer_sample_time=0.015), "magnetometer_sample_time.*multiple"),
        (lambda: bd.ErrorStateEKF(position_noise=0.0), "position_noise.*greater than zero"),
        (lambda: bd.ErrorStateEKF(velocity_deviation=[0.1, -0.1, 0.1]), r"velocity_deviation\[1\]"),
        (lambda: bd.AttitudeEKF(acceleration=0.0), "acceleration.*greater than zero"),
        (lambda: bd.AttitudeEKF(gyroscope_noise=[1.0, 1.0]), "gyroscope_noise.*a number, or three"),
        (lambda: bd.ComplementaryFilter(initial_attitude=[0.0] * 4), "initial_attitude.*quaternion"),
        (lambda: bd.ComplementaryFilter(field=[0.0] * 3), "field.*not zero"),
        (lambda: bd.AttitudeEKF(field=[0.0] * 3, magnetometer_sample_time=0.1), "field.*not zero"),
    ],
)
def test_what_is_no_estimator_is_refused(make: Any, message: str) -> None:
    with pytest.raises(bd.ParameterError, match=f"(?s){message}"):
        make()
