"""Rows of a tool's velocity: their axes, order and selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from ...robots.mechanics.kinematics import FRAMES
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.units import one_text
from .arm import FramedBlock

ORDERS = ("vw", "wv")
PARTS = ("all", "trans", "rot")


class VelocityBlock(FramedBlock):
    """Base of the blocks with a tool's velocity; their functions may name `frame_code`, `rows`, `full`.

    world  velocity of the tool's origin, and angular velocity, in world axes
    body   both in the axes of the frame `of` itself
    space  velocity of the point of the tool's body at the world's origin, and angular velocity
    """

    abstract: ClassVar = True

    _: KW_ONLY
    frame: str = option(default="world", doc="axes and point of the velocity", choices=tuple(FRAMES))
    order: str = option(default="vw", doc="linear (v) or angular (w) velocity first", choices=ORDERS)
    part: str = option(default="all", doc="all six rows, or the linear or angular rows", choices=PARTS)

    def rows(self) -> list[int]:
        """The selected rows of (v, w), in their order."""
        linear, angular = [0, 1, 2], [3, 4, 5]
        if self.part != "all":
            return linear if self.part == "trans" else angular
        return linear + angular if self.order == "vw" else angular + linear

    def row_port(self, name: str, linear: str, angular: str, doc: str = "") -> Port:
        """A port with one value per row, in the unit of a linear or an angular row."""
        rows = self.rows()
        return Port(
            name,
            Size((len(rows),)),
            one_text([linear if i < 3 else angular for i in rows]),
            doc,
            size_rule="6, or 3 for one part",
        )

    def constants(self) -> Mapping[str, Any]:
        return {
            **super().constants(),
            "frame_code": float(FRAMES[self.frame]),
            "rows": np.array(self.rows(), np.float64),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "full": (6, self.model.n)}
