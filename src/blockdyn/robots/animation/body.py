"""Body: what an animation can draw, as bones that touch things and solids that are seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..model.poses import Array
from ..pictures.solids import Face
from .carried import Carried, Motion
from .paint import Paint
from .shape import Shape


class Body(ABC):
    """Something that moves in a world whose z points up; a `Motion` holds where its frames are."""

    down = False
    """Whether its own world has z down and y to the right: it is then drawn turned by pi about x."""

    @property
    @abstractmethod
    def foot(self) -> Array:
        """The point of the world that it belongs to, (3,): where it stands, or starts."""

    @abstractmethod
    def bones(self) -> Carried:
        """The ends of straight pieces, in pairs: what has a shadow, and needs room."""

    @abstractmethod
    def radius(self, extent: float) -> float:
        """Of the thickest limb, m, for a body of that size, m."""

    @abstractmethod
    def floor(self, lowest: float, radius: float) -> float:
        """The height of the ground, m, below everything that it does, of which `lowest` is the lowest."""

    @abstractmethod
    def shape(self, motion: Motion, radius: float, paint: Paint) -> Shape:
        """The solids."""

    @abstractmethod
    def ground(self, floor: float, radius: float) -> Sequence[Face]:
        """What stands still below it, in the world."""
