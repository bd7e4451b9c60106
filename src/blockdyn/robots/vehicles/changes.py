"""A multirotor is changed into another one, for robustness studies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ..errors import InvalidRobot
from ..model.link import tensor
from ..model.poses import skew, vector
from .multirotor import Multirotor
from .rotor import read_numbers

AERODYNAMIC = (
    "thrust",
    "torque",
    "in_plane_drag",
    "axial_drag",
    "translational_lift",
    "flapping_moment",
)  # fields of a rotor that are proportional to the air density


@checked_numbers(InvalidRobot)
def payload(
    vehicle: Multirotor, mass: float, at: ArrayLike = (0, 0, 0), inertia: ArrayLike = (0, 0, 0)
) -> Multirotor:
    """A copy with a fixed body of `mass` (kg), centre of mass `at` (m) and `inertia` about it (kg m2).

        m = m1 + m2     m c = m2 p     I = I1 + I2 + sum_k m_k (|d_k|^2 1 - d_k d_k')     d_k = p_k - c

    The centre of mass moves by c; positions of rotors, sensors and gear are relative to the new one.
    Raises InvalidRobot.
    """
    here = f"{vehicle.name}, payload"
    added = read_numbers([mass], f"{here}, mass", 1)[0]
    if added < 0.0:
        raise InvalidRobot(f"{here}, mass", f"found {added:g} kg", "at least 0 kg")
    p, added_inertia = np.array(read_numbers(at, f"{here}, at")), tensor(inertia, f"{here}, inertia")
    read_numbers(added_inertia.ravel(), f"{here}, inertia", 9)
    total = vehicle.mass + added
    c = added / total * p
    both = np.array(vehicle.inertia) + added_inertia
    for m, d in ((vehicle.mass, -c), (added, p - c)):
        both = both + m * skew(d) @ skew(d).T
    rotors = tuple(replace(rotor, place=np.array(rotor.place) - c) for rotor in vehicle.rotors)
    sensors = {name: np.array(place) - c for name, place in vehicle.sensors}
    gear = max(vehicle.gear - float(c[2]), 0.0)
    return replace(vehicle, mass=total, inertia=both, rotors=rotors, sensors=sensors, gear=gear)


@checked_numbers(InvalidRobot)
def perturb(vehicle: Multirotor, fraction: float, seed: int) -> Multirotor:
    """A copy with mass, inertia and coefficients that deviate by up to `fraction`, each independently.

    Every number is multiplied by 1 + fraction u, u uniform on [-1, 1]: the mass, the second moments of
    mass along the principal axes (so that the result is the inertia of some body), the drag of the body,
    and for each rotor its thrust, its torque and its drag. The draws depend only on the seed and the
    rotor's place in the list (Philox 4x64, Salmon et al., SC 2011): they are equal on every
    machine. Raises InvalidRobot.
    """
    here = f"{vehicle.name}, perturb"
    spread = vector([fraction], f"{here}, fraction", 1)[0]
    if not 0.0 <= spread < 1.0:
        raise InvalidRobot(f"{here}, fraction", f"found {spread:g}", "at least 0 and below 1")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InvalidRobot(f"{here}, seed", f"found {seed!r}"[:80], "an integer, at least 0")

    def factors(item: int, count: int) -> Any:
        key = np.random.SeedSequence([int(seed), item])
        return 1.0 + spread * np.random.Generator(np.random.Philox(key)).uniform(-1.0, 1.0, count)

    f = factors(0, 10)
    moments, axes = np.linalg.eigh(np.array(vehicle.inertia))
    second = (moments.sum() / 2 - moments) * f[1:4]
    rotors = []
    for i, rotor in enumerate(vehicle.rotors, 1):
        changed = {
            name: getattr(rotor, name) * float(u)
            for name, u in zip(AERODYNAMIC, factors(i, len(AERODYNAMIC)))
        }
        rotors.append(replace(rotor, **changed))
    return replace(
        vehicle, mass=vehicle.mass * float(f[0]), inertia=axes @ np.diag(second.sum() - second) @ axes.T,
        rotors=tuple(rotors), linear_drag=np.array(vehicle.linear_drag) * f[4:7],
        quadratic_drag=np.array(vehicle.quadratic_drag) * f[7:10],
    )  # fmt: skip


def failure(vehicle: Multirotor, rotor: int, gives: float) -> Multirotor:
    """A copy in which a rotor, numbered from 1, gives the fraction `gives` of its thrust, torque and drag.

    Raises InvalidRobot.
    """
    part = read_numbers([gives], f"{vehicle.name}, failure, gives", 1)[0]
    if not 0.0 <= part <= 1.0:
        raise InvalidRobot(f"{vehicle.name}, failure, gives", f"found {gives!r}"[:80], "0 to 1")
    intact = vehicle.rotors[vehicle.index(rotor)]
    return vehicle.with_rotor(rotor, **{name: part * getattr(intact, name) for name in AERODYNAMIC})


def with_air_density(vehicle: Multirotor, air_density: float) -> Multirotor:
    """A copy with all aerodynamic coefficients scaled with the density. Raises InvalidRobot."""
    density = read_numbers([air_density], f"{vehicle.name}, air_density", 1)[0]
    if density <= 0.0:
        raise InvalidRobot(f"{vehicle.name}, air_density", f"found {density:g}", "greater than 0")
    ratio = density / vehicle.air_density
    rotors = tuple(
        replace(rotor, **{name: ratio * getattr(rotor, name) for name in AERODYNAMIC})
        for rotor in vehicle.rotors
    )
    return replace(
        vehicle, air_density=density, rotors=rotors, linear_drag=ratio * np.array(vehicle.linear_drag),
        quadratic_drag=ratio * np.array(vehicle.quadratic_drag),
    )  # fmt: skip


def with_arms(vehicle: Multirotor, factor: float) -> Multirotor:
    """A copy with rotors at `factor` times their distances from the z axis. Raises InvalidRobot."""
    times = read_numbers([factor], f"{vehicle.name}, arms", 1)[0]
    if times <= 0.0:
        raise InvalidRobot(f"{vehicle.name}, arms", f"found {times:g}", "greater than 0")
    rotors = tuple(
        replace(rotor, place=np.array(rotor.place) * [times, times, 1.0]) for rotor in vehicle.rotors
    )
    return replace(vehicle, rotors=rotors)
