"""Rotors with their motors and blades, and the battery that feeds them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked_numbers
from ...base.hints import nearest_word
from ..errors import InvalidRobot
from ..model.poses import Vector, vector


@dataclass(frozen=True)
class Battery:
    """A battery and the motors' efficiency.

        V_o = empty + charge (full - empty)        V = V_o - resistance I        V I = P / efficiency

    `full` and `empty` are open-circuit voltages, V, at charge 1 and 0; `resistance`, ohm; `capacity`, A h;
    `efficiency` is mechanical power P of the rotors over electrical power. A rotor reaches its speed
    `fastest` at the voltage `full`. Raises InvalidRobot.
    """

    full: float
    empty: float
    capacity: float
    resistance: float = 0.0
    efficiency: float = 1.0

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        keep(self, "empty", "battery", above=0.0)
        keep(self, "full", "battery", least=self.empty)
        keep(self, "capacity", "battery", above=0.0)
        keep(self, "resistance", "battery", least=0.0)
        keep(self, "efficiency", "battery", above=0.0)
        if self.efficiency > 1.0:
            raise InvalidRobot("battery, efficiency", f"found {self.efficiency:g}", "at most 1")


UP: Vector = (0.0, 0.0, -1.0)  # in body axes, whose z points down
LARGEST = 1e100  # for fields of a vehicle: products of a few stay finite


@dataclass(frozen=True)
class Blades:
    """The blades of a rotor, for their flapping; SI units, angles in rad.

    `chord`, m; `mass` of one blade and `clamp_mass` of its clamp, kg; `clamp_offset` and `hinge_offset` from
    the shaft, m; `lift_slope`, 1/rad; pitch angles `root_pitch` and `tip_pitch`. Raises InvalidRobot.

    Source: Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot, Control Engineering
    Practice 18(7), 2010.
    """

    count: int
    chord: float
    mass: float
    clamp_mass: float
    clamp_offset: float
    lift_slope: float
    root_pitch: float
    tip_pitch: float
    hinge_offset: float = 0.0

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        _check_whole(self.count, "blades, count", 1)
        for name in ("chord", "mass", "lift_slope"):
            keep(self, name, "blades", above=0.0)
        for name in ("clamp_mass", "clamp_offset", "hinge_offset"):
            keep(self, name, "blades", least=0.0)
        for name in ("root_pitch", "tip_pitch"):
            keep(self, name, "blades")

    @property
    def twist(self) -> float:
        """The change of pitch from root to tip, rad."""
        return self.tip_pitch - self.root_pitch

    @property
    def pitch_at_three_quarters(self) -> float:
        """The pitch at three quarters of the radius, rad."""
        return self.root_pitch + 0.75 * self.twist

    def blade_inertia(self, radius: float) -> float:
        """The inertia of one blade about the flapping hinge, kg m2: m (r - e_c)^2 / 4."""
        return self.mass * (radius - self.clamp_offset) ** 2 / 4

    @property
    def clamp_inertia(self) -> float:
        """The inertia of one blade's clamp, kg m2: m_c e_c^2 / 4."""
        return self.clamp_mass * self.clamp_offset**2 / 4

    def static_moment(self, radius: float, gravity: float) -> float:
        """The weight's moment on one blade about the shaft, N m: g (m_c e_c + m r) / 2."""
        return gravity * (self.clamp_mass * self.clamp_offset + self.mass * radius) / 2

    def solidity(self, radius: float) -> float:
        """The fraction of the disc that the blades cover: N c / (pi r)."""
        return self.count * self.chord / (math.pi * radius)

    def lock_number(self, radius: float, air_density: float) -> float:
        """Aerodynamic over inertial forces on a blade: rho a c r^4 / I."""
        inertia = self.blade_inertia(radius) + self.clamp_inertia
        return air_density * self.lift_slope * self.chord * radius**4 / inertia


