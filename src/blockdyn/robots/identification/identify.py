"""Arms are identified from measured motions and torques by weighted least squares on the base regressor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.annotations import real_numbers
from ...base.checked import checked_numbers
from ...base.shown import NotebookText
from ..calls.kernel import as_robot
from ..model.robot import Robot
from .base_parameters import (
    BaseParameters,
    IdentificationError,
    Nearest,
    base_parameters,
    nearest_robot,
)
from .excitation import vector

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

UNDETERMINED = 1e-7  # least effect of a combination that data determine, relative to the largest effect
PART = 0.1  # of a combination: parameters with a smaller share are not named
SILENCE = 1e-13  # of a joint's torque: noise below it is rounding
NOTHING = 1e-60  # N m or N, the noise of a joint without torque
ROUNDS = 10  # of updating the joints' weights; three suffice in practice
ORDER = 4  # of the Butterworth filter, which runs forwards and backwards
WIDER, HIGHEST = (
    4.0,
    0.45,
)  # the filter of q, in cutoffs, so that it has no effect below; in sampling rates at most
SLOW = 0.02  # of a joint's highest speed
SETTLED = 1e-3  # relative change of the noise at which weighting ends
INDEPENDENT = 1.8  # rows used per period of the cutoff: white noise through the filter correlates by 0.003
MARGIN = 2.0  # omitted periods of the cutoff at each end, where the filter has no data on one side
EVEN = 1e-6  # of the sample time: larger deviations are refused


@dataclass(frozen=True, repr=False, eq=False)
class Identification(NotebookText):
    """Base parameters of an arm with their confidence, from measured torques.

    base         the base parameters: names, short names, units, regressor, and the nominal robot
    values       (b,), the estimates
    covariance   (b, b); infinite for parameters that the motion does not determine
    noise        (n,), standard deviation of each joint's torque: as given, or estimated
    residuals    (k, n), measured minus model torques, after filtering; NaN if omitted
    torques      (k, n), the measured torques that were used, after filtering; NaN if omitted
    condition    of the weighted regressor, columns scaled to unit length
    undetermined short names of the parameters that these torques do not determine; these stay nominal
    noise_given  whether the noise was an argument

    The estimates are unbiased, and the intervals valid, if noise is only in the torques, normal, and
    independent from sample to sample. Noise of q reaches the regressor and biases them: filter.
    """

    base: BaseParameters
    values: Array
    covariance: Array
    noise: Array
    residuals: Array
    torques: Array
    condition: float
    undetermined: tuple[str, ...]
    noise_given: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Short names of the base parameters: the standard parameter that leads each."""
        return self.base.short

    def __getitem__(self, name: str) -> float:
        """The estimate of a base parameter, by its short or full name. Raises IdentificationError."""
        base = self.base
        names = base.names if name in base.names else base.short
        if name not in names:
            raise IdentificationError("parameter", f"there is no {name!r:.60}", ", ".join(base.short))
        return float(self.values[names.index(name)])

    @property
    def count(self) -> int:
        """The number of torques that were used."""
        return int(np.isfinite(self.residuals).sum())

    @property
    def degrees(self) -> int:
        """Degrees of freedom: torques minus parameters."""
        return self.count - len(self.values)

    @cached_property
    def errors(self) -> Array:
        """Standard errors, (b,), in the units of the parameters."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def relative_errors(self) -> Array:
        """Standard errors over the size of the estimates, (b,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.errors / np.abs(self.values))

    @property
    def fit(self) -> Array:
        """By joint, (n,): RMS of the residuals over RMS of the torques."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(_rms(self.residuals) / _rms(self.torques))

    def intervals(self, level: float = 0.95) -> Array:
        """Confidence intervals, (b, 2): Student's distribution, or the normal one if the noise was given.

        Raises IdentificationError for a level outside (0, 1).
        """
        if not 0.0 < level < 1.0:
            raise IdentificationError("level", f"found {level!r}", "between 0 and 1, such as 0.95")
        from scipy.special import ndtri, stdtrit

        tail = 0.5 + 0.5 * level
        half = self.errors * (ndtri(tail) if self.noise_given else stdtrit(self.degrees, tail))
        return np.column_stack([self.values - half, self.values + half])

    def predict(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Torques of the identified model, (n,), or (k, n) for k states. Raises WrongSize."""
        return np.asarray(self.base.regressor(q, qd, qdd) @ self.values)

    @cached_property
    def nearest(self) -> Nearest:
        """The robot with these base parameters, and standard parameters nearest to the nominal ones."""
        return nearest_robot(self.base, self.values)

    @property
    def robot(self) -> Robot:
        """The identified robot, for diagrams and functions: `nearest.robot`."""
        return self.nearest.robot

    def __str__(self) -> str:
        low, high = self.intervals().T
        base = self.base
        lines = [
            f"{base.robot.name}: {base.count} base parameters from {self.count} torques, condition"
            f" {self.condition:.3g}",
            f"{'estimate':>12} {'95 % interval':>27} {'error':>8}",
        ]
        rows = zip(self.values, low, high, self.relative_errors, base.units, base.names, strict=True)
        for value, a, b, share, unit, name in rows:
            part = f"{100 * share:7.2g}%" if np.isfinite(share) else "       -"
            lines.append(f"{value:12.5g} {a:13.5g} ..{b:12.5g} {part}  {unit:<10} {name}")
        for joint, sigma, share in zip(base.robot.moving, self.noise, self.fit, strict=True):
            lines.append(f"{joint.name}: noise {sigma:.3g}, residual {100 * share:.2g} % of the torque")
        if self.undetermined:
            lines.append(f"not determined by this motion: {', '.join(self.undetermined)}")
        return "\n".join([*lines, *self.nearest.problems])


