"""Drawn maps: occupancy maps as rows of characters, as a diagram's file holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .errors import PlanningError
from .map_files import read_map
from .occupancy_map import OccupancyMap

OCCUPIED, FREE = "#", "."
KEYS = ("rows", "resolution", "origin")


def drawn_map(drawing: Mapping[str, Any]) -> OccupancyMap:
    """The map that `rows` draw, the highest y first, with `#` for occupied and `.` for free cells.

    `resolution` is the side of a cell, m, and `origin` (x, y), m, the corner with the smallest x and y, as
    for OccupancyMap. Raises PlanningError.
    """
    unknown = [str(key) for key in drawing if key not in KEYS]
    if unknown or "rows" not in drawing:
        found = f"a mapping with the key {unknown[0]!r}" if unknown else "a mapping without rows"
        raise PlanningError("map", found, f"{', '.join(KEYS)}")
    rows = drawing["rows"]
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise PlanningError("rows", f"{rows!r:.80}", f"a list of texts of {OCCUPIED} and {FREE}")
    for i, row in enumerate(rows):
        if not isinstance(row, str) or {*row} - {OCCUPIED, FREE} or len(row) != len(rows[0]) or not row:
            expected = f"text of {OCCUPIED} (occupied) and {FREE} (free), as long as the first row"
            raise PlanningError(f"rows[{i}]", f"{row!r:.80}", expected)
    cells = np.array([[cell == OCCUPIED for cell in row] for row in reversed(rows)])
    return OccupancyMap(cells, drawing.get("resolution", 1.0), drawing.get("origin", (0.0, 0.0)))


def map_from(value: Any) -> OccupancyMap:
    """A map from itself, the YAML file of one in the format of ROS, or a mapping with its rows.

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
    """What `drawn_map` makes the same map of."""
    rows = ["".join(OCCUPIED if cell else FREE for cell in row) for row in of.occupied[::-1]]
    return {"rows": rows, "resolution": of.resolution, "origin": of.origin.tolist()}
