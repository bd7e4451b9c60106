"""The table of a robot with polynomials in symbols as entries has absolute angles along parallel axes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import pi
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..model import table as columns
from ..model.joint import BASE, Joint
from ..model.poses import rotation, turn_to
from ..model.robot import Robot
from .polynomial import Angle, Ring, Turn, Value, exact, quarter_turns
from .symbolic import AXES, ELEMENTS, GENERAL, MODIFIED, STANDARD, ZERO, Place, coulomb, places
from .tape import cosine, sine

Objects = NDArray[np.object_]


class Builder:
    """The table of `model/table.py` with polynomials for numbers."""

    def __init__(self, robot: Robot, of: str, chosen: Mapping[str, sp.Expr]) -> None:
        self.robot, self.of, self.chosen = robot, of, chosen
        self.q = [sp.Symbol(f"q{i + 1}") for i in range(robot.n)]
        self.qd = [sp.Symbol(f"qd{i + 1}") for i in range(robot.n)]
        self.qdd = [sp.Symbol(f"qdd{i + 1}") for i in range(robot.n)]
        self.signs = [sp.Symbol(f"sign_qd{i + 1}") for i in range(robot.n)]
        free: set[Any] = set().union(*(value.free_symbols for value in chosen.values()))
        self.parameters = sorted(free, key=str)
        self.turned: dict[Any, Any] = {}
        self.space = Ring([*self.parameters, *self.q, *self.qd, *self.qdd, *self.signs], self.q)
        self.numeric = robot.table(of)
        self._list_turns()
        self.space.build()
        self.table = self._tabulate()
        inertial = (value for name, value in chosen.items() if name[0] in "mIJ")
        self.inertial: set[Any] = set().union(*(value.free_symbols for value in inertial))

    def evaluate(self, values: Mapping[sp.Symbol, Any]) -> Objects:
        """The table with other values of the parameters, such as numbers of a tape."""
        numbers: list[Any] = []
        for turn in self.space.turns:
            angle = values.get(turn.shown, 0.0)
            numbers += [cosine(angle), sine(angle)]
        numbers += [values.get(symbol, 0.0) for symbol in self.space.symbols]
        table = self.table.copy()
        for at, entry in np.ndenumerate(table):
            if isinstance(entry, Value):
                table[at] = entry.evaluate(numbers)
            elif isinstance(entry, Fraction):
                table[at] = float(entry)
        return table

    # absolute angles

    def _list_turns(self) -> None:
        """One absolute angle for each turning joint, along parallel axes; and one for each symbolic alpha."""
        arm, turns = self.numeric, self.space.turns
        self.of_row: dict[int, tuple[int, int]] = {}  # the absolute angle, and the sign of the axis
        for i in range(len(arm) - 1):
            if arm[i, columns.PRISMATIC]:
                continue
            key = self._angle(i)
            shift = Fraction(0) if quarter_turns(float(key.offset)) is not None else key.offset
            before, sense = self._before(i)
            weights: dict[int, Fraction] = dict(turns[before].weights) if before is not None else {}
            weights[key.coordinate] = weights.get(key.coordinate, Fraction(0)) + sense * key.ratio
            shown = sum(
                (sp.Rational(w.numerator, w.denominator) * self.q[c] for c, w in weights.items()),
                sp.Integer(0),
            )
            constant = (turns[before].constant if before is not None else sp.Integer(0)) + sense * angle_of(
                shift
            )
            self.of_row[i] = len(turns), sense
            chain = turns[before].chain if before is not None else len(turns)
            turns.append(Turn(weights, shown + constant, chain, 2 * len(turns), 2 * len(turns) + 1, constant))
            self.turned.setdefault(key, (len(turns) - 1, before, sense))
        for name, value in self.chosen.items():
            if "alpha" in name and not value.is_number:
                self.turned[name] = len(turns)
                turns.append(Turn({}, value, len(turns), 2 * len(turns), 2 * len(turns) + 1, value))

    def _angle(self, i: int) -> Angle:
        joint = self._joint_of_row(i)
        offset = joint.offset
        place = Place.of(np.array(joint.place))
        if place.form == MODIFIED and joint.axis == (0.0, 0.0, 1.0):
            offset += place.numbers["theta"]
        arm = self.numeric
        return Angle(int(arm[i, columns.COORDINATE]), exact(arm[i, columns.RATIO]), offset_of(offset))

    def _joint_of_row(self, i: int) -> Joint:
        return [joint for joint in self.robot.joints if joint.moves][i]

    def _before(self, i: int) -> tuple[int | None, int]:
        """The absolute angle of the nearest inner turning joint with a parallel axis, and the sign."""
        arm, R = self.numeric, np.eye(3)
        row = i
        while True:
            R = arm[row, columns.PLACE_R : columns.PLACE_R + 9].reshape(3, 3) @ R
            row = int(arm[row, columns.PARENT])
            if row < 0 or row in self.of_row:
                break
        symbolic = any("alpha" in name for name in self.chosen)  # it rotates the axes relative to each other
        if row < 0 or abs(abs(R[2, 2]) - 1.0) > ZERO or symbolic:
            return None, 1
        turn, sense = self.of_row[row]
        return turn, sense * (1 if R[2, 2] > 0 else -1)

    def sine_cosine(self, angle: Angle) -> tuple[Value, Value]:
        """Sine and cosine of a joint's angle, from absolute angles."""
        turn, before, sense = self.turned[angle]
        c, s = self.space.pair(turn)
        if before is not None:
            cb, sb = self.space.pair(before)
            c, s = c * cb + s * sb, s * cb - c * sb
        s = s * sense
        for _ in range((quarter_turns(float(angle.offset)) or 0) % 4):
            s, c = c, -s
        return s, c

    # the table

    def number(self, name: str, value: float) -> Value:
        """A quantity: its symbol if it is chosen, otherwise its number."""
        return self.space.value(self.chosen.get(name, exact(value)))

    def _constant(self, T: Any) -> Objects:
        """A matrix of numbers without rounding of right angles."""
        flat = [self.space.value(snap(x)) for x in np.asarray(T).ravel()]
        return np.array(flat, object).reshape(np.shape(T))

    def _pose(self, place: Place, names: Mapping[str, str], *, turned: bool = False) -> Objects:
        """A constant pose with symbols; `turned` omits Rz(theta), which the joint includes."""

        def entry(key: str) -> Value:
            return self.number(names.get(key, ""), place.numbers[key])

        if place.form == GENERAL:
            pose = self._constant(np.eye(4))
            pose[:3, :3] = self._constant(place.rotation)
            pose[:3, 3] = [entry(axis) for axis in AXES]
            return pose
        name = names.get("alpha", "")
        if name in self.turned:
            c, s = self.space.pair(self.turned[name])
        else:
            alpha = float(self.chosen.get(name, place.numbers["alpha"]))
            c, s = (self.space.value(snap(float(f(alpha)))) for f in (np.cos, np.sin))
        turn, shift = self._constant(np.eye(4)), self._constant(np.eye(4))
        turn[1, 1], turn[1, 2], turn[2, 1], turn[2, 2] = c, -s, s, c
        shift[0, 3], shift[2, 3] = entry("a"), entry("d")
        if place.form == STANDARD:
            return multiply(shift, turn)
        return multiply(
            multiply(turn, shift), self._constant(rotation(2, 0.0 if turned else place.numbers["theta"]))
        )

    def _tabulate(self) -> Objects:
        """Like `tabulate` of the model, in the same order."""
        robot, zero = self.robot, self.space.value(0)
        arm = np.full(self.numeric.shape, zero, object)
        for at in (columns.PARENT, columns.PRISMATIC, columns.COORDINATE):
            arm[:, at] = [int(x) for x in self.numeric[:, at]]
        seats: dict[str, tuple[int, Objects]] = {BASE: (-1, self._constant(np.array(robot.base)))}
        row = 0
        for i, (joint, link) in enumerate(zip(robot.joints, robot.links), 1):
            parent, pose = seats[joint.parent]
            revolute = joint.kind == "revolute" and joint.axis == (0.0, 0.0, 1.0)
            before, after = places(robot, i)
            pose, frame = multiply(pose, self._pose(*before, turned=revolute)), self._pose(*after)
            if joint.moves:
                turn = turn_to(np.array(joint.axis))
                parent, pose = row, multiply(self._put(arm, row, pose, turn), frame)
                arm[row, columns.RATIO] = exact(self.numeric[row, columns.RATIO])
                arm[row, columns.OFFSET] = self._offset(row)
                _put_pose(arm, row, columns.LINK_R, columns.LINK_P, pose)
                row += 1
            else:
                pose = multiply(pose, frame)
            self._add_mass(arm, parent, pose, link, i)
            seats[link.name] = parent, pose
        for i in range(robot.n):
            for name, at in (("J", columns.ARMATURE), ("B", columns.VISCOUS)):
                arm[i, at] = self.number(f"{name}{i + 1}", self.numeric[i, at])
            drag = [self.number(name, self.numeric[i, at]) for name, at in coulomb(self.numeric, i).items()]
            arm[i, columns.COULOMB_PLUS], arm[i, columns.COULOMB_MINUS] = drag[0], drag[-1]
        self._fill_last(arm, seats)
        return arm

    def _put(self, arm: Objects, row: int, pose: Objects, turn: Any) -> Objects:
        """Place the joint; returns the rotation from the body frame to the user's axes."""
        _put_pose(arm, row, columns.PLACE_R, columns.PLACE_P, multiply(pose, self._constant(turn)))
        return self._constant(turn.T)

    def _offset(self, row: int) -> Any:
        if self.numeric[row, columns.PRISMATIC]:
            return exact(self.numeric[row, columns.OFFSET])
        return self._angle(row).offset

    def _add_mass(self, arm: Objects, row: int, pose: Objects, link: Any, i: int) -> None:
        if row < 0:
            return
        R, p = pose[:3, :3], pose[:3, 3]
        m = self.number(f"m{i}", link.mass)
        com = [self.number(f"c{axis}{i}", value) for axis, value in zip(AXES, link.com)]
        c = [p[k] + sum(R[k, j] * com[j] for j in range(3)) for k in range(3)]
        tensor = np.empty((3, 3), object)
        for a, b in ELEMENTS:
            tensor[a, b] = tensor[b, a] = self.number(f"I{AXES[a]}{AXES[b]}{i}", link.inertia[a][b])
        total = multiply(multiply(R, tensor), R.T)
        square = sum((x * x for x in c), self.space.value(0))
        arm[row, columns.MASS] += m
        for k in range(3):
            arm[row, columns.MOMENT + k] += m * c[k]
        for k, (a, b) in enumerate(ELEMENTS):
            steiner = (square if a == b else 0) - c[a] * c[b]
            arm[row, columns.INERTIA + k] += total[a, b] + m * steiner

    def _fill_last(self, arm: Objects, seats: Mapping[str, tuple[int, Objects]]) -> None:
        robot, of = self.robot, self.of
        row, pose = seats[robot.tip if of == "tool" else of]
        if of == "tool":
            tool = self._constant(np.array(robot.tool))
            for k, axis in enumerate(AXES):
                tool[k, 3] = self.number(f"t{axis}", robot.tool[k][3])
            pose = multiply(pose, tool)
        arm[-1, columns.TIP], arm[-1, columns.COUNT] = row, robot.n
        _put_pose(arm, -1, columns.TOOL_R, columns.TOOL_P, pose)
        down = [value for value in robot.gravity if value]
        for k, (axis, value) in enumerate(zip(AXES, robot.gravity)):
            if len(down) == 1:
                size = self.number("g", abs(value)) if value else self.space.value(0)
                arm[-1, columns.GRAVITY + k] = size if value > 0 else -size
            else:
                arm[-1, columns.GRAVITY + k] = self.number(f"g{axis}", value)


