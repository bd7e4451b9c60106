"""Data of NRotor from its vehicle: coefficients that an effect needs, and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...robots.vehicles.multirotor import Multirotor
from ..contract.errors import ParameterError
from ..contract.parameter import Array

if TYPE_CHECKING:
    from .nrotor import NRotor


def check_payload(kind: str, at: Any, gyration: Any) -> None:
    """Raise ParameterError for an invalid position, and for radii of gyration that no body has."""
    for name, value in (("payload_at", at), ("payload_gyration", gyration)):
        if np.shape(value) != (3,):
            raise ParameterError(kind, name, value, "three numbers")
    moments = np.square(np.asarray(gyration, np.float64))
    if 2.0 * moments.max() > moments.sum() * (1.0 + 1e-12):
        raise ParameterError(kind, "payload_gyration", gyration, "no square above the sum of the other two")


def check_data(block: NRotor) -> None:
    """Raise ParameterError for an effect for which the vehicle lacks coefficients."""
    vehicle = block.model
    blades = all(rotor.blades is not None and rotor.radius > 0.0 for rotor in vehicle.rotors)
    finite = bool((vehicle.numbers("fastest") < np.inf).all())
    times = _positive(vehicle, "time_up", "time_down")
    rotor_drag = any(each.in_plane_drag or each.axial_drag or each.flapping_moment for each in vehicle.rotors)
    lift = any(rotor.translational_lift for rotor in vehicle.rotors)
    body_drag = any((*vehicle.linear_drag, *vehicle.quadratic_drag))
    needs = (
        ("motors", block.motors, "time_up and time_down of every rotor", times),
        ("commands", block.commands, "a fastest speed of every rotor", finite),
        ("gyroscopic", block.gyroscopic, "the inertia of every rotor", _positive(vehicle, "inertia")),
        ("flapping", block.flapping != "none", "radius and blades of every rotor", blades),
        ("ground_effect", block.ground_effect, "the radius of every rotor", _positive(vehicle, "radius")),
        ("rotor_drag", block.rotor_drag, "in_plane_drag or axial_drag of a rotor", rotor_drag),
        ("translational_lift", block.translational_lift, "translational_lift of a rotor", lift),
        ("body_drag", block.body_drag, "linear_drag or quadratic_drag", body_drag),
        ("battery", block.battery, "a battery", vehicle.battery is not None),
    )
    for name, on, data, there in needs:
        if on and not there:
            expected = f"a vehicle that has {data}: {vehicle.name} has none"
            raise ParameterError(block.kind(), name, getattr(block, name), expected)


def _positive(vehicle: Multirotor, *names: str) -> bool:
    return all(bool((vehicle.numbers(name) > 0.0).all()) for name in names)


def flapping(vehicle: Multirotor) -> Array:
    """(n, 4): tilt per advance ratio, per its product with inflow, 16 over the Lock number, radius."""
    rows = []
    for rotor in vehicle.rotors:
        row = [0.0, 0.0, 0.0, rotor.radius]
        if rotor.blades is not None and rotor.radius > 0.0:
            blades = rotor.blades
            lock = blades.lock_number(rotor.radius, vehicle.air_density)
            row[:3] = 8.0 / 3.0 * blades.root_pitch + 2.0 * blades.twist, -2.0, 16.0 / lock
        rows.append(row)
    return np.array(rows)
