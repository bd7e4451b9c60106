"""Robots are found by name, read from files that a diagram names, and joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...base.checked import checked_numbers
from ...base.hints import nearest_word
from ..calls.kernel import as_robot
from ..errors import InvalidRobot, UnknownRobot
from ..model.joint import BASE, Joint
from ..model.link import Link
from ..model.poses import Array
from ..model.robot import Robot
from .description import describe
from .files import Document, load_document

DATA = Path(__file__).parents[1] / "data"
SOURCES = ("name", "file", "urdf")
URDF = ("locked", "impossible", "limits", "arguments", "packages", "boundary")  # keys for `urdf` only
CHANGES = ("links", "joints", "base", "tool", "tip", "gravity", "perturb", "payload", "without_friction")
_EXPECTED = "a name, or a mapping such as {name: puma560, payload: {mass: 2, at: [0, 0, 0.1]}}"


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Path]:
    """The files of the library by the names of their robots."""
    return {path.stem: path for path in sorted(DATA.glob("*.yaml"))}


@lru_cache(maxsize=64)
def document(name: str) -> Document:
    """The file of one robot of the library. Raises UnknownRobot."""
    if name not in catalogue():
        raise UnknownRobot(name, catalogue())
    return load_document(catalogue()[name])


@checked_numbers(InvalidRobot)
def load(name: str, **parameters: float) -> Robot:
    """A library robot, optionally with other parameters: load("hyper2d", n=20). Raises UnknownRobot."""
    return _load(name, tuple(sorted(parameters.items())))


@lru_cache(maxsize=64)
def _load(name: str, parameters: tuple[tuple[str, float], ...]) -> Robot:
    return describe(document(name), dict(parameters))


@checked_numbers(InvalidRobot)
def from_file(path: str | Path, **parameters: float) -> Robot:
    """A robot from a YAML file in the library's form. Raises RobotFileError."""
    return describe(load_document(Path(path)), parameters)


@checked_numbers(InvalidRobot)
def robot_from(spec: Any, folder: str | Path | None = None) -> Robot:
    """The robot that a diagram names.

    `puma560`, or a mapping with one of `name`, `file` (YAML), `urdf`; files are relative to `folder`. Further
    keys: parameters (of a YAML file); of a URDF file locked, impossible, limits, arguments, packages
    (folders relative to `folder`), boundary (the folder that a xacro file may read); then, in this order:

        links: {link2: {mass: 5}}         joints: {joint1: {viscous: 0}}      replaced numbers
        base, tool: pose                  tip: link that carries the tool     gravity: [x, y, z]
        perturb: {fraction: 0.1, seed: 1, com: false}
        payload: {mass: 2, at: [0, 0, 0.1], inertia: [Ixx, Iyy, Izz], frame: tool}
        without_friction: true, coulomb, or viscous

    Raises RobotError.
    """
    if isinstance(spec, Robot):
        return spec
    if isinstance(spec, str):
        return load(spec)
    if not isinstance(spec, Mapping):
        raise InvalidRobot("robot", f"found {spec!r}", _EXPECTED)
    more = URDF if "urdf" in spec else ()
    _check_keys("robot", spec, (*SOURCES, "parameters", *more, *CHANGES))
    sources = [key for key in SOURCES if key in spec]
    if len(sources) != 1:
        problem = f"the keys {' and '.join(sources)} together" if sources else "none of name, file, urdf"
        raise InvalidRobot("robot", problem, "one of name, file, urdf")
    return change_robot(_from_source(sources[0], spec, Path(folder or ".")), spec)


def _from_source(source: str, spec: Mapping[str, Any], folder: Path) -> Robot:
    target = spec[source]
    if not isinstance(target, (str, Path)):
        raise InvalidRobot(f"robot, {source}", f"found {target!r}", "text")
    parameters = _mapping(spec.get("parameters"), "robot, parameters")
    for name, value in parameters.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InvalidRobot(f"robot, parameters, {name}", f"found {value!r}"[:80], "a number")
    if source == "name":
        return load(str(target), **parameters)
    if source == "file":
        return from_file(folder / target, **parameters)
    if parameters:
        raise InvalidRobot(
            "robot, parameters", "a URDF file has none", "no `parameters` together with `urdf`"
        )
    from ..construct.urdf import from_urdf

    options: dict[str, Any] = {key: spec[key] for key in ("impossible", "limits", "boundary") if key in spec}
    for key in ("locked", "arguments"):
        options[key] = _mapping(spec.get(key), f"robot, {key}")
    packages = spec.get("packages", {})
    if not isinstance(packages, (str, Path)):
        options["packages"] = {
            name: folder / str(each) for name, each in _mapping(packages, "robot, packages").items()
        }
    else:
        options["packages"] = folder / packages
    return from_urdf(folder / target, tip=str(spec.get("tip") or ""), **options)


FILES = (".yaml", ".yml", ".urdf", ".xacro")


def robot_in(path: str | Path, **options: Any) -> Robot:
    """The robot of a file, in URDF, xacro or YAML by its suffix; options as in `robot_from`.

    Raises RobotError.
    """
    kind = "urdf" if Path(path).suffix.lower() in (".urdf", ".xacro") else "file"
    return robot_from({kind: str(path), **options})


