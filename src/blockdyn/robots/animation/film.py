"""Film: a body at many instants of its motion, and the path that it leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..model.poses import Array
from ..model.robot import Robot
from ..pictures.solids import Face
from .arm import ArmBody
from .body import Body
from .carried import Carried, Motion, motion_of
from .ground import Ground
from .paint import UNPAINTED, Paint
from .shape import Shape


@dataclass(frozen=True)
class Film:
    """A body at k instants `times`, s, and the path of its last frame: points (m, 3) at `path_times`, s.

    `reference` is the track that it should have gone, (n, 3); `scenery` stands still around it, and `ground`
    is drawn below it. `thickness` is that of its limbs against what its size asks for.
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
        """The same in other colours, with thicker or thinner limbs."""
        return replace(self, paint=paint, thickness=thickness)

    @cached_property
    def bones(self) -> Carried:
        """The ends of all limbs, in pairs."""
        return self.body.bones()

    @cached_property
    def reached(self) -> Array:
        """Everything that the limbs touch, and the tracks, points (n, 3)."""
        limbs = (self.bones.world(self.motion, k) for k in self._sampled)
        return np.concatenate([*limbs, self.path, self.reference])

    @property
    def _sampled(self) -> range:
        """Instants that show how far the body reaches."""
        return range(0, len(self.times), max(1, len(self.times) // 200))

    @cached_property
    def extent(self) -> float:
        """The size of the body, m: limbs are as thick as it asks for, however far the body travels."""
        sizes = (np.ptp(self.bones.world(self.motion, k), axis=0).max() for k in self._sampled)
        return max(1e-3, 1.15 * max(map(float, sizes)))

    @cached_property
    def radius(self) -> float:
        """Of the thickest limb, m."""
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
        """The origin of the last frame, of an arm its tool, at every instant, (k, 3)."""
        return self.motion.p[:, -1]


def film(robot: Robot, times: Array, q: Array, path_times: Array, path_q: Array) -> Film:
    """The film of an arm: q (k, n) at `times`, and, finer, path_q (m, n) for the path of the tool.

    Raises InvalidRobot for a wrong size.
    """
    path = motion_of(robot, path_q).p[:, -1]
    return Film(ArmBody(robot), times, motion_of(robot, q), path_times, path)
