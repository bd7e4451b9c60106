"""PinkNoise: noise whose power density is inversely proportional to frequency."""

from __future__ import annotations

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from .gauss_markov import GaussMarkov

PER_OCTAVE = 1.0  # processes per octave: their sum is within 0.1 dB of 1/f; with half as many, within 1 dB
EDGE = 2.0  # octaves beyond either end, where a sum of processes departs from 1/f


class PinkNoise(GaussMarkov):
    """Flicker noise: drift of sensors, 1/f noise of amplifiers, held on a clock.

        S(f) ~ 1/f  from `lowest` to about a tenth of the sampling rate;  E[y] = mean,  E[(y - mean)^2] = sd^2

    It is the sum of first-order processes of the same power, whose time constants are spaced by octaves.
    Below `lowest` S levels off; otherwise sd would be infinite. A vector `sd` gives a vector of independent
    noises. Samples depend on the seed of the run, its scenario and the block's path alone; the first one is
    drawn from the stationary distribution. Before the first tick y is 0. Raises ParameterError if `lowest` is
    not below half the sampling rate.
    Source: Keshner, 1/f noise, Proceedings of the IEEE 70(3), 1982, doi:10.1109/PROC.1982.12282.

    Example:
        {type: PinkNoise, sd: 0.1, lowest: 0.01, sample_time: 0.01}
    """

    icon = "noise"

    lowest: Real = parameter(
        default=0.01, unit="Hz", doc="frequency above which S falls as 1/f", above=0, dimensions=(0,)
    )
    unit: str = option(default="", doc="unit of y")

    def check(self) -> None:
        highest = 0.5 / float(self.sample_time)  # type: ignore[arg-type]
        if not self.lowest < highest:  # type: ignore[operator]
            raise ParameterError(
                "PinkNoise", "lowest", self.lowest, f"less than {highest:g} Hz, half the sampling rate"
            )

    def times(self) -> Array:
        low, high = float(self.lowest), 0.5 / float(self.sample_time)  # type: ignore[arg-type]
        octaves = np.log2(high / low) + EDGE
        corners = low * 2.0 ** (np.linspace(-EDGE, octaves - EDGE, round(octaves * PER_OCTAVE) + 1))
        return np.asarray(1.0 / (2 * np.pi * corners))
