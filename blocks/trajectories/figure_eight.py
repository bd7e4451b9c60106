"""FigureEight: a flight along a horizontal figure eight."""

from __future__ import annotations

from ...robots.trajectories.curves import FlightCurve, figure_eight
from ..contract.parameter import Real, parameter
from .flight import _CurveFlight


class FigureEight(_CurveFlight):
    """A level figure eight with its crossing at `centre`: the lemniscate of Gerono, du/dt = `frequency`.

        x = centre_x + length / 2 sin u      y = centre_y + width / 2 sin 2u      z = centre_z

    The speed is highest at the crossing: frequency sqrt(length^2 / 4 + width^2). `ramp`, `turns`, `heading`
    and `along` are as in Lissajous.

    Example:
        {type: FigureEight, length: 6.0, width: 3.0, frequency: 1.5, ramp: 2.0, centre: [0, 0, -2]}
    """

    icon = "figure eight"

    length: Real = parameter(default=2.0, unit="m", doc="extent along x", minimum=0, dimensions=(0,))
    width: Real = parameter(default=1.0, unit="m", doc="extent along y", minimum=0, dimensions=(0,))

    def curve(self) -> FlightCurve:
        return figure_eight(self.length, self.width, self.frequency, **self.options())  # type: ignore[arg-type]
