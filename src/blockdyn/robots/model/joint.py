"""A joint defines the motion of a link relative to its parent, and the resistance to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ...base.checked import checked_numbers
from ...base.hints import AttributeHints, hint_keywords
from ..errors import InvalidRobot
from .poses import IDENTITY, Matrix, Vector, pose, vector

Kind = Literal["revolute", "prismatic", "fixed"]
BASE = "base"
UNIT = 1e-15  # deviation from 1 of the length of a normalised vector


@dataclass(frozen=True)
class Joint(AttributeHints):
    """A revolute, prismatic or fixed joint, in the frame `place` of the parent link.

        T = place  exp(axis (q + offset))  frame of the carried link

    `axis` is a unit vector in the joint's own frame. Limits bound the coordinate q (rad or m), `speed` its
    rate and `effort` its torque or force; infinity means no limit. Friction and inertia of the motor are
    motor-referred, as in the toolboxes: with gear ratio G (its sign is the direction of the motor),

        tau_f = -|G| (viscous |G| qd + coulomb[0] [qd > 0] - coulomb[1] [qd < 0])
        armature = G^2 motor_inertia

    Both Coulomb values are at least 0. A joint that mimics another one has no coordinate of its own: q is
    `multiplier` times the coordinate of the joint named by `mimic`, which may mimic a third one.
    Source: Corke, Robotics, Vision and Control (2017), section 9.1.
    Raises InvalidRobot.
    """

    name: str
    kind: Kind = "revolute"
    parent: str = BASE
    place: Matrix = field(default=IDENTITY, repr=False)
    axis: Vector = (0.0, 0.0, 1.0)
    offset: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    speed: float = math.inf
    effort: float = math.inf
    viscous: float = 0.0
    coulomb: Any = (0.0, 0.0)
    gear: float = 1.0
    motor_inertia: float = 0.0
    mimic: str = ""
    multiplier: float = 1.0

    @checked_numbers(InvalidRobot)
    def __post_init__(self) -> None:
        here = f"joint `{self.name}`"
        if not isinstance(self.name, str) or not self.name:
            raise InvalidRobot("joint", f"the name {self.name!r}", "a text")
        if not isinstance(self.parent, str):
            raise InvalidRobot(f"{here}, parent", f"found {self.parent!r}"[:80], "a link's name, or base")
        if self.kind not in get_args(Kind):
            raise InvalidRobot(here, f"the kind {self.kind!r}", "revolute, prismatic or fixed")
        self._set("place", pose(self.place, f"{here}, place"))
        self._set("axis", _unit(self.axis, f"{here}, axis"))
        self._set("coulomb", _pair(self.coulomb, f"{here}, coulomb"))
        if not isinstance(self.mimic, str) or self.mimic == self.name:
            raise InvalidRobot(f"{here}, mimic", f"found {self.mimic!r}"[:80], "the name of another joint")
        for name in ("offset", "viscous", "gear", "motor_inertia", "multiplier"):
            self._set(name, _number(getattr(self, name), f"{here}, {name}", finite=True))
        for name in ("lower", "upper", "speed", "effort"):
            self._set(name, _number(getattr(self, name), f"{here}, {name}", finite=False))
        for name in ("viscous", "motor_inertia", "speed", "effort"):
            if getattr(self, name) < 0:
                raise InvalidRobot(f"{here}, {name}", f"found {getattr(self, name):g}", "at least 0")
        if self.gear == 0.0:
            raise InvalidRobot(f"{here}, gear", "found 0", "a ratio other than 0 (1 where there is no gear)")
        if self.multiplier == 0.0:
            raise InvalidRobot(
                f"{here}, multiplier", "found 0", "another number; `kind: fixed` does not move"
            )
        if self.lower > self.upper:
            problem = f"the lower limit {self.lower:g} lies above the upper one, {self.upper:g}"
            raise InvalidRobot(here, problem, "lower <= upper")

    @property
    def moves(self) -> bool:
        """True if the joint moves, by its own coordinate or by the joint that it mimics."""
        return self.kind != "fixed"

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


Joint.__init__ = hint_keywords(Joint.__init__)  # type: ignore[method-assign]


def _number(value: Any, place: str, *, finite: bool) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, (bool, str, bytes)) or math.isnan(number) or (finite and math.isinf(number)):
        raise InvalidRobot(place, f"found {value!r}", "a finite number" if finite else "a number")
    return number


def _unit(value: object, place: str) -> tuple[float, ...]:
    axis = vector(value, place)
    length = math.sqrt(sum(x * x for x in axis))
    if length < 1e-9:
        raise InvalidRobot(place, "found a vector of length 0", "the direction of the axis")
    return axis if abs(length - 1.0) <= UNIT else tuple(x / length for x in axis)


def _pair(value: object, place: str) -> tuple[float, ...]:
    """(plus, minus); one number counts for both directions."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = (value, value)
    pair = vector(value, place, 2)
    if min(pair) < 0:
        expected = "two magnitudes, at least 0: against positive and against negative velocity"
        raise InvalidRobot(place, f"found {list(pair)}", expected)
    return pair
