"""Films show what a diagram holds: the map of its sensors, wind, rotors that stand still; colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.plots.films.animation import animation
from blockdyn.robots import load_vehicle
from blockdyn.robots.planning import OccupancyMap
from blockdyn.robots.shapes.solids import UNPAINTED

ROOM = {"rows": ["#####", "#...#", "#...#", "#####"], "resolution": 1.0, "origin": [-1.0, -1.0]}


@pytest.fixture(scope="module")
def seen() -> bd.Result:
    d = bd.Diagram("room")
    robot = d.add("robot", bd.Unicycle(initial_pose=[0.5, 0.5, 0.0]))
    d.connect(d.add("v", bd.Constant(0.1)), robot["v"])
    d.connect(d.add("omega", bd.Constant(0.2)), robot["omega"])
    for name in ("front", "rear", "third", "fourth"):
        d.connect(robot["pose"], d.add(name, bd.Lidar(map=ROOM, beams=8, sample_time=0.5)))
    return d.simulate(stop=1.0)


def test_the_map_of_a_sensor_stands_around(seen: bd.Result) -> None:
    shown = animation(seen)
    assert shown.map is not None
    assert shown.map.occupied.astype(int).tolist() == [
        [1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1],
    ]  # fmt: skip
    corners = np.vstack([face.corners for face in shown.films(np.array([0.0]))[0].scenery])
    np.testing.assert_allclose(corners[:, :2].min(axis=0), [-1.0, -1.0])
    np.testing.assert_allclose(corners[:, :2].max(axis=0), [4.0, 3.0])


def test_a_film_takes_the_maps_that_blocks_take(seen: bd.Result, tmp_path: Path) -> None:
    other = OccupancyMap([[1, 0], [0, 1]])
    rows = animation(seen, map={"rows": [".#", "#."]}).map
    assert rows is not None
    np.testing.assert_array_equal(rows.occupied, other.occupied)
    assert animation(seen, map=other).map is other
    with pytest.raises(bd.BlockdynError, match=r"rows\[0\]"):
        animation(seen, map={"rows": [".x"]})


def test_no_sensor_has_the_colour_of_the_robot(seen: bd.Result) -> None:
    colors = [lines.color for lines in animation(seen).ground_lines]
    assert len({*colors}) == 4
    assert not {UNPAINTED.trail, UNPAINTED.turning} & {*colors}


@pytest.fixture(scope="module")
def flown() -> bd.Result:
    d = bd.Diagram("windy")
    start = {"motors": True, "body_drag": True, "initial_position": [1.0, 2.0, -3.0]}
    craft = d.add("craft", bd.NRotor(vehicle="hummingbird", **start))
    d.connect(d.add("speeds", bd.Constant(load_vehicle("hummingbird").hover_speeds())), craft["omega"])
    d.connect(d.add("air", bd.Constant([3.0, 4.0, 1.0])), craft["wind"])
    lost = bd.Step(time=0.2, initial=[1.0, 1.0, 1.0, 1.0], final=[1.0, 0.0, 1.0, 1.0])
    d.connect(d.add("lost", lost), craft["health"])
    return d.simulate(stop=0.4)


def test_wind_is_an_arrow_below_the_vehicle(flown: bd.Result) -> None:
    """5 m/s, along x and to the right: as long as the vehicle, and in the film, z up, towards -y."""
    (film,) = animation(flown).films(np.array([0.0, 0.4]))
    (wind,) = film.ground
    assert wind.label == "wind"
    start, end = wind.lines[0, 0]
    np.testing.assert_allclose(start, [1.0, -2.0], atol=1e-12)
    np.testing.assert_allclose(end - start, np.array([0.6, -0.8]) * film.extent, rtol=1e-9)
    for barb in wind.lines[0, 1:]:
        np.testing.assert_allclose(barb[1], end, atol=1e-12)


def test_a_lost_rotor_stands_still(flown: bd.Result) -> None:
    times = np.linspace(0.25, 0.4, 7)
    (film,) = animation(flown).films(times)
    body = film.motion.R[:, -1]
    blades = np.einsum("kji,knjl->knil", body, film.motion.R[:, :4])  # in the axes of the body
    turning = [np.ptp(blades[:, i], axis=0).max() > 0.1 for i in range(4)]
    assert turning == [True, False, True, True]
