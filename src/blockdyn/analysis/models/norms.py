"""Gramians and norms of a linear model."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt
from typing import Literal

import numpy as np

from ..errors import AnalysisError
from .frequency import at_points, frequencies
from .linear_model import LinearModel, Matrix

POINTS = 200
DECADES = 2.0
ACCURACY = 1e-9  # relative, of the largest gain
ROUNDS = 60  # of a search that converges quadratically
AXIS = 1e-8  # relative: eigenvalues that lie on the imaginary axis


def gramian(model: LinearModel, kind: Literal["controllability", "observability"]) -> Matrix:
    """The gramian W (n, n): A W + W A' + B B' = 0, or A'W + W A + C'C = 0; in discrete time
    W = A W A' + B B', or W = A'W A + C'C. Raises AnalysisError for a model that is not stable.
    """
    model = model.finite()
    from scipy.linalg import solve_continuous_lyapunov, solve_discrete_lyapunov

    if kind not in ("controllability", "observability"):
        raise AnalysisError(f"kind is {kind!r:.40}", '"controllability" or "observability"')
    if not model.stable:
        raise AnalysisError("a model that is not stable has no gramian", "a stable model")
    A, B = (model.A, model.B) if kind == "controllability" else (model.A.T, model.C.T)
    if model.sample_time:
        return np.asarray(solve_discrete_lyapunov(A, B @ B.T), np.float64)
    return np.asarray(solve_continuous_lyapunov(A, -B @ B.T), np.float64)


def h2_norm(model: LinearModel) -> float:
    """The root of the energy of the impulse response, over all inputs; the rms of outputs under white
    noise. Infinite if the model is not stable or, in continuous time, has direct feedthrough.

    Source: Zhou, Doyle and Glover, Robust and Optimal Control (1996), section 4.5.
    """
    model = model.finite()
    if not model.stable or (not model.sample_time and np.any(model.D)):
        return inf
    energy = np.trace(model.C @ gramian(model, "controllability") @ model.C.T)
    direct = np.sum(model.D**2) if model.sample_time else 0.0
    return sqrt(max(float(energy + direct), 0.0))


def hinf_norm(model: LinearModel) -> float:
    """The largest singular value of G over all frequencies, to 1e-9; infinite if it is not stable.

    Source: Bruinsma and Steinbuch, Systems and Control Letters 14 (1990), 287-293.
    """
    model = model.finite()
    if not model.stable:
        return inf
    if not model.states:
        return float(np.linalg.norm(model.D, 2)) if model.D.size else 0.0
    if model.sample_time:  # z = (1 + s) / (1 - s), which preserves all gains
        model = _bilinear(model)
    best = _largest(model, np.append(0.0, frequencies([*model.poles()], 0.0, POINTS, DECADES)))
    best = max(best, float(np.linalg.norm(model.D, 2)))
    for _ in range(ROUNDS):
        reached = _frequencies_of(model, level := best * (1.0 + ACCURACY))
        if not reached.size:
            return best
        between = (reached[1:] + reached[:-1]) / 2.0 if reached.size > 1 else reached
        best = max(level, _largest(model, between))
    return best


def _largest(model: LinearModel, omega: Matrix) -> float:
    values = at_points(model, np.asarray(1j * omega, np.complex128))
    return float(np.linalg.svd(values, compute_uv=False).max(initial=0.0))


def _frequencies_of(model: LinearModel, level: float) -> Matrix:
    """The frequencies at which a singular value of G is `level`: eigenvalues of a Hamiltonian matrix."""
    A, B, C, D = model.A, model.B, model.C, model.D
    if level == 0.0:
        return np.zeros(0)
    inner = np.linalg.inv(level**2 * np.eye(D.shape[1]) - D.T @ D)
    outer = np.eye(D.shape[0]) + D @ inner @ D.T
    shifted = A + B @ inner @ D.T @ C
    values = np.linalg.eigvals(np.block([[shifted, B @ inner @ B.T], [-C.T @ outer @ C, -shifted.T]]))
    on_axis = np.abs(values.real) <= AXIS * np.abs(values)
    return np.unique(np.abs(values[on_axis].imag))


def _bilinear(model: LinearModel) -> LinearModel:
    A, one = model.A, np.eye(len(model.A))
    back = np.linalg.inv(A + one)
    return replace(
        model,
        A=back @ (A - one), B=sqrt(2.0) * back @ model.B, C=sqrt(2.0) * model.C @ back,
        D=model.D - model.C @ back @ model.B, sample_time=0.0,
    )  # fmt: skip
