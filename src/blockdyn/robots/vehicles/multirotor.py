"""A multirotor is an immutable value: a rigid body, its rotors, its battery."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import dist
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.checked import checked_numbers
from ...base.door import door
from ...base.hints import AttributeHints, nearest_word
from ...base.shown import NotebookText
from ..errors import InvalidRobot, RobotWarning, count_own_frames
from ..model.link import doubt, principal, tensor
from ..model.poses import Array, Matrix, Vector
from .rotor import Battery, Rotor, keep, read_numbers

if TYPE_CHECKING:
    from ...doors import Multirotor as Doors
else:
    Doors = object

FEWEST, MOST = 3, 12  # rotors
NEARLY = 0.05  # of the sum of the others, by which a published largest principal moment may exceed it
APART = 1e-6  # m: closer hubs are one hub, written twice


def inertia_of(value: object, place: str) -> Matrix:
    """The rows of a body's tensor. Raises InvalidRobot."""
    inertia = tensor(value, f"{place}, inertia")
    read_numbers(inertia.ravel(), f"{place}, inertia", 9)
    problem = doubt(inertia, place)
    moments = principal(inertia)
    if problem and moments[2] > (moments[0] + moments[1]) * (1.0 + NEARLY):
        raise InvalidRobot(
            f"{place}, inertia", problem.removeprefix(f"{place}: "), "a body's moments of inertia"
        )
    if problem:
        warnings.warn(problem, RobotWarning, stacklevel=count_own_frames())
    if moments[0] <= 1e-12 * moments[2] or moments[2] <= 0.0:
        shown = ", ".join(f"{m:.4g}" for m in moments)
        raise InvalidRobot(f"{place}, inertia", f"the principal moments are {shown} kg m2", "all above 0")
    return tuple(map(tuple, inertia.tolist()))


def check_rotors(rotors: Sequence[Any], place: str) -> None:
    """Raise InvalidRobot for impossible rotors."""
    for i, rotor in enumerate(rotors, 1):
        if not isinstance(rotor, Rotor):
            raise InvalidRobot(f"{place}, rotor {i}", f"found {rotor!r}"[:80], "a Rotor")
    if not FEWEST <= len(rotors) <= MOST:
        raise InvalidRobot(f"{place}, rotors", f"found {len(rotors)}", f"{FEWEST} to {MOST}")
    places = [rotor.place for rotor in rotors]
    for i in range(len(places)):
        for j in range(i):
            if dist(places[i], places[j]) < APART:
                problem = f"rotors {j + 1} and {i + 1} are both at {list(rotors[i].place)}"
                raise InvalidRobot(f"{place}, rotors", problem, "a place of its own for each")


def check_names(changes: Mapping[str, Any], names: tuple[str, ...], place: str) -> None:
    """Raise InvalidRobot for a change of an unknown key."""
    for key in changes:
        if key not in names:
            raise InvalidRobot(
                place, f"unknown key `{key}`{nearest_word(key, names)}", f"one of: {', '.join(names)}"
            )


AXES = ("roll", "pitch", "yaw", "thrust")
_BOUNDS: dict[str, dict[str, Any]] = {
    "mass": {"above": 0.0}, "gravity": {}, "air_density": {"above": 0.0}, "gear": {"least": 0.0},
}  # fmt: skip
FAINT = 1e-9  # fraction of the rotors' largest effect that counts as 0


