"""Frequency response of a linear model."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from ...base.short import short
from ..errors import AnalysisError
from .linear_model import Complex, LinearModel, Matrix

NEAR = 1e-9  # of the axis: a pole that close to it lies on it


def frequency_response(model: LinearModel, omega: ArrayLike) -> Complex:
    """See `LinearModel.frequency_response`. An infinite response, at a pole, is complex infinity."""
    try:
        frequencies = np.asarray(omega, np.float64)
    except (TypeError, ValueError):
        expected = "real numbers in one list, rad/s: [1.0, 10.0] for G at 1j and 10j"
        raise AnalysisError(f"frequencies are {short(omega)}", expected) from None
    if frequencies.ndim != 1 or not np.all(np.isfinite(frequencies)):
        raise AnalysisError(f"frequencies of shape {frequencies.shape}", "finite numbers in one list, rad/s")
    points: Complex = np.asarray(1j * frequencies, np.complex128)
    return at_points(model, np.exp(points * model.sample_time) if model.sample_time else points)


def at_points(model: LinearModel, points: Complex) -> Complex:
    """The transfer matrix at complex numbers: (k,) -> (k, p, m)."""
    n = len(model.states)
    result = np.broadcast_to(model.D.astype(np.complex128), (len(points), *model.D.shape)).copy()
    if not n:
        return result
    shifted = points[:, None, None] * np.eye(n) - model.A
    try:
        result += model.C @ np.linalg.solve(shifted, np.broadcast_to(model.B, (len(points), *model.B.shape)))
    except np.linalg.LinAlgError:
        for k, each in enumerate(shifted):
            try:
                result[k] += model.C @ np.linalg.solve(each, model.B)
            except np.linalg.LinAlgError:
                result[k] = complex(np.inf, np.inf)
    return result


def static_gain(model: LinearModel) -> Matrix:
    """See `LinearModel.gain`."""
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
