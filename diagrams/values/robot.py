"""Axes reach the keys of the option `robot`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...blocks.arms.robot_option import robot_of
from ...blocks.contract.mappings import plain
from ...robots.library.catalogue import CHANGES, SOURCES, URDF, change_robot, robot_from
from ...robots.model.robot import Robot
from .machine import Machines, NoSuchKey, among, check_inside, mapping_of
from .path import Step

LINK = ("mass", "com", "inertia", "frame")
JOINT = (
    "place", "axis", "offset", "lower", "upper", "speed", "effort", "viscous", "coulomb", "gear",
    "motor_inertia", "multiplier",
)  # fmt: skip
RECORDS = {"payload": ("mass", "at", "inertia", "frame"), "perturb": ("fraction", "seed", "com")}
_ZEROS: dict[tuple[Step, ...], list[float]] = {
    ("payload", "at"): [0.0, 0.0, 0.0],
    ("payload", "inertia"): [0.0, 0.0, 0.0],
}
_BEFORE = (*SOURCES, "parameters", *URDF, "links", "joints", "base", "tool", "tip", "gravity")


def check_steps(robot: Robot, steps: tuple[Step, ...]) -> None:
    """Raise NoSuchKey unless steps lead from the option `robot` to a value."""
    first, *inner = steps
    if not isinstance(first, str):
        raise NoSuchKey("the robot itself has no elements", f"one of its keys: {', '.join(CHANGES)}")
    among(first, ("name", "parameters", "locked", *CHANGES), "a robot that varies")
    if first in ("links", "joints"):
        parts = robot.links if first == "links" else robot.joints
        if not inner:
            raise NoSuchKey(
                f"`{first}` alone", f"a number, such as `{first}.{parts[0].name}.{_choose_example(first)}`"
            )
        if isinstance(inner[0], tuple):
            problem = f"`{first}[{', '.join(map(str, inner[0]))}]`: {first} have names, not numbers"
            raise NoSuchKey(problem, f"one of {', '.join(f'`{first}.{part.name}`' for part in parts)}")
        among(inner[0], [part.name for part in parts], f"{robot.name}, {first}")
        if len(inner) < 2:
            example = f"`{first}.{inner[0]}.{_choose_example(first)}`"
            raise NoSuchKey(f"`{first}.{inner[0]}` alone", f"a number, such as {example}")
        among(inner[1], LINK if first == "links" else JOINT, f"{first}.{inner[0]}")
        _check_inside(robot, (first, inner[0], inner[1]), inner[2:])
    elif first in RECORDS and inner:
        among(inner[0], RECORDS[first], f"`{first}`")
        _check_inside(robot, (first, inner[0]), inner[1:])
    elif first in ("parameters", "locked"):
        if len(inner) != 1 or not isinstance(inner[0], str):
            raise NoSuchKey(f"`{first}` without a name", f"`{first}.NAME`")
    else:
        _check_inside(robot, (first,), inner)


def _check_inside(robot: Robot, steps: tuple[Step, ...], inner: list[Step]) -> None:
    if inner:
        check_inside(_value_at(robot, steps), steps, inner)


def _source(data: Mapping[str, Any]) -> Robot:
    """The robot before bodies are added to it."""
    return robot_from({key: data[key] for key in _BEFORE if key in data})


def _value_at(robot: Robot, steps: tuple[Step, ...]) -> Any:
    """The value of a robot at a place, as lists."""
    if steps[0] in RECORDS:
        return _ZEROS.get(steps[:2], 0.0)
    part: Any = robot
    if steps[0] in ("links", "joints"):
        part = robot.link(str(steps[1])) if steps[0] == "links" else robot.joint(str(steps[1]))
    return plain(getattr(part, str(steps[-1]), None))


def _choose_example(kind: str) -> str:
    return "mass" if kind == "links" else "viscous"


def _open_spec(spec: object) -> Any:
    if isinstance(spec, Robot):
        return spec
    return {"name": spec} if isinstance(spec, str) else mapping_of(spec)


ROBOTS = Machines(
    machine=Robot,
    read=robot_of,
    check_steps=check_steps,
    structure=(*SOURCES, "parameters", *URDF, "tip", "without_friction"),
    opened=_open_spec,
    changed=change_robot,
    before=_source,
    value_at=_value_at,
)
