"""Measured positions in filters of a pose: the weighted mean where a vehicle stands, NEES where it drives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.diagrams.yaml import loads

FILTERS = [bd.EKFLocalization, bd.UKFLocalization, bd.ParticleFilter]
V = [4e-4, 7.6e-5]


def driven(estimator: Any, speed: float, V: Any, gps: dict[str, Any]) -> bd.Diagram:
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(wheelbase=1.0))
    d.connect(d.add("speed", bd.Constant(speed)), car["v"])
    d.connect(d.add("steering", bd.Constant(0.2)), car["gamma"])
    odometry = d.add("odometry", bd.Odometry(V=V))
    receiver = d.add("gps", bd.PlanarGPS(drift=0.0, **gps))
    d.connect(car["*"], odometry["*"])
    d.connect(car["*"], receiver["*"])
    filtered = d.add("filter", estimator)
    d.connect(odometry, filtered["odometry"])
    d.connect(receiver["measured_position"], filtered["measured_position"])
    check = d.add("nees", bd.NEES())
    d.connect(filtered["pose"], check["estimate"])
    d.connect(filtered["covariance"], check["covariance"])
    d.connect(car["pose"], check["truth"])
    return d


def standing(estimator: Any, stop: float, **more: Any) -> tuple[bd.Result, Any, Any]:
    """A run, and the weighted mean of all readings, the first pose as one of them, with its covariance."""
    P0, Q = np.diag([0.3, 0.1, 0.01]), np.array([[0.09, 0.02], [0.02, 0.04]])
    P0[0, 2] = P0[2, 0] = 0.02
    given = estimator(position_covariance=Q, position_every=3, V=0.0, P0=P0, sample_time=0.1, **more)
    d = driven(given, 0.0, 0.0, {"sample_time": 0.3, "position_noise": [0.3, 0.2]})
    r = d.simulate(stop=stop, log=["gps.measured_position", "filter.pose", "filter.covariance"])
    count = int(stop / 0.3) + 1
    readings = r.trace("gps.measured_position").at(0.3 * np.arange(count) + 0.01)
    H = np.eye(2, 3)
    information = np.linalg.inv(P0) + count * H.T @ np.linalg.inv(Q) @ H
    mean = np.linalg.solve(information, H.T @ np.linalg.solve(Q, readings.sum(axis=0)))
    return r, mean, np.linalg.inv(information)


@pytest.mark.parametrize("estimator", FILTERS[:2])
def test_where_a_vehicle_stands_the_estimate_is_the_weighted_mean_of_all_readings(estimator: Any) -> None:
    r, mean, covariance = standing(estimator, 3.05)
    np.testing.assert_allclose(r.final("filter.pose"), mean, atol=1e-13)
    np.testing.assert_allclose(r.final("filter.covariance"), covariance, atol=1e-14)


def test_many_particles_come_near_the_weighted_mean() -> None:
    r, mean, covariance = standing(bd.ParticleFilter, 0.35, count=200_000, resample=0.0)
    np.testing.assert_allclose(r.final("filter.pose"), mean, atol=0.004)
    np.testing.assert_allclose(r.final("filter.covariance"), covariance, atol=0.002)


@pytest.mark.parametrize("estimator", FILTERS[:2])
def test_positions_alone_make_a_filter_that_knows_how_far_it_is_off(estimator: Any) -> None:
    given, count = estimator(position_covariance=0.09, position_every=5, V=V, P0=1e-4), 150
    d = driven(given, 1.0, V, {"sample_time": 0.5, "position_noise": 0.3})
    runs = bd.Sweep(d, {"simulate.seed": {"count": count}}, {"nees": {"final": "nees"}}, stop=30.0).run()
    low, high = chi2.ppf([0.025, 0.975], 3 * count) / count
    assert low < runs["nees"].mean() < high


def test_a_file_has_both_landmarks_and_positions() -> None:
    d = loads("""
        blockdyn: 1
        name: both
        blocks:
          car: {type: Unicycle}
          v: {type: Constant, value: 1.0, unit: m/s}
          omega: {type: Constant, value: 0.1, unit: rad/s}
          odometry: {type: Odometry}
          sensor: {type: RangeBearing, landmarks: [[5, 5], [-5, 3]]}
          gps: {type: PlanarGPS, drift: 0.0, sample_time: 0.1}
          ekf: {type: EKFLocalization, landmarks: [[5, 5], [-5, 3]], position_covariance: 0.04}
        wires:
          - v -> car.v
          - omega -> car.omega
          - car.* -> odometry.*
          - car.* -> gps.*
          - car.pose -> sensor.pose
          - odometry -> ekf.odometry
          - sensor.* -> ekf.*
          - gps.* -> ekf.*
        simulate: {stop: 30.0}
        """)
    r = d.simulate()
    assert r.final("ekf.associated").tolist() == [0.0, 1.0]
    off = r.final("ekf.pose") - r.final("car.pose")
    assert off @ np.linalg.solve(r.final("ekf.covariance"), off) < 16.3  # 999 of 1000


@pytest.mark.parametrize("estimator", FILTERS)
@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({}, "position_covariance"),
        ({"position_covariance": 0.0}, "position_covariance"),
        ({"position_covariance": [[1.0, 2.0], [2.0, 1.0]]}, "position_covariance"),
        ({"position_covariance": 0.1, "position_every": 0}, "position_every"),
    ],
)
def test_filters_without_a_world_and_covariances_that_are_none(
    estimator: Any, parameters: dict[str, Any], named: str
) -> None:
    with pytest.raises(ParameterError, match=named):
        estimator(**parameters).check()


@pytest.mark.parametrize(
    ("clocks", "named"),
    [
        ({"odometry": 0.05}, "odometry.sample_time is 0.05"),  # half of the way would be lost
        ({"odometry": 0.2}, "odometry.sample_time is 0.2"),  # and here it would count twice
        ({"sensor": 0.3}, "sensor.sample_time is 0.3"),
        ({"gps": 0.3}, "gps.sample_time is 0.3"),
        ({"sensor": 0.1, "gps": 0.1}, ""),
        ({"sensor": 0.05, "gps": 0.2}, ""),
    ],
)
def test_sensors_are_as_fast_as_what_takes_their_readings_in(clocks: dict[str, float], named: str) -> None:
    d = bd.Diagram()
    car = d.add("car", bd.Unicycle())
    d.connect(d.add("v", bd.Constant(1.0)), car["v"])
    d.connect(d.add("omega", bd.Constant(0.1)), car["omega"])
    known = [[5.0, 2.0], [3.0, -4.0]]
    blocks = {"odometry": bd.Odometry, "sensor": lambda **k: bd.RangeBearing(known, **k), "gps": bd.PlanarGPS}
    ekf = d.add("ekf", bd.EKFLocalization(known, position_covariance=0.1, position_every=2))
    for name, block in blocks.items():
        period = clocks.get(name, 0.2 if name == "gps" else 0.1)
        d.connect(car["*"], d.add(name, block(sample_time=period))["*"])
        d.connect(d[name]["*"], ekf["*"])
    if not named:
        d.compile()
        return
    with pytest.raises(bd.BlockdynError) as caught:
        d.compile()
    assert named.split(".")[0] in str(caught.value)
    assert named.split(".")[1] in str(caught.value)
