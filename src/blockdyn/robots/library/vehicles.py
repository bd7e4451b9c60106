"""Vehicles are found by name: multirotors, also from files and descriptions in diagrams, and wheeled ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...base.checked import checked_numbers
from ...base.hints import nearest_word
from ...base.words import nearest
from ...base.yaml.words import Form
from ..errors import InvalidRobot, UnknownRobot
from ..model.arithmetic import number
from ..vehicles.multirotor import Multirotor
from .files import Document, load_document
from .vehicle_description import FORM, KEYS, battery_of, describe_vehicle, vehicle_of

WHEELED_DATA = Path(__file__).parents[1] / "data" / "wheels"
WHEELED_FORM = Form("vehicle on wheels", "vehicle: NAME", "a vehicle on wheels is a page of numbers")


@dataclass(frozen=True)
class WheeledVehicle:
    """A vehicle of the library: its block, and the parameters of the block."""

    name: str
    type: str
    numbers: Mapping[str, float]
    title: str = ""
    source: str = ""
    notes: str = ""


@lru_cache(maxsize=1)
def wheeled_catalogue() -> Mapping[str, Path]:
    """The files of the library by the names of their vehicles."""
    return {path.stem: path for path in sorted(WHEELED_DATA.glob("*.yaml"))}


@lru_cache(maxsize=16)
def load_wheeled(name: str) -> WheeledVehicle:
    """A wheeled vehicle of the library. Raises InvalidRobot."""
    if name not in wheeled_catalogue():
        names = sorted(wheeled_catalogue())
        actual = f"there is no vehicle on wheels `{name}`{nearest(name, names)}"
        raise InvalidRobot("vehicle", actual, f"one of: {', '.join(names)}")
    values = load_document(wheeled_catalogue()[name], WHEELED_FORM).values
    numbers = {
        key: number(value[1:], {}) if isinstance(value, str) else float(value)
        for key, value in values["numbers"].items()
    }
    texts = {key: " ".join(str(values.get(key, "")).split()) for key in ("title", "source", "notes")}
    return WheeledVehicle(values["vehicle"], values["type"], MappingProxyType(numbers), **texts)


DATA = Path(__file__).parents[1] / "data" / "vehicles"
SOURCES = ("name", "file")
PLAIN = ("mass", "inertia", "linear_drag", "quadratic_drag", "gear", "sensors", "gravity", "battery")
CHANGES = (*PLAIN, "rotor", "arms", "air_density", "perturb", "payload", "failure")
_EXPECTED = "a name, a mapping such as {name: crazyflie, payload: {mass: 0.005}}, or a Multirotor"


@lru_cache(maxsize=1)
def vehicle_catalogue() -> Mapping[str, Path]:
    """The files of the library by the names of their vehicles."""
    return {path.stem: path for path in sorted(DATA.glob("*.yaml"))}


@lru_cache(maxsize=64)
def vehicle_document(name: str) -> Document:
    """The file of one vehicle of the library. Raises UnknownRobot."""
    if name not in vehicle_catalogue():
        raise UnknownRobot(name, vehicle_catalogue(), "vehicle")
    return load_document(vehicle_catalogue()[name], FORM)


@checked_numbers(InvalidRobot)
def load_vehicle(name: str, **parameters: float) -> Multirotor:
    """A multirotor of the library, optionally with other parameters: load_vehicle("x4", r=0.2).

    Raises UnknownRobot.
    """
    return _load(name, tuple(sorted(parameters.items())))


@lru_cache(maxsize=64)
def _load(name: str, parameters: tuple[tuple[str, float], ...]) -> Multirotor:
    return describe_vehicle(vehicle_document(name), dict(parameters))


@checked_numbers(InvalidRobot)
def vehicle_from_file(path: str | Path, **parameters: float) -> Multirotor:
    """A multirotor from a YAML file in the library's form. Raises RobotFileError."""
    return describe_vehicle(load_document(Path(path), FORM), parameters)