@checked_numbers(IdentificationError)
def identify(
    robot: Robot | str | BaseParameters,
    time: Any,
    q: Any,
    tau: Any,
    *,
    qd: Any = None,
    qdd: Any = None,
    cutoff: float | None = None,
    least_speed: Any = None,
    noise: Any = None,
) -> Identification:
    """The base parameters of an arm from a measured motion and its torques.

    robot: the nominal robot, or its BaseParameters, which define if friction and motors are included; only
    its geometry and gravity enter the estimates. time (k,), s; q, tau, qd, qdd (k, n), rad or m and their
    rates, N m or N, at the joints (motor torque times gear ratio).

    With a `cutoff`, in Hz, each column of the regressor and the torques pass the same low pass (Butterworth
    of order 4, run forwards and backwards: no phase), then 1.8 rows per period of the cutoff are used, with
    independent noise; the ends, two periods of the cutoff, are omitted. Choose several times the
    fastest component of the motion. Omitted qd or qdd are computed from q by such a low pass at
    four times the cutoff, and central differences.

    Near rest, friction deviates from the model. Torques of a joint slower than `least_speed`, a number or
    one per joint, are omitted, with a cutoff also those within one of its periods; default: 2 % of
    the joint's highest speed if friction is included, otherwise 0.

    Rows are weighted by the noise of their joint. Without `noise`, a number or one per joint, noise and
    weights are estimated from the residuals until both agree. Raises IdentificationError for
    data that cannot be used, WrongSize.
    Source: Gautier, Dynamic identification of robots with power model, ICRA 1997; Gautier, Poignet, Extended
    Kalman filtering and weighted least squares dynamic identification of robot, Control Engineering Practice
    9(12), 2001; Khalil, Dombre, Modeling, Identification and Control of Robots (2002), chapter 12.
    """
    base = robot if isinstance(robot, BaseParameters) else base_parameters(as_robot(robot))
    sigma = None if noise is None else _positive("noise", noise, base.robot.n)
    instants, signals = _read(base.robot, time, {"q": q, "tau": tau, "qd": qd, "qdd": qdd})
    states, inside = _states(instants, signals, cutoff)
    Y, torques = base.regressor(*states), signals["tau"][inside]
    speeds = np.abs(states[1])
    if least_speed is None:
        least = SLOW * speeds.max(axis=0, initial=0.0) if base.friction else np.zeros(base.robot.n)
    else:
        least = vector("least_speed", least_speed, base.robot.n)
    moves = speeds >= least
    if cutoff is not None:
        Y, torques, moves = _decimate(instants, cutoff, Y, torques, moves)
    if moves.sum() <= base.count:
        problem = f"{moves.sum()} torques remain for {base.count} parameters"
        expected = "a longer measurement, a higher cutoff, or a lower least_speed"
        raise IdentificationError("time", problem, expected)
    return _solve(base, Y, torques, moves, sigma)


