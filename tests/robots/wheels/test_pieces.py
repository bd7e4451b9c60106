"""Pieces of paths: nearest points and distances against a search of many points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blockdyn.robots.wheels.pieces import foot, last_at, pieces_of_arcs, point

SHAPES = [(3.0, 0.0), (3.0, 0.4), (2.0, -0.7), (0.5, 1e-9)]


@pytest.mark.parametrize(("length", "curvature"), SHAPES)
def test_the_foot_is_the_nearest_of_many_points(length: float, curvature: float) -> None:
    piece = pieces_of_arcs([1.0, 2.0, 0.7], [[length, curvature]], "here")[0]
    places = np.linspace(0.0, piece[4], 20001)
    curve = np.array([point(piece, s) for s in places])
    for x, y in np.random.default_rng(1).uniform(-2, 5, (50, 2)):
        distance = np.hypot(curve[:, 0] - x, curve[:, 1] - y)
        k = int(distance.argmin())
        s, left = foot(piece, x, y)
        if 0 < k < len(places) - 1:
            assert s == pytest.approx(places[k], abs=1e-3)
            assert abs(left) == pytest.approx(distance[k], abs=1e-6)
        far = 1.3 * abs(left) + 0.2
        at = last_at(piece, x, y, far)
        if abs(curvature * (at - s)) < 3.0:
            px, py = point(piece, at)
            assert math.hypot(px - x, py - y) == pytest.approx(far, rel=1e-6)
            assert at > s


def test_long_arcs_are_cut_and_end_where_they_should() -> None:
    pieces = pieces_of_arcs([0.0, 0.0, 0.0], [[2 * math.pi, 1.0], [1.0, 0.0]], "here")
    assert len(pieces) == 5
    np.testing.assert_allclose(pieces[4, :3], [0.0, 0.0, 2 * math.pi], atol=1e-15)
    np.testing.assert_allclose(point(pieces[4], 1.0), [1.0, 0.0], atol=1e-15)
