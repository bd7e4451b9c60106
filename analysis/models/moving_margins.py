"""Moving margins: how the margins of a loop change with the matrices of its model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import AnalysisError
from .frequency import pencil
from .linear_model import LinearModel
from .margins import Margins
from .turning import turning_for_ever

Changes = LinearModel
"""dA, dB, dC and dD along some number, in the place of the matrices, and so of delays."""


def of_margins(model: LinearModel, margins: Margins, changes: Changes) -> dict[str, float]:
    """The derivatives of `gain`, `phase`, `delay` and `modulus`; 0 where one is infinite.

    With dL the change of L(jw) at a frequency and L' its derivative along w: where arg L = -180 degrees,
    dw = -Im dL / Im L'; where |L| = 1, dw = -Re(dL / L) / Re(L' / L); at the peak of the sensitivity the
    frequency does not matter.
    """
    at = _responses(model, changes)
    return {
        "gain": _of_gain(margins, at),
        "phase": _of_angle(margins.phase_frequency, at)[0],
        "delay": _of_delay(margins, at),
        "modulus": _of_modulus(margins, at),
    }


Responses = Callable[[float], tuple[complex, complex, complex]]
"""L, dL and L' at a frequency, rad/s."""


def _responses(model: LinearModel, changes: Changes) -> Responses:
    T = model.sample_time
    if model.delays is not None and turning_for_ever(model) is not None:
        found = "a loop through delays that pass on at once what is fed to them, at all frequencies"
        raise AnalysisError(found, "a loop with a filter in it: margins of another have no derivatives")

    def at(omega: float) -> tuple[complex, complex, complex]:
        if np.isinf(omega):
            return complex(model.D[0, 0]), complex(changes.D[0, 0]), 0j
        z = np.exp(1j * omega * T) if T else 1j * omega
        shifted, into, out = pencil(model, np.array([z]))
        right = np.linalg.solve(shifted[0], into[0])
        left = np.linalg.solve(shifted[0].T, out.T).T
        value = out @ right + model.D
        moved_shifted, moved_into, moved_out = _moved(model, changes, z)
        moved = moved_out @ right + left @ (moved_into - moved_shifted @ right) + changes.D
        along_shifted, along_into = _along(model, z)
        along = left @ (along_into - along_shifted @ right) * (1j * T * z if T else 1j)
        return complex(value[0, 0]), complex(moved[0, 0]), complex(along[0, 0])

    return at


def _moved(model: LinearModel, changes: Changes, s: complex) -> tuple[Any, Any, Any]:
    """How the matrices of `pencil` change."""
    if model.delays is None or changes.delays is None:
        return -changes.A, changes.B, changes.C
    of, by = model.delays, changes.delays
    turned = np.exp(-s * of.times)[:, None]
    faster = -s * by.times[:, None] * turned
    back, through = (faster * getattr(of, name) + turned * getattr(by, name) for name in ("C2", "D22"))
    into = faster * of.D21 + turned * by.D21
    shifted = np.block([[-changes.A, -by.B2], [-back, -through]])
    return shifted, np.vstack([changes.B, into]), np.hstack([changes.C, by.D12])


def _along(model: LinearModel, s: complex) -> tuple[Any, Any]:
    """The derivatives by s of the first two matrices of `pencil`."""
    n, of = len(model.states), model.delays
    if of is None:
        return np.eye(n), np.zeros(model.B.shape)
    slower = -of.times[:, None] * np.exp(-s * of.times)[:, None]
    shifted = np.block([[np.eye(n), np.zeros(of.B2.shape)], [-slower * of.C2, -slower * of.D22]])
    return shifted, np.vstack([np.zeros(model.B.shape), slower * of.D21])


def _of_gain(margins: Margins, at: Responses) -> float:
    if not np.isfinite(margins.gain):
        return 0.0
    value, moved, along = at(margins.gain_frequency)
    still = along.imag == 0.0 or margins.gain_frequency == 0.0  # where L is real at any rate
    shift = 0.0 if still else -moved.imag / along.imag
    return float((moved.real + along.real * shift) / value.real**2)


def _of_angle(omega: float, at: Responses) -> tuple[float, float]:
    """Of the phase where |L| = 1, degrees, and of that frequency."""
    if not np.isfinite(omega):
        return 0.0, 0.0
    value, moved, along = at(omega)
    shift = -(moved / value).real / (along / value).real
    return float(np.degrees((moved / value).imag + (along / value).imag * shift)), shift


def _of_delay(margins: Margins, at: Responses) -> float:
    if not np.isfinite(margins.delay) or not np.isfinite(margins.delay_frequency):
        return 0.0
    turned, shift = _of_angle(margins.delay_frequency, at)
    return float((np.radians(turned) - margins.delay * shift) / margins.delay_frequency)


def _of_modulus(margins: Margins, at: Responses) -> float:
    value, moved, _ = at(margins.modulus_frequency)
    return float((np.conj(1.0 + value) * moved).real / abs(1.0 + value))