def _positive(name: str, value: Any, n: int) -> Array:
    numbers = vector(name, value, n)
    if not (numbers > 0.0).all():
        raise IdentificationError(name, f"found {numbers.tolist()}", "greater than 0")
    return numbers


def _read(robot: Robot, time: Any, columns: dict[str, Any]) -> tuple[Array, dict[str, Array]]:
    """Times and signals as arrays. Raises IdentificationError."""
    arrays: dict[str, Array] = {}
    for name, value in {"time": time, **columns}.items():
        if value is None:
            continue
        try:
            array = real_numbers(value)
        except (TypeError, ValueError, OverflowError):
            raise IdentificationError(name, f"found {value!r:.60}", "numbers") from None
        if name == "time":
            if array.ndim != 1 or not (np.diff(array) > 0.0).all():
                raise IdentificationError(
                    name, f"found shape {array.shape}", "one list of increasing instants, s"
                )
        elif robot.n == 1 and array.ndim == 1:
            array = array[:, None]
        arrays[name] = array
    count = len(arrays["time"])
    for name, array in arrays.items():
        if name != "time" and array.shape != (count, robot.n):
            expected = f"({count}, {robot.n}): a row for each instant, a column for each joint"
            raise IdentificationError(name, f"found shape {array.shape}", expected)
        if not np.isfinite(array).all():
            row = int(np.argwhere(~np.isfinite(array))[0][0])
            raise IdentificationError(name, f"row {row} is not finite", "finite numbers; leave such rows out")
    return arrays.pop("time"), arrays


def _rate(time: Array) -> float:
    """The sampling rate, Hz. Raises IdentificationError unless the instants are evenly spaced."""
    steps = np.diff(time)
    if len(steps) < 2 or np.ptp(steps) > EVEN * float(np.median(steps)):
        least, most = steps.min(initial=np.inf), steps.max(initial=0.0)
        problem = f"{len(time)} instants, from {least:.6g} s to {most:.6g} s apart"
        raise IdentificationError("time", problem, "evenly spaced instants: resample, or give qd and qdd")
    return 1.0 / float(np.median(steps))


def _filter(rate: float, cutoff: float) -> Array:
    """The low pass, second-order sections. Raises IdentificationError."""
    if not 0.0 < cutoff < 0.5 * rate:
        expected = f"above 0, and below half the sampling rate, {0.5 * rate:.6g} Hz"
        raise IdentificationError("cutoff", f"found {cutoff:g} Hz", expected)
    from scipy.signal import butter

    return np.asarray(butter(ORDER, cutoff, fs=rate, output="sos"))


def _states(
    time: Array, signals: dict[str, Array], cutoff: float | None
) -> tuple[tuple[Array, Array, Array], slice]:
    """q, qd, qdd, measured or by differences of the filtered q, and the rows that have them."""
    q, qd, qdd = signals["q"], signals.get("qd"), signals.get("qdd")
    if qd is not None and qdd is not None:
        return (q, qd, qdd), slice(None)
    if cutoff is None:
        missing = " and ".join(name for name in ("qd", "qdd") if name not in signals)
        problem = f"not given, nor {missing}"
        raise IdentificationError(
            "cutoff", problem, f"a cutoff in Hz, to compute {missing} from q; or {missing}"
        )
    from scipy.signal import sosfiltfilt

    rate = _rate(time)
    _filter(rate, cutoff)  # a cutoff that is too high has its own error
    smooth = sosfiltfilt(_filter(rate, min(WIDER * cutoff, HIGHEST * rate)), q, axis=0)
    slope = 0.5 * rate * (smooth[2:] - smooth[:-2])
    bend = rate * rate * (smooth[2:] - 2.0 * smooth[1:-1] + smooth[:-2])
    inside = slice(1, -1)
    return (smooth[inside], slope if qd is None else qd[inside], bend if qdd is None else qdd[inside]), inside


