"""Derivatives of the margins of a loop with respect to the matrices of its model."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from ..errors import AnalysisError
from .frequency import pencil
from .linear_model import LinearModel
from .loci import eigenvectors, factor_derivative
from .margins import Margins
from .turning import turning_for_ever

Changes = LinearModel
"""Derivatives of A, B, C, D and of the delays with respect to a parameter, in place of the matrices."""


def of_margins(model: LinearModel, margins: Margins, changes: Changes) -> dict[str, float]:
    """The derivatives of `gain`, `phase`, `delay` and `modulus`; 0 if a margin is infinite.

    With dL the change of L(jw) at a frequency and L' its derivative along w: where arg L = -180 degrees,
    dw = -Im dL / Im L'; where |L| = 1, dw = -Re(dL / L) / Re(L' / L); at the peak of the sensitivity the
    frequency does not matter. In a loop with several samples in a period L is an eigenvalue, see `loci`.
    """
    at = _responses(model, changes)
    real = len(model.D) > 1 and margins.gain_frequency in (0.0, pi / model.sample_time)
    z = 1.0 if margins.gain_frequency == 0.0 else -1.0
    return {
        "gain": factor_derivative(model, changes, margins.gain, z) if real else _of_gain(margins, at),
        "phase": _of_angle(margins.phase_frequency, at, margins.phase)[0],
        "delay": _of_delay(margins, at),
        "modulus": _of_modulus(margins, at),
    }


Responses = Callable[[float, complex], tuple[complex, complex, complex]]
"""L, dL and L' at a frequency, rad/s, where L is close to a number."""


def _responses(model: LinearModel, changes: Changes) -> Responses:
    T = model.sample_time
    if model.delays is not None and turning_for_ever(model) is not None:
        actual = "a loop through delays that pass their inputs on at once, at all frequencies"
        raise AnalysisError(actual, "a loop with a filter in it: margins of another have no derivatives")

    def at(omega: float, near: complex) -> tuple[complex, complex, complex]:
        if np.isinf(omega):
            return complex(model.D[0, 0]), complex(changes.D[0, 0]), 0j
        z = np.exp(1j * omega * T) if T else 1j * omega
        shifted, into, out = pencil(model, np.array([z]))
        right = np.linalg.solve(shifted[0], into[0])
        left = np.linalg.solve(shifted[0].T, out.T).T
        value = out @ right + model.D
        moved_shifted, moved_into, moved_out = _move_pencil(model, changes, z)
        moved = moved_out @ right + left @ (moved_into - moved_shifted @ right) + changes.D
        along_shifted, along_into = _derive_pencil(model, z)
        along = left @ (along_into - along_shifted @ right) * (1j * T * z if T else 1j)
        if len(model.D) == 1:
            return complex(value[0, 0]), complex(moved[0, 0]), complex(along[0, 0])
        if near == 0.0:  # the least singular value of 1 + L: singular vectors are stationary
            first, _, last = np.linalg.svd(np.eye(len(model.D)) + value)
            before, after = first[:, -1].conj(), last[-1].conj()
            return (
                complex(before @ (np.eye(len(model.D)) + value) @ after - 1.0),
                complex(before @ moved @ after),
                0j,
            )
        before, after = eigenvectors(model, omega, near)
        return (
            complex(before @ value @ after),
            complex(before @ moved @ after),
            complex(before @ along @ after),
        )

    return at


def _move_pencil(model: LinearModel, changes: Changes, s: complex) -> tuple[Any, Any, Any]:
    """Derivatives of the matrices of `pencil` with respect to the parameter."""
    if model.delays is None or changes.delays is None:
        return -changes.A, changes.B, changes.C
    of, by = model.delays, changes.delays
    turned = np.exp(-s * of.times)[:, None]
    faster = -s * by.times[:, None] * turned
    back, through = (faster * getattr(of, name) + turned * getattr(by, name) for name in ("C2", "D22"))
    into = faster * of.D21 + turned * by.D21
    shifted = np.block([[-changes.A, -by.B2], [-back, -through]])
    return shifted, np.vstack([changes.B, into]), np.hstack([changes.C, by.D12])


def _derive_pencil(model: LinearModel, s: complex) -> tuple[Any, Any]:
    """The derivatives with respect to s of the first two matrices of `pencil`."""
    n, of = len(model.states), model.delays
    if of is None:
        return np.eye(n), np.zeros(model.B.shape)
    slower = -of.times[:, None] * np.exp(-s * of.times)[:, None]
    shifted = np.block([[np.eye(n), np.zeros(of.B2.shape)], [-slower * of.C2, -slower * of.D22]])
    return shifted, np.vstack([np.zeros(model.B.shape), slower * of.D21])


def _of_gain(margins: Margins, at: Responses) -> float:
    if not np.isfinite(margins.gain):
        return 0.0
    value, moved, along = at(margins.gain_frequency, -1.0 / margins.gain)
    still = along.imag == 0.0 or margins.gain_frequency == 0.0  # L is real here for all parameters
    shift = 0.0 if still else -moved.imag / along.imag
    return float((moved.real + along.real * shift) / value.real**2)


def _of_angle(omega: float, at: Responses, phase: float) -> tuple[float, float]:
    """The derivatives of the phase at |L| = 1, degrees, and of the crossover frequency."""
    if not np.isfinite(omega):
        return 0.0, 0.0
    near = complex(np.exp(1j * np.radians(phase - 180.0)))
    # with several samples in a period, the eigenvalue may be the conjugate
    signs = {sign: at(omega, complex(near.real, sign * near.imag)) for sign in (1.0, -1.0)}
    sign = min(signs, key=lambda each: abs(signs[each][0] - complex(near.real, each * near.imag)))
    value, moved, along = signs[sign]
    shift = -(moved / value).real / (along / value).real
    return sign * float(np.degrees((moved / value).imag + (along / value).imag * shift)), shift


def _of_delay(margins: Margins, at: Responses) -> float:
    if not np.isfinite(margins.delay) or not np.isfinite(margins.delay_frequency):
        return 0.0
    phase = float(np.degrees(margins.delay * margins.delay_frequency))
    turned, shift = _of_angle(margins.delay_frequency, at, phase)
    return float((np.radians(turned) - margins.delay * shift) / margins.delay_frequency)


def _of_modulus(margins: Margins, at: Responses) -> float:
    value, moved, _ = at(margins.modulus_frequency, 0.0)
    return float((np.conj(1.0 + value) * moved).real / abs(1.0 + value))
