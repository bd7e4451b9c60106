"""Maps from files: images, and the YAML files that describe them in ROS. Nothing in a file is executed."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ...base.checked import guarded
from ...base.nearest import nearest
from ...base.yaml.errors import DocumentError
from ...base.yaml.form import Form
from ...base.yaml.limits import read_text
from ...base.yaml.positions import Node
from ...base.yaml.reader import parse
from .arguments import numbers, positive, vector
from .errors import PlanningError, refusal
from .images import read_pixels
from .occupancy_map import OccupancyMap

Unknown = Literal["occupied", "free"]
Mode = Literal["trinary", "scale"]

FORM = Form("map", "image: map.pgm", "a map's YAML file has six lines; the cells are in its image")
KEYS = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode")
NEEDED = KEYS[:3]
MISSPELT = 0.8  # of difflib's ratio: a key this near to one of ours is meant to be that
OCCUPIED, FREE = 0.65, 0.196  # where map_server of ROS draws the lines, if a file says nothing


@guarded(refusal)
def read_image(
    file: str | PathLike[str], resolution: float, *, origin: Any = (0.0, 0.0), negate: bool = False,
    occupied_thresh: float = OCCUPIED, free_thresh: float = FREE, unknown: Unknown = "occupied",
    mode: Mode = "trinary",
) -> OccupancyMap:  # fmt: skip
    """The map of an image, PNG or PGM, whose pixels are cells with sides of `resolution`, m.

    Black is occupied, white free; `negate` swaps these. A cell with p = (255 - grey) / 255 is occupied if p >
    occupied_thresh and free if p < free_thresh; in between it is unknown, and counts as `unknown`. The grey
    of a colour is the mean of red, green and blue. If the image has transparency, the mode `trinary` takes
    the opacity as a fourth colour, so that white and transparent is unknown; with `scale` whatever is not
    opaque is unknown. `origin` (x, y), m, is the corner of the lowest left pixel. Raises PlanningError.

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


@guarded(refusal)
def read_map(file: str | PathLike[str], *, unknown: Unknown = "occupied") -> OccupancyMap:
    """The map that a YAML file of ROS describes: image, resolution, m, origin (x, y, yaw), m and rad.

    negate, occupied_thresh and free_thresh default to 0, 0.65 and 0.196, and mode to trinary. The path of the
    image, PNG or PGM, is relative to the file. Cells that are neither occupied nor free count as `unknown`.
    Keys of other programs are ignored. Raises PlanningError with file and line, also for a misspelt key, for
    a rotated map, and for `mode: raw`.

    Source: map_server of ROS, section "YAML format", wiki.ros.org/map_server.
    """
    path = Path(file)
    root = _root(path)
    values = _values(root, str(path))
    resolution, origin, image = values["resolution"], values["origin"], values["image"]
    checked = _At(root, str(path))
    if not isinstance(image, str) or not image or "\0" in image:
        raise checked.wrong("image", image, "the name of an image, PNG or PGM, beside this file")
    mode = values.get("mode", "trinary")
    if mode not in ("trinary", "scale"):
        raise checked.wrong("mode", mode, "trinary or scale; raw values do not say what is free")
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
        if corner[2]:
            raise PlanningError("origin", corner.tolist(), "a yaw of 0: turn the image instead")
        return read_image(
            path.parent / image, float(resolution), origin=corner[:2], negate=bool(negate),
            occupied_thresh=high, free_thresh=low, unknown=unknown, mode=mode,
        )  # fmt: skip


class _At:
    """Where the keys of a file stand: an error about one of them gets file and line."""

    def __init__(self, root: Node, file: str) -> None:
        self.root, self.file = root, file

    def wrong(self, key: str, actual: object, expected: str) -> PlanningError:
        return PlanningError(f"{self.root.entries[key].node.at}: {key}", f"{actual!r:.80}", expected)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
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


def _threshold(name: str, value: Any) -> float:
    expected = "a number from 0 to 1"
    array: np.ndarray = numbers(name, value, expected)
    if array.ndim or not 0.0 <= array <= 1.0:
        raise PlanningError(name, array.tolist(), expected)
    return float(array)
