"""Motion: joint coordinates at any instant of a run, smooth between the samples where rates are known."""

from __future__ import annotations

import numpy as np

from .moving import NoCoordinates
from .result import Result
from .trace import FloatArray, Trace

RATES = {"q": ("qd", "velocity"), "position": ("velocity", "qd"), "p": ("v",)}


def coordinates(result: Result, signal: str, robot: str, n: int) -> Trace:
    """The trace of the joint coordinates.

    Raises UnknownSignal; NoCoordinates for another size than n, no samples, numbers that are not finite.
    """
    trace = result.trace(signal)
    if trace.size != n or len(trace.shape) > 1:
        problem = f"{trace.size} number{'s' if trace.size != 1 else ''} a sample"
        raise NoCoordinates(signal, problem, f"{n}, one for each moving joint of {robot}")
    return finite(trace)


def finite(trace: Trace) -> Trace:
    """The trace itself. Raises NoCoordinates for no samples, and numbers that are not finite."""
    signal = trace.path
    if not trace.samples:
        raise NoCoordinates(signal, "no samples", "a run that logged at least one instant")
    if not np.isfinite(trace.values).all():
        row = int(np.flatnonzero(~np.isfinite(trace.flat).all(axis=1))[0])
        problem = f"a number that is not finite at t = {trace.time[row]:.6g} s"
        raise NoCoordinates(signal, problem, "finite coordinates")
    return trace


def at(result: Result, trace: Trace, times: FloatArray) -> FloatArray:
    """The coordinates at the given times, (m, n).

    A cubic between neighbouring samples where the rates were logged beside them (`plant.qd`), which is
    exact to fourth order in their distance; else a straight line. At an event the limit from the right.
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
    """The rates that go with the coordinates, sampled at the same instants and finite."""
    block, _, name = trace.path.rpartition(".")
    for rate in RATES.get(name, ()):
        for traces in (result.signals, result.states):
            series = traces.get(f"{block}.{rate}")
            if series is not None and series.values.shape == trace.values.shape and _beside(series, trace):
                return series
    return None


def _beside(rates: Trace, trace: Trace) -> bool:
    return np.array_equal(rates.time, trace.time) and bool(np.isfinite(rates.values).all())