@checked_numbers(InvalidRobot)
def vehicle_from(spec: Any, folder: str | Path | None = None) -> Multirotor:
    """The multirotor that a diagram names.

    `crazyflie`, a file (`mine.yaml`), or a mapping with `name` or `file` (relative to `folder`) or, with
    `rotors`, the contents of a file. Further keys besides name and file: `parameters` (of the file), then,
    applied in this order:

        mass, inertia, linear_drag, quadratic_drag, gear, sensors, gravity, battery: replaced
        rotor: {thrust: 1.2e-5}              numbers of all rotors
        arms: 1.05                           factor of the rotors' distances from the z axis
        air_density: 1.0                     coefficients in proportion
        perturb: {fraction: 0.1, seed: 1}
        payload: {mass: 0.5, at: [0, 0, 0.1], inertia: [Ixx, Iyy, Izz]}
        failure: {rotor: 1, gives: 0}        rotors numbered from 1

    Raises RobotError.
    """
    if isinstance(spec, Multirotor):
        return spec
    if isinstance(spec, str):
        named = Path(spec).suffix.lower() in (".yaml", ".yml")
        return vehicle_from_file(Path(folder or ".") / spec) if named else load_vehicle(spec)
    if not isinstance(spec, Mapping):
        raise InvalidRobot("vehicle", f"found {spec!r}"[:80], _EXPECTED)
    sources = [key for key in SOURCES if key in spec]
    if "rotors" in spec and not sources:
        name = spec.get("vehicle", "vehicle")
        return vehicle_of(spec, name if isinstance(name, str) and name else "vehicle")
    _check(spec, (*SOURCES, "parameters", *CHANGES), "vehicle")
    if len(sources) != 1:
        actual = f"the keys {' and '.join(sources)} together" if sources else "none of name, file, rotors"
        raise InvalidRobot("vehicle", actual, "one of name, file, rotors")
    target = spec[sources[0]]
    if not isinstance(target, (str, Path)):
        raise InvalidRobot(f"vehicle, {sources[0]}", f"found {target!r}"[:80], "text")
    parameters = _mapping(spec.get("parameters") or {}, "vehicle, parameters")
    if sources[0] == "name":
        return change_vehicle(load_vehicle(str(target), **parameters), spec)
    return change_vehicle(vehicle_from_file(Path(folder or ".") / target, **parameters), spec)


def change_vehicle(vehicle: Multirotor, spec: Mapping[str, Any]) -> Multirotor:
    """A multirotor with the changes of a diagram's mapping, in the order of `vehicle_from`.

    Raises RobotError.
    """
    plain = {key: spec[key] for key in PLAIN if key in spec}
    if isinstance(plain.get("battery"), Mapping):
        plain["battery"] = battery_of(plain["battery"], vehicle.name)
    if plain:
        vehicle = vehicle.replaced(**plain)
    if "rotor" in spec:
        vehicle = vehicle.with_rotors(**_mapping(spec["rotor"], "vehicle, rotor"))
    if "arms" in spec:
        vehicle = vehicle.with_arms(spec["arms"])
    if "air_density" in spec:
        vehicle = vehicle.with_air_density(spec["air_density"])
    if "perturb" in spec:
        vehicle = vehicle.perturb(**_call(spec["perturb"], "perturb", ("fraction", "seed")))
    if "payload" in spec:
        vehicle = vehicle.payload(**_call(spec["payload"], "payload", ("mass",), ("at", "inertia")))
    if "failure" in spec:
        vehicle = vehicle.failure(**_call(spec["failure"], "failure", ("rotor",), ("gives",)))
    return vehicle


def _call(value: Any, name: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    options = _mapping(value, f"vehicle, {name}")
    _check(options, (*needed, *optional), f"vehicle, {name}")
    for key in needed:
        if key not in options:
            raise InvalidRobot(f"vehicle, {name}", f"no `{key}`", f"the keys {', '.join(needed)}")
    return options


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidRobot(place, f"found {value!r}"[:80], "a mapping of names")
    return dict(value)


def _check(values: Mapping[str, Any], choices: tuple[str, ...], place: str) -> None:
    for key in values:
        if key not in choices:
            hint = nearest_word(str(key), (*choices, *KEYS) if place == "vehicle" else choices)
            raise InvalidRobot(place, f"unknown key `{key}`{hint}", f"one of: {', '.join(choices)}")


def vehicle_data(vehicle: Multirotor) -> dict[str, Any]:
    """A multirotor as the mapping from which `vehicle_from` makes an equal one."""
    data: dict[str, Any] = {
        "vehicle": vehicle.name,
        **_fields(vehicle, ("name", "rotors", "battery", "sensors")),
    }
    if vehicle.sensors:
        data["sensors"] = {name: list(place) for name, place in vehicle.sensors}
    if vehicle.battery is not None:
        data["battery"] = _fields(vehicle.battery)
    data["rotors"] = [_fields(rotor) for rotor in vehicle.rotors]
    return data


def _fields(value: Any, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a value that differ from their defaults, as plain data."""
    differing = {}
    for field in fields(value):
        item = getattr(value, field.name)
        if field.name not in without and item != field.default:
            differing[field.name] = _fields(item) if is_dataclass(item) else _lists(item)
    return differing


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
