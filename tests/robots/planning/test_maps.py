"""Occupancy maps: where cells are, what a line meets, what a disc leaves free, and maps from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.distance import cdist

from blockdyn.robots.planning import OccupancyMap, PlanningError, astar, read_image, read_map

RNG = np.random.default_rng(7)
ROS = """\
image: {image}
resolution: 0.05
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def random_map(seed: int, rows: int, columns: int, share: float = 0.2, resolution: float = 0.5) -> Any:
    rng = np.random.default_rng(seed)
    return OccupancyMap(rng.random((rows, columns)) < share, resolution, [-3.0, 2.0])


def test_a_cell_holds_its_centre_and_its_lower_corner() -> None:
    of = random_map(0, 7, 11)
    cells = np.argwhere(np.ones(of.shape, bool))
    assert (of.cell(of.centre(cells)) == cells).all()
    assert of.cell([-3.0, 2.0]).tolist() == [0, 0]
    assert of.centre([2, 3]).tolist() == [-3.0 + 3.5 * 0.5, 2.0 + 2.5 * 0.5]
    assert of.extent == (-3.0, 2.5, 2.0, 5.5)


def test_what_lies_outside_is_not_free() -> None:
    of = OccupancyMap(np.zeros((2, 3)))
    assert of.is_free([[0, 0], [3, 0], [0, 2], [-1e-9, 0], [2.999, 1.999], [1e300, 0]]).tolist() == [
        True, False, False, False, True, False,
    ]  # fmt: skip


def test_a_line_is_in_sight_where_a_thousand_points_of_it_are_free() -> None:
    of = random_map(1, 30, 40)
    ends = RNG.uniform([-3.0, 2.0], [17.0, 17.0], (3000, 2, 2))
    seen = [of.in_sight(a, b) for a, b in ends]
    along = np.linspace(0.0, 1.0, 1000)[:, np.newaxis]
    free = np.array([of.is_free(a + along * (b - a)).all() for a, b in ends])
    assert free[seen].all()
    # a corner that is cut by less than the distance of two points is all that those can miss
    assert (free & ~np.array(seen)).sum() <= 5
    assert 100 < sum(seen) < 2900


def test_a_line_between_two_occupied_cells_that_touch_is_not_in_sight() -> None:
    of = OccupancyMap([[0, 1], [1, 0]])
    assert not of.in_sight([0.5, 0.5], [1.5, 1.5])
    assert not of.in_sight([1.5, 1.5], [0.5, 0.5])
    assert OccupancyMap(np.zeros((2, 2))).in_sight([0.5, 0.5], [1.5, 1.5])


@pytest.mark.parametrize("radius", [0.1, 0.5, 0.75, 1.3, 2.5, 100.0])
def test_inflation_keeps_the_radius_from_every_point_of_a_free_cell(radius: float) -> None:
    """Against the distances of all pairs of squares."""
    of = random_map(2, 17, 23, 0.03)
    cells = np.argwhere(np.ones(of.shape, bool))
    apart = np.maximum(np.abs(cells[:, np.newaxis] - np.argwhere(of.occupied)) - 1, 0) * of.resolution
    nearest = np.sqrt((apart**2).sum(axis=2)).min(axis=1).reshape(of.shape)
    assert (of.inflated(radius).occupied == (of.occupied | (nearest < radius))).all()


def test_a_corridor_as_wide_as_the_disc_stays_open() -> None:
    walls = np.zeros((9, 5))
    walls[[0, 8]] = 1
    of = OccupancyMap(walls, 0.1)
    assert (~of.inflated(0.3).occupied).sum(axis=0).tolist() == [1] * 5  # 3 cells on either side
    assert of.inflated(0.31).occupied.all()


def test_clearance_is_the_distance_of_centres() -> None:
    of = random_map(3, 19, 13, 0.05)
    cells = np.argwhere(np.ones(of.shape, bool))
    expected = cdist(cells, np.argwhere(of.occupied)).min(axis=1).reshape(of.shape) * of.resolution
    np.testing.assert_allclose(of.clearance, expected, rtol=1e-14)
    assert np.isinf(OccupancyMap(np.zeros((2, 2))).clearance).all()


def test_a_map_does_not_change_with_the_array_it_came_from() -> None:
    table = np.zeros((2, 2), bool)
    of = OccupancyMap(table)
    later = of.changed([0, 1])
    table[:] = True
    assert not of.occupied.any()
    assert later.occupied.tolist() == [[False, True], [False, False]]
    assert not later.changed([[0, 1]], occupied=False).occupied.any()


@pytest.mark.parametrize("suffix", [".pgm", ".png"])
def test_a_map_of_ros(tmp_path: Path, suffix: str) -> None:
    """White 254 is free, black 0 occupied, 205 unknown, as map_saver has it; the first row is the top."""
    grey = np.array([[254, 0, 205], [254, 254, 0]], np.uint8)
    Image.fromarray(grey).save(tmp_path / f"map{suffix}")
    file = tmp_path / "map.yaml"
    file.write_text(ROS.format(image=f"map{suffix}"))
    of = read_map(file)
    assert of.occupied.tolist() == [[False, False, True], [False, True, True]]
    assert (of.resolution, of.origin.tolist()) == (0.05, [-1.0, -2.0])
    assert read_map(file, unknown="free").occupied.tolist() == [[False, False, True], [False, True, False]]
    file.write_text(ROS.format(image=f"map{suffix}").replace("negate: 0", "negate: 1"))
    assert read_map(file).occupied.tolist() == [[True, True, False], [True, False, True]]


