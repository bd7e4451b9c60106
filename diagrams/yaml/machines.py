"""The options `robot` and `vehicle` of a block are read from a name, a mapping or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.yaml.positions import Node
from ...blocks.arms.robot_option import robot_data
from ...robots.errors import InvalidRobot, RobotError
from ...robots.library.catalogue import CHANGES as ROBOT_CHANGES, SOURCES as ROBOT_SOURCES, catalogue
from ...robots.library.vehicle_description import BATTERY, KEYS, ROTOR
from ...robots.library.vehicles import (
    CHANGES as VEHICLE_CHANGES,
    SOURCES as VEHICLE_SOURCES,
    vehicle_catalogue,
    vehicle_data,
)
from ...robots.model.robot import Robot
from ...robots.vehicles.multirotor import Multirotor
from .errors import NotWritable
from .source import Source
from .values import parameter_value

ROBOT = "Robot"  # its name in the JSON Schema
FILES = ("file", "urdf")


def robot_value(node: Node, path: str, source: Source) -> Any:
    """The robot of a block; files lie next to the diagram, or elsewhere with consent.

    So do the files that a xacro file names: its mapping gets the folder as `boundary`, which no file can set.
    Raises NotTrusted, BadExpression.
    """
    value = parameter_value(node, path)
    if isinstance(value, dict):
        packages = node.entries.get("packages")
        if packages is not None and isinstance(packages.node.value, str):
            value["packages"] = str(source.beside(packages.node.value, packages.node.at))
        elif packages is not None and isinstance(value.get("packages"), dict):
            value["packages"] = {
                name: str(source.beside(str(entry.node.value), entry.node.at))
                for name, entry in packages.node.entries.items()
            }
        if "urdf" in value and source.root is not None and not source.trust:
            value["boundary"] = str(source.root)
        for key in FILES:
            entry = node.entries.get(key)
            if entry is not None and isinstance(entry.node.value, str):
                value[key] = str(source.beside(entry.node.value, entry.node.at))
    return value


def robot_place(node: Node, error: BaseException | None) -> Location:
    """The place of an error's value in a robot's mapping."""
    if isinstance(error, InvalidRobot):
        for step in error.place.split(", ")[1:]:
            entry = node.entries.get(step)
            if entry is None:
                break
            node = entry.node
    return node.at


def written_robot(value: Any, path: str) -> Any:
    """A robot as data. Raises NotWritable unless a Robot is a library robot with changed numbers."""
    if isinstance(value, Mapping):
        return {key: each for key, each in value.items() if key != "boundary"}
    if not isinstance(value, Robot):
        return value
    try:
        return robot_data(value)
    except RobotError as error:
        raise NotWritable(
            path,
            f"robot is a Robot made in Python: {error}",
            'name a robot of the library, or robot.save("arm.yaml") and name that: robot: {file: arm.yaml}',
        ) from None


def robot_schema() -> dict[str, Any]:
    """The JSON Schema of a robot: a name of the library, or a mapping."""
    number = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/Expression"}]}
    three = {"anyOf": [{"type": "array", "items": number}, {"$ref": "#/$defs/Expression"}]}
    anything: dict[str, Any] = {}
    properties = {
        "name": {"enum": list(catalogue()), "description": "a robot of the library (`blockdyn robots`)"},
        "file": {"type": "string", "description": "a robot in YAML, relative to this file"},
        "urdf": {"type": "string", "description": "a robot in URDF or xacro, relative to this file"},
        "parameters": _table("parameters of the robot, such as the number of joints", number),
        "locked": _table("joints of a URDF file that do not move, and their coordinates", number),
        "impossible": {
            "enum": ["refuse", "warn"],
            "description": "masses and moments below 0 in URDF",
        },
        "limits": {
            "enum": ["file", "none"],
            "description": "contradictory limits in URDF",
        },
        "arguments": _table("arguments of a xacro file", anything),
        "packages": {"description": "folders of the packages of a xacro file, or the folder that holds them"},
        "links": _table("replaced numbers of links: {link2: {mass: 5}}", anything),
        "joints": _table("replaced numbers of joints: {joint1: {viscous: 0}}", anything),
        "base": {"description": "pose of the base in the world"},
        "tool": {"description": "pose of the tool in the link that carries it"},
        "tip": {"type": "string", "description": "the link that carries the tool"},
        "gravity": three | {"description": "acceleration of free fall, m/s2"},
        "perturb": _record(
            {"fraction": number, "seed": number, "com": {"type": "boolean"}}, "fraction", "seed"
        ),
        "payload": _record(
            {"mass": number, "at": three, "inertia": anything, "frame": {"type": "string"}}, "mass"
        ),
        "without_friction": {"enum": [True, False, "coulomb", "viscous"]},
    }
    assert set(properties) >= {*ROBOT_SOURCES, *ROBOT_CHANGES}
    mapping = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"anyOf": [{"enum": list(catalogue())}, mapping]}


def _table(description: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "description": description, "additionalProperties": values}


def _record(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


VEHICLE = "Vehicle"  # its name in the JSON Schema


def vehicle_value(node: Node, path: str, source: Source) -> Any:
    """The vehicle of a block; files lie next to the diagram, or elsewhere with consent.

    Raises NotTrusted, BadExpression.
    """
    value = parameter_value(node, path)
    if isinstance(value, str) and Path(value).suffix.lower() in (".yaml", ".yml"):
        return str(source.beside(value, node.at))
    entry = node.entries.get("file")
    if isinstance(value, dict) and entry is not None and isinstance(entry.node.value, str):
        value["file"] = str(source.beside(entry.node.value, entry.node.at))
    return value


def vehicle_place(node: Node, error: BaseException | None) -> Location:
    """The place of an error's value in a vehicle's mapping."""
    if isinstance(error, InvalidRobot):
        for step in error.place.split(", ")[1:]:
            key, _, index = step.partition(" ")
            entry = node.entries.get(key)
            if entry is None:
                break
            node = entry.node
            if index.isdecimal() and int(index) <= len(node.items):
                node = node.items[int(index) - 1]
    return node.at


def written_vehicle(value: Any) -> Any:
    """A vehicle as data."""
    return vehicle_data(value) if isinstance(value, Multirotor) else value


def vehicle_schema() -> dict[str, Any]:
    """The JSON Schema of a vehicle: a name of the library, a file, or a mapping."""
    anything: dict[str, Any] = {}
    changed = dict.fromkeys((*VEHICLE_SOURCES, "parameters", *VEHICLE_CHANGES), anything)
    changed["name"] = {
        "enum": list(vehicle_catalogue()),
        "description": "a vehicle of the library (`blockdyn vehicles`)",
    }
    changed["file"] = {"type": "string", "description": "a vehicle in YAML, relative to this file"}
    rotor = {"type": "object", "properties": dict.fromkeys(ROTOR, anything), "additionalProperties": False}
    battery = {
        "type": "object",
        "properties": dict.fromkeys(BATTERY, anything),
        "additionalProperties": False,
    }
    complete = dict.fromkeys(KEYS, anything)
    complete |= {"rotor": rotor, "rotors": {"type": "array", "items": rotor}, "battery": battery}
    return {
        "anyOf": [
            {"enum": list(vehicle_catalogue())},
            {"type": "string", "pattern": r"\.ya?ml$", "description": "a vehicle's file"},
            {"type": "object", "properties": changed, "additionalProperties": False},
            {"type": "object", "properties": complete, "required": ["rotors"], "additionalProperties": False},
        ]
    }