@dataclass(frozen=True, repr=False)
class Multirotor(AttributeHints, NotebookText, Doors):
    """A vehicle of 3 to 12 rotors; body axes from the centre of mass, x forward, y right, z down; SI units.

    `inertia` about the centre of mass, rotors included, kg m2: [Ixx, Iyy, Izz], a symmetric 3x3 tensor, or
    {xx, yy, zz, xy, xz, yz} (elements of the tensor: Ixy = -sum m x y). `gravity` is along the world's z,
    which points down, m/s2; `air_density`, kg/m3, is the density for which the coefficients hold.

        F = -linear_drag v - quadratic_drag |v| v

    is the drag of the body at the centre of mass, in body axes, separately for each axis, with the velocity v
    through the air; N s/m and N s2/m2. `sensors` maps names to positions, m. `gear` is the extent of the
    landing gear below the centre of mass, m. Vehicles are equal if all their numbers are. Warns
    (RobotWarning) about a largest principal moment up to 5 % above the sum of the others, which some
    publications contain. Raises InvalidRobot.

    Example:
        vehicle = robots.load_vehicle("crazyflie").payload(0.005, at=[0, 0, 0.01])
    """

    name: str
    mass: float
    inertia: Matrix
    rotors: tuple[Rotor, ...]
    gravity: float = 9.81
    air_density: float = 1.225
    linear_drag: Vector = (0.0, 0.0, 0.0)
    quadratic_drag: Vector = (0.0, 0.0, 0.0)
    gear: float = 0.0
    battery: Battery | None = None
    sensors: Any = ()
    title: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    notes: str = field(default="", compare=False)

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        self._check({*self.__dataclass_fields__})

    def _check(self, names: Collection[str]) -> None:
        """Convert the fields with these names to their types. Raises InvalidRobot."""
        here = self.name
        if not isinstance(here, str) or not here:
            raise InvalidRobot("vehicle, name", f"found {here!r}"[:80], "a text")
        for name, bounds in _BOUNDS.items():
            if name in names:
                keep(self, name, here, **bounds)
        for name in ("linear_drag", "quadratic_drag"):
            if name in names:
                self._set(name, read_numbers(getattr(self, name), f"{here}, {name}"))
                if min(getattr(self, name)) < 0.0:
                    raise InvalidRobot(f"{here}, {name}", f"found {getattr(self, name)}", "0 or greater")
        if "inertia" in names:
            self._set("inertia", inertia_of(self.inertia, here))
        if "rotors" in names:
            self._set("rotors", tuple(self.rotors))
            check_rotors(self.rotors, here)
        if self.battery is not None and not isinstance(self.battery, Battery):
            raise InvalidRobot(f"{here}, battery", f"found {self.battery!r}"[:80], "a Battery")
        if "sensors" in names:
            places = dict(self.sensors)
            checked = ((str(key), read_numbers(at, f"{here}, sensors, {key}")) for key, at in places.items())
            self._set("sensors", tuple(checked))

    def _with(self, **changes: Any) -> Multirotor:
        """A copy with other fields; only these are checked. Raises InvalidRobot."""
        vehicle = object.__new__(type(self))
        for name in self.__dataclass_fields__:
            vehicle._set(name, changes.get(name, getattr(self, name)))
        vehicle._check(changes)
        return vehicle

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    # ---- facts ----

    @property
    def n(self) -> int:
        """The number of rotors."""
        return len(self.rotors)

    @cached_property
    def hubs(self) -> Array:
        """The positions of the rotors, (n, 3), m."""
        return _frozen([rotor.place for rotor in self.rotors])

    @cached_property
    def axes(self) -> Array:
        """The directions of the rotors' thrusts, (n, 3)."""
        return _frozen([rotor.axis for rotor in self.rotors])

    @cached_property
    def spins(self) -> Array:
        """The rotors' senses of rotation, (n,): 1 is clockwise seen from above."""
        return _frozen([rotor.spin for rotor in self.rotors])

    def numbers(self, name: str) -> Array:
        """One field of every rotor, (n,): `numbers("thrust")`."""
        return np.array([getattr(rotor, name) for rotor in self.rotors], np.float64)

    @property
    def places(self) -> Mapping[str, Vector]:
        """The positions of the sensors by name."""
        return MappingProxyType(dict(self.sensors))

    @checked_numbers(InvalidRobot)
    def allocation(self, *, wrench: bool = False) -> Array:
        """The matrix from squared rotor speeds to (roll, pitch, yaw torque, thrust along -z), 4 x n.

            f_i = b_i n_i          tau_i = D_i x f_i + s_i k_i n_i

        With `wrench` its rows are force and torque in body axes, 6 x n. The air is still.
        """
        force = self.numbers("thrust")[:, None] * self.axes
        torque = _cross(self.hubs, force) + (self.spins * self.numbers("torque"))[:, None] * self.axes
        if wrench:
            return np.ascontiguousarray(np.hstack([force, torque]).T)
        return np.ascontiguousarray(np.column_stack([torque, -force[:, 2]]).T)

    @cached_property
    def uncontrolled(self) -> tuple[str, ...]:
        """Axes (roll, pitch, yaw, thrust) that the rotors cannot produce independently of the others."""
        return inseparable(self.allocation(), AXES)

    @checked_numbers(InvalidRobot)
    def hover_speeds(self) -> Array:
        """Signed rotor speeds, (n,), rad/s, that carry the weight upright; least sum of fourth powers.

        Sideways forces are zero as well, if the rotors permit it. Raises InvalidRobot if no such speeds
        exist.
        """
        weight = self.mass * self.gravity
        balance = np.array([0.0, 0.0, -weight, 0.0, 0.0, 0.0]), self.allocation(wrench=True)
        squares, off = _least(*balance)
        if off.any() or (squares < 0.0).any():
            squares, off = _least(np.array([0.0, 0.0, 0.0, weight]), self.allocation())
        if off.any() or (squares < 0.0).any():
            named = [name for name, bad in zip(AXES, off) if bad] or ["thrusts that are all upward"]
            expected = "rotors whose thrusts carry the weight without torque"
            raise InvalidRobot(f"{self.name}, rotors", f"they cannot hover: {', '.join(named)}", expected)
        return np.asarray(self.spins * np.sqrt(squares))

    # ---- changes, each a new value ----

    @checked_numbers(InvalidRobot)
    def replaced(self, **changes: Any) -> Multirotor:
        """A copy with another mass, inertia, gravity, linear_drag, quadratic_drag, gear, battery, sensors."""
        check_names(changes, tuple(self.__dataclass_fields__), self.name)
        return self._with(**changes)

    @checked_numbers(InvalidRobot)
    def with_rotors(self, **changes: Any) -> Multirotor:
        """A copy with other fields of all rotors: `with_rotors(thrust=1.2e-5)`."""
        check_names(changes, tuple(Rotor.__dataclass_fields__), f"{self.name}, rotor")
        return self._with(rotors=tuple(replace(rotor, **changes) for rotor in self.rotors))

    @checked_numbers(InvalidRobot)
    def with_rotor(self, number: int, **changes: Any) -> Multirotor:
        """A copy with other fields of one rotor; rotors are numbered from 1."""
        check_names(changes, tuple(Rotor.__dataclass_fields__), f"{self.name}, rotor")
        i = self.index(number)
        rotors = list(self.rotors)
        rotors[i] = replace(rotors[i], **changes)
        return self._with(rotors=tuple(rotors))

    @checked_numbers(InvalidRobot)
    def with_arms(self, factor: float) -> Multirotor:
        """A copy with rotors at `factor` times their distances from the body's z axis; no mass moves."""
        from .changes import with_arms

        return with_arms(self, factor)

    @checked_numbers(InvalidRobot)
    def with_gravity(self, gravity: float) -> Multirotor:
        """A copy with another acceleration of free fall, m/s2."""
        return self._with(gravity=gravity)

    @checked_numbers(InvalidRobot)
    def with_air_density(self, air_density: float) -> Multirotor:
        """A copy in air of another density, kg/m3: all aerodynamic coefficients are proportional to it."""
        from .changes import with_air_density

        return with_air_density(self, air_density)

    @checked_numbers(InvalidRobot)
    def failure(self, rotor: int, gives: float = 0.0) -> Multirotor:
        """A copy whose rotor of this number, from 1, gives the fraction `gives` of its thrust and torque."""
        from .changes import failure

        return failure(self, rotor, gives)

    def index(self, number: int) -> int:
        """The index of the rotor with this number. Raises InvalidRobot."""
        is_integer = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
        if not is_integer or not 1 <= number <= self.n:
            raise InvalidRobot(
                f"{self.name}, rotor", f"found {number!r}"[:80], f"a number from 1 to {self.n}"
            )
        return int(number) - 1

    def __repr__(self) -> str:
        return f"Multirotor({self.name!r}, {self.n} rotors, {self.mass:g} kg)"

    if not TYPE_CHECKING:  # see doors.pyi
        _figure = door("plots.robots.vehicle:notebook_picture")
        __str__ = door("robots.convert.vehicle_text:format_vehicle")
        payload = door("robots.vehicles.changes:payload")
        perturb = door("robots.vehicles.changes:perturb")


