"""Spectra of atmospheric turbulence, as linear filters of white noise.

One-sided densities over the angular frequency w at the airspeed V, with x = L w / V:

    Dryden        longitudinal  2 s^2 L / (pi V) / (1 + x^2)
                  across        s^2 L / (pi V) (1 + 3 x^2) / (1 + x^2)^2
    von Karman    longitudinal  2 s^2 L / (pi V) / (1 + (1.339 x)^2)^(5/6)
                  across        s^2 L / (pi V) (1 + 8/3 (1.339 x)^2) / (1 + (1.339 x)^2)^(11/6)

Source: MIL-F-8785C, Flying Qualities of Piloted Airplanes, 1980, section 3.7.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, log2, sqrt
from typing import NamedTuple

import numpy as np

from ..contract.parameter import Array

STATES = {"dryden": 5, "von-karman": 17}  # of the filters of all three components
FOOT = 0.3048  # m

# Time constants, over y = 1.339 x, of poles and zeros whose |H|^2 is (1 + y^2)^(-5/6) within 1.3 % up to
# y = 3000: a minimax fit of this order, made for these spectra (4 poles: 3.5 %, 6 poles: 0.5 %).
FIVE_SIXTHS_POLES = (0.903507, 0.187025, 0.02815, 0.00419, 0.000582)
FIVE_SIXTHS_ZEROS = (0.254656, 0.038652, 0.005759, 0.000827)


class Filter(NamedTuple):
    """The filter as it is sampled: x_{k+1} = transition x_k + noise z_k, out = output x, z_k ~ N(0, 1).

    start start' is the stationary covariance of x, from which the first x is drawn.
    """

    transition: Array
    noise: Array
    start: Array
    output: Array


def turbulence_filter(
    spectrum: str, across: bool, sigma: float, length: float, airspeed: float, step: float
) -> Filter:
    """The filter of one component, of intensity sigma, m/s, and scale length, m, sampled every `step` s.

    Exact at the samples: transition = exp(A step), and the covariance of the noise is P - transition P
    transition', with A P + P A' + B B' = 0.
    Source: Van Loan, Computing integrals involving the matrix exponential, IEEE Transactions on Automatic
    Control 23(3), 1978, for the sampling of white noise.
    """
    tau = length / airspeed
    if spectrum == "dryden":
        poles, zeros = ([tau, tau], [sqrt(3.0) * tau]) if across else ([tau], [])
    else:
        tau *= 1.339
        poles, zeros = [tau * p for p in FIVE_SIXTHS_POLES], [tau * z for z in FIVE_SIXTHS_ZEROS]
        if across:
            poles, zeros = [*poles, tau], [*zeros, sqrt(8.0 / 3.0) * tau]
    B, C, balance, transition = _sample_filter(tuple(poles), tuple(zeros), step)
    # White noise of the two-sided density W has the output density W |H|^2 / pi over w > 0.
    density = (1.0 if across else 2.0) * sigma**2 * length / airspeed
    P = covariance(balance, density * B @ B.T)
    return Filter(transition, root(P - transition @ P @ transition.T), root(P), C)


@lru_cache(maxsize=64)
def _sample_filter(
    poles: tuple[float, ...], zeros: tuple[float, ...], step: float
) -> tuple[Array, Array, Array, Array]:
    """The parts of a filter that do not depend on intensity: B, C, covariance equations, exp(A step)."""
    A, B, C = chain(poles, zeros)
    one = np.eye(len(A))
    parts = B, C, np.kron(A, one) + np.kron(one, A), exponential(A * step)
    for part in parts:
        part.setflags(write=False)  # several blocks use the same filters
    return parts


def chain(poles: Sequence[float], zeros: Sequence[float]) -> tuple[Array, Array, Array]:
    """A, B, C of a chain of first-order sections, of gain 1 at rest, from their time constants, in s.

    The first section has only a pole; section i filters the output of the previous section by (1 + z s) / (1
    + p s).
    """
    n = len(poles)
    A, B = np.zeros((n, n)), np.zeros((n, 1))
    output, feedthrough = np.zeros(n), 1.0  # gains of the sections so far, from x and from the noise
    for i, pole in enumerate(poles):
        zero = zeros[i - 1] if i else 0.0
        A[i] = output / pole
        A[i, i] = -1.0 / pole
        B[i] = feedthrough / pole
        output, feedthrough = output * zero / pole, feedthrough * zero / pole
        output[i] = 1.0 - zero / pole
    return A, B, output


def block_diagonal(*parts: Array) -> Array:
    """The block-diagonal matrix of matrices (a vector is one row), for independent components."""
    blocks = [np.atleast_2d(part) for part in parts]
    rows, columns = np.cumsum([(0, 0), *(block.shape for block in blocks)], axis=0).T
    joint = np.zeros((rows[-1], columns[-1]))
    for block, row, column in zip(blocks, rows, columns):
        joint[row : row + block.shape[0], column : column + block.shape[1]] = block
    return joint


def covariance(balance: Array, Q: Array) -> Array:
    """P with A P + P A' + Q = 0: there are few states, so the linear equations are solved directly.

    `balance` is their matrix, A (x) 1 + 1 (x) A.
    """
    P = np.linalg.solve(balance, -Q.ravel())
    return np.asarray(P.reshape(Q.shape), np.float64)


def exponential(A: Array) -> Array:
    """exp(A) by scaling and squaring of its series, whose 18 terms reach rounding below a norm of 1."""
    squarings = max(0, ceil(log2(max(np.abs(A).sum(axis=1).max(), 1.0))))
    scaled = A / 2.0**squarings
    total = one = np.eye(len(A))
    for k in range(18, 0, -1):
        total = one + scaled @ total / k
    return np.asarray(np.linalg.matrix_power(total, 2**squarings), np.float64)


def root(P: Array) -> Array:
    """A matrix R with R R' = P, where rounding may have made eigenvalues of P negative."""
    values, vectors = np.linalg.eigh(0.5 * (P + P.T))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def low_altitude(height: float, wind: float) -> tuple[Array, Array]:
    """Intensities, m/s, and scale lengths, m, of the three components below 1000 ft.

        s_w = 0.1 W20     s_u / s_w = s_v / s_w = 1 / (0.177 + 0.000823 h)^0.4
        L_w = h           L_u = L_v = h / (0.177 + 0.000823 h)^1.2

    with h in feet, and the wind W20 at 20 ft. Source: MIL-F-8785C, section 3.7.3.
    """
    h = height / FOOT
    form = 0.177 + 0.000823 * h
    vertical = 0.1 * wind
    sigma = np.array([vertical / form**0.4, vertical / form**0.4, vertical])
    return sigma, FOOT * np.array([h / form**1.2, h / form**1.2, h])
