"""Missions of QGroundControl: their points from home, their commands, and documents that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots.trajectories import TrajectoryError, local_position, minimum_snap, read_waypoints

HOME = [47.3977419, 8.5455938, 488.0]
NONE = [None] * 4


def item(
    command: int, lat: Any = None, lon: Any = None, altitude: Any = 0.0, frame: int = 3, first: Any = NONE
) -> Any:
    params = [*first, lat, lon, altitude]
    return {"type": "SimpleItem", "command": command, "frame": frame, "params": params, "autoContinue": True}


def plan(file: Path, *items: Any, **mission: Any) -> Path:
    content = {"plannedHomePosition": HOME, "items": [*items], "firmwareType": 12} | mission
    file.write_text(
        json.dumps({"fileType": "Plan", "version": 1, "groundStation": "QGroundControl", "mission": content})
    )
    return file


def degree(latitude: float) -> tuple[float, float]:
    """The length of a degree of latitude and of longitude, m: series of NIMA TR8350.2 for WGS 84."""
    c = [np.cos(k * np.radians(latitude)) for k in range(7)]
    meridian = 111132.954 - 559.822 * c[2] + 1.175 * c[4] - 0.0023 * c[6]
    return meridian, 111412.84 * c[1] - 93.5 * c[3] + 0.118 * c[5]


@pytest.mark.parametrize("latitude", [0.0, 45.0, -60.0])
def test_a_degree_has_the_length_that_wgs84_gives_it(latitude: float) -> None:
    places = [[latitude + 1e-3, 7.0, 130.0], [latitude, 7.0 + 1e-3, 100.0]]
    north, east = local_position(places, [latitude, 7.0, 100.0])
    np.testing.assert_allclose([north[0], east[1]], 1e-3 * np.array(degree(latitude)), rtol=2e-5)
    np.testing.assert_allclose([north[1], east[0], north[2], east[2]], [0.0, 0.0, -30.0, 0.0], atol=2e-3)


def test_positions_a_kilometre_away_turn_back_into_degrees() -> None:
    """North and east are the tangent plane's: from the other end the same distance, and its opposite."""
    there = [47.4067, 8.5588, 488.0]
    out, back = local_position(there, HOME)[0], local_position(HOME, there)[0]
    assert np.hypot(*out[:2]) == pytest.approx(np.hypot(*back[:2]), rel=1e-7)
    np.testing.assert_allclose(out[:2], -back[:2], rtol=1e-3)


def test_a_plan_is_flown_from_home_and_back(tmp_path: Path) -> None:
    survey = {
        "type": "ComplexItem", "complexItemType": "survey",
        "TransectStyleComplexItem": {"Items": [item(206), item(16, HOME[0] + 1e-3, HOME[1] + 1e-3, 30.0)]},
    }  # fmt: skip
    file = plan(
        tmp_path / "a.plan", item(22, 0, 0, 20.0), item(178, first=[1, 4.0, -1, 0]),
        item(16, HOME[0] + 1e-3, HOME[1], HOME[2] + 20.0, frame=0, first=[0, 0, 0, 90.0]),
        survey, item(20), hoverSpeed=9,
    )  # fmt: skip
    route = read_waypoints(file)
    north, east = 1e-3 * np.array(degree(HOME[0]))
    expected = [[0, 0, 0], [0, 0, -20], [north, 0, -20], [north, east, -30], [0, 0, -30], [0, 0, 0]]
    np.testing.assert_allclose(route["points"], expected, atol=0.02)
    assert (route["stops"], route["speed"]) == ([1, 4], 4.0)
    back = np.arctan2(-east, -north)
    np.testing.assert_allclose(route["heading"], [0, 0, np.pi / 2, back, back, back], atol=1e-3)
    flight = minimum_snap(**route)
    moving = flight.at(2001)
    assert np.linalg.norm(moving.velocity, axis=1).max() == pytest.approx(4.0, rel=1e-3)
    (tmp_path / "d.yaml").write_text(
        "blockdyn: 1\nblocks: {way: {type: FlightFile, file: a.plan, speed: 3.0, start: 1.0}}\n"
    )
    block = bd.load(tmp_path / "d.yaml").blocks["way"]
    assert block.flight.knots[0] == 1.0
    assert block.duration == pytest.approx((flight.knots[-1] - flight.knots[0]) * 4 / 3, rel=1e-6)


