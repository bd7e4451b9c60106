"""Workspaces and pictures: extents that geometry gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.plots.robots.picture import draw, limbs
from blockdyn.robots import load
from blockdyn.robots.inverse.workspace import sample_positions, workspace


def test_reach_of_known_arms() -> None:
    planar = workspace(load("planar3"))
    assert planar.reach == pytest.approx(3.0, abs=1e-9)  # stretched
    assert planar.low[:2] == pytest.approx((-3.0, -3.0), abs=0.01)
    assert (planar.low[2], planar.high[2]) == (0, 0)
    puma = workspace(load("puma560"))
    forearm = np.hypot(0.4318, 0.0203)
    assert puma.reach == pytest.approx(np.hypot(0.4318 + forearm, 0.15005), abs=2e-3)
    assert "without limits" in workspace(load("stanford_rrp")).assumed


def test_a_limb_runs_along_its_axis_and_normal() -> None:
    """Link 3 of the Puma at zero: 0.15005 m along the axis, -y, then 0.0203 m along x."""
    third = limbs(load("puma560"), np.zeros(6))[2]
    steps = np.diff(np.array(third.points), axis=0)
    np.testing.assert_allclose(steps, [[0, -0.15005, 0], [0.0203, 0, 0]], atol=1e-12)


@pytest.mark.parametrize("name", ["puma560", "stanford", "planar1", "nao_left_leg"])
def test_a_picture_has_equal_scales_and_holds_the_robot(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    robot = load(name)
    figure = Figure()
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot(projection="3d")
    q = np.full(robot.n, 0.4)
    draw(robot, q, axes)
    figure.draw_without_rendering()
    limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
    scale = np.diff(limits).ravel() / axes._box_aspect
    assert scale == pytest.approx(scale[0])
    points = np.array([point for limb in limbs(robot, q) for point in limb.points])
    assert np.all(points >= limits[:, 0])
    assert np.all(points <= limits[:, 1])


@pytest.mark.parametrize("name", ["puma560", "stanford"])
def test_the_workspace_is_seen_on_the_floor_and_on_the_walls_behind(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    robot = load(name)
    figure = Figure()
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot(projection="3d")
    points = sample_positions(robot, 2000)[0]
    draw(robot, np.zeros(robot.n), axes, reached=points)
    figure.draw_without_rendering()
    dots = [np.array(line.get_data_3d()).T for line in axes.lines if line.get_marker() == "."]
    limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
    azimuth = np.radians(axes.azim)
    eye = np.array([np.cos(azimuth), np.sin(azimuth), 1.0])
    assert len(dots) == 3
    for i, seen in enumerate(dots):
        assert np.all(seen[:, i] == limits[i, int(eye[i] < 0)])  # the end away from the eye
        np.testing.assert_array_equal(np.delete(seen, i, axis=1), np.delete(points, i, axis=1))
    assert np.all((points >= limits[:, 0]) & (points <= limits[:, 1]))
