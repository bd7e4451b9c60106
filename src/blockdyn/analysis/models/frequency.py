"""Frequency response of a linear model."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from ...base.words import short
from ..errors import AnalysisError
from .linear_model import Complex, LinearModel, Matrix

NEAR = 1e-9  # a smaller pole or zero counts as 0


def frequency_response(model: LinearModel, omega: ArrayLike) -> Complex:
    """G(i omega) = C (i omega I - A)^-1 B + D at frequencies in rad/s, (k,) -> (k, p, m).

    Delays are included exactly. In discrete time the argument is exp(i omega sample_time).
    """
    try:
        frequencies = np.asarray(omega, np.float64)
    except (TypeError, ValueError, OverflowError):
        expected = "real numbers in one list, rad/s: [1.0, 10.0] for G at 1j and 10j"
        raise AnalysisError(f"frequencies are {short(omega)}", expected) from None
    if frequencies.ndim != 1 or not np.all(np.isfinite(frequencies)):
        raise AnalysisError(f"frequencies of shape {frequencies.shape}", "finite numbers in one list, rad/s")
    points: Complex = np.asarray(1j * frequencies, np.complex128)
    return at_points(model, np.exp(points * model.sample_time) if model.sample_time else points)


def at_points(model: LinearModel, points: Complex) -> Complex:
    """The transfer matrix at complex points: (k,) -> (k, p, m)."""
    result = np.broadcast_to(model.D.astype(np.complex128), (len(points), *model.D.shape)).copy()
    shifted, into, out = pencil(model, points)
    if not shifted.shape[-1]:
        return result
    try:
        result += out @ np.linalg.solve(shifted, into)
    except np.linalg.LinAlgError:
        for k, each in enumerate(shifted):
            try:
                result[k] += out @ np.linalg.solve(each, into[k])
            except np.linalg.LinAlgError:
                result[k] = complex(np.inf, np.inf)
    return result


def pencil(model: LinearModel, points: Complex) -> tuple[Complex, Complex, Complex]:
    """K (k, n, n), G (k, n, m) and H (p, n) of K v = G u, y = H v + D u at complex numbers s, (k,).

    v are the states x and, with delays of times T, their outputs w:

        [s I - A, -B2; -E C2, I - E D22] [x; w] = [B; E D21] u      y = [C, D12] [x; w] + D u

    with E = diag(exp(-s T)).
    """
    n, k = len(model.states), len(points)
    shifted = points[:, None, None] * np.eye(n) - model.A
    into = np.broadcast_to(model.B, (k, *model.B.shape)).astype(np.complex128)
    delays = model.delays
    if delays is None:
        return shifted, into, model.C.astype(np.complex128)
    turned = np.exp(-points[:, None] * delays.times)[:, :, None]
    above = np.concatenate([shifted, np.broadcast_to(-delays.B2, (k, *delays.B2.shape))], axis=2)
    below = np.concatenate([-turned * delays.C2, np.eye(len(delays.names)) - turned * delays.D22], axis=2)
    return (
        np.asarray(np.concatenate([above, below], axis=1), np.complex128),
        np.asarray(np.concatenate([into, turned * delays.D21], axis=1), np.complex128),
        np.hstack([model.C, delays.D12]).astype(np.complex128),
    )


def static_gain(model: LinearModel) -> Matrix:
    """The steady-state gain for constant inputs, D - C A^-1 B, (p, m); infinite if they do not settle."""
    at_rest = at_points(model, np.array([1.0 if model.sample_time else 0.0], np.complex128))[0]
    gain: Matrix = np.where(np.isfinite(at_rest), at_rest.real, np.inf)
    return gain


def frequencies(features: Sequence[complex], sample_time: float, points: int, decades: float) -> Matrix:
    """Frequencies, rad/s, `decades` beyond all poles and zeros, closer where one is near the axis.

    In discrete time they end at pi / sample_time.
    """
    if sample_time:
        features = [np.log(each) / sample_time for each in features if abs(each) > NEAR]
    sizes = [abs(each) for each in features if abs(each) > NEAR] or [1.0]
    low, high = min(sizes) / 10**decades, max(sizes) * 10**decades
    if sample_time:
        high = pi / sample_time
        low = min(low, high / 10**decades)
    grid = [np.geomspace(low, high, points)]
    for each in features:
        centre, width = abs(each.imag), abs(each.real)
        if low < centre < high:
            away = np.geomspace(max(width, NEAR * centre) * 1e-2, centre, points // 20)
            grid += [centre - away[:-1], centre + away]
    chosen = np.unique(np.concatenate(grid))
    return np.append(chosen[(chosen > 0.0) & (chosen < high)], high)
