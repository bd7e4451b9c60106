"""Moving margins: how the margins of a loop change with the matrices of its model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .linear_model import LinearModel
from .margins import Margins

Changes = LinearModel
"""dA, dB, dC and dD along some number, in the place of the matrices."""


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
    n, T = len(model.states), model.sample_time

    def at(omega: float) -> tuple[complex, complex, complex]:
        if np.isinf(omega):
            return complex(model.D[0, 0]), complex(changes.D[0, 0]), 0j
        z = np.exp(1j * omega * T) if T else 1j * omega
        shifted = z * np.eye(n) - model.A
        right = np.linalg.solve(shifted, model.B.astype(np.complex128))
        left = np.linalg.solve(shifted.T, model.C.T.astype(np.complex128)).T
        value = model.C @ right + model.D
        moved = changes.C @ right + left @ changes.A @ right + left @ changes.B + changes.D
        along = -(left @ right) * (1j * T * z if T else 1j)
        return complex(value[0, 0]), complex(moved[0, 0]), complex(along[0, 0])

    return at


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
