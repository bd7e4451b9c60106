"""The specific force along the body's z axis, from motor commands and voltage, within one flight."""

from __future__ import annotations

import numpy as np
from scipy.signal import lfilter

from .flights import STEP, Array, Flight

LAGS = (0.0, 0.01, 0.02, 0.03, 0.04, 0.06)  # s: of which the best is taken
SETTLING = 50  # readings left out at either end, where lags and filters settle


def lagged(u: Array, time: float) -> Array:
    """What follows u with a lag of first order, sample by sample."""
    if time == 0.0:
        return u
    decay = np.exp(-STEP / time)
    filtered, _ = lfilter([1.0 - decay], [1.0, -decay], u, axis=0, zi=decay * u[:1])
    return np.asarray(filtered)


def thrust_residual(flight: Flight) -> tuple[float, float]:
    """The rms of what is left, m/s2, of the best lag, and that lag, s.

        -f_z = sum_i a_i x_i + b sum_i x_i^2 + c w,     x_i = u_i V lagged

    f_z is what the accelerometer reads, with the four motors apart and w the velocity along z.
    """
    w = np.einsum("nji,nj->ni", flight.attitude, flight.velocity)[:, 2]
    best = (np.inf, 0.0)
    for lag in LAGS:
        x = lagged(flight.command, lag) * flight.voltage[:, None]
        columns = np.column_stack([x, (x**2).sum(axis=1), w])[SETTLING:-SETTLING]
        measured = -flight.accelerometer[SETTLING:-SETTLING, 2]
        left = measured - columns @ np.linalg.lstsq(columns, measured)[0]
        best = min(best, (float(np.sqrt(np.mean(left**2))), lag))
    return best
