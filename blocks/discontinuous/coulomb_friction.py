"""CoulombFriction: dry and viscous friction that sticks and breaks away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import friction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Crossing, Port


class CoulombFriction(Block):
    """Friction force on a body, element by element.

        y = -coulomb sign(velocity) - viscous velocity   while it slides
        y = -force                                       while it sticks

    `force` is the sum of all other forces on the body, so that the acceleration of a sticking body is exactly
    0. The mode is 1 (slides forwards), -1 (slides backwards) or 0 (sticks). It changes at located instants. A
    body whose velocity reaches zero sticks if |force| <= breakaway; otherwise it slides on in the direction
    of the force. A body that sticks breaks away in the direction of the force when |force| exceeds
    breakaway. It also slides when something else, such as a reset, gives it a speed above `rest`.
    `breakaway` defaults to `coulomb`. For joints, read torques in N m and rates in rad/s. velocity and force
    feed through to y directly. Raises ParameterError for a breakaway below coulomb.
    Source: Karnopp, J. Dyn. Sys. Meas. Control 107(1), 1985, 100-103, doi:10.1115/1.3140698; Olsson, Astrom,
    Canudas de Wit, Gafvert, Lischinsky, European J. Control 4(3), 1998, 176-195. Karnopp's band of speeds
    around zero is not needed: the instant of zero velocity is located.

    Example:
        {type: CoulombFriction, coulomb: 2.0, viscous: 0.1, breakaway: 2.5}
    """

    icon = "friction"
    inputs: ClassVar = (
        Port("velocity", unit="m/s or rad/s"),
        Port("force", unit="N or N m", doc="all other forces"),
    )
    outputs: ClassVar = (Port("y", unit="N or N m"),)
    crossings: ClassVar = (Crossing("velocity", +1), Crossing("force", +1))
    elementwise: ClassVar = True

    coulomb: Real = parameter(default=1.0, unit="N", doc="dry friction while sliding", minimum=0)
    viscous: Real = parameter(default=0.0, unit="N s/m", doc="viscous friction while sliding", minimum=0)
    breakaway: Real | None = parameter(
        default=None, unit="N", doc="highest force at which the body sticks; default: coulomb", minimum=0
    )
    rest: Real = parameter(default=1e-9, unit="m/s", doc="speeds up to this value count as rest", above=0)

    def symbol(self) -> Icon:
        coulomb, viscous = first(self.coulomb), first(self.viscous)
        static = coulomb if self.breakaway is None else first(self.breakaway)
        return friction(lambda v: coulomb + viscous * v, static, 1.0)

    def check(self) -> None:
        if self.breakaway is not None and not np.all(np.greater_equal(self.breakaway, self.coulomb)):  # type: ignore[arg-type]
            expected = f"at least coulomb, {self.coulomb}, or none for the same"
            raise ParameterError("CoulombFriction", "breakaway", self.breakaway, expected)

    def constants(self) -> Mapping[str, Array]:
        return {"static": np.asarray(self.coulomb if self.breakaway is None else self.breakaway)}

    @staticmethod
    def crossing(mode: int, velocity: float, force: float, static: float, rest: float) -> tuple[float, float]:
        """Sliding: speed backwards past zero and past rest. Sticking: speed and force past their bounds."""
        if mode == 0:
            return abs(velocity) - rest, abs(force) - static
        # An event is handled just beyond zero speed. A body that reverses there may start with a speed of
        # the wrong sign, of the order of rounding: the first value is then already positive and cannot rise
        # through zero. If the force reverses before the speed does, the second value detects the motion at
        # `rest`.
        return -mode * velocity, -mode * velocity - rest

    @staticmethod
    def mode(mode: int, velocity: float, force: float, static: float, rest: float) -> int:
        # Motion is tested before force: a moving body slides even under a small force.
        if mode * velocity > 0.0:
            return mode
        if abs(velocity) > rest:
            return 1 if velocity > 0.0 else -1
        # At rest within rounding. If |force| = breakaway, the body sticks: breaking away takes a larger
        # force.
        if abs(force) <= static:
            return 0
        return 1 if force > 0.0 else -1

    @staticmethod
    def output(mode: int, velocity: float, force: float, coulomb: float, viscous: float) -> float:
        # While it sticks y cancels the other forces exactly, so the velocity keeps its last bit.
        return -force if mode == 0 else -mode * coulomb - viscous * velocity
