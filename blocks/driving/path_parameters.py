"""Path parameters: the forms in which a block takes a path, and its pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from math import hypot, pi, remainder
from typing import ClassVar

import numpy as np

from ...robots.errors import InvalidRobot, RobotError
from ...robots.planning.car_paths import dubins
from ...robots.wheels.pieces import pieces_of_arcs, pieces_through, point, spline_arcs
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter

DRAWN = 9  # points of a piece in a picture; a piece turns by a quarter of a circle at most
FORMS = ("waypoints", "spline", "poses", "arcs")
MOST_LAPS = 1000
TURNED = 1e-3  # rad, maximum difference of direction between the end and the start of closed arcs


class OnPath(Block):
    """Base of the blocks with a path, given in one of four ways.

    `waypoints`: lines from point to point. `spline`: a natural cubic spline through points, replaced by arcs
    within a `tolerance`. `poses`: the shortest Dubins curves of a `radius` from pose to pose. `arcs`: arcs
    and lines, one after the other, from the pose `start`. If `closed`, the path returns to its start, and is
    driven `laps` times.
    """

    abstract: ClassVar = True
    backwards: ClassVar = False  # whether the block can drive a path backwards

    waypoints: Real | None = parameter(default=None, unit="m", doc="a row x, y per point", dimensions=(2,))
    arcs: Real | None = parameter(
        default=None, unit="m, 1/m", doc="a row per piece: length and curvature, to the left", dimensions=(2,)
    )
    start: Real = parameter(
        default=[0.0, 0.0, 0.0],
        unit="m, m, rad",
        doc="pose at which arcs begin: x, y, heading",
        dimensions=(1,),
    )
    spline: Real | None = parameter(
        default=None, unit="m", doc="a row x, y per point of a cubic spline", dimensions=(2,)
    )
    closed: bool = option(default=False, doc="the path returns to its first point; arcs must end there")
    laps: int = option(default=1, doc="number of laps of a closed path")
    tolerance: Real = parameter(
        default=1e-4,
        unit="m",
        doc="maximum distance of arcs from the spline, and of their end from the start if closed",
        above=0,
        dimensions=(0,),
    )
    poses: Real | None = parameter(
        default=None, unit="m, m, rad", doc="a row x, y, heading per pose of Dubins curves", dimensions=(2,)
    )
    radius: Real = parameter(default=1.0, unit="m", doc="radius of Dubins curves", above=0, dimensions=(0,))

    def check(self) -> None:
        _ = self.pieces

    @property
    def pieces(self) -> Array:
        """The pieces of the path, extended by further numbers of the block. Raises ParameterError."""
        return self.curve

    @cached_property
    def curve(self) -> Array:
        """The pieces of all laps, as rows of `robots.wheels.pieces`, (k, 6). Raises ParameterError."""
        names = [name for name in FORMS if getattr(self, name) is not None]
        if len(names) != 1:
            name = names[-1] if names else "waypoints"
            raise ParameterError(
                self.kind(), name, getattr(self, name), f"one path, by one of {', '.join(FORMS)}"
            )
        (name,) = names
        most = MOST_LAPS if self.closed else 1
        if not 1 <= self.laps <= most:
            expected = f"from 1 to {most}" if self.closed else "1, or a path with `closed: true`"
            raise ParameterError(self.kind(), "laps", self.laps, expected)
        try:
            pieces = self._told_by(name)
        except RobotError as error:
            raise ParameterError(self.kind(), name, getattr(self, name), reason=error) from None
        if not self.backwards and (pieces[:, 5] < 0.0).any():
            expected = "lengths above 0: it drives forwards only; FollowPath and DriveArcs drive both ways"
            raise ParameterError(self.kind(), name, getattr(self, name), expected)
        return np.tile(pieces, (self.laps, 1))

    def _told_by(self, name: str) -> Array:
        """The pieces of one lap, given in one of the four ways. Raises RobotError."""
        tolerance = float(self.tolerance)  # type: ignore[arg-type]
        if name == "arcs":
            pieces = pieces_of_arcs(self.start, self.arcs, name)
            if self.closed:
                _meet(pieces, tolerance)
            return pieces
        if name == "spline":
            return pieces_of_arcs(
                *spline_arcs(self.spline, name, closed=self.closed, tolerance=tolerance), name
            )
        rows = np.asarray(getattr(self, name), np.float64)
        if self.closed and (rows[0] != rows[-1]).any():
            rows = np.vstack([rows, rows[:1]])
        if name == "waypoints":
            return pieces_through(rows, name)
        if len(rows) < 2 or rows.shape[1] != 3:
            raise InvalidRobot(name, f"found the shape {rows.shape}", "two or more rows x, y, heading")
        curves = [dubins(a, b, float(self.radius)) for a, b in pairwise(rows)]  # type: ignore[arg-type]
        arcs = np.concatenate([curve.arcs for curve in curves])
        if not len(arcs):
            raise InvalidRobot(name, "all poses are the same", "poses that differ")
        return pieces_of_arcs(rows[0], arcs, name)

    def leads(self) -> Array:
        points = [point(piece, s) for piece in self.pieces for s in np.linspace(0.0, piece[4], DRAWN)]
        return np.array(points)

    def constants(self) -> Mapping[str, Array | float]:
        pieces = self.pieces
        return {"pieces": pieces, "end": np.array(point(pieces[-1], pieces[-1, 4]))}


def _meet(pieces: Array, tolerance: float) -> None:
    """Raise InvalidRobot if arcs that are to be closed do not end where they begin."""
    last = pieces[-1]
    (x, y), turn = point(last, last[4]), last[2] + last[3] * last[4] - pieces[0, 2]
    gap = hypot(x - pieces[0, 0], y - pieces[0, 1])
    turn = remainder(turn, 2.0 * pi)
    if gap > tolerance or abs(turn) > TURNED:
        actual = f"the last arc ends {gap:.3g} m from where the first begins, turned by {turn:.3g} rad"
        raise InvalidRobot("arcs", actual, f"arcs that end where they begin, within {tolerance:g} m")
