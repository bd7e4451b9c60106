"""Vehicles: the option `vehicle` of a block in YAML, from a name, a mapping or a file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.yaml.positions import Node
from ...robots.errors import InvalidRobot
from ...robots.library.vehicle_description import BATTERY, KEYS, ROTOR
from ...robots.library.vehicles import CHANGES, SOURCES, vehicle_catalogue, vehicle_data
from ...robots.vehicles.multirotor import Multirotor
from .source import Source
from .values import parameter_value

DEFINITION = "Vehicle"  # its name in the JSON Schema


def vehicle_value(node: Node, path: str, source: Source) -> Any:
    """What a block is given as its vehicle; files are those beside the diagram, or elsewhere with consent.

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
    """Where in a vehicle's mapping the value stands that an error is about."""
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
    changed = dict.fromkeys((*SOURCES, "parameters", *CHANGES), anything)
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
