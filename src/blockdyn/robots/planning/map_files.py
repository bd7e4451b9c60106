"""Occupancy maps are read from images, ROS's YAML files and rows of characters; nothing is executed."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.words import nearest
from ...base.yaml.limits import read_text
from ...base.yaml.positions import Node
from ...base.yaml.reader import parse
from ...base.yaml.words import DocumentError, Form
from .arguments import Array, PlanningError, numbers, positive, refusal, vector
from .occupancy_map import MOST, OccupancyMap

FORMATS = ("PNG", "PPM")  # Pillow's names: PPM includes PGM
WIDE = 65535.0  # white with 16 bits
BROKEN = OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error, zlib.error


def read_pixels(file: Path) -> tuple[Array, Array | None]:
    """Grey from 0, black, to 1, white, and opacity from 0 to 1: (rows, columns), the uppermost row first.

    The grey of a colour is the mean of red, green and blue. The opacity is None if the image has none.
    Raises PlanningError for a file that is not such an image, or has more than 2^24 pixels.
    """
    from PIL import Image

    try:
        with file.open("rb") as stream, Image.open(stream, formats=FORMATS) as image:
            if image.width * image.height <= MOST:
                clear = image.info.get("transparency")  # a grey, a colour or entries of a palette
                if image.mode.startswith("I"):
                    wide = np.asarray(image, np.float64)
                    return wide / WIDE, None if clear is None else np.asarray(wide != clear, np.float64)
                if "A" in image.getbands() or clear is not None:
                    pixels = np.asarray(image.convert("RGBA")) / 255.0
                    return _mean(pixels[..., :3]), pixels[..., 3]
                if image.mode in ("1", "L"):
                    return np.asarray(image.convert("L")) / 255.0, None
                return _mean(np.asarray(image.convert("RGB")) / 255.0), None
            size = f"{image.width} by {image.height} pixels"
    except (*BROKEN, Image.DecompressionBombError) as error:
        raise PlanningError("file", f"{file}, not readable: {error}", "an image, PNG or PGM") from None
    raise PlanningError("file", f"{file}, {size}", f"at most {MOST}; take a coarser resolution")


def _mean(colours: Array) -> Array:
    return np.asarray(colours.mean(axis=2))


Unknown = Literal["occupied", "free"]
Mode = Literal["trinary", "scale"]

FORM = Form("map", "image: map.pgm", "a map's YAML file has six lines; the cells are in its image")
KEYS = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode")
NEEDED = KEYS[:3]
MISSPELT = 0.8  # difflib's ratio above which an unknown key is a misspelling of a valid key
DIGITS = 9  # decimals of a pixel: smaller differences are rounding
OCCUPIED, FREE = 0.65, 0.196  # defaults of map_server of ROS for the two thresholds


@checked_numbers(refusal)
def read_image(
    file: str | PathLike[str], resolution: float, *, origin: ArrayLike = (0.0, 0.0), negate: bool = False,
    occupied_thresh: float = OCCUPIED, free_thresh: float = FREE, unknown: Unknown = "occupied",
    mode: Mode = "trinary",
) -> OccupancyMap:  # fmt: skip
    """The map of an image, PNG or PGM; each pixel is a cell with the side `resolution`, m.

    Black is occupied, white free; `negate` swaps these. A cell with p = (255 - grey) / 255 is occupied if p >
    occupied_thresh and free if p < free_thresh; in between it is unknown, and counts as `unknown`. The grey
    of a colour is the mean of red, green and blue. If the image has transparency, the mode `trinary` takes
    the opacity as a fourth colour, so that white and transparent is unknown; with `scale` every pixel that
    is not opaque is unknown. `origin` (x, y), m, is the lower left corner. Raises PlanningError.

    Source: map_server of ROS, section "Value Interpretation", wiki.ros.org/map_server, and map_io.cpp of
    nav2_map_server, github.com/ros-navigation/navigation2.
    """
    low, high = _threshold("free_thresh", free_thresh), _threshold("occupied_thresh", occupied_thresh)
    if low > high:
        raise PlanningError("free_thresh", low, f"at most occupied_thresh, {high:g}")
    grey, opacity = read_pixels(Path(file))
    if opacity is not None and mode == "trinary":
        grey, opacity = (3.0 * grey + opacity) / 4.0, None
    p = grey if negate else 1.0 - grey
    occupied = p > high if unknown == "free" else p >= low
    if opacity is not None:
        occupied[opacity < 1.0] = unknown == "occupied"
    return OccupancyMap(occupied[::-1].copy(), resolution, origin)


@checked_numbers(refusal)
def read_map(file: str | PathLike[str], *, unknown: Unknown = "occupied") -> OccupancyMap:
    """The map that a YAML file of ROS describes: image, resolution, m, origin (x, y, yaw), m and rad.

    negate, occupied_thresh and free_thresh default to 0, 0.65 and 0.196, and mode to trinary. The path of the
    image, PNG or PGM, is relative to the file. Cells that are neither occupied nor free count as `unknown`.
    The pixels of a map with a yaw are turned: a cell is occupied if it overlaps an occupied pixel, or is not
    wholly inside the image; quarter turns are exact. Keys of other programs are ignored. Raises PlanningError
    with file and line, also for a misspelt key and for `mode: raw`.

    Source: map_server of ROS, section "YAML format", wiki.ros.org/map_server.
    """
    path = Path(file)
    root = _root(path)
    values = _values(root, str(path))
    resolution, origin, image = values["resolution"], values["origin"], values["image"]
    checked = _KeyPlaces(root, str(path))
    if not isinstance(image, str) or not image or "\0" in image:
        raise checked.wrong("image", image, "the name of an image, PNG or PGM, next to this file")
    mode = values.get("mode", "trinary")
    if mode not in ("trinary", "scale"):
        raise checked.wrong("mode", mode, "trinary or scale; raw values do not define free cells")
    negate = values.get("negate", 0)
    if negate not in (0, 1):
        raise checked.wrong("negate", negate, "0 or 1")
    with checked:
        positive("resolution", resolution, "m")
        corner = vector("origin", origin, 3, "x, y, m, and yaw, rad, of the lowest left pixel")
        low = _threshold("free_thresh", values.get("free_thresh", FREE))
        high = _threshold("occupied_thresh", values.get("occupied_thresh", OCCUPIED))
        if low > high:
            raise PlanningError("free_thresh", low, f"at most occupied_thresh, {high:g}")
        level = read_image(
            path.parent / image, float(resolution), origin=corner[:2], negate=bool(negate),
            occupied_thresh=high, free_thresh=low, unknown=unknown, mode=mode,
        )  # fmt: skip
        return turn_map(level, float(corner[2])) if corner[2] else level


def turn_map(of: OccupancyMap, yaw: float) -> OccupancyMap:
    """The map turned about its origin by `yaw`, rad, counterclockwise, on cells along the axes.

    A cell is occupied if it overlaps an occupied pixel by more than rounding, or if the turned image does not
    cover it. Raises PlanningError for more than 2^24 cells.
    Two squares overlap unless one of their four axes separates them: Gottschalk, Lin, Manocha, SIGGRAPH 1996.
    """
    cos, sin = np.cos(yaw), np.sin(yaw)
    rows, columns = of.shape
    corners = np.array([[0, 0], [columns, 0], [0, rows], [columns, rows]]) @ np.array(
        [[cos, sin], [-sin, cos]]
    )
    lowest = np.round(corners.min(axis=0), DIGITS)  # cells from the origin
    width, height = np.ceil(np.round(corners.max(axis=0) - lowest, DIGITS)).astype(int).tolist()
    if width * height > MOST:
        expected = f"at most {MOST}; take a coarser resolution"
        raise PlanningError("origin", f"turned, {width} by {height} cells", expected)
    cells = np.ones((height, width), np.bool_)
    reach = (1.0 + abs(cos) + abs(sin)) / 2.0 - 10.0**-DIGITS  # half the width of both squares, on every axis
    edge = (abs(cos) + abs(sin)) / 2.0 - 10.0**-DIGITS  # half the width of a cell, on the axes of the image
    for row in range(height):
        place = np.column_stack([np.arange(width) + 0.5, np.full(width, row + 0.5)]) + lowest
        x, y = place @ np.array([cos, sin]), place @ np.array([-sin, cos])  # in the image, in pixels
        inside = (x >= edge) & (x <= columns - edge) & (y >= edge) & (y <= rows - edge)
        hit = np.zeros(width, np.bool_)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                i, j = np.floor(y).astype(int) + down, np.floor(x).astype(int) + right
                dx, dy = x - (j + 0.5), y - (i + 0.5)
                apart = np.max([abs(dx), abs(dy), abs(cos * dx - sin * dy), abs(sin * dx + cos * dy)], axis=0)
                there = (i >= 0) & (i < rows) & (j >= 0) & (j < columns) & (apart < reach)
                hit |= there & of.occupied[np.where(there, i, 0), np.where(there, j, 0)]
        cells[row] = hit | ~inside
    return OccupancyMap(cells, of.resolution, of.origin + lowest * of.resolution)


class _KeyPlaces:
    """The positions of the keys of a file: an error about one of them gets file and line."""

    def __init__(self, root: Node, file: str) -> None:
        self.root, self.file = root, file

    def wrong(self, key: str, actual: object, expected: str) -> PlanningError:
        return PlanningError(f"{self.root.entries[key].node.at}: {key}", f"{actual!r:.80}", expected)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, PlanningError) and error.argument in self.root.entries:
            raise self.wrong(error.argument, error.actual, error.expected) from None


def _root(path: Path) -> Node:
    try:
        return parse(read_text(path, str(path), FORM), str(path), FORM)
    except DocumentError as error:
        expected = "\n".join(line for line in (error.expected, error.remedy) if line)
        raise PlanningError(f"{error.location}: the map", error.actual, expected) from None


def _values(root: Node, file: str) -> dict[str, Any]:
    values = root.plain()
    if not isinstance(values, dict):
        raise PlanningError(f"{file}: the map", root.describe(), f"a mapping with {', '.join(NEEDED)}")
    for key in values:
        if key not in KEYS and nearest(key, KEYS, likeness=MISSPELT):
            expected = f"one of {', '.join(KEYS)}{nearest(key, KEYS, likeness=MISSPELT)}"
            raise PlanningError(f"{root.entries[key].node.at}: a key", f"{key!r:.80}", expected)
    for key in NEEDED:
        if key not in values:
            raise PlanningError(f"{file}: {key}", "missing", f"a mapping with {', '.join(NEEDED)}")
    return values


def _threshold(name: str, value: object) -> float:
    expected = "a number from 0 to 1"
    array: np.ndarray = numbers(name, value, expected)
    if array.ndim or not 0.0 <= array <= 1.0:
        raise PlanningError(name, array.tolist(), expected)
    return float(array)


OCCUPIED_MARK, FREE_MARK = "#", "."
DRAWN_KEYS = ("rows", "resolution", "origin")


def drawn_map(drawing: Mapping[str, Any]) -> OccupancyMap:
    """The map that `rows` draw, the highest y first, with `#` for occupied and `.` for free cells.

    `resolution` is the side of a cell, m, and `origin` (x, y), m, the corner with the smallest x and y, as
    for OccupancyMap. Raises PlanningError.
    """
    unknown = [str(key) for key in drawing if key not in DRAWN_KEYS]
    if unknown or "rows" not in drawing:
        content = f"a mapping with the key {unknown[0]!r}" if unknown else "a mapping without rows"
        raise PlanningError("map", content, f"{', '.join(DRAWN_KEYS)}")
    rows = drawing["rows"]
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise PlanningError("rows", f"{rows!r:.80}", f"a list of texts of {OCCUPIED_MARK} and {FREE_MARK}")
    for i, row in enumerate(rows):
        if (
            not isinstance(row, str)
            or {*row} - {OCCUPIED_MARK, FREE_MARK}
            or len(row) != len(rows[0])
            or not row
        ):
            expected = f"text of {OCCUPIED_MARK} (occupied) and {FREE_MARK} (free), as long as the first row"
            raise PlanningError(f"rows[{i}]", f"{row!r:.80}", expected)
    cells = np.array([[cell == OCCUPIED_MARK for cell in row] for row in reversed(rows)])
    return OccupancyMap(cells, drawing.get("resolution", 1.0), drawing.get("origin", (0.0, 0.0)))


def map_from(value: object) -> OccupancyMap:
    """A map from a map, from a YAML file in the format of ROS, or from a mapping with its rows.

    Raises PlanningError for anything else.
    """
    if isinstance(value, OccupancyMap):
        return value
    if isinstance(value, Mapping):
        return drawn_map(value)
    if isinstance(value, (str, Path)):
        return read_map(value)
    expected = "an OccupancyMap, the YAML file of a map in the format of ROS, or a mapping with its rows"
    raise PlanningError("map", f"{value!r:.80}", expected)


def drawing_of(of: OccupancyMap) -> dict[str, Any]:
    """The mapping from which `drawn_map` makes the same map."""
    rows = ["".join(OCCUPIED_MARK if cell else FREE_MARK for cell in row) for row in of.occupied[::-1]]
    return {"rows": rows, "resolution": of.resolution, "origin": of.origin.tolist()}