@pytest.mark.parametrize("turns", [-1, 1, 2])
def test_a_map_of_ros_may_be_turned_by_quarters(tmp_path: Path, turns: int) -> None:
    grey = np.where(np.random.default_rng(7).random((4, 7)) < 0.4, 0, 254).astype(np.uint8)
    Image.fromarray(grey).save(tmp_path / "map.pgm")
    file = tmp_path / "map.yaml"
    file.write_text(ROS.format(image="map.pgm"))
    level = read_map(file)
    file.write_text(ROS.format(image="map.pgm").replace("0.0]", f"{turns * np.pi / 2}]"))
    turned = read_map(file)
    assert np.array_equal(turned.occupied[::-1], np.rot90(level.occupied[::-1], turns))
    lowest = {-1: (0.0, -7 * 0.05), 1: (-4 * 0.05, 0.0), 2: (-7 * 0.05, -4 * 0.05)}[turns]
    np.testing.assert_allclose(turned.origin, level.origin + lowest, atol=1e-12)


@pytest.mark.parametrize("yaw", [0.3, -2.0, 0.01])
def test_a_turned_map_is_free_where_all_of_a_cell_is(tmp_path: Path, yaw: float) -> None:
    """Against points in the cells, turned back; and against points that reach a little beyond them."""
    grey = np.where(np.random.default_rng(8).random((12, 17)) < 0.1, 0, 254).astype(np.uint8)
    Image.fromarray(grey).save(tmp_path / "map.pgm")
    file = tmp_path / "map.yaml"
    file.write_text(ROS.format(image="map.pgm"))
    level = read_map(file)
    file.write_text(ROS.format(image="map.pgm").replace("0.0]", f"{yaw}]"))
    turned = read_map(file)
    back = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    cells = np.argwhere(np.ones(turned.shape, bool))
    for beyond, holds in ((-1e-6, np.greater_equal), (0.05, np.less_equal)):
        steps = np.linspace(-0.5 - beyond, 0.5 + beyond, 41) * turned.resolution
        shifts = np.array([(x, y) for x in steps for y in steps])
        points = turned.centre(cells)[:, None] + shifts - level.origin
        blocked = ~level.is_free((points @ back.T + level.origin).reshape(-1, 2)).reshape(len(cells), -1)
        assert holds(turned.occupied.ravel(), blocked.any(axis=1)).all()
    assert not turned.occupied.all()


def test_images_of_sixteen_bits_and_of_colours(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 65535]], np.uint16)).save(tmp_path / "wide.png")
    Image.new("RGB", (2, 1), "white").save(tmp_path / "colours.png")
    assert read_image(tmp_path / "wide.png", 1.0).occupied.tolist() == [[True, False]]
    assert not read_image(tmp_path / "colours.png", 1.0).occupied.any()


CLEAR = {
    "RGBA": np.array([[[255] * 4, [255, 255, 255, 0], [0, 0, 0, 255], [255, 255, 255, 254]]], np.uint8),
    "LA": np.array([[[255, 255], [255, 0], [0, 255], [255, 254]]], np.uint8),
}


@pytest.mark.parametrize("kind", ["RGBA", "LA"])
@pytest.mark.parametrize(
    ("mode", "unknown", "cells"),
    [
        ("trinary", "occupied", [0, 1, 1, 0]),
        ("trinary", "free", [0, 0, 1, 0]),
        ("scale", "occupied", [0, 1, 1, 1]),
        ("scale", "free", [0, 0, 1, 0]),
    ],
)
def test_transparent_cells_are_unknown(
    tmp_path: Path, kind: str, mode: str, unknown: Any, cells: list[int]
) -> None:
    """nav2's map_io.cpp: trinary maps take opacity as a fourth colour, others have no unclear free cells."""
    Image.fromarray(CLEAR[kind], kind).save(tmp_path / "map.png")
    (tmp_path / "map.yaml").write_text(ROS.format(image="map.png") + f"mode: {mode}\n")
    assert read_map(tmp_path / "map.yaml", unknown=unknown).occupied[0].astype(int).tolist() == cells


