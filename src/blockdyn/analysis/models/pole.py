"""Poles and zeros: eigenvalues of a linear model, and the modes that they describe."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log1p
from typing import NamedTuple

import numpy as np

from ...base.hints import hint_attributes
from .edge import beyond_edge
from .linear_model import Complex, LinearModel

RANK = 1e-8  # of the norm of the pencil: singular values that are rounding
FINITE = 1e8  # times the largest number of the pencil: beyond it an eigenvalue counts as infinite


@hint_attributes
class Pole(NamedTuple):
    """A pole p and its mode exp(s t), where s = p, in discrete time log(p) / sample_time.

    frequency        natural frequency |s|, rad/s
    damping          ratio -Re s / |s|: 1 without overshoot, 0 undamped, below 0 growing; 1 for s = 0
    time_constant    time in which it falls to 1/e, -1 / Re s, s; infinite if it does not fall
    """

    value: complex
    frequency: float
    damping: float
    time_constant: float


def damping(model: LinearModel) -> tuple[Pole, ...]:
    """Each pole with its natural frequency, rad/s, damping ratio and time constant, s; see `Pole`."""
    return tuple(_describe_pole(complex(pole), model.sample_time) for pole in model.poles())


def _describe_pole(pole: complex, sample_time: float) -> Pole:
    if sample_time and pole == 0.0:
        return Pole(pole, inf, 1.0, 0.0)
    edge = float(beyond_edge(np.array([pole]), sample_time)[0])
    s = complex(log1p(edge), np.angle(pole)) / sample_time if sample_time else pole
    frequency = abs(s)
    damping = -s.real / frequency if frequency else 1.0
    return Pole(pole, frequency, damping, -1.0 / s.real if s.real < 0.0 else inf)


def invariant_zeros(model: LinearModel) -> Complex:
    """See `LinearModel.zeros`."""
    from scipy.linalg import eig

    model = model.finite()
    n, (p, m) = len(model.states), model.D.shape
    if p != m:
        return _of_any_shape(model)
    pencil = np.block([[model.A, model.B], [model.C, model.D]])
    shift = np.zeros_like(pencil)
    shift[:n, :n] = np.eye(n)
    scale = max(1.0, float(np.abs(pencil).max(initial=0.0)))
    with np.errstate(all="ignore"):
        above, below = eig(pencil, shift, right=False, homogeneous_eigvals=True)
        finite = np.abs(above) < FINITE * scale * np.abs(below)
        result: Complex = np.asarray(above[finite] / below[finite], np.complex128)
    return result


def _of_any_shape(model: LinearModel) -> Complex:
    """Zeros of a model that is not square. Zeros of the model with random sums of the outputs (inputs) are
    zeros of the model if its pencil loses rank there.
    """
    n, (p, m) = len(model.states), model.D.shape
    mix = np.random.default_rng(0).standard_normal((min(p, m), max(p, m)))
    square = (
        replace(model, C=mix @ model.C, D=mix @ model.D)
        if p > m
        else replace(model, B=model.B @ mix.T, D=model.D @ mix.T)
    )
    pencil = np.block([[model.A, model.B], [model.C, model.D]])
    shift = np.eye(*pencil.shape)
    shift[n:, n:] = 0.0

    def least(s: complex) -> float:
        return float(np.linalg.svd(pencil - s * shift, compute_uv=False)[-1])

    candidates = invariant_zeros(replace(square, outputs=(), inputs=()))
    scale = float(np.linalg.norm(pencil, 2)) if pencil.size else 0.0
    zeros = [s for s in candidates.tolist() if least(s) <= RANK * max(scale, abs(s))]
    return np.array(zeros, np.complex128)
