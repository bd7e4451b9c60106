"""The direction of flight in the plane is given by polynomials that do not vanish where the speed does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NOTHING = 1e-9  # of the largest coefficient: less than that is rounding


def directions(xy: Array, durations: Array) -> Array:
    """Polynomials (m, 2, n) that point along the horizontal velocity of the pieces `xy` (m, 2, n).

    Where a piece begins or ends at rest the velocity is a power of the time from there times a polynomial
    that is not zero there, which gives the direction. A piece without horizontal motion points as the one
    before it ends, or, at the beginning, as the first that moves begins; where none moves, along +x.
    """
    result = np.zeros_like(xy)
    result[:, 0, 0] = 1.0
    last: Array | None = None
    waiting: list[int] = []
    for i, (piece, T) in enumerate(zip(xy, durations.tolist(), strict=True)):
        pointing = _pointing(piece, T)
        if pointing is not None:
            result[i] = pointing
            last = ends(pointing, T)[1]
            for j in waiting:
                result[j, :, 0] = ends(pointing, T)[0]
            waiting = []
        elif last is not None:
            result[i, :, 0] = last
        else:
            waiting.append(i)
    return result


def ends(pointing: Array, T: float) -> tuple[Array, Array]:
    """The unit vectors (2,) with which a piece begins and ends."""
    first = pointing[:, 0]
    last = pointing @ T ** np.arange(pointing.shape[1])
    return first / np.linalg.norm(first), last / np.linalg.norm(last)


def _pointing(piece: Array, T: float) -> Array | None:
    n = piece.shape[1]
    velocity = piece[:, 1:] * np.arange(1, n) * T ** np.arange(n - 1)  # in the time as a part of the piece
    small = NOTHING * float(np.max(abs(velocity)))
    if small == 0.0 or small < NOTHING * 1e-12 * float(np.max(abs(piece[:, 0]), initial=0.0)):
        return None
    while np.all(abs(velocity[:, 0]) <= small):
        velocity = velocity[:, 1:]
    sign = 1.0
    while velocity.shape[1] > 1 and np.all(abs(velocity.sum(axis=1)) <= small):
        # divided by s - 1, from the highest power down; before the end s - 1 is negative
        velocity = np.cumsum(velocity[:, ::-1], axis=1)[:, ::-1][:, 1:]
        sign = -sign
    result = np.zeros((2, n))
    result[:, : velocity.shape[1]] = sign * velocity / T ** np.arange(velocity.shape[1])
    return result