def _cross(a: Array, b: Array) -> Array:
    """The cross products of the rows, five times as fast as NumPy's."""
    (x, y, z), (u, v, w) = a.T, b.T
    return np.column_stack([y * w - z * v, z * u - x * w, x * v - y * u])


def inseparable(A: Array, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the rows of a matrix that are combinations of its other rows."""
    size = np.abs(A).max(axis=1)
    rows = A / np.where(size > 0.0, size, 1.0)[:, None]
    dependent = []
    for i, name in enumerate(names):
        others = np.delete(rows, i, axis=0)
        residual = rows[i] - rows[i] @ np.linalg.pinv(others, rcond=FAINT) @ others
        if np.abs(residual).max() < FAINT:
            dependent.append(name)
    return tuple(dependent)


def _least(wrenches: Array, A: Array) -> tuple[Array, Array]:
    """The squared speeds of least norm for the wrenches, and True for wrenches that they do not reach."""
    size = _sizes(A)
    squares = np.linalg.pinv(A / size, rcond=FAINT) @ (wrenches / size[:, 0])
    return squares, np.abs(A @ squares - wrenches) > FAINT * size[:, 0] * np.abs(squares).max()


def _sizes(A: Array) -> Array:
    size = np.abs(A).max(axis=1, keepdims=True)
    return np.where(size > 0.0, size, 1.0)


def _frozen(rows: object) -> Array:
    array = np.array(rows, np.float64)
    array.setflags(write=False)
    return array
