"""Exciting trajectories are finite Fourier series with torques that determine base parameters best."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, floor, pi, sin
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ...base.shown import NotebookText
from ..calls.kernel import as_robot
from ..model.robot import Robot
from ..trajectories.motion import ROUNDING, TrajectoryError, Values, instants, numbers, refusal
from .base_parameters import BaseParameters, IdentificationError, base_parameters

Array = NDArray[np.float64]
Criterion = Literal["condition", "log_det"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)

POINTS = 20  # instants per period of the fastest harmonic for limits and criterion
HOPELESS = 1e7  # condition number above which the excitation is only rounding
STEP, FINEST = 0.5, 0.01  # first step of the search, in units of the first draw; below FINEST it restarts
GROWTH, SHRINKAGE = 1.5, 1.5 ** (-0.25)  # of the search step: constant at one success in five


# A row of `waves` describes a joint: its centre, its speed and acceleration at the start, then the N
# numbers a, then the N numbers b. `clock` is (start, end, omega). Before the start (piece 0) and after the
# end (piece 2) the joints rest at the start of the series.
#
# Sums of cosines are computed as their value at the start minus sums of 1 - cos x = 2 sin^2 (x / 2), with the
# time from the nearest full period: near the ends, where the speed of an exciting motion goes to 0, its
# sign is then always correct, and friction by this sign does not chatter.
A = 3  # column of the first a
STILL = 1e-12  # of the sum of sizes: a smaller sum is 0 up to rounding


def series_at(waves: Array, clock: Array, piece: int, t: float, order: int, values: Array) -> None:
    """Write the derivative of this order of every joint at time t into values (n,)."""
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

    centre (n,), rad or m; a, b (n, N), rad/s or m/s; it lasts `periods` periods, with rest before and after.
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
        """The coefficients by joint, (n, 3 + 2 N): centre, speed and acceleration at the start, a, b."""
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


@checked_numbers(refusal)
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


@dataclass(frozen=True)
class JointLimits:
    """The limits of a motion by joint, (n,) each: coordinates, speed, acceleration."""

    lower: Array
    upper: Array
    speed: Array
    acceleration: Array


@dataclass(frozen=True, repr=False, eq=False)
class ExcitingTrajectory(NotebookText):
    """A periodic motion within limits that excites the base parameters of a robot.

    base        the base parameters
    series      the motion, a `FourierSeries`: at(times), period, centre, a, b
    limits      its limits
    condition   of the base regressor along it, columns scaled to unit length
    log_det     log det of Y^T Y over the number of rows, Y the base regressor along it
    start_condition   of the best motion before the search
    evaluations       motions tried

    `options` are the parameters of a block for it: `bd.FourierTrajectory(**trajectory.options)`.
    """

    base: BaseParameters
    series: FourierSeries
    limits: JointLimits
    condition: float
    log_det: float
    start_condition: float
    evaluations: int

    @property
    def options(self) -> dict[str, Any]:
        """The parameters of a FourierTrajectory block for this motion, as plain numbers."""
        s = self.series
        return {
            "period": s.period, "centre": s.centre.tolist(), "a": s.a.tolist(), "b": s.b.tolist(),
            "periods": s.periods,
        }  # fmt: skip

    def at(self, times: Any) -> Values:
        """The motion at given instants, s, or at a number of evenly spaced ones. Raises TrajectoryError."""
        return self.series.at(times)

    def __str__(self) -> str:
        s, motion = self.series, self.series.at(len(self.series.centre) * 200)
        lines = [
            f"{self.base.robot.name}: {s.a.shape[1]} harmonics in {s.period:g} s,"
            f" condition {self.condition:.3g}"
            f" ({self.start_condition:.3g} before the search of {self.evaluations} motions)"
        ]
        for i, joint in enumerate(self.base.robot.moving):
            q, qd, qdd = motion.q[:, i], motion.qd[:, i], motion.qdd[:, i]
            lines.append(
                f"  {joint.name}: q {q.min():.3g} .. {q.max():.3g}, |qd| <= {np.abs(qd).max():.3g},"
                f" |qdd| <= {np.abs(qdd).max():.3g}"
            )
        return "\n".join(lines)


@checked_numbers(IdentificationError)
def exciting_trajectory(
    robot: Robot | str | BaseParameters,
    *,
    speed: Any = None,
    acceleration: Any,
    lower: Any = None,
    upper: Any = None,
    period: float = 10.0,
    harmonics: int = 5,
    criterion: Criterion = "condition",
    noise: Any = 1.0,
    evaluations: int = 1000,
    seed: int = 0,
) -> ExcitingTrajectory:
    """A finite Fourier series, optimised for the condition of the base regressor, within limits.

    robot: a robot, its name, or its BaseParameters, which define whether friction and motors are included.
    acceleration: largest |qdd|, a number or one per joint, rad/s2 or m/s2. speed: largest |qd|, default the
    joints' own `speed`. lower, upper: of q, default the robot's limits. period in s; the highest frequency
    is harmonics / period, in Hz.

    Every trial motion begins and ends at rest and, for each joint, is as large as the limits allow.
    criterion: `condition`, the least condition number of the regressor with columns of unit length, which
    bounds relative errors of parameters by errors of torque; `log_det`, the largest log det Y^T
    Y, that is, the smallest volume of the confidence ellipsoid. `noise`, the standard deviation of each
    joint's torque, weighs the rows of Y in both. The search is an evolution strategy, (1+1) for each joint,
    with the rule of one success in five; a seed determines the motion. Raises IdentificationError
    for limits that are missing or leave no motion, and for a series with too few harmonics to excite all
    base parameters. Source: Swevers et al., Optimal robot excitation and identification, IEEE Trans.
    Robotics and Automation 13(5), 1997; Gautier, Khalil, Exciting trajectories for the identification of
    base inertial parameters of robots, Int. J. Robotics Research 11(4), 1992; the search: Rechenberg,
    Evolutionsstrategie (1973).
    """
    base = robot if isinstance(robot, BaseParameters) else base_parameters(as_robot(robot))
    limits = _limits(base.robot, lower, upper, speed, acceleration)
    if criterion not in CRITERIA:
        raise IdentificationError("criterion", f"found {criterion!r}", " or ".join(CRITERIA))
    if not period > 0.0:
        raise IdentificationError("period", f"found {period:g} s", "greater than 0 s")
    if harmonics < 2:
        raise IdentificationError(
            "harmonics", f"found {harmonics}", "at least 2: with one, no motion begins at rest"
        )
    if evaluations < 1:
        raise IdentificationError("evaluations", f"found {evaluations}", "at least 1")
    weights = vector("noise", noise, base.robot.n)
    if (weights <= 0.0).any():
        raise IdentificationError("noise", f"found {weights.tolist()}", "greater than 0")
    search = _Search(base, limits, weights, period, harmonics)
    return search.run(evaluations, criterion, np.random.Generator(np.random.Philox(seed)))


def _limits(robot: Robot, lower: Any, upper: Any, speed: Any, acceleration: Any) -> JointLimits:
    """All limits as vectors. Raises IdentificationError."""
    defaults = {
        "lower": robot.lower if lower is None else lower,
        "upper": robot.upper if upper is None else upper,
        "speed": np.array([joint.speed for joint in robot.moving]) if speed is None else speed,
        "acceleration": acceleration,
    }
    arrays: dict[str, Array] = {}
    for name, value in defaults.items():
        arrays[name] = vector(name, value, robot.n)
        missing = [robot.moving[i].name for i in np.flatnonzero(~np.isfinite(arrays[name]))]
        if missing:
            problem = f"joint {', '.join(missing)} of {robot.name} has none"
            raise IdentificationError(name, problem, f"finite numbers: give {name}=")
    for name in ("speed", "acceleration"):
        if (arrays[name] <= 0.0).any():
            raise IdentificationError(name, f"found {arrays[name].tolist()}", "greater than 0")
    if (arrays["lower"] >= arrays["upper"]).any():
        problem = f"found {arrays['lower'].tolist()} .. {arrays['upper'].tolist()}"
        raise IdentificationError("lower, upper", problem, "lower < upper for every joint")
    return JointLimits(**arrays)


def vector(name: str, value: Any, n: int) -> Array:
    """A number for each joint, (n,). Raises IdentificationError."""
    array = np.asarray(value, np.float64)
    if array.shape not in ((), (n,)):
        raise IdentificationError(name, f"found shape {array.shape}", f"a number, or {n} numbers")
    return np.broadcast_to(array, (n,))


class _Search:
    """The search for a motion: numbers define a motion within limits, and its objective."""

    def __init__(
        self, base: BaseParameters, limits: JointLimits, noise: Array, period: float, harmonics: int
    ) -> None:
        self.base, self.limits, self.noise, self.period = base, limits, noise, period
        self.k = np.arange(1, harmonics + 1)
        points = POINTS * harmonics
        rate = 2.0 * np.pi / period * self.k
        angle = np.outer((np.arange(points) + 0.5) * period / points, rate)  # at the start qd is 0
        s, c = np.sin(angle), np.cos(angle)
        # q - centre, qd and qdd at all instants are these matrices times a joint's (a, b)
        self.maps = np.hstack([s / rate, -c / rate]), np.hstack([c, s]), np.hstack([-s * rate, c * rate])

    def run(self, evaluations: int, criterion: str, rng: np.random.Generator) -> ExcitingTrajectory:
        """The best motion. Raises IdentificationError."""
        size = self.base.robot.n, 2 * len(self.k) + 1
        starts = max(
            evaluations // 10, 1
        )  # a tenth of the motions are random; the search starts from the best of them
        drawn = rng.standard_normal((starts, *size))
        worth = [self.worth(x, criterion) for x in drawn]
        best = int(np.argmin(worth))
        x, least = drawn[best], worth[best]
        first = self.measures(x)[0]
        steps = np.full(size[0], STEP)
        for trial_number in range(evaluations - starts):
            # One joint at a time, each with its own step: a change of all joints together rarely helps.
            j = trial_number % size[0]
            trial = x.copy()
            trial[j] += steps[j] * rng.standard_normal(size[1])
            value = self.worth(trial, criterion)
            if value < least:
                x, least = trial, value
                steps[j] *= GROWTH
            else:
                steps[j] *= SHRINKAGE
                if steps[j] < FINEST:
                    steps[j] = STEP
        condition, log_det = self.measures(x)
        if not condition < HOPELESS:
            problem = f"{len(self.k)} harmonics do not excite all {self.base.count} base parameters"
            raise IdentificationError("harmonics", problem, "more of them, or wider limits")
        centre, a, b = self.series(x)
        series = FourierSeries(self.period, centre, a, b)
        return ExcitingTrajectory(self.base, series, self.limits, condition, log_det, first, evaluations)

    def series(self, x: Array) -> tuple[Array, Array, Array]:
        """centre, a, b of the motion for numbers x (n, 2 N + 1): at rest at its ends, within the limits."""
        N = len(self.k)
        a = x[:, :N] - x[:, :N].mean(axis=1, keepdims=True)  # sum a_k = 0: no speed at the start
        b = x[:, N : 2 * N]
        b = b - np.outer(b @ self.k, self.k) / (self.k @ self.k)  # sum k b_k = 0: no acceleration
        q, qd, qdd = (M @ np.hstack([a, b]).T for M in self.maps)
        # Between 2 N or more samples a trigonometric polynomial of degree N is at most 1 / cos(pi / POINTS)
        # times as large as at the samples: Ehlich, Zeller, Math. Zeitschrift 86, 1964.
        least, most = q.min(axis=0), q.max(axis=0)
        allowed = self.limits.upper - self.limits.lower
        scale = np.cos(np.pi / POINTS) * np.min(
            [
                self.limits.speed / np.abs(qd).max(axis=0),
                self.limits.acceleration / np.abs(qdd).max(axis=0),
                allowed / (most - least),
            ],
            axis=0,
        )
        middle = 0.5 * (self.limits.lower + self.limits.upper - scale * (least + most))
        play = 0.5 * (allowed - scale * (most - least) / np.cos(np.pi / POINTS))
        return middle + np.tanh(x[:, -1]) * play, a * scale[:, None], b * scale[:, None]

    def measures(self, x: Array) -> tuple[float, float]:
        """Condition number with columns of unit length, and log det per row, of the weighted regressor."""
        centre, a, b = self.series(x)
        q, qd, qdd = (M @ np.hstack([a, b]).T for M in self.maps)
        Y = self.base.regressor(q + centre, qd, qdd) / self.noise[:, None]
        rows = Y.reshape(-1, Y.shape[2])
        gram = rows.T @ rows
        lengths = np.sqrt(np.diag(gram))
        if not lengths.all():
            return np.inf, -np.inf
        values = np.linalg.eigvalsh(gram / np.outer(lengths, lengths))
        if values[0] <= 0.0:
            return np.inf, -np.inf
        size = 2.0 * float(np.log(lengths).sum()) - len(lengths) * float(np.log(len(rows)))
        return float(np.sqrt(values[-1] / values[0])), float(np.log(values).sum()) + size

    def worth(self, x: Array, criterion: str) -> float:
        """The objective that the search minimises."""
        condition, log_det = self.measures(x)
        return condition if criterion == "condition" else -log_det