def angle_of(shift: Any) -> sp.Expr:
    """A constant angle, as a multiple of pi if it is one."""
    value = float(shift)
    share = Fraction(value / pi).limit_denominator(360)
    if abs(float(share) * pi - value) <= 1e-15 * max(1.0, abs(value)):
        return sp.Rational(share.numerator, share.denominator) * sp.pi
    decimal = exact(value)
    return (
        sp.Rational(decimal.numerator, decimal.denominator)
        if decimal.denominator < 10**13
        else sp.Float(value, 17)
    )


def offset_of(offset: float) -> float:
    """A joint's offset; -0 is 0."""
    return offset + 0.0


def snap(x: float) -> Fraction:
    """An element of a pose; 1e-16 from a right angle becomes 0, and 1 to rounding becomes 1."""
    nearest_whole = round(x)
    if abs(x - nearest_whole) < 2e-15:
        return Fraction(nearest_whole)
    return exact(x)


def multiply(A: Objects, B: Objects) -> Objects:
    """A B, without products with 0."""
    product = np.empty((A.shape[0], B.shape[1]), object)
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total: Any = 0
            for k in range(A.shape[1]):
                if A[i, k] and B[k, j]:
                    total = A[i, k] * B[k, j] + total
            product[i, j] = total if isinstance(total, Value) else A[0, 0].space.value(total)
    return product


def _put_pose(arm: Objects, row: int, rotation: int, position: int, T: Objects) -> None:
    arm[row, rotation : rotation + 9] = T[:3, :3].ravel()
    arm[row, position : position + 3] = T[:3, 3]
