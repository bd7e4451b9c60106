"""Map option: the occupancy map of a block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...robots.localization.models import empty_squares
from ...robots.planning.arguments import PlanningError
from ...robots.planning.map_files import map_from
from ...robots.planning.occupancy_map import OccupancyMap
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array


def map_of(block: Block) -> OccupancyMap:
    """The map from a block's option `map`: a map object, a YAML file in the format of ROS, or rows.

    Raises ParameterError for anything else and for a file of another kind.
    """
    value: Any = block.map  # type: ignore[attr-defined]
    try:
        return map_from(value)
    except (PlanningError, OSError) as error:
        raise ParameterError(block.kind(), "map", f"{value!s:.80}", reason=error) from None


def map_numbers(of: OccupancyMap) -> Mapping[str, Array | float]:
    """A map for kernels: the empty squares between cells, the side of a cell, and the corner."""
    return {
        "squares": empty_squares(of.occupied), "cell": of.resolution,
        "corner": np.array(of.origin, np.float64),
    }  # fmt: skip