@dataclass(frozen=True)
class Rotor:
    """A rotor of a multirotor, in body axes: x forward, y right, z down; SI units.

    `place` is the position of the hub relative to the centre of mass, m, `axis` the direction of the thrust,
    of any length. A rotor with `spin` 1 turns clockwise seen from above, about -axis; one with -1 turns the
    other way.

        T = thrust w^2  along `axis`        Q = torque w |w|  about `axis`, w signed about -axis

    `thrust`, N s2, and `torque`, N m s2, are static coefficients. Moving air also exerts the
    force -|w| (in_plane_drag v_p + axial_drag v_a), N s2/(rad m), against the components of its hub's
    velocity, the force translational_lift |v_p|^2, N s2/m2, along `axis`, and the moment -flapping_moment |w|
    (v x axis), N s2/rad, of its flapping blades. `radius`, m, and `blades` are for ground effect and
    flapping. The motor: `time_up` and `time_down`, s, to speed up and to slow down, `inertia` of the rotating
    parts, kg m2, speeds from `slowest` to `fastest`, rad/s. Raises InvalidRobot.

    Sources: Mahony, Kumar, Corke, Multirotor Aerial Vehicles, IEEE Robotics and Automation Magazine 19(3),
    2012; in-plane and axial drag: Foerster, System Identification of the Crazyflie 2.0 Nano Quadrocopter, ETH
    Zurich, 2015; lift and flapping moment: Folk, Paulos, Kumar, RotorPy, arXiv 2306.04485, 2023, after
    Svacha, Mohta, Kumar, Improving quadrotor trajectory tracking by compensating for aerodynamic effects,
    ICUAS 2017.
    """

    place: Vector
    spin: int
    thrust: float
    torque: float
    axis: Vector = UP
    radius: float = 0.0
    in_plane_drag: float = 0.0
    axial_drag: float = 0.0
    time_up: float = 0.0
    time_down: float = 0.0
    inertia: float = 0.0
    slowest: float = 0.0
    fastest: float = math.inf
    blades: Blades | None = None
    translational_lift: float = 0.0
    flapping_moment: float = 0.0

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        object.__setattr__(self, "place", read_numbers(self.place, "rotor, place"))
        object.__setattr__(self, "axis", UP if self.axis is UP else _direction(self.axis))
        if isinstance(self.spin, bool) or self.spin not in (1, -1):
            expected = "1 (clockwise seen from above) or -1"
            raise InvalidRobot("rotor, spin", f"found {self.spin!r}"[:80], expected)
        object.__setattr__(self, "spin", int(self.spin))
        for name in (
            "thrust", "torque", "radius", "in_plane_drag", "axial_drag", "time_up", "time_down", "inertia",
            "slowest", "translational_lift", "flapping_moment",
        ):  # fmt: skip
            keep(self, name, "rotor", least=0.0)
        keep(self, "fastest", "rotor", above=self.slowest, infinite=True)
        blades: Any = self.blades
        if isinstance(blades, Mapping):
            object.__setattr__(self, "blades", blades_from(blades))
        elif not (blades is None or isinstance(blades, Blades)):
            raise InvalidRobot("rotor, blades", f"found {blades!r}"[:80], "Blades, or their numbers by name")


def blades_from(data: Mapping[str, Any], place: str = "blades") -> Blades:
    """Blades from a mapping. Raises InvalidRobot."""
    names = tuple(Blades.__dataclass_fields__)
    for key in data:
        if key not in names:
            raise InvalidRobot(
                place, f"unknown key `{key}`{nearest_word(str(key), names)}", f"one of: {', '.join(names)}"
            )
    missing = [name for name in names if name not in data and name != "hinge_offset"]
    if missing:
        raise InvalidRobot(place, f"no `{missing[0]}`", f"the keys {', '.join(names)}")
    return Blades(**data)


def _direction(axis: ArrayLike) -> Vector:
    """The unit vector of a thrust. Raises InvalidRobot."""
    along = np.array(read_numbers(axis, "rotor, axis"))
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise InvalidRobot("rotor, axis", "found [0, 0, 0]", "the direction of the thrust")
    if length != 1.0:  # a unit vector stays unchanged to the last bit
        along = along / length
    x, y, z = (along + 0.0).tolist()
    return x, y, z


def read_numbers(value: object, place: str, size: int = 3) -> tuple[float, ...]:
    """The value as `size` finite numbers within range. Raises InvalidRobot."""
    numbers = vector(value, place, size)
    if max(map(abs, numbers)) > LARGEST:
        raise InvalidRobot(place, f"found {max(numbers, key=abs):g}", f"at most {LARGEST:g} in size")
    return numbers


def keep(
    value: object, name: str, kind: str, *, least: float | None = None, above: float | None = None,
    infinite: bool = False,
) -> None:  # fmt: skip
    """Keep a field of a frozen value as a float within its bounds. Raises InvalidRobot."""
    number = getattr(value, name)
    place = f"{kind}, {name}"
    if not (type(number) is float and abs(number) <= LARGEST) and not (infinite and number == math.inf):
        number = read_numbers([number], place, 1)[0]
    if least is not None and not number >= least:
        raise InvalidRobot(place, f"found {number:g}", f"{least:g} or greater")
    if above is not None and not number > above:
        raise InvalidRobot(place, f"found {number:g}", f"greater than {above:g}")
    object.__setattr__(value, name, float(number))


def _check_whole(value: object, place: str, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InvalidRobot(place, f"found {value!r}"[:80], f"a whole number, at least {least}")
