"""Helix: a flight around a vertical axis, climbing or level."""

from __future__ import annotations

from ...robots.trajectories.curves import FlightCurve, helix
from ..contract.parameter import Real, parameter
from .flight import _CurveFlight


class Helix(_CurveFlight):
    """A helix around a vertical axis through `centre`, with du/dt = `frequency`; a circle if `climb` is 0.

        x = centre_x + radius cos u      y = centre_y + radius sin u      z = centre_z - climb u / (2 pi)

    With z down it runs clockwise seen from above. `ramp`, `turns`, `heading` and `along` are as in Lissajous.

    Example:
        {type: Helix, radius: 2.0, climb: 0.5, frequency: 1.0, ramp: 2.0, turns: 3, along: true}
    """

    icon = "helix"

    radius: Real = parameter(default=1.0, unit="m", minimum=0, dimensions=(0,))
    climb: Real = parameter(default=0.0, unit="m", doc="rise per turn", dimensions=(0,))

    def curve(self) -> FlightCurve:
        return helix(self.radius, self.climb, self.frequency, **self.options())  # type: ignore[arg-type]
