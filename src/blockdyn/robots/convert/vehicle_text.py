"""print(vehicle) shows a multirotor as tables."""

from __future__ import annotations

import math

from ...base.text_table import Table, in_lines
from ..errors import RobotError
from ..vehicles.multirotor import AXES, Multirotor

MOTOR = (
    ("time_up", "tau up (s)"), ("time_down", "tau down (s)"), ("inertia", "inertia (kg m2)"),
    ("slowest", "min speed (rad/s)"), ("fastest", "max speed (rad/s)"), ("radius", "radius (m)"),
    ("in_plane_drag", "in-plane drag (N s2/(rad m))"), ("axial_drag", "axial drag (N s2/(rad m))"),
    ("translational_lift", "translational lift (N s2/m2)"),
    ("flapping_moment", "flapping moment (N s2/rad)"),
)  # fmt: skip


def format_vehicle(vehicle: Multirotor) -> str:
    """The vehicle as plain text: print(vehicle) shows it."""
    return in_lines(describe_vehicle(vehicle))


def describe_vehicle(vehicle: Multirotor) -> list[str | Table]:
    """Title, source, the body, the rotors, battery and sensors, and how it hovers."""
    parts: list[str | Table] = [f"{vehicle.name}: {vehicle.title or 'multirotor'}, {vehicle.n} rotors"]
    parts += [
        f"{label}: {text}" for label, text in (("source", vehicle.source), ("notes", vehicle.notes)) if text
    ]
    return [*parts, "", _body(vehicle), "", _rotors(vehicle), "", *_hover(vehicle)]


def _body(vehicle: Multirotor) -> Table:
    rows = [("mass", f"{vehicle.mass:g} kg"), ("inertia", _matrix(vehicle) + " kg m2")]
    rows += [("gravity", f"{vehicle.gravity:g} m/s2"), ("air density", f"{vehicle.air_density:g} kg/m3")]
    for name, unit in (("linear_drag", "N s/m"), ("quadratic_drag", "N s2/m2")):
        if any(getattr(vehicle, name)):
            rows.append((name.replace("_", " "), f"{_numbers(getattr(vehicle, name))} {unit}"))
    if vehicle.gear:
        rows.append(("landing gear", f"{vehicle.gear:g} m below the centre of mass"))
    if vehicle.battery is not None:
        b = vehicle.battery
        text = f"{b.full:g} V full, {b.empty:g} V empty, {b.capacity:g} A h, {b.resistance:g} ohm"
        rows.append(("battery", f"{text}, efficiency {b.efficiency:g}"))
    rows += [(name, f"at {_numbers(place)} m") for name, place in vehicle.sensors]
    return Table("Body: x forward, y right, z down, from the centre of mass", ("", ""), rows)


def _rotors(vehicle: Multirotor) -> Table:
    shown = [(name, head) for name, head in MOTOR if _has_values(vehicle, name)]
    columns = ("rotor", "position (m)", "thrust axis", "rotation", "thrust (N s2)", "torque (N m s2)")
    rows = [
        (
            str(i), _numbers(rotor.place), _numbers(rotor.axis),
            "clockwise" if rotor.spin > 0 else "counter-clockwise",
            f"{rotor.thrust:.5g}", f"{rotor.torque:.5g}",
            *(f"{getattr(rotor, name):.4g}" for name, _ in shown),
        )
        for i, rotor in enumerate(vehicle.rotors, 1)
    ]  # fmt: skip
    return Table("Rotors, seen from above", (*columns, *(head for _, head in shown)), rows)


def _has_values(vehicle: Multirotor, name: str) -> bool:
    values = vehicle.numbers(name)
    return bool(((values != 0.0) & (values != math.inf)).any())


def _hover(vehicle: Multirotor) -> list[str | Table]:
    try:
        speeds = vehicle.hover_speeds()
    except RobotError as error:
        return [str(error)]
    text = f"hovers with rotors at {_numbers(speeds)} rad/s"
    fastest = vehicle.numbers("fastest")
    if (fastest < math.inf).all():
        most = float(-(vehicle.numbers("thrust") * vehicle.axes[:, 2] * fastest**2).sum())
        text += f"; thrust over weight at most {most / (vehicle.mass * vehicle.gravity):.3g}"
    if vehicle.uncontrolled:
        text += f"; cannot control {' and '.join(name for name in AXES if name in vehicle.uncontrolled)}"
    return [text]


def _matrix(vehicle: Multirotor) -> str:
    rows = vehicle.inertia
    if all(rows[i][j] == 0.0 for i in range(3) for j in range(3) if i != j):
        return f"diag {_numbers([rows[i][i] for i in range(3)])}"
    return "[" + "; ".join(_numbers(row)[1:-1] for row in rows) + "]"


def _numbers(values: object) -> str:
    return "[" + ", ".join(f"{value + 0.0:.5g}" for value in values) + "]"  # type: ignore[attr-defined]
