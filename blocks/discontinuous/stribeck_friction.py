"""StribeckFriction: dry friction that falls from its static value as a body begins to slide."""

from __future__ import annotations

from math import exp
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.curves import friction
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import first
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Port
from .coulomb_friction import CoulombFriction


class StribeckFriction(Block):
    """Friction force on a body, element by element; v is its velocity.

        y = -sign(v) (coulomb + (static - coulomb) exp(-(|v| / stribeck)^shape)) - viscous v   while it slides
        y = -force                                                                            while it sticks

    `force` is the sum of all other forces on the body. A body sticks, breaks away (beyond `static`) and
    slides as in CoulombFriction, in modes that change at located instants. For joints, read torques in N m
    and rates in rad/s. velocity and force feed through to y directly. Raises ParameterError for a static
    below coulomb.
    Source: Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30(7), 1994, 1083-1138,
    doi:10.1016/0005-1098(94)90209-7.

    Example:
        {type: StribeckFriction, coulomb: 1.0, static: 1.5, stribeck: 0.01, viscous: 0.4}
    """

    icon = "stribeck"
    inputs: ClassVar = (
        Port("velocity", unit="m/s or rad/s"),
        Port("force", unit="N or N m", doc="all other forces"),
    )
    outputs: ClassVar = (Port("y", unit="N or N m"),)
    crossings: ClassVar = (Crossing("velocity", +1), Crossing("force", +1))
    elementwise: ClassVar = True

    coulomb: Real = parameter(default=1.0, unit="N", doc="dry friction of fast sliding", minimum=0)
    static: Real = parameter(default=1.5, unit="N", doc="highest force at which the body sticks", minimum=0)
    stribeck: Real = parameter(
        default=0.01, unit="m/s", doc="speed at which the excess has fallen to 1/e", above=0
    )
    shape: Real = parameter(
        default=2.0, unit="1", doc="shape of the decrease: 2 is a bell curve, 1 an exponential", above=0
    )
    viscous: Real = parameter(default=0.0, unit="N s/m", doc="viscous friction while sliding", minimum=0)
    rest: Real = parameter(default=1e-9, unit="m/s", doc="speeds up to this value count as rest", above=0)

    def symbol(self) -> Icon:
        numbers = map(first, (self.coulomb, self.static, self.stribeck, self.shape, self.viscous))
        coulomb, static, speed, shape, viscous = numbers

        def force(v: float) -> float:
            return coulomb + (static - coulomb) * exp(-((v / speed) ** shape)) + viscous * v

        return friction(force, static, 5 * speed)

    def check(self) -> None:
        static: Any = self.static
        if not np.all(np.greater_equal(static, self.coulomb)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "static", static, f"at least coulomb, {self.coulomb}")

    crossing = staticmethod(CoulombFriction.crossing)
    mode = staticmethod(CoulombFriction.mode)

    @staticmethod
    def output(
        mode: int, velocity: float, force: float,
        coulomb: float, static: float, stribeck: float, shape: float, viscous: float,
    ) -> float:  # fmt: skip
        if mode == 0:
            return -force
        # A trial step may run a little past zero speed, where the branch continues as at zero.
        speed = max(mode * velocity, 0.0)
        dry = coulomb + (static - coulomb) * exp(-((speed / stribeck) ** shape))
        return -mode * dry - viscous * velocity