def test_lines_of_waypoints_begin_with_home(tmp_path: Path) -> None:
    rows = [
        (0, 1, 0, 16, 0, 0, 0, 0, *HOME, 1), (1, 0, 3, 22, 0, 0, 0, 0, 1, 2, 10, 1),
        (2, 0, 3, 16, 0, 0, 0, 0, HOME[0], HOME[1] - 1e-3, 10, 1),
        (3, 0, 3, 21, 0, 0, 0, 0, HOME[0], HOME[1], 0, 1),
    ]  # fmt: skip
    file = tmp_path / "a.txt"
    file.write_text("QGC WPL 110\r\n" + "".join("\t".join(map(str, row)) + "\r\n" for row in rows))
    route = read_waypoints(file)
    west = -1e-3 * degree(HOME[0])[1]
    expected = [[0, 0, 0], [0, 0, -10], [0, west, -10], [0, 0, -10], [0, 0, 0]]
    np.testing.assert_allclose(route["points"], expected, atol=0.02)
    assert (route["along"], route["stops"]) == (True, [1, 3])
    assert "speed" not in route
    with pytest.raises(TrajectoryError, match="the greatest speed, m/s"):
        minimum_snap(**route)
    assert minimum_snap(**route, speed=2.0).knots[0] == 0.0


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([item(16, 1.0, 2.0, 3.0, frame=10)], r"item 1 is an altitude of 3 m in frame 10"),
        ([item(16, 91.0, 2.0, 3.0)], r"item 1 is latitude 91"),
        ([item(16, None, 2.0, 3.0)], r"item 1 is latitude nan"),
        ([item(16, 0, 0, 3.0)], r"item 1 is latitude 0, longitude 0"),
        ([item(16, *HOME, first=[5, 0, 0, 0])], r"item 1: the time to hold is 5"),
        ([item(177)], r"item 1: the command is 177\nexpected: waypoints, take-off"),
        ([item(178, first=[1, 4, 0, 0]), item(178, first=[1, 5, 0, 0])], r"item 2: a change of speed is 5"),
        ([{"type": "ComplexItem", "complexItemType": "fwLandingPattern"}], r"item 1 is 'fwLandingPattern'"),
        ([{**item(16), "params": [1, 2]}], r"item 1 is \[1, 2\]\nexpected: 7 numbers"),
        ([{**item(16), "command": "go"}], r"item 1 is 'go'"),
        ([7], r"item 1 is 7"),
    ],
)
def test_commands_that_are_not_flown_are_named(tmp_path: Path, items: list[Any], message: str) -> None:
    with pytest.raises(TrajectoryError, match=message):
        read_waypoints(plan(tmp_path / "a.plan", *items))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.plan", "["), ("a.plan", "[" * 100000), ("a.plan", "{}"), ("a.plan", '{"mission": {"items": 3}}'),
        ("a.plan", "\0\udcff"), ("a.waypoints", ""), ("a.waypoints", "QGC WPL 110\n1 2 3\n"),
        ("a.waypoints", "QGC WPL 110\n0 1 0 16 0 0 0 0 1 2 nan 1\n1 0 nan 16 0 0 0 0 1 2 3 1\n"),
        ("a.waypoints", "QGC WPL 110\n0\t1\t3\t22\t0\t0\t0\t0\t1\t2\t3\t1\n"), ("a.waypoints", None),
    ],
)  # fmt: skip
def test_documents_that_are_no_missions_are_refused(tmp_path: Path, name: str, content: str | None) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(TrajectoryError, match=name):
        read_waypoints(tmp_path / name)
