"""What a file may get wrong about wheels: each is an error with line and name, or a declared outcome."""

from __future__ import annotations

import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.yaml import loads

CAR = """
  car: {type: Unicycle}
  v: {type: Constant, value: 1.0, unit: m/s}
  omega: {type: Constant, value: 0.1, unit: rad/s}"""
DRIVEN = """
  - v -> car.v
  - omega -> car.omega"""
KNOWN = "landmarks: [[5, 5], [1, 2]]"


def diagram(blocks: str, wires: str = "") -> bd.Diagram:
    wired = f"wires:{wires}\n" if wires else ""
    return loads(f"blockdyn: 1\nname: bad\nblocks:{blocks}\n{wired}simulate: {{stop: 30.0}}\n")


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("FollowPath, waypoints: [[0, 0], [1, 0], [1, 0]]", "points 2 and 3 are both"),
        ("FollowPath, spline: [[0, 0], [1, 0], [1, 0]]", "points 2 and 3 are both"),
        ("FollowPath, waypoints: [[0, 0], [1, .nan]]", r"waypoints\[1\]\[1\] is nan"),
        ("FollowPath, poses: [[0, 0, 0], [1, 1, 0]], radius: 0", "radius is 0"),
        ("FollowPath, poses: [[0, 0, 0], [0, 0, 0]]", "poses that differ"),
        ("FollowPath, arcs: [[1, 0], [0, 1]]", "row 2 is 0 m"),
        ("FollowPath, arcs: [[1, 0]], start: [0, 0]", "start: found the shape"),
        ("PurePursuit, waypoints: [[0, 0], [1, 0]], look_ahead: 0", "look_ahead is 0"),
        ('Lidar, map: {rows: ["#..", "#."]}', "as long as the first row"),
        ('Lidar, map: {rows: ["..."], resolution: .nan}', "resolution is nan"),
        ('Lidar, map: {rows: ["..."], origin: 3}', r"the corner \(x, y\)"),
        ('Lidar, map: {rows: ["."], origin: [5, 5]}', "outside its map"),
        ("RangeBearing, landmarks: [[5, 5], [5, 5]]", "0 and 1 are both at"),
    ],
)
def test_what_reads_the_pose(block: str, told: str) -> None:
    with pytest.raises(BlockdynError, match=told) as caught:
        diagram(f"{CAR}\n  bad: {{type: {block}}}", f"{DRIVEN}\n  - car.pose -> bad.pose").simulate()
    assert "<text>:7:" in str(caught.value)


@pytest.mark.parametrize("kind", ["EKFLocalization", "UKFLocalization", "ParticleFilter"])
@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("landmarks: [[5, 5], [5, 5]]", "0 and 1 are both at"),
        (f"{KNOWN}, P0: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]", "least eigenvalue is -1"),
        (f"{KNOWN}, V: [[1, 2], [2, 1]]", "least eigenvalue is -1"),
        (f"{KNOWN}, W: [[1, 1], [1, 1]]", "a covariance above 0"),
    ],
)
def test_what_filters_are_told(kind: str, parameters: str, told: str) -> None:
    with pytest.raises(BlockdynError, match=told) as caught:
        diagram(f"\n  bad: {{type: {kind}, {parameters}}}")
    assert "<text>:4:" in str(caught.value)


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("Bicycle, steering_limit: 1.5707963267948966", "less than pi/2"),
        ("Bicycle, wheelbase: 0", "greater than zero"),
        ("DifferentialDrive, slip: 1", "less than 1"),
        ("DifferentialDrive, wheel_radius: [1, 0]", r"wheel_radius\[1\] is 0"),
        ("Trailer, length: 1, initial_angle: 2", "less than the angle at which it jackknifes"),
    ],
)
def test_vehicles_that_there_are_not(block: str, told: str) -> None:
    with pytest.raises(BlockdynError, match=told):
        diagram(f"\n  bad: {{type: {block}}}")


def test_a_trailer_that_jackknifes_ends_the_run() -> None:
    blocks = """
  car: {type: Bicycle, wheelbase: 1.0}
  v: {type: Constant, value: -1.0}
  gamma: {type: Constant, value: 0.3}
  trailer: {type: Trailer, length: 2.0%s}"""
    wires = """
  - v -> car.v
  - gamma -> car.gamma
  - car.pose -> trailer.towed_by
  - car.speed -> trailer.speed
  - car.turn_rate -> trailer.turn_rate"""
    with pytest.raises(BlockdynError, match="jackknifed"):
        diagram(blocks % "", wires).simulate()
    r = diagram(blocks % ", tolerated: true", wires).simulate()
    assert r.complete
    assert r.statistics["end"] < 30.0
