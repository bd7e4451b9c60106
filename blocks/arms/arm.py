"""What all blocks of arms share: a robot, its table of numbers, room to work in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...robots.errors import RobotError
from ...robots.library import robot_from
from ...robots.mechanics.work import work_shape
from ..block import Block
from ..errors import ParameterError
from ..parameter import option

if TYPE_CHECKING:
    from ...robots.robot import Robot


class ArmBlock(Block):
    """Base of the blocks that know a robot. Their functions may name `arm` (its table) and `work`."""

    robot: Any = option(doc="a robot: its name, a mapping such as {name: puma560, payload: ...}, or a Robot")

    def check(self) -> None:
        _ = self.model

    @cached_property
    def model(self) -> Robot:
        """The robot itself.

        Raises ParameterError where there is none of that name or form.
        """
        try:
            return robot_from(self.robot)
        except RobotError as error:
            raise ParameterError(self.kind(), "robot", self.robot, str(error)) from error

    def constants(self) -> Mapping[str, Any]:
        return {"arm": self.model.table()}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": work_shape(self.model.n)}
