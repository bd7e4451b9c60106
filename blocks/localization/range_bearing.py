"""RangeBearing: distances and directions of landmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, pi
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from ...robots.lie.kernels.angles import wrap_angle
from ...robots.localization.models import range_bearing
from ...robots.shapes.ground import beams, stars
from ..contract.capabilities import Marks
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_LANDMARK, Port
from ..contract.random_numbers import normal, tick, uniforms
from ..estimation.covariance import covariance
from .clocked import ClockedBlock, check_count, points, root

ALL, NEAREST, ONE = 0.0, 1.0, 2.0
REPORTS = {"all": ALL, "nearest": NEAREST, "random": ONE}
W_PUBLISHED = (0.1**2, np.deg2rad(1.0) ** 2)


class View(NamedTuple):
    """The landmarks in view, and the reported ones among them."""

    rows: Array
    minimum: float
    maximum: float
    half_view: float
    reports: float


class RangeBearing(ClockedBlock):
    """Ranges and bearings of landmarks, with noise.

        range_i   = |m_i - p| + w_1                          w ~ N(0, W)
        bearing_i = angle(m_i - p) - heading + w_2, from -pi up to pi

    `landmarks` has a row x, y for each, m_i, and p is the position of the pose. A landmark is in view if its
    distance is between `minimum` and `maximum` and its direction within half of `field_of_view` of the
    heading. `report` selects all landmarks in view, the nearest, or one at random; `seen` is 1 for these, and
    for all others range, bearing and `seen` are 0. There is a reading every `every` ticks. In between nothing
    is seen, so that estimators with the same sample_time use each reading once. W is a covariance, in m2 and
    rad2; its default corresponds to the published 0.1 m and 1 degree. Raises ParameterError for coinciding
    landmarks, for a W that is not a covariance and for limits that exclude everything. Source: Corke,
    Robotics, Vision and Control (2017), section 6.2.

    Example:
        {type: RangeBearing, landmarks: [[10, 0], [0, 10]], maximum: 20.0}
    """

    icon = "range and bearing"
    random: ClassVar = True
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)

    landmarks: Real = parameter(unit="m", doc="rows x, y", dimensions=(2,))
    W: Real = parameter(
        default=list(W_PUBLISHED), unit="m2, rad2", doc="covariance of a reading", dimensions=(0, 1, 2)
    )
    minimum: Real = parameter(default=0.0, unit="m", doc="minimum range", minimum=0, dimensions=(0,))
    maximum: Real = parameter(
        default=inf, unit="m", doc="maximum range", above=0, infinite=True, dimensions=(0,)
    )
    field_of_view: Real = parameter(
        default=2.0 * pi, unit="rad", doc="angle that is in view", above=0, dimensions=(0,)
    )
    report: Literal["all", "nearest", "random"] = option(
        default="all", doc="landmarks in view that are reported", choices=("all", "nearest", "random")
    )
    every: int = option(default=1, doc="ticks from a reading to the next")

    def output_ports(self) -> tuple[Port, ...]:
        n = len(np.atleast_1d(np.asarray(self.landmarks, np.float64)))
        return (
            Port("ranges", n, "m", flat=True, size_rule=PER_LANDMARK),
            Port("bearings", n, "rad", "from the heading, to the left", flat=True, size_rule=PER_LANDMARK),
            Port(
                "seen", n, "", "1 if a landmark is reported, otherwise 0", flat=True, size_rule=PER_LANDMARK
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        check_count(self, "every", 1, 1_000_000)
        if not float(self.minimum) < float(self.maximum):  # type: ignore[arg-type]
            expected = f"less than maximum, {self.maximum}"
            raise ParameterError(self.kind(), "minimum", self.minimum, expected)
        return {
            "rows": points(self, "landmarks"), "spread": root(covariance(self, "W", 2)),
            "half_view": 0.5 * float(self.field_of_view), "reports": REPORTS[self.report],  # type: ignore[arg-type]
            "period": float(self.every),
        }  # fmt: skip

    def marks(self) -> Iterator[Marks]:
        rows = points(self, "landmarks")[None]
        yield Marks((), lambda size: stars(rows, 0.15 * size), actual=True)
        names = ("pose", "ranges", "bearings")
        yield Marks(names, lambda size, pose, ranges, bearings: beams(pose, ranges, bearings, inf))

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, pose: Array, view: View, spread: Array,
        period: float, ranges: Array, bearings: Array, seen: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        mark_reports(pose, view, count % period == 0.0, uniforms(stream[0], stream[1], count, 0)[0], seen)
        for i in range(seen.shape[0]):
            ranges[i] = bearings[i] = 0.0
            if seen[i] == 1.0:
                r, beta = range_bearing(pose, view.rows[i, 0], view.rows[i, 1])
                one = normal(stream[0], stream[1], count, 2 * i + 1)
                two = normal(stream[0], stream[1], count, 2 * i + 2)
                ranges[i] = max(r + spread[0, 0] * one + spread[0, 1] * two, 0.0)
                bearings[i] = wrap_angle(beta + spread[1, 0] * one + spread[1, 1] * two)


def mark_reports(pose: Array, view: View, reads: bool, lot: float, seen: Array) -> None:
    """Mark reported landmarks: 1 if reported, otherwise 0."""
    count, nearest, least = 0, -1, inf
    for i in range(seen.shape[0]):
        r, beta = range_bearing(pose, view.rows[i, 0], view.rows[i, 1])
        visible = reads and view.minimum <= r <= view.maximum and abs(beta) <= view.half_view
        seen[i] = 1.0 if visible else 0.0
        if visible:
            count += 1
            if r < least:
                nearest, least = i, r
    if count == 0 or view.reports == ALL:
        return
    place, chosen = 0, min(int(lot * count), count - 1)
    for i in range(seen.shape[0]):
        if seen[i] == 1.0:
            reported = i == nearest if view.reports == NEAREST else place == chosen
            seen[i] = 1.0 if reported else 0.0
            place += 1