def change_robot(robot: Robot, spec: Mapping[str, Any]) -> Robot:
    """A robot with the changes of a diagram's mapping, in the order of `robot_from`.

    Raises RobotError.
    """
    for kind, change in (("links", robot.with_link), ("joints", robot.with_joint)):
        for name, values in _mapping(spec.get(kind), f"robot, {kind}").items():
            change = robot.with_link if kind == "links" else robot.with_joint
            robot = change(name, **_fields(kind, name, values))
    if "base" in spec:
        robot = robot.with_base(spec["base"])
    if "tool" in spec or "tip" in spec:
        robot = robot.with_tool(spec.get("tool", robot.tool), tip=spec.get("tip"))
    if "gravity" in spec:
        robot = robot.with_gravity(spec["gravity"])
    if "perturb" in spec:
        robot = robot.perturb(**_call(spec["perturb"], "perturb", ("fraction", "seed"), ("com",)))
    if "payload" in spec:
        robot = robot.payload(**_call(spec["payload"], "payload", ("mass",), ("at", "inertia", "frame")))
    without = spec.get("without_friction", False)
    if without is True:
        return robot.without_friction()
    return robot.without_friction(without) if without is not False else robot


def _fields(kind: str, name: str, values: Any) -> dict[str, Any]:
    keys = ("mass", "com", "inertia", "frame")
    if kind == "joints":
        keys = (
            "place",
            "axis",
            "offset",
            "lower",
            "upper",
            "speed",
            "effort",
            "viscous",
            "coulomb",
            "gear",
            "motor_inertia",
            "mimic",
            "multiplier",
        )  # type: ignore[assignment]
    place = f"robot, {kind}, {name}"
    entries = _mapping(values, place)
    _check_keys(place, entries, keys)
    return entries


def _call(value: Any, name: str, needed: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, Any]:
    options = _mapping(value, f"robot, {name}")
    _check_keys(f"robot, {name}", options, (*needed, *optional))
    missing = [key for key in needed if key not in options]
    if missing:
        raise InvalidRobot(f"robot, {name}", f"no `{missing[0]}`", f"the keys {', '.join(needed)}")
    return options


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidRobot(place, f"found {value!r}", "a mapping")
    for key in value:
        if not isinstance(key, str):
            raise InvalidRobot(place, f"the key {key!r}", "names as keys")
    return dict(value)


def _check_keys(place: str, parameters: Mapping[str, Any], choices: tuple[str, ...]) -> None:
    for key in parameters:
        if key not in choices:
            raise InvalidRobot(
                place,
                f"unknown key `{key}`{nearest_word(str(key), choices)}",
                f"one of: {', '.join(choices)}",
            )


@checked_numbers(InvalidRobot)
def join(first: Robot | str, second: Robot | str, *, name: str = "") -> Robot:
    """The first robot, with the second one mounted at its tool.

        T(q) = T_first(q_1) T_second(q_2),   q = (q_1, q_2)

    The second robot's base pose remains as its mounting on the first robot's tool. Its tool is the combined
    tool; gravity is from the first robot. (R1 * R2 of the Robotics Toolbox drops both poses between them.)
    Joints and links of the second robot are renamed if necessary: `joint1` becomes `joint7` after six joints;
    other names that both have are prefixed with the second robot's name. Raises InvalidRobot.
    """
    first, second = as_robot(first), as_robot(second)
    if not second.joints:
        return first.with_tool(_pose(first.tool) @ _pose(second.base) @ _pose(second.tool))
    joints = {j.name: _rename_part(j.name, first, second, "joint") for j in second.joints}
    links = {k.name: _rename_part(k.name, first, second, "link") for k in second.links}
    added: list[Joint] = []
    mount = _pose(first.tool) @ _pose(second.base)
    for joint in second.joints:
        moved: dict[str, Any] = {"name": joints[joint.name], "parent": links.get(joint.parent, first.tip)}
        if joint.mimic:
            moved["mimic"] = joints[joint.mimic]
        if joint.parent == BASE:
            moved["place"] = mount @ _pose(joint.place)
        added.append(replace(joint, **moved))
    bodies: list[Link] = [replace(link, name=links[link.name]) for link in second.links]
    clash = {k.name for k in first.links} & {k.name for k in bodies}
    clash |= {j.name for j in first.joints} & {j.name for j in added}
    if clash:
        raise InvalidRobot("join", f"both robots have `{min(clash)}`", "names that differ")
    return Robot(
        name or f"{first.name}+{second.name}", (*first.joints, *added), (*first.links, *bodies),
        base=first.base, tool=second.tool, tip=links.get(second.tip, first.tip), gravity=first.gravity,
    )  # fmt: skip


def _rename_part(name: str, first: Robot, second: Robot, stem: str) -> str:
    """The name in the combined robot: a later number, or the second robot's name in front if both have it."""
    number = name.removeprefix(stem)
    if number.isdecimal() and name != number:
        return f"{stem}{len(first.joints) + int(number)}"
    taken = {j.name for j in first.joints} | {k.name for k in first.links}
    return f"{second.name}.{name}" if name in taken else name


def _pose(value: Any) -> Array:
    return np.array(value, dtype=np.float64)
