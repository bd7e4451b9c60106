"""Films of vehicles on wheels: where hulls and wheels are, what they follow, and the walls around them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

import blockdyn as bd
from blockdyn.pages.live.moment import moment
from blockdyn.pages.live.poses import Poses
from blockdyn.plots.films.animation import animation
from blockdyn.plots.films.film import blocks, walls
from blockdyn.robots.planning import OccupancyMap

WALLS = OccupancyMap([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]], 0.5, [-1.0, 2.0])


@pytest.fixture(scope="module")
def result() -> bd.Result:
    """A car on a circle of 4 m with a trailer, and a robot along a path."""
    d = bd.Diagram("yard")
    car = d.add("car", bd.Bicycle(wheelbase=2.0, wheel_radius=0.3, initial_steering=math.atan(0.5)))
    d.connect(d.add("speed", bd.Constant(1.0)), car["v"])
    d.connect(d.add("wheel", bd.Constant(math.atan(0.5))), car["gamma"])
    trailer = d.add("trailer", bd.Trailer(length=2.0))
    for port, source in (("towed_by", "pose"), ("speed", "speed"), ("turn_rate", "turn_rate")):
        d.connect(car[source], trailer[port])
    robot = d.add("robot", bd.Unicycle())
    d.connect("speed", robot["v"])
    path = d.add("path", bd.PurePursuit(arcs=[[3.0, 0.0], [math.pi / 2, 1.0]], look_ahead=0.5))
    d.connect(robot["pose"], path)
    d.connect(path["curvature"], robot["omega"])
    return d.simulate(stop=4.0)


def test_wheels_roll_and_steer_as_the_ground_has_it(result: bd.Result) -> None:
    """On a circle of 4 m about (0, 4) hubs move with 1 m/s times their distance from the centre over 4 m."""
    film = animation(result, block="car").films(np.linspace(0.0, 4.0, 401))[0]
    last = film.motion.R[-1], film.motion.p[-1]
    np.testing.assert_allclose(film.tip[-1, :2], [4 * math.sin(1.0), 4 - 4 * math.cos(1.0)], atol=1e-9)
    for i, (x, y, steers) in enumerate(film.body.wheels):  # type: ignore[attr-defined]
        radius = math.hypot(x, 4.0 - y)
        axle = last[0][i, :, 1]  # points to the centre: no wheel slips sideways
        centre = last[1][i] + radius * axle
        np.testing.assert_allclose(centre, [0.0, 4.0, 0.3], atol=1e-4)  # frames 0.01 s apart
        if not steers:
            rolled = radius * 1.0 / 0.3
            up = film.motion.R[-1, -1].T @ last[0][i, :, 2]
            np.testing.assert_allclose(up, [math.sin(rolled), 0.0, math.cos(rolled)], atol=1e-4)


def test_a_film_shows_all_that_move_and_the_path_that_is_followed(result: bd.Result, tmp_path: Path) -> None:
    shown = animation(result, map=WALLS)
    assert shown.labels == ("car (Bicycle)", "robot (Unicycle)", "trailer (Trailer)")
    car, robot, trailer = shown.films(np.array([0.0, 4.0]))
    assert [len(film.reference) > 0 for film in (car, trailer, robot)] == [False, False, True]
    assert [len(film.scenery) > 0 for film in (car, trailer, robot)] == [True, False, False]
    np.testing.assert_allclose(robot.reference[[0, -1], :2], [[0, 0], [4.0, 1.0]], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(robot.reference[-5:, :2] - [3.0, 1.0], axis=1), 1.0, rtol=1e-12)
    result.animate(tmp_path / "yard.html", map=WALLS)
    result.strip(tmp_path / "yard.png", map=WALLS, times=2)
    with pytest.raises(bd.BlockdynError, match=r"(?s)map is 2\.5.*an OccupancyMap"):
        result.animate(tmp_path / "yard.gif", map=2.5)


@pytest.mark.parametrize("most", [1, 2, 9])
def test_walls_cover_each_occupied_cell_once(most: int) -> None:
    covered = np.zeros(WALLS.shape, int)
    for row, column, rows, columns in blocks(WALLS.occupied, most):
        assert max(rows, columns) <= most
        covered[row : row + rows, column : column + columns] += 1
    np.testing.assert_array_equal(covered, WALLS.occupied)


def test_walls_stand_where_the_map_has_them() -> None:
    corners = np.concatenate([face.corners for face in walls(WALLS, 0.3, 10.0)])
    np.testing.assert_allclose(corners.min(axis=0), [-1.0, 2.0, 0.0])
    np.testing.assert_allclose(corners.max(axis=0), [1.0, 3.5, 0.3])
    for face in walls(WALLS, 0.3, 10.0):
        c = face.corners
        normal = np.cross(c[1] - c[0], c[2] - c[1])
        assert abs(normal @ face.normal) == pytest.approx(np.linalg.norm(normal))


def test_what_sensors_and_estimators_know_is_drawn_on_the_ground() -> None:
    """Beams end on the walls of a room of 4 m; ellipses hold 95 % (SciPy's chi-square)."""
    cells = np.pad(np.zeros((40, 40)), 1, constant_values=1)
    d = bd.Diagram("room")
    robot = d.add("robot", bd.Unicycle(initial_pose=[0.0, 0.0, 0.3]))
    d.connect(d.add("v", bd.Constant(0.2)), robot["v"])
    d.connect(d.add("omega", bd.Constant(0.1)), robot["omega"])
    lidar = d.add("lidar", bd.Lidar(OccupancyMap(cells, 0.1, [-2.1, -2.1]), beams=8, noise=0.0))
    marks = d.add("marks", bd.RangeBearing([[1.0, 1.5], [-1.0, 0.5]], W=0.0))
    slam = d.add("slam", bd.EKFSLAM(2, P0=[0.04, 0.01, 0.0]))
    odometry = d.add("odometry", bd.Odometry())
    for block in (lidar, marks):
        d.connect(robot["pose"], block["pose"])
    d.connect(robot["distance"], odometry["distance"])
    d.connect(robot["heading"], odometry["heading"])
    d.connect(odometry, slam["odometry"])
    for port in ("ranges", "bearings", "seen"):
        d.connect(marks[port], slam[port])
    result = d.simulate(stop=1.0)
    shown = animation(result, flat=d.compile().flat)
    (film,) = shown.films(np.array([0.0, 1.0]))
    parts = {part.label: part.lines for part in film.ground}
    assert [*parts] == ["lidar.scan", "marks.ranges", "landmarks", "slam.landmarks", "slam.pose"]
    colors = {part.label: part.color for part in film.ground}
    assert colors["slam.landmarks"] != colors["slam.pose"]
    starts, ends = parts["lidar.scan"][1].transpose(1, 0, 2)
    np.testing.assert_allclose(starts, np.tile(result.final("robot.pose")[:2], (8, 1)), atol=1e-9)
    np.testing.assert_allclose(np.abs(ends).max(axis=1), 2.0, atol=1e-9)
    star = parts["landmarks"][0].reshape(2, 6, 2)
    np.testing.assert_allclose(star.mean(axis=1), [[1.0, 1.5], [-1.0, 0.5]], atol=1e-12)
    np.testing.assert_allclose(parts["marks.ranges"][0][:, 1], [[1.0, 1.5], [-1.0, 0.5]], atol=1e-12)
    outline = parts["slam.pose"][0][:, 0] - result["slam.pose"].values[0, :2]
    P = result["slam.covariance"].values[0, :2, :2]
    spread = np.einsum("ki,ij,kj->k", outline, np.linalg.inv(P), outline)
    np.testing.assert_allclose(spread, chi2.ppf(0.95, 2), rtol=1e-9)
    assert parts["slam.landmarks"].shape == (2, 6 + 64, 2, 2)
    live = bd.LiveRun(d.compile(), stop=2.0)
    live.go_to(1.0)
    poses = Poses(live)
    assert poses.scene is not None
    assert [part["label"] for part in poses.scene["grounds"]] == [*parts]
    filmed = np.concatenate([film.motion.p[1, -1], *(part.lines[1].ravel() for part in film.ground)])
    numbers = poses.at(moment(live.timeline.rows.all, 1.0))
    tip = 3 * (film.motion.p.shape[1] - 1)
    seen = np.concatenate([numbers[tip : tip + 3], numbers[len(numbers) - len(filmed) + 3 :]])
    np.testing.assert_allclose(seen, filmed, atol=1e-9)
