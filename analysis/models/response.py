"""Responses of a linear model along time, by scipy.signal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.guided import guided
from ..errors import AnalysisError
from .elsewhere import RESPONSE
from .linear_model import LinearModel, Matrix

SETTLED = 7.0  # time constants that a response is shown for: it is within a thousandth of its end
POINTS = 500


@guided(RESPONSE)
class Response(NamedTuple):
    """Outputs along time: `values` (k, p, m) of k `times`, s, p outputs and m inputs, one input at a time."""

    times: Matrix
    values: Matrix


def step(model: LinearModel, times: ArrayLike | None) -> Response:
    """See `LinearModel.step`."""
    return _response(model, times, "step")


def impulse(model: LinearModel, times: ArrayLike | None) -> Response:
    """See `LinearModel.impulse`: in discrete time one sample of 1 / sample_time."""
    return _response(model, times, "impulse")


def _response(model: LinearModel, times: ArrayLike | None, kind: str) -> Response:
    from scipy import signal

    model = model.finite()
    along = _times(model) if times is None else np.asarray(times, np.float64)
    if along.ndim != 1 or along.size < 2 or not np.all(np.diff(along) > 0.0) or along[0] != 0.0:
        raise AnalysisError("the times of a response", "growing times from 0 on, s")
    shape = (along.size, len(model.outputs), len(model.inputs))
    values = np.empty(shape)
    for j, name in enumerate(model.inputs):
        one = model.part(inputs=[name])
        system = (one.A, one.B, one.C, one.D)
        if not model.states:
            values[:, :, j] = one.D[:, 0] if kind == "step" else 0.0
        elif model.sample_time:
            respond = signal.dstep if kind == "step" else signal.dimpulse
            _, (samples,) = respond((*system, model.sample_time), n=along.size)
            values[:, :, j] = samples / (1.0 if kind == "step" else model.sample_time)
        else:
            begin = one.B[:, 0] if kind == "impulse" else np.zeros(len(model.states))
            driven = np.full((along.size, 1), 1.0 if kind == "step" else 0.0)
            _, result, _ = signal.lsim(system, driven, along, X0=begin)
            values[:, :, j] = np.reshape(result, shape[:2])
    return Response(along, values)


def _times(model: LinearModel) -> Matrix:
    """As long as the slowest motion takes; in discrete time, its samples."""
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
