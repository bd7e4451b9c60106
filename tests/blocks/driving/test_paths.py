"""Paths: the nearest point against a search of many, and Stanley's law in coordinates of the path."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def carried(path: bd.NearestOnPath, places: list[list[float]]) -> bd.Diagram:
    """A point that is carried from place to place, 1 s each, in straight lines."""
    d = bd.Diagram()
    d.add("place", bd.PiecewiseLinear(times=list(range(len(places))), values=places))
    d.connect("place", d.add("path", path))
    return d


@BOTH
def test_the_nearest_point_is_that_of_a_search_all_around_corners(compiled: bool) -> None:
    """Outside and inside of corners, before the start and after the end; the path turns by less than 90
    degrees, so that the nearest on neighbours is the nearest of all."""
    waypoints = np.array([[0.0, 0.0], [4.0, 0.0], [6.0, 3.0], [10.0, 3.0]])
    places = [
        [-1, 1, 0],
        [1, 0.5, 0],
        [3.9, -1, 1],
        [5.5, -0.5, 2],
        [6.5, 1, 4],
        [4, 2, 7],
        [7, 4, 0],
        [12, 2, -3],
    ]
    d = carried(bd.NearestOnPath(waypoints=waypoints), [[float(x) for x in row] for row in places])
    r = d.simulate(stop=7.0, every=0.01, compiled=compiled)
    pose, nearest = r["place"].values, r["path.point"].values
    s = np.linspace(0.0, 1.0, 20001)[:, None]
    curve = np.concatenate([a + s * (b - a) for a, b in pairwise(waypoints)])
    for k in range(0, len(pose), 7):
        best = np.hypot(*(curve - pose[k, :2]).T).min()
        assert np.hypot(*(nearest[k] - pose[k, :2])) == pytest.approx(best, abs=1e-6)
        assert abs(r["path.offset"].values[k]) == pytest.approx(best, abs=1e-6)
    assert r["path.s"].values[0] == 0.0
    assert r.final("path.s") == pytest.approx(4.0 + math.sqrt(13.0) + 4.0, rel=1e-14)
    heading = np.array([0.0, math.atan2(3.0, 2.0), 0.0])
    on = np.clip(np.searchsorted(np.cumsum([4.0, math.sqrt(13.0)]), r["path.s"].values - 1e-9), 0, 2)
    np.testing.assert_allclose(
        np.exp(1j * r["path.alpha"].values), np.exp(1j * (heading[on] - pose[:, 2])), atol=1e-9
    )


def test_it_does_not_jump_to_a_part_of_the_path_that_comes_near() -> None:
    hairpin = bd.NearestOnPath(waypoints=[[0, 0], [20, 0], [20, 1], [0, 1]])
    r = carried(hairpin, [[1.0, 0.0, 0.0], [9.0, 0.9, 0.0]]).simulate(stop=1.0)
    assert r.final("path.s") == pytest.approx(9.0, abs=1e-12)
    assert r.final("path.offset") == pytest.approx(0.9, abs=1e-12)


@BOTH
def test_on_arcs_distance_and_curvature_are_those_of_the_circle(compiled: bool) -> None:
    path = bd.NearestOnPath(arcs=[[3.0, -0.5], [2.0, 0.0]], start=[1.0, 2.0, 0.3])
    d = carried(path, [[1.5, 2.5, 0.0], [3.5, 2.0, 0.0]])
    r = d.simulate(stop=1.0, compiled=compiled)
    centre = np.array([1.0 + 2.0 * math.sin(0.3), 2.0 - 2.0 * math.cos(0.3)])
    off = np.hypot(*(r["place"].values[:, :2] - centre).T) - 2.0
    np.testing.assert_allclose(r["path.offset"].values, off, atol=1e-12)
    np.testing.assert_array_equal(r["path.curvature"].values, -0.5)


@pytest.mark.parametrize(
    ("start", "compiled", "stop"),
    [([0.0, 3.0, 0.2], True, 3.0), ([0.0, -2.0, -0.4], True, 3.0), ([0.0, -2.0, -0.4], False, 0.3)],
)
def test_stanley_in_coordinates_of_the_front_axle(start: list[float], compiled: bool, stop: float) -> None:
    """e' = (v/cos(gamma)) sin(psi + gamma), psi' = v tan(gamma)/L on a line along x, by SciPy."""
    v, L, gain = 4.0, 2.0, 1.5
    d = bd.Diagram()
    car = d.add("car", bd.Bicycle(wheelbase=L, steering_limit=1.4, initial_pose=start))
    path = d.add("path", bd.NearestOnPath(waypoints=[[-50, 0], [500, 0]], ahead=L))
    law = d.add("law", bd.Stanley(gain=gain, softening=0.5))
    d.connect(car["pose"], path)
    d.connect(path["offset"], law["offset"])
    d.connect(path["alpha"], law["alpha"])
    d.connect(d.add("v", bd.Constant(v)), [car["v"], law["speed"]])
    d.connect(law, car["gamma"])

    def slopes(t: float, x: np.ndarray) -> list[float]:
        gamma = -x[1] - math.atan(gain * x[0] / (v + 0.5))
        return [v / math.cos(gamma) * math.sin(x[1] + gamma), v * math.tan(gamma) / L]

    first = [start[1] + L * math.sin(start[2]), start[2]]
    e, psi = solve_ivp(slopes, (0, stop), first, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    r = d.simulate(stop=stop, rtol=1e-10, atol=1e-12, compiled=compiled)
    assert r.final("path.offset") == pytest.approx(e, abs=1e-8)
    assert r.final("car.turned") == pytest.approx(psi, abs=1e-8)
