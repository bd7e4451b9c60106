"""Axes reach the keys of the option `vehicle`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...blocks.contract.mappings import opened, plain
from ...blocks.vehicles.vehicle_option import vehicle_of
from ...robots.library.vehicles import CHANGES, PLAIN, SOURCES, change_vehicle, vehicle_from
from ...robots.vehicles.multirotor import Multirotor
from .machine import Machines, NoSuchKey, among, check_inside, mapping_of
from .path import Step

ROTOR = (
    "thrust", "torque", "radius", "in_plane_drag", "axial_drag", "time_up", "time_down", "inertia",
    "slowest", "fastest", "translational_lift", "flapping_moment",
)  # fmt: skip
RECORDS = {
    "rotor": ROTOR,
    "perturb": ("fraction", "seed"),
    "payload": ("mass", "at", "inertia"),
    "failure": ("rotor", "gives"),
}
WHOLE = ("sensors", "battery")
_BEFORE = (*SOURCES, "parameters", *PLAIN, "rotor", "arms")


def check_steps(vehicle: Multirotor, steps: tuple[Step, ...]) -> None:
    """Raise NoSuchKey unless steps lead from the option `vehicle` to a value."""
    first, *inner = steps
    if not isinstance(first, str):
        raise NoSuchKey("the vehicle itself has no elements", f"one of its keys: {', '.join(CHANGES)}")
    among(first, (*SOURCES, "parameters", *CHANGES), "a vehicle that varies")
    if first == "rotor" and not inner:
        raise NoSuchKey("`rotor` alone", f"a number of all rotors: `rotor.{'`, `rotor.'.join(ROTOR)}`")
    if first == "parameters":
        if len(inner) != 1 or not isinstance(inner[0], str):
            raise NoSuchKey("`parameters` without a name", "`parameters.NAME`")
    elif first in RECORDS and inner:
        among(inner[0], RECORDS[first], f"`{first}`")
        _check_inside(vehicle, (first, inner[0]), inner[1:])
    elif first in WHOLE and inner:
        raise NoSuchKey(f"`{first}` changes as a whole", f"`{first}`, with a list of mappings")
    else:
        _check_inside(vehicle, (first,), inner)


def _check_inside(vehicle: Multirotor, steps: tuple[Step, ...], inner: list[Step]) -> None:
    if inner:
        check_inside(_value_at(vehicle, steps), steps, inner)


def _open_spec(spec: object) -> Any:
    """A mapping that names the vehicle; a mapping with all its numbers becomes a vehicle."""
    if isinstance(spec, Multirotor):
        return spec
    if isinstance(spec, str):
        return {"file" if Path(spec).suffix.lower() in (".yaml", ".yml") else "name": spec}
    data = mapping_of(spec)
    if not any(key in data for key in SOURCES) and opened(data) is data:
        return vehicle_from(data)
    return data


def _source(data: Mapping[str, Any]) -> Multirotor:
    """The vehicle before bodies are added to it."""
    return vehicle_from({key: data[key] for key in _BEFORE if key in data})


def _value_at(vehicle: Multirotor, steps: tuple[Step, ...]) -> Any:
    """The value of a vehicle at a place, as lists; None if its rotors differ."""
    if steps[0] == "arms":
        return 1.0
    if steps[0] == "rotor":
        values = {getattr(rotor, str(steps[1])) for rotor in vehicle.rotors}
        return values.pop() if len(values) == 1 else None
    if steps[0] in RECORDS:
        return [0.0, 0.0, 0.0] if steps[-1] in ("at", "inertia") and steps[0] == "payload" else 0.0
    return plain(getattr(vehicle, str(steps[-1]), None))


VEHICLES = Machines(
    machine=Multirotor,
    read=vehicle_of,
    check_steps=check_steps,
    structure=SOURCES,
    opened=_open_spec,
    changed=change_vehicle,
    before=_source,
    value_at=_value_at,
)