@pytest.mark.parametrize("kind", ["L", "RGB", "P", "I;16", "1"])
def test_a_colour_that_a_file_declares_transparent_is_unknown(tmp_path: Path, kind: str) -> None:
    image = Image.fromarray(np.array([[255, 0]], np.uint8))
    clear: Any = {"RGB": (255, 255, 255), "I;16": 65535}.get(kind, 255)
    if kind == "I;16":
        image = Image.fromarray(np.array([[65535, 0]], np.uint16))
    elif kind == "P":
        image = image.convert("RGB").convert("P")
        clear = image.getpixel((0, 0))
    else:
        image = image.convert(kind)
    image.save(tmp_path / "map.png", transparency=clear)
    with Image.open(tmp_path / "map.png") as saved:
        assert "transparency" in saved.info
    for mode in ("trinary", "scale"):
        assert read_image(tmp_path / "map.png", 1.0, mode=mode).occupied.tolist() == [[True, True]]
        of = read_image(tmp_path / "map.png", 1.0, mode=mode, unknown="free")
        assert of.occupied.tolist() == [[False, True]]


@pytest.mark.parametrize("palette", [False, True])
def test_the_grey_of_a_colour_is_the_mean(tmp_path: Path, palette: bool) -> None:
    """Pure green is 85: p = 2/3, occupied; by luminance it would be 150 and unknown."""
    image = Image.new("RGB", (1, 1), (0, 255, 0))
    (image.convert("P") if palette else image).save(tmp_path / "map.png")
    assert read_image(tmp_path / "map.png", 1.0, unknown="free").occupied.all()


def test_keys_of_other_programs_are_ignored(tmp_path: Path) -> None:
    Image.fromarray(np.array([[254, 0]], np.uint8)).save(tmp_path / "map.png")
    text = ROS.format(image="map.png") + "map_type: occupancy\ncost_scaling: {factor: 3}\n"
    (tmp_path / "map.yaml").write_text(text)
    assert read_map(tmp_path / "map.yaml").occupied.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("resolution: 0.05", "resolution: -1"), r"map.yaml:2\S*: resolution is -1"),
        (("resolution: 0.05\n", ""), "map.yaml: resolution is missing"),
        (("0.0]", ".nan]"), r"map.yaml:3\S*: origin"),
        (("negate: 0", "negate: 2"), r"map.yaml:4\S*: negate is 2"),
        (("negate: 0", "mode: raw"), r"map.yaml:4\S*: mode is 'raw'"),
        (("occupied_thresh: 0.65", "occupied_thresh: 0.1"), "free_thresh is"),
        (("occupied_thresh", "occupied_tresh"), r"map.yaml:5\S*: a key .*occupied_thresh"),
        (("image: map.pgm", "image: other.pgm"), "other.pgm, not readable"),
        (("image: map.pgm", "image: map.yaml"), "map.yaml, not readable"),
        (("image: map.pgm", "image: [1]"), r"map.yaml:1\S*: image is \[1\]"),
        (("image: map.pgm", "image: !!python/name:os.system x"), r"map.yaml:1"),
    ],
)
def test_maps_that_are_wrong_say_where(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    Image.fromarray(np.zeros((2, 2), np.uint8)).save(tmp_path / "map.pgm")
    (tmp_path / "map.yaml").write_text(ROS.format(image="map.pgm").replace(*change))
    with pytest.raises(PlanningError, match=f"(?s){message}"):
        read_map(tmp_path / "map.yaml")


def test_an_image_of_too_many_pixels_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "huge.pgm").write_bytes(b"P5 8000 8000 255\n" + bytes(10))
    with pytest.raises(PlanningError, match="8000 by 8000"):
        read_image(tmp_path / "huge.pgm", 1.0)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 1], [0]], "rows of one length"),
        ([[0, float("nan")]], "occupied"),
        ([[0, 0.5]], r"occupied\[0, 1\] is 0.5"),
        ([0, 1], "rows of one length"),
        ([], "rows of one length"),
        ("free", "rows of one length"),
        ([[2**70]], "occupied"),
        (np.zeros((5000, 5000), bool), "coarser"),
    ],
)
def test_tables_that_are_no_maps(table: Any, message: str) -> None:
    with pytest.raises(PlanningError, match=message):
        OccupancyMap(table)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda of: OccupancyMap([[0]], 0.0),
        lambda of: OccupancyMap([[0]], 1.0, [1.0]),
        lambda of: of.inflated(0.0),
        lambda of: of.cell([1.0, 2.0, 3.0]),
        lambda of: of.cell([np.nan, 0.0]),
        lambda of: of.changed([5, 0]),
        lambda of: of.changed([0.5, 0]),
        lambda of: of.in_sight([0.0, 0.0], [1.0]),
        lambda of: of.plot([[1.0, 2.0, 3.0]]),
        lambda of: astar(of, "here", [0, 0]),
        lambda of: astar([[0, 0]], [0, 0], [0, 0]),
    ],
)
def test_arguments_that_mean_nothing(wrong: Any) -> None:
    with pytest.raises(PlanningError):
        wrong(OccupancyMap(np.zeros((2, 2))))


def test_a_picture_has_the_map_and_the_path_in_metres() -> None:
    of = OccupancyMap(np.zeros((4, 6)), 0.5, [1.0, 2.0])
    axes = of.plot(astar(of, [1.1, 2.1], [3.9, 3.9]))
    assert axes.images[0].get_extent() == [1.0, 4.0, 2.0, 4.0]
    assert axes.lines[0].get_xydata()[0].tolist() == [1.1, 2.1]
