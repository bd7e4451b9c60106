"""Linear systems made of zeros and poles, as a chain of sections of second order."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..contract.errors import ParameterError
from ..contract.parameter import Array
from .system import System

PAIR = 1e-9  # relative to a root: tolerance of conjugates


def complex_roots(block: str, name: str, value: object) -> Any:
    """Roots given as real numbers, or as rows [real part, imaginary part], each next to its conjugate.

    Raises ParameterError for rows of another length and for a root without its conjugate.
    """
    rows = np.asarray([] if value is None else value, np.float64)
    if rows.ndim < 2:
        return np.atleast_1d(rows) + 0.0j
    if rows.shape[1] != 2:
        raise ParameterError(block, name, value, "real numbers, or rows [real part, imaginary part]")
    roots = rows[:, 0] + 1j * rows[:, 1]
    left = list(roots[roots.imag < 0.0])
    for root in roots[roots.imag > 0.0]:
        twin = min(left, key=lambda other: abs(other.conjugate() - root), default=None)
        if twin is None or abs(twin.conjugate() - root) > PAIR * abs(root):
            left = [root]
            break
        left.remove(twin)
    if left:
        row = [float(left[0].real), float(left[0].imag)]
        conjugate = [row[0], -row[1]]
        raise ParameterError(block, name, value, f"the conjugate {conjugate} of {row} as well")
    return roots


def system_of_roots(zeros: ArrayLike, poles: ArrayLike, gain: float) -> System:
    """gain prod(s - zeros) / prod(s - poles), with at most as many zeros as poles, and at least one pole.

    A polynomial of high degree loses digits in its coefficients; sections of second order keep them.
    Source: Oppenheim, Schafer, Discrete-Time Signal Processing (2010), section 6.3.
    """
    system = None
    for num, den in zip_longest(_quadratics(zeros), _quadratics(poles), fillvalue=np.ones(1)):
        # Each section is scaled by the size of its poles, so that signals inside have the magnitude of u.
        size = abs(den[-1]) ** (1.0 / (den.size - 1)) or 1.0
        scale = size ** (den.size - num.size)
        gain /= scale
        section = _section(num * scale, den, size)
        system = section if system is None else _connect_series(section, system)
    assert system is not None
    return system._replace(C=gain * system.C, D=gain * system.D)


def _quadratics(roots: ArrayLike) -> list[Array]:
    """Monic polynomials of second degree; for an odd number of roots the last one is of first degree."""
    values = np.asarray(roots, complex)
    above = values[np.imag(values) > 0.0]
    real = np.sort(np.real(values[np.imag(values) == 0.0]))
    pairs = [np.array([1.0, -2.0 * r.real, abs(r) ** 2]) for r in above]
    return pairs + [np.poly(real[i : i + 2]) for i in range(0, real.size, 2)]


def _section(num: Array, den: Array, size: float) -> System:
    n = den.size - 1
    padded = np.concatenate([np.zeros(n + 1 - num.size), num])
    D = padded[:1].reshape(1, 1)
    C = padded[1:] - padded[0] * den[1:]
    # The states of the controllable canonical form, w^(n-1) ... w, times size, size^2.
    factors = size ** np.arange(1.0, n + 1.0)
    A = np.eye(n, k=-1) * size
    A[0] = -den[1:] * (factors[0] / factors)
    B = np.zeros((n, 1))
    B[0, 0] = factors[0]
    return System(A, B, (C / factors).reshape(1, n), D, np.zeros(n))


def _connect_series(second: System, first: System) -> System:
    """Series connection of two systems of one input and one output."""
    A = np.block([[first.A, np.zeros((first.A.shape[0], second.A.shape[0]))], [second.B @ first.C, second.A]])
    B = np.vstack([first.B, second.B @ first.D])
    C = np.hstack([second.D @ first.C, second.C])
    return System(A, B, C, second.D @ first.D, np.zeros(A.shape[0]))
