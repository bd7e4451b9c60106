"""Translation from measured attitude and motor commands: a model of nine numbers, fitted and predicted.

T/m = k1 sum_i x_i + k2 sum_i x_i^2,     x = u V, with a lag of first order of the commands u
f   = T/m (e_x, e_y, -1) - d v,          v the velocity of the centre of mass in body axes
dv/dt = g e_z + R f                      in the world; what is tracked lies at r e_z
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from scipy.optimize import least_squares

from .flights import GRAVITY, STEP, Array, Flight
from .thrust import lagged

HORIZONS = {0.5: 0.015, 1.0: 0.04, 2.0: 0.12}  # s, and the error that is aimed at, m: the weights of the fit
EVERY = 12  # readings between the starts that are fitted; all are predicted


@dataclass(frozen=True)
class Model:
    """The numbers of the model; the defaults are where the fit begins."""

    k1: float = 0.4  # m/s2/V
    k2: float = 0.12  # m/s2/V2
    drag_x: float = 0.4  # 1/s
    drag_y: float = 0.4
    drag_z: float = 0.3
    trim_x: float = 0.0  # rad, of the thrust
    trim_y: float = 0.0
    lag: float = 0.04  # s
    tracked: float = 0.0  # m, z of the tracked point from the centre of mass

    def thrust(self, flight: Flight) -> Array:
        """T/m, (n,), m/s2."""
        x = lagged(flight.command, abs(self.lag)) * flight.voltage[:, None]
        return np.asarray(self.k1 * x.sum(axis=1) + self.k2 * (x**2).sum(axis=1))

    def acceleration(self, thrust: Array, attitude: Array, velocity: Array) -> Array:
        """dv/dt in the world, (n, 3)."""
        v = np.einsum("nji,nj->ni", attitude, velocity)
        trim = np.array([self.trim_x, self.trim_y, -1.0])
        f = thrust[:, None] * trim - np.array([self.drag_x, self.drag_y, self.drag_z]) * v
        return np.asarray(np.einsum("nij,nj->ni", attitude, f) + np.array([0.0, 0.0, GRAVITY]))

    def errors(self, flight: Flight, every: int = 1) -> dict[float, Array]:
        """Predicted less measured positions, (starts, 3), m, after each horizon.

        From the measured position and velocity at every n-th reading, by the measured attitude and the
        commands that follow.
        """
        thrust, R = self.thrust(flight), flight.attitude
        arm = np.array([0.0, 0.0, self.tracked])
        centre = flight.position - R @ arm
        moving = flight.velocity - np.einsum("nij,nj->ni", R, np.cross(flight.rates, arm))
        steps = round(max(HORIZONS) / STEP)
        start = np.arange(0, len(thrust) - steps, every)
        p, v = centre[start], moving[start]
        errors = {}
        for k in range(steps):
            now, then = start + k, start + k + 1
            a = self.acceleration(thrust[now], R[now], v)
            after = self.acceleration(thrust[then], R[then], v + STEP * a)
            p = p + STEP * v + STEP**2 * (2.0 * a + after) / 6.0
            v = v + STEP * (a + after) / 2.0
            horizon = round((k + 1) * STEP, 6)
            if horizon in HORIZONS:
                errors[horizon] = p + R[then] @ arm - flight.position[then]
        return errors


def fit(flights: Sequence[Flight]) -> Model:
    """The model whose predictions of these flights are best, outliers counted less."""

    def residuals(numbers: Array) -> Array:
        model = Model(*numbers)
        each = [model.errors(flight, EVERY) for flight in flights]
        return np.concatenate([(e[h] / aim).ravel() for e in each for h, aim in HORIZONS.items()])

    begin = np.array(astuple(Model()))
    scale = np.maximum(np.abs(begin), 0.02)
    best = least_squares(residuals, begin, loss="soft_l1", x_scale=scale)
    return Model(*best.x.tolist())


def constant_velocity(flight: Flight) -> dict[float, Array]:
    """What the guess of a constant velocity errs by, as `Model.errors`."""
    count = len(flight.t) - round(max(HORIZONS) / STEP)
    errors = {}
    for horizon in HORIZONS:
        then = np.arange(count) + round(horizon / STEP)
        guess = flight.position[:count] + horizon * flight.velocity[:count]
        errors[horizon] = guess - flight.position[then]
    return errors


def median(errors: dict[float, Array]) -> dict[float, float]:
    """The median distance, m, after each horizon."""
    return {h: float(np.median(np.linalg.norm(e, axis=1))) for h, e in errors.items()}
