"""Base of all arm blocks: a robot, the table of its parameters, and workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from ...robots.errors import RobotError, massless
from ...robots.mechanics.bodies import work_shape
from ..contract.block import Block
from ..contract.capabilities import PLANT, REFERENCE, SOLVER, USER, Body
from ..contract.errors import ParameterError
from ..contract.mappings import comparable
from ..contract.parameter import Array, option
from ..contract.port import PER_JOINT, Port, Size
from ..contract.units import one_text
from .robot_option import RobotLike, robot_of

if TYPE_CHECKING:
    from ...robots.model.robot import Robot


class ArmBlock(Block):
    """Base of the blocks with a robot. Their functions may name `arm` (its table) and `work`.

    The parameters of the robot are run-time values: a different payload, gravity or friction needs no
    recompilation.
    """

    abstract: ClassVar = True
    weighs: ClassVar = False  # whether it needs a robot with masses

    robot: RobotLike = option(
        doc="a robot's name, a mapping such as {name: puma560, payload: {mass: 2}}, or a Robot"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "robot", comparable(self.robot))
        super().__post_init__()

    def check(self) -> None:
        if self.weighs and not self.model.has_dynamics:
            expected = "a robot with masses; {links: {NAME: {mass: ..., inertia: ...}}} gives it some"
            raise ParameterError(self.kind(), "robot", self.robot, expected, reason=massless(self.model.name))
        _ = self.model

    @cached_property
    def model(self) -> Robot:
        """The robot itself. Raises ParameterError for an unknown name or form."""
        try:
            return robot_of(self.robot)
        except RobotError as error:
            raise ParameterError(self.kind(), "robot", self.robot, reason=error) from None

    def table(self) -> Array:
        """The robot's table of parameters. Raises ParameterError."""
        return self.model.table()

    def bodies(self) -> Iterator[Body]:
        """The arm, if its coordinates are an output, an input or a reference of the block."""
        if any(port.name == "q" for port in self.output_ports()):
            moves = any(state.name == "position" for state in self.states)
            yield Body(self.model, ("q", "position") if moves else ("q",), PLANT if moves else SOLVER)
        yield Body(self.model, ("q",), USER, is_input=True)
        yield Body(self.model, ("q_ref",), REFERENCE, is_input=True)

    def joint_port(self, name: str, unit: str, doc: str = "", default: float | None = None) -> Port:
        """A port with one value per joint, in the unit of a revolute or prismatic joint: `rad or m`."""
        kinds = tuple(joint.kind for joint in self.model.moving)
        return Port(name, Size((self.model.n,)), joint_units(unit, kinds), doc, default, size_rule=PER_JOINT)

    def constants(self) -> Mapping[str, Any]:
        return {"arm": self.table()}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"work": work_shape(self.model.n, len(self.model.shares))}


@lru_cache(maxsize=256)
def joint_units(unit: str, kinds: tuple[str, ...]) -> str:
    """The units of joint coordinates, rates or torques: the first alternative for a revolute joint."""
    revolute, _, prismatic = unit.partition(" or ")
    return one_text([prismatic if kind == "prismatic" else revolute for kind in kinds])


class FramedBlock(ArmBlock):
    """Base of the blocks that refer to one frame of a robot."""

    abstract: ClassVar = True

    _: KW_ONLY
    of: str = option(default="tool", doc="frame of the robot: tool, base, or the name of a link")

    def check(self) -> None:
        super().check()
        self.table()

    def table(self) -> Array:
        try:
            return self.model.table(self.of)
        except RobotError as error:
            raise ParameterError(self.kind(), "of", self.of, reason=error) from None
