"""Path parameters: how a block is told a path, and the pieces of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...robots.errors import RobotError
from ...robots.wheels.pieces import pieces_of_arcs, pieces_through, point
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter

DRAWN = 9  # points of a piece in a picture, which turns by a quarter of a circle at most


class OnPath(Block):
    """Base of the blocks that know a path: lines through waypoints, or arcs and lines from a pose."""

    abstract: ClassVar = True

    waypoints: Real | None = parameter(default=None, unit="m", doc="a row x, y a point", dimensions=(2,))
    arcs: Real | None = parameter(
        default=None, unit="m, 1/m", doc="a row a piece: length and curvature, to the left", dimensions=(2,)
    )
    start: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m, m, rad", doc="where arcs begin: x, y, heading", dimensions=(1,)
    )

    def check(self) -> None:
        _ = self.pieces()

    def pieces(self) -> Array:
        """Its lines and arcs: x, y, heading, curvature, length, (k, 5). Raises ParameterError."""
        if (self.waypoints is None) == (self.arcs is None):
            told = "waypoints" if self.waypoints is not None else "arcs"
            raise ParameterError(self.kind(), told, getattr(self, told), "either waypoints or arcs")
        name = "arcs" if self.waypoints is None else "waypoints"
        try:
            if self.waypoints is None:
                return pieces_of_arcs(self.start, self.arcs, name)
            return pieces_through(self.waypoints, name)
        except RobotError as error:
            raise ParameterError(self.kind(), name, getattr(self, name), reason=error) from None

    def leads(self) -> Array:
        points = [point(piece, s) for piece in self.pieces() for s in np.linspace(0.0, piece[4], DRAWN)]
        return np.array(points)

    def constants(self) -> Mapping[str, Array]:
        pieces = self.pieces()
        return {"pieces": pieces, "end": np.array(point(pieces[-1], pieces[-1, 4]))}
