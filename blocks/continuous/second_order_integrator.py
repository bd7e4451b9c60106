"""SecondOrderIntegrator: a double integral, with stops and limits of its rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.port import Like, Port
from .limited_motion import LimitedMotion


class SecondOrderIntegrator(LimitedMotion):
    """Double integrator, element by element: a position from an acceleration.

        d2y/dt2 = u

    At a stop, `upper` or `lower`, y stops instantly, and leaves it at the instant when u points back inside.
    The rate is limited to `lower_rate` ... `upper_rate` in the same way. The limits are modes, reached and
    left at located instants. The output `rate` is dy/dt. u does not feed through to y directly.
    Raises ParameterError unless lower < upper, lower_rate < 0 < upper_rate and the start lies within them.

    Example:
        {type: SecondOrderIntegrator, lower: 0.0, upper: 2.0, initial: 1.0}
    """

    icon = "double integrator"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (
        Port("y", like=Like(("u",), seconds=2)),
        Port("rate", like=Like(("u",), seconds=1)),
    )

    def constants(self) -> Mapping[str, float]:
        return {"drive": 1.0, "stiffness": 0.0, "drag": 0.0}
