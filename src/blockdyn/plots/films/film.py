"""A film is one body at many instants of its motion, with its path and the walls around it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...robots.model.poses import Array
from ...robots.model.robot import Robot
from ...robots.shapes.ground import Ground
from ...robots.shapes.shape import Body, CarriedPoints, Motion, Shape, motion_of, shape_of, skeleton
from ...robots.shapes.solids import UNPAINTED, Face, Paint
from ..robots.picture import ground

if TYPE_CHECKING:
    from ...robots.planning.occupancy_map import OccupancyMap


@dataclass(frozen=True)
class ArmBody(Body):
    """Tubes from joint to joint, on a post; its last frame is the tool's."""

    robot: Robot

    @property
    def foot(self) -> Array:
        return np.array(self.robot.base)[:3, 3]

    def bones(self) -> CarriedPoints:
        return skeleton(self.robot)

    def radius(self, extent: float) -> float:
        return 0.033 * extent * math.sqrt(min(1.0, 8 / (len(self.robot.joints) + 1)))

    def floor(self, lowest: float, radius: float) -> float:
        return min(lowest, float(self.foot[2])) - 2.2 * radius

    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        return shape_of(self.robot, motion, radius, paint)

    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        return list(ground(np.array(self.robot.base), floor, radius))


@dataclass(frozen=True)
class Film:
    """A body at k instants `times`, s, and the path of its last frame: points (m, 3) at `path_times`, s.

    `reference` is its reference track, (n, 3); `scenery` is fixed around it, and `ground`
    is drawn below it. `thickness` is the thickness of its limbs relative to the default for its size.
    """

    body: Body
    times: Array
    motion: Motion
    path_times: Array
    path: Array
    paint: Paint = UNPAINTED
    thickness: float = 1.0
    reference: Array = field(default_factory=lambda: np.empty((0, 3)))
    scenery: Sequence[Face] = ()
    ground: Sequence[Ground] = ()

    def painted(self, paint: Paint, thickness: float) -> Film:
        """The film in other colours, with thicker or thinner limbs."""
        return replace(self, paint=paint, thickness=thickness)

    @cached_property
    def bones(self) -> CarriedPoints:
        """The ends of all limbs, in pairs."""
        return self.body.bones()

    @cached_property
    def reached(self) -> Array:
        """All points of limbs and tracks, (n, 3)."""
        limbs = (self.bones.world(self.motion, k) for k in self._sampled)
        return np.concatenate([*limbs, self.path, self.reference])

    @property
    def _sampled(self) -> range:
        """Instants that show the extent of the motion."""
        return range(0, len(self.times), max(1, len(self.times) // 200))

    @cached_property
    def extent(self) -> float:
        """The size of the body, m: it sets the thickness of limbs for any travelled distance."""
        sizes = (np.ptp(self.bones.world(self.motion, k), axis=0).max() for k in self._sampled)
        return max(1e-3, 1.15 * max(map(float, sizes)))

    @cached_property
    def radius(self) -> float:
        """The radius of the thickest limb, m."""
        return self.thickness * self.body.radius(self.extent)

    @cached_property
    def floor(self) -> float:
        """The height of the ground, m."""
        return self.body.floor(float(self.reached[:, 2].min()), self.body.radius(self.extent))

    @cached_property
    def shape(self) -> Shape:
        """The solids of the body."""
        return self.body.shape(self.motion, self.radius, self.paint)

    @property
    def tip(self) -> Array:
        """The origin of the last frame, for an arm its tool, at every instant, (k, 3)."""
        return self.motion.p[:, -1]


def film(robot: Robot, times: Array, q: Array, path_times: Array, path_q: Array) -> Film:
    """The film of an arm: q (k, n) at `times`, and, finer, path_q (m, n) for the path of the tool.

    Raises InvalidRobot for a wrong size.
    """
    path = motion_of(robot, path_q).p[:, -1]
    return Film(ArmBody(robot), times, motion_of(robot, q), path_times, path)


COLOR = (0.72, 0.74, 0.78)


def walls(of: OccupancyMap, height: float, piece: float) -> list[Face]:
    """Blocks of this height, m, at most about `piece` m long: short ones are sorted by depth correctly."""
    cells = max(1, round(piece / of.resolution))
    return [face for block in blocks(of.occupied, cells) for face in _faces(of, block, height)]


def blocks(occupied: np.ndarray, most: int) -> Iterator[tuple[int, int, int, int]]:
    """Rectangles that cover all occupied cells once: first row, column, and number of each, up to `most`."""
    left = occupied.copy()
    for row, column in np.argwhere(occupied):
        if not left[row, column]:
            continue
        width = height = 1
        while width < most and column + width < left.shape[1] and left[row, column + width]:
            width += 1
        while (
            height < most and row + height < len(left) and left[row + height, column : column + width].all()
        ):
            height += 1
        left[row : row + height, column : column + width] = False
        yield int(row), int(column), height, width


def _faces(of: OccupancyMap, block: tuple[int, int, int, int], height: float) -> Iterator[Face]:
    row, column, rows, columns = block
    x, y = of.origin + of.resolution * np.array([column, row])
    dx, dy = of.resolution * columns, of.resolution * rows
    ring = np.array([[x, y, 0.0], [x + dx, y, 0.0], [x + dx, y + dy, 0.0], [x, y + dy, 0.0]])
    rise = np.array([0.0, 0.0, height])
    yield Face(ring + rise, np.array([0.0, 0.0, 1.0]), COLOR)
    for i, normal in enumerate(np.array([[0.0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]])):
        a, b = ring[i], ring[(i + 1) % 4]
        yield Face(np.array([a, b, b + rise, a + rise]), normal, COLOR)
