"""Actors are the bodies of an animation with the traces of a result that move them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...diagrams.results.errors import bad_argument
from ...diagrams.results.result import Result
from ...diagrams.results.smooth import FINE, smooth_curves
from ...diagrams.results.trace import FloatArray, Trace

if TYPE_CHECKING:
    from ...robots.model.robot import Robot
    from ...robots.shapes.multirotor import Multirotor
    from ...robots.shapes.wheeled import WheeledBody
    from .film import Film

RATES = {"q": ("qd", "velocity"), "position": ("velocity", "qd"), "p": ("v",)}


def coordinates(result: Result, signal: str, robot: str, n: int) -> Trace:
    """The trace of the joint coordinates.

    Raises UnknownSignal; ResultError for a size other than n, no samples, or values that are not finite.
    """
    trace = result.trace(signal)
    if trace.size != n or len(trace.shape) > 1:
        problem = f"{trace.size} number{'s' if trace.size != 1 else ''} per sample"
        raise bad_argument(signal, problem, f"{n}, one for each moving joint of {robot}")
    return finite(trace)


def finite(trace: Trace) -> Trace:
    """The trace, checked. Raises ResultError without samples, and for values that are not finite."""
    signal = trace.path
    if not trace.samples:
        raise bad_argument(signal, "no samples", "a run that logged at least one instant")
    if not np.isfinite(trace.values).all():
        row = int(np.flatnonzero(~np.isfinite(trace.flat).all(axis=1))[0])
        problem = f"a number that is not finite at t = {trace.time[row]:.6g} s"
        raise bad_argument(signal, problem, "finite coordinates")
    return trace


def at(result: Result, trace: Trace, times: FloatArray) -> FloatArray:
    """The coordinates at the given times, (m, n).

    A cubic between neighbouring samples if the rates are also logged (`plant.qd`), which is
    accurate to fourth order in their distance; else a straight line. At an event the limit from the right.
    """
    clipped = np.clip(times, trace.time[0], trace.time[-1])
    rates = _rates(result, trace)
    if rates is None or trace.kind == "discrete":
        return trace.at(clipped, "interpolate").reshape(len(clipped), -1)
    left = np.searchsorted(trace.time, clipped, side="right") - 1
    right = np.minimum(left + 1, trace.samples - 1)
    h = trace.time[right] - trace.time[left]
    s = np.divide(clipped - trace.time[left], h, out=np.zeros_like(clipped), where=h > 0)[:, None]
    q0, q1, d0, d1 = trace.flat[left], trace.flat[right], rates.flat[left], rates.flat[right]
    turn = (1 - s) * (d0 * h[:, None] - (q1 - q0)) + s * ((q1 - q0) - d1 * h[:, None])
    return np.asarray(q0 + s * (q1 - q0) + s * (1 - s) * turn)


def _rates(result: Result, trace: Trace) -> Trace | None:
    """The finite rates of the coordinates, sampled at the same instants."""
    block, _, name = trace.path.rpartition(".")
    for rate in RATES.get(name, ()):
        for traces in (result.signals, result.states):
            series = traces.get(f"{block}.{rate}")
            if (
                series is not None
                and series.values.shape == trace.values.shape
                and _match_rates(series, trace)
            ):
                return series
    return None


def _match_rates(rates: Trace, trace: Trace) -> bool:
    return np.array_equal(rates.time, trace.time) and bool(np.isfinite(rates.values).all())


STILL = 1e-3  # rad/s, and of a rotor's force: smaller values count as 0


class Actor(ABC):
    """A moving object in a result: a body, and the trace that gives its position."""

    trace: Trace

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the kind of body."""

    @abstractmethod
    def film(self, result: Result, times: FloatArray, path: FloatArray) -> Film:
        """The body at these instants, s, and its path at the instants `path`."""

    @property
    def block(self) -> str:
        """The block with the signal that moves it."""
        return self.trace.path.rpartition(".")[0] or self.trace.path

    @property
    def foot(self) -> tuple[float, ...]:
        """The base of the body, m."""
        return (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ArmActor(Actor):
    """A robot and its joint coordinates."""

    robot: Robot
    trace: Trace

    @property
    def name(self) -> str:
        return self.robot.name

    @property
    def foot(self) -> tuple[float, ...]:
        return tuple(float(row[3]) for row in self.robot.base[:3])

    def film(self, result: Result, times: FloatArray, path: FloatArray) -> Film:
        from .film import film

        return film(self.robot, times, at(result, self.trace, times), path, at(result, self.trace, path))


@dataclass(frozen=True)
class CraftActor(Actor):
    """A multirotor, its position (3,), m, and its attitude: a quaternion, or yaw, pitch and roll.

    Without `attitude` the trace holds x, y, z, yaw, pitch, roll, and possibly more. A rotor is at rest if
    its element of one of the traces `stops` is 0.
    """

    kind: str
    body: Multirotor
    trace: Trace
    attitude: Trace | None = None
    stops: tuple[Trace, ...] = ()

    @property
    def name(self) -> str:
        return self.kind

    def film(self, result: Result, times: FloatArray, path: FloatArray) -> Film:
        from .film import Film

        position = at(result, self.trace, times)[:, :3]
        still = standing([at(result, trace, times) for trace in self.stops])
        motion = self.body.motion(times, position, self._quaternions(times), still)
        level = np.tile([1.0, 0.0, 0.0, 0.0], (len(path), 1))
        way = self.body.motion(path, at(result, self.trace, path)[:, :3], level)
        references = [
            flight.reference for flight in result.flights if flight.path == self.block and flight.reference
        ]
        if not references:
            return Film(self.body, times, motion, path, way.p[:, -1])
        track = self.body.motion(path, at(result, result.trace(references[0]), path), level)
        return Film(self.body, times, motion, path, way.p[:, -1], reference=track.p[:, -1])

    def _quaternions(self, times: FloatArray) -> FloatArray:
        """The attitude (k, 4): between two samples along the chord, of any length."""
        trace = self.trace if self.attitude is None else self.attitude
        samples = trace.flat if self.attitude is not None else from_angles(trace.flat[:, 3:6])
        flips = np.sum(samples[1:] * samples[:-1], axis=1) < 0.0  # q and -q are the same attitude
        signs = np.cumprod(np.where(np.concatenate([[False], flips]), -1.0, 1.0))
        return Trace(trace.path, trace.time, samples * signs[:, None]).at(
            np.clip(times, *trace.time[[0, -1]])
        )


@dataclass(frozen=True)
class WheelActor(Actor):
    """A wheeled vehicle, its pose (3,), x, y, heading, and the points (n, 2) of a path that it follows."""

    kind: str
    body: WheeledBody
    trace: Trace
    path: FloatArray | None = None

    @property
    def name(self) -> str:
        return self.kind

    @property
    def foot(self) -> tuple[float, ...]:
        return (*self.trace.flat[0, :2].tolist(), 0.0)

    def film(self, result: Result, times: FloatArray, path: FloatArray) -> Film:
        from .film import Film

        fine = smooth_curves(result, FINE)  # the solver takes long steps on arcs
        trace = fine.trace(self.trace.path)
        way = at(fine, trace, path)
        track = np.empty((0, 2)) if self.path is None else self.path
        motion = self.body.motion(at(fine, trace, times))
        return Film(self.body, times, motion, path, _on_ground(way), reference=_on_ground(track))


def standing(values: Sequence[FloatArray]) -> NDArray[np.bool_] | None:
    """True for rotors at rest, from signals (k, n) that are 0 there."""
    return np.any([np.abs(each) <= STILL for each in values], axis=0) if values else None


def _on_ground(points: FloatArray) -> FloatArray:
    return np.column_stack([points[:, :2], np.zeros(len(points))])


def from_angles(angles: FloatArray) -> FloatArray:
    """Quaternions (k, 4) of yaw, pitch, roll (k, 3), rad: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (cy, cp, cr), (sy, sp, sr) = np.cos(angles / 2).T, np.sin(angles / 2).T
    parts = [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ]
    return np.column_stack(parts)
