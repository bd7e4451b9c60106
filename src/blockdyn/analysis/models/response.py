"""Time responses of a linear model are computed from powers and exponentials of its matrix."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.hints import hint_attributes
from ..errors import AnalysisError
from .linear_model import LinearModel, Matrix

SETTLED = 7.0  # time constants shown: the response is then within 0.1 % of its final value
POINTS = 500
NEARLY = 1e-9  # relative: times are uniform, or at a tick, within this


@hint_attributes
class Response(NamedTuple):
    """Outputs over time: `values` (k, p, m) for k `times`, s, p outputs and m inputs, one input at a time."""

    times: Matrix
    values: Matrix


def step(model: LinearModel, times: ArrayLike | None = None) -> Response:
    """The outputs after a step of 1 of each input at t = 0, exact at any times from 0 on.

    In discrete time an output lasts until the next tick.
    """
    return _response(model, times, "step")


def impulse(model: LinearModel, times: ArrayLike | None = None) -> Response:
    """The outputs after an impulse of area 1 of each input at t = 0; see `step`.

    In discrete time it is one sample of 1 / sample_time.
    """
    return _response(model, times, "impulse")


def _response(model: LinearModel, times: ArrayLike | None, kind: str) -> Response:
    """The response by powers of [A, B; 0, I], which has the constant input as states, or by exp([A, B; 0, 0]
    t)."""
    model = model.finite()
    along = _times(model) if times is None else np.asarray(times, np.float64)
    if along.ndim != 1 or along.size < 2 or not np.all(np.diff(along) > 0.0) or along[0] != 0.0:
        raise AnalysisError("the times of a response", "increasing times from 0 on, s")
    n, m = model.B.shape
    period, begin, last = model.sample_time, np.vstack([np.zeros((n, m)), np.eye(m)]), np.zeros((m, m))
    if period and kind == "step":
        last = np.eye(m)
    elif kind == "impulse":
        begin = begin / period if period else np.vstack([model.B, last])
    moved = np.block([[model.A, model.B], [np.zeros((m, n)), last]])
    carried: dict[float, Matrix] = {}
    state, out = begin, np.hstack([model.C, model.D])
    values = np.empty((along.size, len(model.outputs), m))
    values[0] = out @ state
    for k, gap in enumerate(_ticks(along, period) if period else _gaps(along), 1):
        if gap not in carried:
            carried[gap] = np.linalg.matrix_power(moved, int(gap)) if period else _exponential(moved, gap)
        state = carried[gap] @ state
        values[k] = out @ state
    return Response(along, values)


def _ticks(times: Matrix, period: float) -> list[float]:
    """Number of ticks between times; a tick within rounding of a time counts as past."""
    periods = times / period
    nearest = np.round(periods)
    at_tick = np.abs(periods - nearest) <= NEARLY * np.maximum(nearest, 1.0)
    gaps: list[float] = np.diff(np.where(at_tick, nearest, np.floor(periods))).tolist()
    return gaps


def _gaps(times: Matrix) -> list[float]:
    """The spacings of times, one number if they are uniform."""
    even = times[-1] / (times.size - 1) * np.arange(times.size)
    if np.allclose(times, even, rtol=NEARLY, atol=0.0):
        return [float(even[1])] * (times.size - 1)
    gaps: list[float] = np.diff(times).tolist()
    return gaps


def _exponential(generator: Matrix, time: float) -> Matrix:
    from scipy.linalg import expm

    return np.asarray(expm(generator * time), np.float64)


def _times(model: LinearModel) -> Matrix:
    """The settling time of the slowest mode; in discrete time, its sample times."""
    poles = model.damping()
    constants = [p.time_constant for p in poles if np.isfinite(p.time_constant)]
    constants += [
        2.0 * np.pi / p.frequency for p in poles if p.frequency > 0.0 and p.damping == 0.0
    ]  # periods
    moving = [1.0 / p.frequency for p in poles if p.frequency > 0.0]
    end = SETTLED * max(constants or moving or [1.0])
    if model.sample_time:
        count = int(np.ceil(end / model.sample_time)) + 1
        samples: Matrix = model.sample_time * np.arange(max(2, min(10 * POINTS, count)), dtype=np.float64)
        return samples
    return np.linspace(0.0, end, POINTS)
