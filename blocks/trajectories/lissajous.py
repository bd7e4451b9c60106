"""Lissajous: a flight along sines of one phase."""

from __future__ import annotations

from ...robots.trajectories.curves import FlightCurve, lissajous
from ..contract.parameter import Real, parameter
from .flight import _CurveFlight


class Lissajous(_CurveFlight):
    """A Lissajous figure with the phase u, du/dt = `frequency`.

        p_i = centre_i + slope_i u + amplitude_i sin(ratio_i u + shift_i)        for x, y, z, z down

    Over the time `ramp`, du/dt rises from 0 without a jump in any derivative up to the snap. After `turns`,
    at u = 2 pi turns, the flight is at rest again, after a ramp of the same length; by default it never ends.
    The yaw is `heading`; with `along` it is the direction of the curve in the plane plus `heading`, defined
    at rest too. Ends of ramps are time events; no step of the solver is longer than an eighth of the fastest
    sine's period. Raises ParameterError for vectors of other sizes, and for turns shorter than the ramps.

    Example:
        {type: Lissajous, amplitude: [2, 1, 0.5], ratio: [1, 2, 3], frequency: 1.0, ramp: 2.0, turns: 3}
    """

    icon = "lissajous"

    amplitude: Real = parameter(default=[1.0, 1.0, 0.0], unit="m", dimensions=(1,))
    ratio: Real = parameter(default=[1.0, 2.0, 0.0], unit="1", doc="multiples of the phase", dimensions=(1,))
    shift: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="rad", doc="angle of each sine at the start", dimensions=(1,)
    )
    slope: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m/rad", doc="linear term, in addition to the sines", dimensions=(1,)
    )

    def curve(self) -> FlightCurve:
        return lissajous(
            self.amplitude, self.ratio, self.frequency, shift=self.shift, slope=self.slope,  # type: ignore[arg-type]
            **self.options(),
        )  # fmt: skip
