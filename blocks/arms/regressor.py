"""Regressor: the matrix that multiplies the parameters of an arm in its inverse dynamics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...robots.errors import RobotError
from ...robots.identification.base_parameters import base_parameters
from ...robots.mechanics.bodies import ARMATURE, FRICTION, GRAVITY
from ...robots.mechanics.regressor import (
    directions,
    parameter_count,
    set_directions,
    torque_regressor,
)
from ..contract.errors import ParameterError
from ..contract.parameter import Array, option
from ..contract.port import Crossing, Port, Size
from .arm import ArmBlock
from .sliding import MOST


class Regressor(ArmBlock):
    """The regressor Y of inverse dynamics, n x p.

        tau = Y(q, qd, qdd) theta

    theta holds the values of `robots.standard_parameters`: mass, first moment and inertia of every moving
    body, armature, viscous and Coulomb friction of every joint. With `minimal: true` they are the fewest
    numbers that determine the torques, `robots.base_parameters(robot).values`, as in adaptive control and
    identification. `gravity: false` leaves weight out, `friction: false` the columns of friction,
    `armature: false` the columns of motors. Y depends only on the geometry of the robot, not on its masses.
    The Coulomb columns follow the sign of qd and are 0 at rest; the reversal of a joint is an event. Column
    units are the unit of tau over the unit of the parameter. Source: Slotine, Li, On the Adaptive Control of
    Robot Manipulators, Int. J. Robotics Research 6(3), 1987; Atkeson, An, Hollerbach, Int. J. Robotics
    Research 5(3), 1986.

    Example:
        {type: Regressor, robot: puma560, minimal: true}
    """

    icon = "Y(q, qd, qdd)"

    minimal: bool = option(default=False, doc="whether to keep only the columns of base parameters")
    gravity: bool = option(default=True, doc="whether to include weight")
    friction: bool = option(default=True, doc="whether to include friction")
    armature: bool = option(default=True, doc="whether to include the inertia of motors")

    def check(self) -> None:
        super().check()
        _ = self.columns
        if self.friction and self.model.n > MOST:
            expected = f"at most {MOST} joints, or friction: false"
            raise ParameterError(self.kind(), "robot", self.robot, expected)

    @property
    def terms(self) -> int:
        """The sum of the requested terms."""
        return GRAVITY * bool(self.gravity) + FRICTION * bool(self.friction) + ARMATURE * bool(self.armature)

    @cached_property
    def columns(self) -> Array:
        """The selected columns of the standard regressor. Raises ParameterError."""
        if not self.minimal:
            return np.arange(parameter_count(self.table(), self.terms), dtype=np.float64)
        try:
            base = base_parameters(
                self.model,
                gravity=bool(self.gravity), friction=bool(self.friction), armature=bool(self.armature),
            )  # fmt: skip
        except RobotError as error:
            raise ParameterError(self.kind(), "robot", self.robot, reason=error) from None
        return base.columns.astype(np.float64)

    def input_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.joint_port("qd", "rad/s or m/s"),
            self.joint_port("qdd", "rad/s2 or m/s2"),
        )

    def output_ports(self) -> tuple[Port, ...]:
        size = Size((self.model.n, len(self.columns)))
        return (Port("Y", size, "", size_rule="n x p, n joints, p parameters"),)

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "columns": self.columns, "terms": float(self.terms)}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "full": (self.model.n, parameter_count(self.table(), self.terms))}

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("turn", 0, count=self.model.n),) if self.friction else ()

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if not self.friction:
            return {"output": output_without_friction}
        return {"output": output_by_mode, "mode": mode_of, "crossing": turning}


class Motion(NamedTuple):
    """The motion at which the regressor is taken."""

    q: Array
    qd: Array
    qdd: Array


class Columns(NamedTuple):
    """The selected columns, and workspace for all columns."""

    columns: Array
    work: Array
    full: Array


def output_without_friction(motion: Motion, arm: Array, terms: float, places: Columns, Y: Array) -> None:
    torque_regressor(arm, motion.q, motion.qd, motion.qdd, int(terms), places.work, places.full)
    select(places, Y)


def output_by_mode(mode: int, motion: Motion, arm: Array, terms: float, places: Columns, Y: Array) -> None:
    torque_regressor(arm, motion.q, motion.qd, motion.qdd, int(terms), places.work, places.full)
    set_directions(mode, int(terms), places.full)
    select(places, Y)


def select(places: Columns, Y: Array) -> None:
    """Copy the selected columns into Y."""
    for c in range(Y.shape[1]):
        column = int(places.columns[c])
        for i in range(Y.shape[0]):
            Y[i, c] = places.full[i, column]


def mode_of(qd: Array) -> int:
    return directions(qd)


def turning(qd: Array, turn: Array) -> None:
    for i in range(turn.shape[0]):
        turn[i] = qd[i]
