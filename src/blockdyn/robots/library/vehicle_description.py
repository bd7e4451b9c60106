"""The mapping in a multirotor's YAML file becomes a Multirotor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.hints import nearest_word
from ...base.yaml.words import Form
from ..errors import InvalidRobot
from ..model.arithmetic import number
from ..vehicles.multirotor import Multirotor
from ..vehicles.rotor import Battery, Blades, Rotor, blades_from
from .files import Document

FORM = Form("vehicle", "vehicle: NAME", "a vehicle has at most 12 rotors")
TEXTS = ("title", "source", "notes")
NUMBERS = ("mass", "inertia", "gravity", "air_density", "linear_drag", "quadratic_drag", "gear", "sensors")
KEYS = ("vehicle", *TEXTS, "keywords", "parameters", *NUMBERS, "battery", "blades", "rotor", "rotors")
ROTOR = tuple(Rotor.__dataclass_fields__)
BATTERY = tuple(Battery.__dataclass_fields__)
NEEDED = ("mass", "inertia", "rotors")


def describe_vehicle(document: Document, parameters: Mapping[str, Any] | None = None) -> Multirotor:
    """The multirotor of a document, with these values of its parameters. Raises RobotFileError."""
    values = document.values
    if not isinstance(values, dict) or not isinstance(values.get("vehicle"), str):
        raise document.wrong("no vehicle", "a mapping that begins with `vehicle: NAME`")
    try:
        return vehicle_of(values, values["vehicle"], parameters or {})
    except InvalidRobot as error:
        path = _path(error.place, values)
        raise document.wrong(f"{error.place}: {error.actual}", error.expected, *path) from None


def vehicle_of(data: Mapping[str, Any], name: str, parameters: Mapping[str, Any] | None = None) -> Multirotor:
    """The multirotor of a mapping; `rotor` holds the values that all rotors share. Raises InvalidRobot."""
    _check(data, KEYS, name)
    for key in NEEDED:
        if key not in data:
            raise InvalidRobot(name, f"no `{key}`", f"the keys {', '.join(NEEDED)}")
    names = _parameters(data.get("parameters") or {}, dict(parameters or {}), name)
    common = _mapping(_values(data.get("rotor") or {}, names, f"{name}, rotor"), f"{name}, rotor")
    if "blades" in data:
        common["blades"] = blades_from(
            _mapping(_values(data["blades"], names, "blades"), f"{name}, blades"), f"{name}, blades"
        )
    rows = data["rotors"]
    if not isinstance(rows, (list, tuple)):
        raise InvalidRobot(f"{name}, rotors", f"found {rows!r}"[:80], "a list of rotors")
    rotors = []
    for i, row in enumerate(rows, 1):
        place = f"{name}, rotors {i}"
        rotors.append(rotor_of({**common, **_mapping(_values(row, names, place), place)}, place))
    options = {key: _values(data[key], names, f"{name}, {key}") for key in NUMBERS if key in data}
    if "sensors" in options:
        options["sensors"] = _mapping(options["sensors"], f"{name}, sensors")
    if data.get("battery") is not None:
        options["battery"] = battery_of(_values(data["battery"], names, f"{name}, battery"), name)
    for key in TEXTS:
        if key in data:
            options[key] = " ".join(str(data[key]).split())
    return Multirotor(name=name, rotors=tuple(rotors), **options)


def rotor_of(data: Mapping[str, Any], place: str) -> Rotor:
    """A rotor from a mapping. Raises InvalidRobot, which names the place."""
    _check(data, ROTOR, place)
    for key in ("place", "spin", "thrust", "torque"):
        if key not in data:
            raise InvalidRobot(
                place, f"no `{key}`", "place, spin, thrust, torque; `rotor` holds shared values"
            )
    try:
        return Rotor(**data)
    except InvalidRobot as error:
        raise InvalidRobot(error.place.replace("rotor", place, 1), error.actual, error.expected) from None


def battery_of(data: Any, name: str) -> Battery:
    """A battery from a mapping. Raises InvalidRobot."""
    place = f"{name}, battery"
    values = _mapping(data, place)
    _check(values, BATTERY, place)
    for key in ("full", "empty", "capacity"):
        if key not in values:
            raise InvalidRobot(place, f"no `{key}`", f"the keys {', '.join(BATTERY)}")
    try:
        return Battery(**values)
    except InvalidRobot as error:
        raise InvalidRobot(f"{name}, {error.place}", error.actual, error.expected) from None


def _parameters(data: Any, parameters: dict[str, Any], name: str) -> dict[str, float]:
    place = f"{name}, parameters"
    declared = _mapping(data, place)
    _check(parameters, tuple(declared), place)
    names: dict[str, float] = {}
    for key, value in declared.items():
        chosen = parameters.get(key, _values(value, names, f"{place}, {key}"))
        if isinstance(chosen, bool) or not isinstance(chosen, (int, float)) or not abs(chosen) < 1e100:
            raise InvalidRobot(f"{place}, {key}", f"found {chosen!r}"[:80], "a finite number")
        names[key] = float(chosen)
    return names


def _values(value: Any, names: Mapping[str, float], place: str) -> Any:
    """A value with the formulas in it, `=` and text, evaluated."""
    if isinstance(value, Mapping):
        return {key: _values(item, names, place) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_values(item, names, place) for item in value]
    if isinstance(value, str) and value.startswith("="):
        try:
            return number(value[1:], names)
        except ValueError as error:
            raise InvalidRobot(place, str(error), "a formula over the vehicle's parameters") from None
    return value


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if isinstance(value, (Blades, Battery)) or not isinstance(value, Mapping):
        raise InvalidRobot(place, f"found {value!r}"[:80], "a mapping")
    for key in value:
        if not isinstance(key, str):
            raise InvalidRobot(place, f"the key {key!r}", "names as keys")
    return dict(value)


def _check(data: Mapping[str, Any], choices: tuple[str, ...], place: str) -> None:
    for key in data:
        if key not in choices:
            problem = f"unknown key `{key}`{nearest_word(str(key), choices)}"
            raise InvalidRobot(f"{place}, {key}", problem, f"one of: {', '.join(choices) or 'none'}")


def _path(place: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """The keys in the file for the place in an error: `hummingbird, rotors 2, thrust`."""
    path: list[Any] = []
    holder: Any = values
    for step in place.split(", ")[1:]:
        key, _, index = step.partition(" ")
        key = "rotors" if key == "rotor" and index else key
        if not isinstance(holder, Mapping) or key not in holder:
            break
        path.append(key)
        holder = holder[key]
        if index.isdecimal() and isinstance(holder, list) and int(index) <= len(holder):
            path.append(int(index) - 1)
            holder = holder[int(index) - 1]
    if len(path) == 2 and path[0] == "rotors" and isinstance(values.get("rotor"), Mapping):
        last = place.rpartition(", ")[2]  # values that the rotors share are under `rotor`
        if last in values["rotor"]:
            return ("rotor", last)
    return tuple(path)
