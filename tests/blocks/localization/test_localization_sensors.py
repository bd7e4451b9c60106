"""Odometry, landmarks, scans and encoders: geometry by NumPy, covariances of noise, bad parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.diagrams.yaml import loads
from blockdyn.robots import planning
from blockdyn.robots.localization.models import beam, empty_squares

LANDMARKS = np.array([[8.0, 0.0], [0.0, 5.0], [-6.0, -2.0], [3.0, 9.0], [2.0, -7.0]])


def carried(sensor: bd.Block, poses: list[list[float]]) -> bd.Diagram:
    """A sensor that is at one pose after another, 1 s each."""
    d = bd.Diagram()
    times = [float(k) for k in range(len(poses))]
    d.connect(d.add("pose", bd.PiecewiseConstant(times=times, values=poses)), d.add("sensor", sensor))
    return d


def test_odometry_adds_up_and_its_noise_has_the_covariance() -> None:
    V = np.array([[4e-4, -5e-5], [-5e-5, 1e-4]])
    d = bd.Diagram()
    d.connect(d.add("car", bd.Unicycle())["*"], d.add("exact", bd.Odometry(V=0.0))["*"])
    d.connect(d["car"]["*"], d.add("noisy", bd.Odometry(V=V))["*"])
    d.connect(d.add("v", bd.Sine(bias=1.0)), d["car"]["v"])
    d.connect(d.add("omega", bd.Constant(-0.3)), d["car"]["omega"])
    log = ["car.distance", "car.heading", "exact", "noisy"]
    r = d.simulate(stop=2000.0, times=np.arange(20001) / 10.0, seed=4, log=log)
    exact, noisy = r["exact.odometry"].values, r["noisy.odometry"].values
    np.testing.assert_array_equal(noisy[0], [0.0, 0.0])
    total = np.stack([r["car.distance"].values, r["car.heading"].values], axis=1)
    np.testing.assert_allclose(np.cumsum(exact, axis=0), total - total[0], atol=1e-9)
    # a variance of n samples is off by sqrt(2 / n) of itself, 1 %
    np.testing.assert_allclose(np.cov((noisy - exact)[1:].T), V, atol=0.04 * 4e-4)


def test_ranges_and_bearings_are_those_of_the_plane() -> None:
    poses = [[0.0, 0.0, 0.0], [1.0, -2.0, 7.0], [-3.0, 4.0, -9.5]]
    r = carried(bd.RangeBearing(LANDMARKS, W=0.0, sample_time=1.0), poses).simulate(stop=2.0, every=1.0)
    for k, (x, y, heading) in enumerate(poses):
        towards = (LANDMARKS @ [1.0, 1j] - complex(x, y)) * np.exp(-1j * heading)
        np.testing.assert_allclose(r["sensor.ranges"].values[k], np.abs(towards), rtol=1e-14)
        np.testing.assert_allclose(r["sensor.bearings"].values[k], np.angle(towards), atol=1e-13)
    assert (r["sensor.seen"].values == 1.0).all()


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"maximum": 7.5}, [0, 1, 1, 0, 1]),
        ({"minimum": 7.0}, [1, 0, 0, 1, 1]),
        ({"field_of_view": math.pi / 2}, [1, 0, 0, 0, 0]),
        ({"field_of_view": math.pi + 0.01}, [1, 1, 0, 1, 1]),
        ({"report": "nearest"}, [0, 1, 0, 0, 0]),
        ({"report": "nearest", "minimum": 6.0}, [0, 0, 1, 0, 0]),
        ({"maximum": 4.0}, [0, 0, 0, 0, 0]),
    ],
)
def test_only_landmarks_in_view_are_seen(parameters: dict[str, object], expected: list[float]) -> None:
    r = carried(bd.RangeBearing(LANDMARKS, **parameters), [[0.0, 0.0, 0.0]]).simulate(stop=0.05)
    np.testing.assert_array_equal(r.final("sensor.seen"), expected)
    assert (r.final("sensor.ranges")[np.array(expected) == 0] == 0.0).all()


def test_one_at_random_is_each_of_those_in_view_as_often_and_noise_has_the_covariance() -> None:
    W = np.array([[0.01, 0.0005], [0.0005, 3e-4]])
    one = bd.RangeBearing(LANDMARKS, W=W, report="random", maximum=8.5, every=2)
    r = carried(one, [[0.0, 0.0, 0.0]]).simulate(stop=2000.0, times=np.arange(20001) / 10.0)
    seen = r["sensor.seen"].values
    np.testing.assert_array_equal(seen.sum(axis=1), np.arange(20001) % 2 == 0)
    np.testing.assert_allclose(seen.sum(axis=0) / 10000, [0.25, 0.25, 0.25, 0.0, 0.25], atol=0.02)
    first = seen[:, 0] == 1.0
    errors = np.stack([r["sensor.ranges"].values[first, 0] - 8.0, r["sensor.bearings"].values[first, 0]])
    np.testing.assert_allclose(np.cov(errors), W, atol=0.001)


@pytest.fixture(scope="module")
def room() -> planning.OccupancyMap:
    """Boxes between walls, the upper wall with a door."""
    cells = np.zeros((60, 80))
    cells[0] = cells[-1] = cells[:, 0] = cells[:, -1] = 1
    cells[-1, 60:70] = 0
    cells[20:30, 15:22] = cells[40:42, 30:50] = cells[10, 60] = 1
    return planning.OccupancyMap(cells, 0.25, [-3.0, -2.0])


def nearest_square(of: planning.OccupancyMap, pose: list[float], angle: float, farthest: float) -> float:
    """The ray against every occupied square, by its slabs."""
    low = of.origin + of.resolution * np.argwhere(of.occupied)[:, ::-1]
    direction = np.array([math.cos(pose[2] + angle), math.sin(pose[2] + angle)])
    with np.errstate(divide="ignore"):  # along an axis
        one, two = (low - pose[:2]) / direction, (low + of.resolution - pose[:2]) / direction
    enter, leave = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    hits = enter[(enter < leave) & (enter >= 0.0)]
    return min(float(hits.min()) if len(hits) else math.inf, farthest)


def test_a_scan_meets_the_nearest_occupied_square(room: planning.OccupancyMap) -> None:
    poses = [[2.0, 1.0, 0.1], [10.3, 7.7, -2.0], [-2.5, 11.1, 5.0], [13.1, 10.9, 1.3]]
    lidar = bd.Lidar(room, beams=180, maximum=12.0, noise=0.0, sample_time=1.0)
    scans = carried(lidar, poses).simulate(stop=3.0, every=1.0)["sensor.scan"].values
    angles = -math.pi + 2.0 * math.pi * np.arange(180) / 180
    for pose, scan in zip(poses, scans):
        expected = [nearest_square(room, pose, angle, 12.0) for angle in angles]
        np.testing.assert_allclose(scan, expected, atol=1e-11)
    assert scans.max() == 12.0  # through the door


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.005, 0.05, 0.3, 0.8])
def test_no_leap_over_empty_squares_misses_a_cell(share: float) -> None:
    rng = np.random.default_rng(int(1e4 * share))
    for rows, columns in ((1, 300), (300, 1), (90, 130)):
        of = planning.OccupancyMap(rng.random((rows, columns)) < share)
        squares = empty_squares(of.occupied)
        for row, column in rng.permutation(np.argwhere(~of.occupied))[:40]:
            x, y = column + rng.choice([0.5, 0.01, rng.random()]), row + rng.choice([0.5, 0.99, rng.random()])
            for angle in (*rng.uniform(-7.0, 7.0, 6), 0.0, math.pi / 2, math.pi, math.atan2(1.0, 3.0)):
                expected = nearest_square(of, [x, y, 0.0], angle, 200.0)
                assert beam(squares, x, y, angle, 200.0) == pytest.approx(expected, abs=1e-10)


def test_an_empty_square_is_as_large_as_the_cells_allow() -> None:
    occupied = np.random.default_rng(2).random((12, 17)) < 0.1
    packed = empty_squares(occupied).astype(np.int64)
    for (row, column), cell in np.ndenumerate(packed):
        for digit, (i, j) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
            rows, columns = (occupied[row:, :] if i > 0 else occupied[row::-1]), slice(column, None, j)
            meets = (side for side in range(18) if rows[: side + 1, columns][:, : side + 1].any())
            assert cell >> 12 * digit & 4095 == next(meets, 4095)


def test_scans_of_a_part_of_a_turn_their_noise_and_what_is_no_place(room: planning.OccupancyMap) -> None:
    part = bd.Lidar(room, beams=3, field_of_view=math.pi, maximum=30.0, noise=0.05)
    scans = carried(part, [[7.0, 5.0, math.pi / 2]]).simulate(stop=500.0, every=0.1)["sensor.scan"].values
    np.testing.assert_allclose(scans.mean(axis=0), [9.75, 3.0, 4.5], atol=0.01)
    np.testing.assert_allclose(scans.std(axis=0), 0.05, rtol=0.05)
    inside = carried(bd.Lidar(room, beams=5), [[1.0, 4.0, 0.0]]).simulate(stop=0.05)
    np.testing.assert_allclose(inside.final("sensor.scan"), 0.0, atol=0.05)
    with pytest.raises(bd.RunError, match=r"sensor.*outside its map"):
        carried(bd.Lidar(room, beams=5), [[-3.1, 4.0, 0.0]]).simulate(stop=0.05)


def test_encoders_count_steps_and_their_increments_make_odometry() -> None:
    r, W, steps = 0.033, 0.16, 4096
    d = bd.Diagram()
    robot = d.add("robot", bd.DifferentialDrive(vehicle="turtlebot3-burger"))
    d.connect(d.add("left", bd.Sine(amplitude=3.0)), robot["left"])
    d.connect(d.add("right", bd.Sine(amplitude=2.0, frequency=2.0)), robot["right"])
    d.connect(robot["wheel_angles"], d.add("encoders", bd.WheelEncoders(steps=steps)))
    d.connect(
        d["encoders"]["increments"], d.add("odometry", bd.MatrixGain([[r / 2, r / 2], [-r / W, r / W]]))
    )
    d.connect("odometry", d.add("estimate", bd.DeadReckoning()))
    run = d.simulate(stop=20.0, every=0.1)
    angles = run["robot.wheel_angles"].values
    np.testing.assert_array_equal(run["encoders.counts"].values, np.floor(angles * steps / (2.0 * math.pi)))
    assert (
        abs(run.final("robot.pose")[2] - run.final("estimate.pose")[2]) <= 2.0 * math.pi / steps * r / W * 2
    )
    np.testing.assert_allclose(run.final("estimate.pose")[:2], run.final("robot.pose")[:2], atol=2e-3)


@pytest.mark.parametrize(
    ("block", "parameters", "message"),
    [
        (bd.Odometry, {"V": [-1e-4, 1e-4]}, "V"),
        (bd.Odometry, {"V": [[1.0, 2.0], [2.0, 1.0]]}, "least eigenvalue is -1"),
        (bd.Odometry, {"V": [1.0, 2.0, 3.0]}, "V"),
        (bd.RangeBearing, {"landmarks": [[1, 2], [3, 4], [1, 2]]}, r"0 and 2 are both at \[1.0, 2.0\]"),
        (bd.RangeBearing, {"landmarks": [[1, 2, 3]]}, "landmarks"),
        (bd.RangeBearing, {"landmarks": LANDMARKS, "minimum": 5.0, "maximum": 5.0}, "minimum"),
        (bd.RangeBearing, {"landmarks": LANDMARKS, "every": 0}, "every"),
        (bd.RangeBearing, {"landmarks": LANDMARKS, "report": "farthest"}, "report"),
        (bd.Lidar, {"map": 3}, "map"),
        (bd.Lidar, {"map": "nowhere.yaml"}, "nowhere.yaml"),
        (bd.WheelEncoders, {"wheels": 0}, "wheels"),
    ],
)
def test_bad_parameters(block: type[bd.Block], parameters: dict[str, object], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        block(**parameters)


def test_a_map_in_memory_is_written_as_rows_and_read_back() -> None:
    """The highest y comes first; cell [0, 1] of 0.5 m at (-1, 2) begins 0.5 m ahead of (-1, 2.25)."""
    d = bd.Diagram("drawn")
    d.connect(
        d.add("pose", bd.Constant([-0.99, 2.25, 0.0])),
        d.add(
            "lidar", bd.Lidar(planning.OccupancyMap([[0, 1], [0, 0]], 0.5, [-1.0, 2.0]), beams=1, noise=0.0)
        ),
    )
    text = bd.dumps(d)
    assert 'rows: ["..", ".#"]' in text
    again = loads(text)
    assert bd.dumps(again) == text
    assert again.simulate(stop=0.1).final("lidar.scan") == pytest.approx(0.49, abs=1e-12)


@pytest.mark.parametrize(
    ("map", "said"),
    [
        ({"rows": ["#.", "#"]}, r"rows\[1\] is '#'"),
        ({"rows": ["#x"]}, r"rows\[0\] is '#x'"),
        ({"rows": 3}, "rows is 3"),
        ({"cells": 1}, "a mapping with the key 'cells'"),
        ({"rows": ["#."], "resolution": -1.0}, "resolution is -1.0"),
    ],
)
def test_rows_that_draw_no_map_are_refused(map: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        bd.Lidar(map).constants()


@pytest.mark.parametrize(("speed", "inside"), [(1.0, True), (0.2, False)])
def test_a_lidar_in_a_wall_is_noticed(speed: float, inside: bool) -> None:
    """From x = 0.5 m, the wall begins at 2 m: after 1.5 s at 1 m/s."""
    d = bd.Diagram("wall")
    d.add("robot", bd.Unicycle(initial_pose=[0.5, 0.5, 0.0]))
    d.connect(d.add("v", bd.Constant(speed)), "robot.v")
    d.connect(d.add("omega", bd.Constant(0.0)), "robot.omega")
    d.connect("robot.pose", d.add("lidar", bd.Lidar(map={"rows": ["..##"]}, beams=4, sample_time=0.1)))
    notices = [text for text in d.simulate(stop=2.0).notices if text.startswith("lidar: ")]
    assert len(notices) == inside
    if inside:
        assert float(notices[0].split()[2]) == pytest.approx(1.5, abs=0.11)
