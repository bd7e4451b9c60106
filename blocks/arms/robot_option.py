"""Robot option: the robot of a block, and robots as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ...robots.errors import ConversionError, InvalidRobot
from ...robots.library.catalogue import catalogue, load, robot_from
from ..contract.mappings import MappingExpression, plain
from ..contract.parameter_expression import Parameter

if TYPE_CHECKING:
    from ...robots.model.robot import Robot

RobotLike: TypeAlias = Any
"""A name, a mapping such as {name: puma560, payload: {mass: 2}}, or a Robot."""

_LINK = ("mass", "com", "inertia", "frame")
_JOINT = (
    "place", "axis", "offset", "lower", "upper", "speed", "effort", "viscous", "coulomb", "gear",
    "motor_inertia",
)  # fmt: skip
_WHOLE = ("base", "tool", "tip", "gravity")


def robot_of(value: object) -> Robot:
    """The robot itself; for a mapping with expressions, the robot without these.

    Raises RobotError.
    """
    if isinstance(value, MappingExpression):
        return robot_from(value.settled())
    if isinstance(value, Parameter):
        expected = "a name, or a mapping, whose numbers may be expressions"
        raise InvalidRobot("robot", f"found the expression {value!r}", expected)
    return robot_from(plain(value) if isinstance(value, Mapping) else value)


def robot_data(robot: Robot) -> str | dict[str, Any]:
    """The text or mapping from which `robot_of` reads the same Robot.

    The data consists of the name of a library robot and of every number that differs from it, in the robot,
    its links and its joints. Raises ConversionError if the library lacks a robot of this name, or if that
    robot has other joints or named poses.
    """
    if robot.name not in catalogue():
        raise ConversionError(robot.name, "form as data", "the library lacks a robot of this name")
    stock = load(robot.name)
    data: dict[str, Any] = {"name": robot.name}
    for kind, names in (("links", _LINK), ("joints", _JOINT)):
        pairs = zip(getattr(robot, kind), getattr(stock, kind), strict=False)
        changed = {item.name: changes for item, other in pairs if (changes := _changes(item, other, names))}
        data |= {kind: changed} if changed else {}
    data |= _changes(robot, stock, _WHOLE)
    if robot_from(data) != robot:
        raise ConversionError(robot.name, "form as data", "its joints or poses differ from the library's")
    return data if len(data) > 1 else robot.name


def _changes(item: object, stock: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: plain(getattr(item, name)) for name in names if getattr(item, name) != getattr(stock, name)}
