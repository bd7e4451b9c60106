"""Paths of arcs and lines give poses along curves that a car can drive; splines are made of arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.door import door
from ...base.shown import NotebookText
from ..errors import InvalidRobot
from ..wheels.pieces import spline_arcs
from .arguments import Array, PlanningError, numbers, positive, refusal

LETTERS = {"L": 1.0, "S": 0.0, "R": -1.0}
ROUNDING = 8  # units in the last place by which a position may lie beyond an end


@dataclass(frozen=True, eq=False)
class ArcPath(NotebookText):
    """Arcs and lines in sequence, from a pose.

    `start` (3,) is (x, y, heading), m, m, rad. Segment i has the curvature `curvatures[i]`, 1/m, positive to
    the left, and the length `abs(lengths[i])`, m; a negative length is driven backwards.
    """

    start: Array
    curvatures: Array
    lengths: Array

    @cached_property
    def length(self) -> float:
        """The length of the path, m, both ways counted as positive."""
        return float(self.knots[-1])

    @cached_property
    def knots(self) -> Array:
        """Lengths along the path at which each segment begins and the last one ends, m: (k + 1,)."""
        return np.concatenate([[0.0], np.cumsum(np.abs(self.lengths))])

    @property
    def arcs(self) -> Array:
        """The segments in the form that driving blocks require: rows of a length, m, and a curvature, 1/m."""
        return np.column_stack([self.lengths, self.curvatures])

    @property
    def word(self) -> str:
        """The segments as letters, L, R and S; with + and - if any is driven backwards."""
        sides = ["SLR"[int(np.sign(curvature))] for curvature in self.curvatures]
        if (self.lengths >= 0.0).all():
            return "".join(sides)
        return "".join(side + ("+" if length >= 0.0 else "-") for side, length in zip(sides, self.lengths))

    def __repr__(self) -> str:
        start, end = (
            "(" + ", ".join(f"{number:.4g}" for number in pose) + ")" for pose in (self.start, self.end)
        )
        return f"<ArcPath {self.word}: {self.length:.4g} m from {start} to {end}>"

    @property
    def end(self) -> Array:
        """The pose at the end, (3,)."""
        return np.array(self.corners[-1])

    @cached_property
    def corners(self) -> Array:
        """The poses at which segments begin and end, (k + 1, 3)."""
        poses = np.tile(np.asarray(self.start, dtype=np.float64), (len(self.lengths) + 1, 1))
        for i, (curvature, length) in enumerate(zip(self.curvatures, self.lengths)):
            poses[i + 1] = _driven(poses[i], curvature, length)
        return poses

    @checked_numbers(refusal)
    def pose(self, s: ArrayLike) -> Array:
        """The pose (x, y, heading) at s, m, along the path: (3,), or (k, 3) for k places.

        The heading is the vehicle's and is not wrapped. Raises PlanningError for places before the
        start or after the end.
        """
        places = self._places(s)
        i = self._segments(places)
        if not len(self.lengths):
            return np.broadcast_to(self.start, (*places.shape, 3)).copy()
        driven = np.minimum(places - self.knots[i], np.abs(self.lengths[i])) * np.sign(self.lengths[i])
        return _driven(self.corners[i], self.curvatures[i], driven)

    @checked_numbers(refusal)
    def direction(self, s: ArrayLike) -> Array:
        """1 if the path is driven forwards at s, else -1; at a cusp, the sign after it."""
        places = self._places(s)
        if not len(self.lengths):
            return np.ones(places.shape)
        return np.asarray(np.sign(self.lengths[self._segments(places)]))

    @checked_numbers(refusal)
    def points(self, step: float) -> Array:
        """Poses (k, 3) along the path, at most `step`, m, apart, also at the joints of segments.

        Raises PlanningError.
        """
        step = positive("step", step, "m")
        parts = [ceil(abs(length) / step) for length in self.lengths]
        between = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(self.knots, self.knots[1:], parts)]
        return self.pose(np.concatenate([*between, self.knots[-1:]]))

    def _places(self, s: ArrayLike) -> Array:
        places = numbers("s", s, "places along the path, m")
        slack = ROUNDING * np.spacing(self.length)
        outside = (places < 0.0) | (places > self.length + slack)
        if outside.any():
            raise PlanningError(
                "s", float(places[outside].flat[0]), f"a place on the path, 0 to {self.length:g} m"
            )
        return np.minimum(places, self.length)

    def _segments(self, places: Array) -> Any:
        last = max(len(self.lengths) - 1, 0)
        return np.minimum(np.searchsorted(self.knots, places, side="right") - 1, last)

    if not TYPE_CHECKING:  # see doors.pyi
        _figure = door("plots.robots.paths:arc_picture")


@dataclass(frozen=True, eq=False, repr=False)
class ArcPaths(NotebookText):
    """The paths of many pairs of poses; paths[i] is one of them, an ArcPath.

    `starts` (n, 3), `lengths` (n, k) signed, m, and `letters` (n,), the words, with segments of length 0.
    """

    starts: Array
    radius: float
    letters: Any
    lengths: Array

    @cached_property
    def length(self) -> Array:
        """The length of each path, m: (n,)."""
        return np.asarray(np.abs(self.lengths).sum(axis=1))

    def __repr__(self) -> str:
        shortest, longest = self.length.min(initial=np.inf), self.length.max(initial=0.0)
        lengths = f", {shortest:.4g} to {longest:.4g} m long" if len(self) else ""
        return f"<ArcPaths: {len(self)} paths of radius {self.radius:g} m{lengths}>"

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[ArcPath]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> ArcPath:
        return arc_path(self.starts[i], str(self.letters[i]), self.lengths[i], self.radius)


def arc_path(start: Array, letters: str, lengths: Sequence[float] | Array, radius: float) -> ArcPath:
    """The path of a word, without its segments of length 0."""
    segments = [(LETTERS[letter] / radius, length) for letter, length in zip(letters, lengths) if length]
    curvatures, driven = np.array(segments).reshape(-1, 2).T
    return ArcPath(start.copy(), curvatures, driven)


def _driven(pose: Array, curvature: Any, length: Any) -> Array:
    """The pose after an arc, by its chord; arguments may have one row for each of many arcs."""
    half = 0.5 * curvature * length
    chord = length * np.sinc(half / np.pi)
    heading = pose[..., 2] + half
    x, y = pose[..., 0] + chord * np.cos(heading), pose[..., 1] + chord * np.sin(heading)
    return np.stack([x, y, heading + half], axis=-1)


POINTS = "points x, y of which each differs from the one before, m"


@checked_numbers(refusal)
def spline(points: ArrayLike, *, closed: bool = False, tolerance: float = 1e-4) -> ArcPath:
    """Arcs within a tolerance, m, of the cubic spline through points, (k, 2), m.

    The spline has curvature 0 at both ends; if it is `closed`, it continues to its first point and meets its
    start with the same direction and curvature. Two arcs
    with the tangents at both ends replace each part. Raises PlanningError. Source: Meek, Walton, Journal
    of Computational and Applied Mathematics 59(2), 1995, 221-231, doi:10.1016/0377-0427(94)00029-Z.
    """
    rows = numbers("points", points, POINTS)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise PlanningError("points", f"numbers of shape {rows.shape}", POINTS)
    within = positive("tolerance", tolerance, "m")
    try:
        start, arcs = spline_arcs(rows, "points", closed=closed, tolerance=within)
    except InvalidRobot as error:
        raise PlanningError("points", f"a list where {error.actual}", error.expected) from None
    return ArcPath(start, arcs[:, 1].copy(), arcs[:, 0].copy())
