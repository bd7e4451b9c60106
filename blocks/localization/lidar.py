"""Lidar: distances to the obstacles of an occupancy map, beam by beam."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from math import pi
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.localization.models import OUTSIDE, beam
from ...robots.planning.occupancy_map import OccupancyMap
from ...robots.shapes.ground import beams
from ..contract.capabilities import Doubt, Marks
from ..contract.errors import Refusal
from ..contract.parameter import Array, FileLike, Real, option, parameter
from ..contract.port import Port
from ..contract.random_numbers import normal_pair, tick
from .clocked import ClockedBlock, check_count
from .map_option import map_numbers, map_of


class Surroundings(NamedTuple):
    """The map, and the directions and range of the beams."""

    squares: Array
    cell: float
    corner: Array
    angles: Array
    maximum: float


class Lidar(ClockedBlock):
    """A scan of an occupancy map: the distance of the first occupied cell along each beam, with noise.

        scan_i = d(position, heading + angle_i) + noise z,    z ~ N(0, 1),  from 0 to maximum

    d ends exactly at the border of the cell, within rounding. A beam that meets nothing within `maximum`, or
    leaves the map, returns `maximum` without noise. The beams are evenly spaced over `field_of_view`, from
    right to left; over a full turn the first one points backwards. In an occupied cell all distances are 0.
    `map` is an OccupancyMap, the YAML file of one in ROS format, or {rows: ["#..#"], resolution, origin},
    where # is occupied and the first row has the largest y. Raises ParameterError for an invalid map, and for
    fewer than one beam; a pose outside the map ends the run.
    Source: Thrun, Burgard, Fox, Probabilistic Robotics (2005), section 6.3.

    Example:
        {type: Lidar, map: room.yaml, beams: 36, maximum: 3.5, noise: 0.01}
    """

    icon = "beams"
    random: ClassVar = True
    inputs: ClassVar = (Port("pose", 3, "m, m, rad", "x, y and heading"),)

    map: FileLike | Mapping[str, Any] | OccupancyMap = option(doc="the map")
    _: KW_ONLY
    beams: int = option(default=360, doc="number of beams in a scan")
    field_of_view: Real = parameter(
        default=2.0 * pi, unit="rad", doc="angle from the first beam to the last", minimum=0,
        maximum=2.0 * pi, dimensions=(0,),
    )  # fmt: skip
    maximum: Real = parameter(default=10.0, unit="m", doc="maximum range", above=0, dimensions=(0,))
    noise: Real = parameter(default=0.01, unit="m", doc="deviation of a range", minimum=0, dimensions=(0,))

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port(
                "scan", self.beams, "m", "distances, from right to left", flat=True, size_rule="one per beam"
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        return {**map_numbers(map_of(self)), "angles": beam_angles(self, self.beams, self.field_of_view)}

    def doubts(self) -> Iterator[Doubt]:
        yield Doubt(("pose",), self._inside)

    def _inside(self, time: Array, pose: Array) -> str:
        """The notice about a pose in an occupied cell."""
        of = map_of(self)
        finite = np.isfinite(pose[:, :2]).all(axis=1)
        row, column = of.cell(pose[finite, :2]).T
        there = (row >= 0) & (row < of.shape[0]) & (column >= 0) & (column < of.shape[1])
        blocked = of.occupied[row[there], column[there]]
        if not blocked.any():
            return ""
        first = time[finite][there][blocked.argmax()]
        return (
            f"at {first:.6g} s its pose lies in an occupied cell of the map, where all distances are 0;"
            " check the pose, and the map's origin and resolution"
        )

    def surroundings(self) -> OccupancyMap:
        return map_of(self)

    def marks(self) -> Iterator[Marks]:
        angles, most = beam_angles(self, self.beams, self.field_of_view), float(self.maximum)  # type: ignore[arg-type]
        yield Marks(("pose", "scan"), lambda size, pose, scan: beams(pose, scan, angles, most))

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, pose: Array, around: Surroundings,
        noise: float, scan: Array,
    ) -> None:  # fmt: skip
        count = tick(t, offset, sample_time)
        x, y = (pose[0] - around.corner[0]) / around.cell, (pose[1] - around.corner[1]) / around.cell
        one = two = 0.0
        farthest = around.maximum / around.cell
        for i in range(scan.shape[0]):
            d = beam(around.squares, x, y, pose[2] + around.angles[i], farthest)
            if d == OUTSIDE:
                raise Refusal("the lidar is outside its map: check the pose, and the map's origin")
            scan[i] = around.maximum
            if i % 2 == 0 and noise > 0.0:
                one, two = normal_pair(stream[0], stream[1], count, i // 2)
            if d < farthest:
                error = noise * (one if i % 2 == 0 else two)
                scan[i] = min(max(d * around.cell + error, 0.0), around.maximum)


def beam_angles(block: Any, count: int, view: Any) -> Array:
    """The directions of beams from the heading, rad. Raises ParameterError."""
    check_count(block, "beams", 1, 100_000)
    if count == 1:
        return np.zeros(1)
    full = float(view) >= 2.0 * pi - 1e-12
    return np.linspace(-0.5 * float(view), 0.5 * float(view), count, endpoint=not full)
