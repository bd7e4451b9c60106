"""Robots are found by name or read from files, as a diagram names them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...base.checked import guarded
from ...base.hints import nearest_word
from ..errors import InvalidRobot, UnknownRobot
from ..model.robot import Robot
from .description import describe
from .files import Document, load_document

DATA = Path(__file__).parents[1] / "data"
SOURCES = ("name", "file", "urdf")
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


@guarded(InvalidRobot)
def load(name: str, **parameters: float) -> Robot:
    """A robot of the library, with other parameters if given: load("hyper2d", n=20). Raises UnknownRobot."""
    return _load(name, tuple(sorted(parameters.items())))


@lru_cache(maxsize=64)
def _load(name: str, parameters: tuple[tuple[str, float], ...]) -> Robot:
    return describe(document(name), dict(parameters))


@guarded(InvalidRobot)
def from_file(path: str | Path, **parameters: float) -> Robot:
    """A robot from a YAML file in the library's form. Raises RobotFileError."""
    return describe(load_document(Path(path)), parameters)


@guarded(InvalidRobot)
def robot_from(spec: Any, folder: str | Path | None = None) -> Robot:
    """The robot that a diagram names.

    `puma560`, or a mapping with one of `name`, `file` (YAML), `urdf`; files are relative to `folder`. Further
    keys: parameters (of a YAML file), locked (joints of a URDF file with their coordinates), then, applied in
    this order:

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
    more = ("locked",) if "urdf" in spec else ()
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

    locked = _mapping(spec.get("locked"), "robot, locked")
    return from_urdf(folder / target, tip=str(spec.get("tip") or ""), locked=locked)


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
