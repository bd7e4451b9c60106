"""SecondOrder: a driven oscillator, with stops and limits of its rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.icon import Icon
from ..contract.marks import digits, first, polynomial
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Like, Port, State
from .limited_motion import LimitedMotion


class SecondOrder(LimitedMotion):
    """System of second order, such as an actuator, element by element.

        d2y/dt2 = w^2 (k u - y) - 2 damping w dy/dt,  w = frequency
        Y(s)/U(s) = k w^2 / (s^2 + 2 damping w s + w^2)

    At a stop, `upper` or `lower`, y stops instantly, and leaves it at the instant when the acceleration
    points back inside. The rate is limited to `lower_rate` ... `upper_rate` in the same way. The limits are
    modes, reached and left at located instants. The output `rate` is dy/dt. u does not feed through to y
    directly.
    Raises ParameterError unless lower < upper, lower_rate < 0 < upper_rate and the start lies within them.
    Source: Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems (2015), section 3.3.

    Example:
        {type: SecondOrder, frequency: 10.0, damping: 0.3, lower: -1.2, upper: 1.2, upper_rate: 5.0}
    """

    icon = "second order"
    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (
        Port("y", like=Like(("u",), exact=False)),
        Port("rate", like=Like(("u",), seconds=-1, exact=False)),
    )

    states: ClassVar = (
        State("x", "initial", like="y"), State("v", "initial_rate", like="rate", scale="rate_scale")
    )  # fmt: skip

    k: Real = parameter(default=1.0, unit="[y]/[u]", doc="gain of slow signals")
    frequency: Real = parameter(default=1.0, unit="rad/s", doc="natural frequency w", above=0)
    damping: Real = parameter(default=0.7, unit="1", doc="damping ratio", minimum=0)

    def symbol(self) -> Icon:
        if any(np.ndim(np.asarray(value)) for value in (self.k, self.frequency, self.damping)):
            return Icon(fraction=("k ω^2", "s^2 + 2ζω s + ω^2"))
        k, w, damping = map(first, (self.k, self.frequency, self.damping))
        return Icon(fraction=(digits(k * w**2), polynomial((1.0, 2 * damping * w, w**2))))

    def constants(self) -> Mapping[str, Array]:
        w = np.asarray(self.frequency, np.float64)
        motion = {"drive": w**2 * self.k, "stiffness": w**2, "drag": 2.0 * np.asarray(self.damping) * w}  # type: ignore[operator]
        return {**motion, "rate_scale": np.minimum(w, 1.0)}  # an error e of the rate changes y by e/w
