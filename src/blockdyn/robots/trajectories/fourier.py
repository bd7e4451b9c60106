"""Finite Fourier series: periodic motions of joints with exact derivatives, for identification."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, floor, pi, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import guarded
from .motion import ROUNDING, TrajectoryError, Values, instants, numbers, refusal

Array = NDArray[np.float64]

# A row of `waves` belongs to a joint: its centre, its speed and acceleration at the start, then the N
# numbers a, then the N numbers b. `clock` is (start, end, omega). Before the start (piece 0) and after the
# end (piece 2) the joints rest where the series begins.
#
# Sums of cosines are taken as their value at the start less sums of 1 - cos x = 2 sin^2 (x / 2), in the
# time from the nearest whole period: near the ends, where the speed of an exciting motion goes to 0, its
# sign is then right to the last instant, and friction that follows this sign does not chatter.
A = 3  # column of the first a
STILL = 1e-12  # of the sum of sizes: a smaller sum is 0 but for rounding


def series_at(waves: Array, clock: Array, piece: int, t: float, order: int, values: Array) -> None:
    """The derivative of that order of every joint at time t, into values (n,)."""
    harmonics = (waves.shape[1] - A) // 2
    moves = piece == 1
    for i in range(values.shape[0]):
        values[i] = waves[i, order] if order == 0 or (moves and order < A) else 0.0
    if not moves and order > 0:
        return
    period = 2.0 * pi / clock[2]
    tau = t - clock[0] if moves else 0.0
    tau -= period * floor(tau / period + 0.5)
    for k in range(harmonics):
        rate = clock[2] * (k + 1)
        s, c, h = sin(rate * tau), cos(rate * tau), sin(0.5 * rate * tau)
        if order == 0:
            x, y = s / rate, -c / rate
        elif order == 1:
            x, y = -2.0 * h * h, s
        elif order == 2:
            x, y = -rate * s, -2.0 * rate * h * h
        else:
            x, y = -rate * rate * c, -rate * rate * s
        for i in range(values.shape[0]):
            values[i] += waves[i, A + k] * x + waves[i, A + harmonics + k] * y


@dataclass(frozen=True, eq=False)
class FourierSeries:
    """A periodic motion of n joints with N harmonics, omega = 2 pi / period, t counted from `start`:

        q  = centre + sum_k (a_k sin(k omega t) - b_k cos(k omega t)) / (k omega)
        qd = sum_k (a_k cos(k omega t) + b_k sin(k omega t))

    centre (n,), rad or m; a, b (n, N), rad/s or m/s; it lasts `periods` periods, and rests before and after.
    Source: Swevers, Ganseman, Tukel, De Schutter, Van Brussel, Optimal robot excitation and identification,
    IEEE Trans. Robotics and Automation 13(5), 1997.
    """

    period: float
    centre: Array
    a: Array
    b: Array
    periods: int = 1
    start: float = 0.0

    @property
    def end(self) -> float:
        """The end of the motion, s."""
        return self.start + self.periods * self.period

    @property
    def waves(self) -> Array:
        """The numbers by joint, (n, 3 + 2 N): centre, speed and acceleration at the start, a, b."""
        accelerations = self.b * self.clock[2] * np.arange(1, self.a.shape[1] + 1)
        ends = [
            np.where(np.abs(sums) > STILL * np.abs(terms).sum(axis=1), sums, 0.0)
            for terms in (self.a, accelerations)
            for sums in (terms.sum(axis=1),)
        ]
        return np.column_stack([self.centre, *ends, self.a, self.b])

    @property
    def clock(self) -> Array:
        """Start and end, s, and the frequency of the first harmonic, rad/s."""
        return np.array([self.start, self.end, 2.0 * np.pi / self.period])

    def at(self, times: ArrayLike) -> Values:
        """The motion at given instants, s, or at a number of evenly spaced ones. Raises TrajectoryError."""
        time = np.atleast_1d(instants(times, self.start, self.end))
        slack = ROUNDING * float(np.spacing(max(abs(self.start), abs(self.end))))
        inside = (time >= self.start) & (time <= self.end + slack)
        moves, waves = inside.astype(float)[:, None], self.waves
        rate = self.clock[2] * np.arange(1, self.a.shape[1] + 1)
        tau = np.where(inside, time - self.start, 0.0)
        tau -= self.period * np.floor(tau / self.period + 0.5)
        angle = np.outer(tau, rate)
        s, c, h = np.sin(angle), np.cos(angle), -2.0 * np.sin(0.5 * angle) ** 2
        q = self.centre + (s / rate) @ self.a.T - (c / rate) @ self.b.T
        qd = waves[:, 1] + h @ self.a.T + s @ self.b.T
        qdd = waves[:, 2] - (s * rate) @ self.a.T + (h * rate) @ self.b.T
        jerk = (-c * rate**2) @ self.a.T - (s * rate**2) @ self.b.T
        return Values(time, q, moves * qd, moves * qdd, moves * jerk)


@guarded(refusal)
def fourier_series(
    period: float, centre: Any, a: Any, b: Any, *, periods: int = 1, start: float = 0.0
) -> FourierSeries:
    """The periodic motion with these coefficients, see `FourierSeries`. Raises TrajectoryError."""
    middle, first, second = numbers("centre", centre), numbers("a", a), numbers("b", b)
    if not (np.isfinite(period) and period > 0.0):
        raise TrajectoryError("period", period, "greater than 0 s")
    if isinstance(periods, bool) or periods < 1:
        raise TrajectoryError("periods", periods, "a number of periods, at least 1")
    if middle.ndim != 1:
        raise TrajectoryError("centre", middle.tolist(), "a number for each joint")
    for name, array in (("a", first), ("b", second)):
        if array.ndim != 2 or len(array) != len(middle) or array.shape != first.shape or not array.size:
            expected = f"shape ({len(middle)}, N): a row for each joint, a number for each harmonic"
            raise TrajectoryError(name, f"an array of shape {array.shape}", expected)
    return FourierSeries(float(period), middle, first, second, int(periods), float(start))
