"""FilteredNoise: normal noise through a low-pass filter of first order."""

from __future__ import annotations

import numpy as np

from ..contract.parameter import Array, Real, option, parameter
from .gauss_markov import GaussMarkov


class FilteredNoise(GaussMarkov):
    """Noise with a memory: a Gauss-Markov (Ornstein-Uhlenbeck) process, held on a clock.

        E[y] = mean,  E[(y(t) - mean) (y(t + tau) - mean)] = sd^2 exp(-tau / time_constant)

    exactly, at any two ticks, from the first tick on. Its two-sided spectral density is the density of white
    noise filtered by 1 / (time_constant s + 1), and equals 2 sd^2 time_constant at low frequencies. A vector
    `sd` gives a vector of independent processes. Samples depend on the seed of the run, its scenario and the
    block's path alone. Before the first tick y is 0. For another spectrum put a filter after
    BandLimitedWhiteNoise; for gusts of wind see Turbulence.
    Source: Maybeck, Stochastic Models, Estimation, and Control, vol. 1 (1979), section 4.11.

    Example:
        {type: FilteredNoise, sd: 0.2, time_constant: 1.5, sample_time: 0.01}
    """

    icon = "smooth noise"

    time_constant: Real = parameter(default=1.0, unit="s", doc="correlation time", above=0, dimensions=(0,))
    unit: str = option(default="", doc="unit of y")

    def times(self) -> Array:
        return np.array([self.time_constant], np.float64)
