"""A robot's symbolic equations are requested here, and its numbers get symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.checked import checked_numbers
from ...base.extras import remedy
from ...base.words import nearest
from ..calls.kernel import as_robot
from ..errors import RobotError
from ..model import table as columns
from ..model.robot import Robot

if TYPE_CHECKING:
    from .expressions import SymbolicRobot

AXES = "xyz"
ELEMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
MODIFIED, STANDARD, GENERAL = "modified", "standard", "general"  # forms of a constant pose
ZERO = 1e-12


class SymbolicError(RobotError):
    """Equations cannot be derived: SymPy is missing, a parameter is unknown, or they are too long to read."""

    def __init__(self, place: str, actual: str, expected: str) -> None:
        self.place, self.actual, self.expected = place, actual, expected
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


@checked_numbers(SymbolicError)
def symbolic(
    robot: Robot | str, parameters: str | Iterable[str] | Mapping[str, Any] = "numbers"
) -> SymbolicRobot:
    """The robot's kinematics and dynamics as SymPy expressions; needs the extra `symbolic`.

        M(q) qdd + C(q, qd) qd + g(q) + f(qd) = tau

    robot: a Robot, or its name in the library. parameters: "numbers" keeps all numbers, decimals as exact
    fractions; "symbols" replaces all nonzero numbers by symbols with the names of `quantities`; names
    replace only these; a mapping gives each a name, number or expression, {"a1": "L1", "cx1": "-L1/2"}.
    The methods of the result have the names of `robots.functions`.

    Sources: Luh, Walker, Paul, J. Dyn. Sys. Meas. Control 102(2), 1980 (tau); Siciliano et al., Robotics,
    2009, section 7.2.1 (C by Christoffel symbols). Raises SymbolicError, UnknownRobot.
    """
    robot = as_robot(robot)
    command = remedy("sympy")
    if command:
        raise SymbolicError(robot.name, "symbolic equations need SymPy", f"the extra symbolic: {command}")
    from .expressions import SymbolicRobot

    numbers = quantities(robot)
    chosen: dict[str, Any] = {}
    if isinstance(parameters, str):
        valid = parameters in ("numbers", "symbols")
        if parameters == "symbols":
            present = numbers if robot.has_dynamics else geometry(robot)
            chosen = {name: name for name in present if stands(name, numbers[name])}
    else:
        names: list[Any] = list(parameters) if isinstance(parameters, Iterable) else [None]
        valid = all(isinstance(name, str) for name in names)
        if valid:
            chosen = dict(parameters) if isinstance(parameters, Mapping) else {name: name for name in names}
    if not valid:
        expected = '"numbers", "symbols", a list of names, or a mapping of names'
        raise SymbolicError(f"{robot.name}, parameters", f"found {parameters!r:.60}", expected)
    for name in chosen:
        if name not in numbers:
            listed = ", ".join(key for key, value in numbers.items() if value)
            actual = f"there is no quantity `{name}`{nearest(str(name), list(numbers))}"
            raise SymbolicError(f"{robot.name}, parameters", actual, f"one of {listed} (these are not 0)")
    return SymbolicRobot(robot, chosen, numbers)


def stands(name: str, value: float) -> bool:
    """True for a number that becomes a symbol: not 0 or a right angle."""
    if "alpha" in name:
        turns = value / (np.pi / 2)
        return abs(turns - round(turns)) > ZERO
    return abs(value) > ZERO


@dataclass(frozen=True)
class Place:
    """A constant pose as Rx(alpha) T(a, 0, d) Rz(theta), as T(a, 0, d) Rx(alpha), or as its 12 numbers."""

    form: str
    numbers: dict[str, float]
    rotation: Any

    @classmethod
    def of(cls, T: Any) -> Place:
        """The form that the pose has."""
        R, (x, y, z) = T[:3, :3], T[:3, 3].tolist()
        small = ZERO * max(1.0, abs(x), abs(y), abs(z))
        if abs(R[0, 2]) < ZERO:
            sine, cosine = -R[1, 2], R[2, 2]
            alpha, theta = float(np.arctan2(sine, cosine)), float(np.arctan2(-R[0, 1], R[0, 0]))
            d = float(cosine * z - sine * y)
            if max(abs(y + sine * d), abs(z - cosine * d)) < small:
                return cls(MODIFIED, {"a": x, "d": d, "alpha": alpha, "theta": theta}, R)
            if abs(theta) < ZERO and abs(y) < small:
                return cls(STANDARD, {"a": x, "d": z, "alpha": alpha}, R)
        return cls(GENERAL, {"x": x, "y": y, "z": z}, R)


def quantities(robot: Robot) -> dict[str, float]:
    """The robot's numbers by the names of their symbols, each with the number of its link.

    a, d, alpha of Denavit-Hartenberg rows, otherwise x, y, z of a joint's place; m, cx, cy, cz, Ixx ... about
    the centre of mass; J, B, Tc of the drive, at the joint, or Tcp and Tcm if the senses differ. g
    is gravity along an axis of the world, otherwise gx, gy, gz. tx, ty, tz place the tool in the last link.
    """
    numbers = geometry(robot)
    for i, link in enumerate(robot.links, 1):
        numbers[f"m{i}"] = link.mass
        numbers |= {f"c{axis}{i}": value for axis, value in zip(AXES, link.com)}
        numbers |= {f"I{AXES[a]}{AXES[b]}{i}": float(link.inertia[a][b]) for a, b in ELEMENTS}
    table = robot.table()
    for i in range(robot.n):
        numbers[f"J{i + 1}"] = float(table[i, columns.ARMATURE])
        numbers[f"B{i + 1}"] = float(table[i, columns.VISCOUS])
        for name, at in coulomb(table, i).items():
            numbers[name] = float(table[i, at])
    down = [value for value in robot.gravity if value]
    if len(down) == 1:
        numbers["g"] = abs(down[0])
    else:
        numbers |= {f"g{axis}": value for axis, value in zip(AXES, robot.gravity)}
    return numbers | {f"t{axis}": float(row[3]) for axis, row in zip(AXES, robot.tool)}


def coulomb(table: Any, i: int) -> dict[str, int]:
    """Names of a coordinate's Coulomb friction and their columns: one name if both directions are equal."""
    plus, minus = columns.COULOMB_PLUS, columns.COULOMB_MINUS
    if table[i, plus] == table[i, minus]:
        return {f"Tc{i + 1}": plus}
    return {f"Tcp{i + 1}": plus, f"Tcm{i + 1}": minus}


def geometry(robot: Robot) -> dict[str, float]:
    """The numbers of all constant poses, by name."""
    return {
        name: place.numbers[key]
        for i in range(1, len(robot.joints) + 1)
        for place, names in places(robot, i)
        for key, name in names.items()
    }


def places(robot: Robot, i: int) -> list[tuple[Place, dict[str, str]]]:
    """The poses before and after the motion of joint i, counted from 1, with the names of their numbers.

    In the standard convention the pose after it has the names; a p marks numbers of the pose before it.
    """
    standard = any(not np.array_equal(link.frame, np.eye(4)) for link in robot.links)
    before, after = (
        Place.of(np.array(robot.joints[i - 1].place)),
        Place.of(np.array(robot.links[i - 1].frame)),
    )
    if standard:
        first = {key: f"p{key}{i}" for key, value in before.numbers.items() if value and key != "theta"}
        return [(before, first), (after, {key: f"{key}{i}" for key in after.numbers if key != "theta"})]
    return [(before, {key: f"{key}{i}" for key in before.numbers if key != "theta"}), (after, {})]
