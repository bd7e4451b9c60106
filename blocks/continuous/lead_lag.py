"""LeadLag: a compensator of first order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import factor
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Like, Port, State


class LeadLag(Block):
    """Compensator of first order, element by element.

        Y(s)/U(s) = k (lead s + 1) / (lag s + 1):   dx/dt = (u - x) / lag,  y = k (x + lead dx/dt)

    lead > lag advances the phase, with its maximum at 1/sqrt(lead lag); lead < lag raises the gain for slow
    signals; lead = 0 is a pure lag. `initial` is the constant u before the start, and x begins there. u feeds
    through to y directly. Source: Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems (2015),
    section 5.4.

    Example:
        {type: LeadLag, lead: 0.2, lag: 0.02, k: 3.0}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", like=Like(("u",), exact=False)),)
    states: ClassVar = (State("x", "initial", like="u", scale="scale"),)
    elementwise: ClassVar = True

    lead: Real = parameter(default=1.0, unit="s", doc="time constant of the numerator")
    lag: Real = parameter(default=0.1, unit="s", doc="time constant of the denominator", above=0)
    k: Real = parameter(default=1.0, unit="[y]/[u]", doc="gain for slow signals")
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the start")

    def symbol(self) -> Icon:
        over = f"{factor(self.lead, 'T')}s + 1"
        k = factor(self.k, "k")
        return Icon(fraction=(f"{k}({over})" if k else over, f"{factor(self.lag, 'τ')}s + 1"))

    def constants(self) -> Mapping[str, Array]:
        k, lead, lag = (np.asarray(value, np.float64) for value in (self.k, self.lead, self.lag))
        return {"scale": 1.0 / np.maximum(np.abs(k * (1.0 - lead / lag)), 1.0)}

    @staticmethod
    def derivative(u: float, x: float, lag: float) -> float:
        return (u - x) / lag

    @staticmethod
    def output(u: float, x: float, lead: float, lag: float, k: float) -> float:
        return k * (x + lead * (u - x) / lag)