def _decimate(time: Array, cutoff: float, Y: Array, tau: Array, moves: Mask) -> tuple[Array, Array, Mask]:
    """Regressor and torques through one low pass, without the ends, at fewer instants; and their mask."""
    from scipy.ndimage import binary_erosion
    from scipy.signal import sosfiltfilt

    rate = _rate(time)
    sections, margin = _filter(rate, cutoff), int(np.ceil(MARGIN * rate / cutoff))
    if len(tau) <= 2 * margin + 1:
        expected = f"more than {2 * margin + 1} samples at this cutoff and sampling rate"
        raise IdentificationError("time", f"found {len(time)} samples", expected)
    rows = slice(margin, -margin, max(int(rate / (INDEPENDENT * cutoff)), 1))
    reach = np.ones((2 * int(rate / cutoff) + 1, 1), bool)
    away = binary_erosion(moves, reach, border_value=1)
    return sosfiltfilt(sections, Y, axis=0)[rows], sosfiltfilt(sections, tau, axis=0)[rows], away[rows]


def _solve(base: BaseParameters, Y: Array, tau: Array, moves: Mask, noise: Array | None) -> Identification:
    """Weighted least squares; the weights from the residuals unless the noise is given."""
    start, (b, n) = base.values, (base.count, base.robot.n)
    counts = moves.sum(axis=0)
    offset = tau - Y @ start
    triangles = [_triangle(Y[moves[:, j], j], offset[moves[:, j], j]) for j in range(n)]
    used = np.where(moves, tau, np.nan)
    least = np.maximum(SILENCE * _rms(used), NOTHING)
    sigma = np.ones(n) if noise is None else noise
    answer = _weigh(triangles, sigma)
    for _ in range(ROUNDS if noise is None else 0):
        squares = np.array([np.sum((R[:, :b] @ answer.change - R[:, b]) ** 2) for R in triangles])
        # A joint's degrees of freedom: its torques minus the leverage of its rows.
        pairs = zip(triangles, sigma, strict=True)
        leverage = np.array([np.sum((R[:, :b] @ answer.inverse / s) ** 2) for R, s in pairs])
        estimate = np.maximum(np.sqrt(squares / np.maximum(counts - leverage, 1.0)), least)
        settled = bool(np.abs(estimate / sigma - 1.0).max() < SETTLED)
        sigma = estimate
        answer = _weigh(triangles, sigma)
        if settled:
            break
    values = start + answer.change
    covariance = answer.inverse @ answer.inverse.T
    covariance[answer.lost, :] = covariance[:, answer.lost] = np.nan
    covariance[answer.lost, answer.lost] = np.inf
    return Identification(
        base, values, covariance, sigma, np.where(moves, tau - Y @ values, np.nan), used, answer.condition,
        tuple(base.short[c] for c in np.flatnonzero(answer.lost)),
        noise is not None,
    )  # fmt: skip


class _Weighed(NamedTuple):
    """Least squares with the noise of each joint."""

    change: Array  # (b,), from the nominal parameters
    inverse: Array  # (b, r), for r determined combinations: its product with its transpose is the covariance
    lost: Mask  # (b,), parameters that take part in combinations without effect
    condition: float


def _weigh(triangles: Sequence[Array], sigma: Array) -> _Weighed:
    """The least squares of the joints' rows, each over its noise; combinations without effect stay at 0."""
    rows = np.vstack([R / s for R, s in zip(triangles, sigma, strict=True)])
    Y, tau = rows[:, :-1], rows[:, -1]
    lengths = np.linalg.norm(Y, axis=0)
    lengths[lengths == 0.0] = 1.0
    U, effects, V = np.linalg.svd(Y / lengths, full_matrices=False)
    determined = effects > UNDETERMINED * effects[0]
    inverse = (V[determined].T / effects[determined]) / lengths[:, None]
    lost = np.asarray(np.any(np.abs(V[~determined]) > PART, axis=0), np.bool_)
    condition = float(effects[0] / effects[-1]) if effects[-1] > 0.0 else np.inf
    return _Weighed(inverse @ (U[:, determined].T @ tau), inverse, lost, condition)


def _triangle(Y: Array, tau: Array) -> Array:
    """R of a QR factorisation of a joint's rows, which suffices for the weighting of joints."""
    return np.asarray(np.linalg.qr(np.column_stack([Y, tau]), mode="r"), np.float64)


def _rms(values: Array) -> Array:
    """By joint, without omitted torques (NaN)."""
    counts = np.maximum(np.isfinite(values).sum(axis=0), 1)
    return np.asarray(np.sqrt(np.nansum(values**2, axis=0) / counts))
