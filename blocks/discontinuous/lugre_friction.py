"""LuGreFriction: friction by the mean deflection of bristles."""

from __future__ import annotations

from math import exp
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Real, parameter
from ..contract.port import Crossing, Port, State


class LuGreFriction(Block):
    """The LuGre model of friction, element by element; v is the velocity between two surfaces.

        y = -(stiffness z + damping dz/dt + viscous v)        dz/dt = v - stiffness |v| z / g(v)
        g(v) = coulomb + (static - coulomb) exp(-(v / stribeck)^2)

    z is the mean deflection of bristles. A sticking body creeps on them elastically; the model needs neither
    the other forces as an input nor a mode for sticking. Stiff bristles make the diagram stiff: use the
    method rodas5p. In steady sliding the force equals StribeckFriction's with shape 2. The sign of v is a
    mode. velocity feeds through to y directly. Raises ParameterError for a static below coulomb.
    Source: Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automatic Control 40(3), 1995, 419-425,
    doi:10.1109/9.376053, whose example has the default values.

    Example:
        {type: LuGreFriction}
    """

    icon = "bristle"
    inputs: ClassVar = (Port("velocity", unit="m/s or rad/s"),)
    outputs: ClassVar = (Port("y", unit="N or N m"),)
    states: ClassVar = (State("z", "initial", "m"),)
    crossings: ClassVar = (Crossing("velocity"),)
    elementwise: ClassVar = True

    stiffness: Real = parameter(default=1e5, unit="N/m", doc="stiffness of the bristles, sigma0", above=0)
    damping: Real = parameter(
        default=316.22776601683796, unit="N s/m", doc="damping of the bristles, sigma1", minimum=0
    )
    viscous: Real = parameter(default=0.4, unit="N s/m", doc="viscous friction, sigma2", minimum=0)
    coulomb: Real = parameter(default=1.0, unit="N", doc="dry friction of fast sliding", above=0)
    static: Real = parameter(default=1.5, unit="N", doc="dry friction of slow sliding", above=0)
    stribeck: Real = parameter(default=0.001, unit="m/s", doc="speed between slow and fast", above=0)
    initial: Real = parameter(default=0.0, unit="m", doc="z at the start")

    def check(self) -> None:
        static: Any = self.static
        if not np.all(np.greater_equal(static, self.coulomb)):  # type: ignore[arg-type]
            raise ParameterError(self.kind(), "static", static, f"at least coulomb, {self.coulomb}")

    @staticmethod
    def crossing(velocity: float) -> float:
        return velocity

    @staticmethod
    def mode(velocity: float) -> int:
        return 1 if velocity >= 0.0 else -1

    @staticmethod
    def derivative(
        mode: int, velocity: float, z: float, stiffness: float, coulomb: float, static: float, stribeck: float
    ) -> float:
        return _deflection_rate(mode, velocity, z, stiffness, coulomb, static, stribeck)

    @staticmethod
    def output(
        mode: int, velocity: float, z: float, stiffness: float, damping: float, viscous: float,
        coulomb: float, static: float, stribeck: float,
    ) -> float:  # fmt: skip
        rate = _deflection_rate(mode, velocity, z, stiffness, coulomb, static, stribeck)
        return -(stiffness * z + damping * rate + viscous * velocity)


def _deflection_rate(
    mode: int, v: float, z: float, stiffness: float, coulomb: float, static: float, stribeck: float
) -> float:
    g = coulomb + (static - coulomb) * exp(-((v / stribeck) ** 2))
    return v - stiffness * mode * v * z / g
