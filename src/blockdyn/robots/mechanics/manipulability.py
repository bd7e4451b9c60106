"""Manipulability: how far a pose is from a singular one."""

from __future__ import annotations

from math import sqrt

from .work import Array


def manipulability(J: Array, first: int, last: int, rows: Array) -> float:
    """sqrt(det(J J^T)) of the rows first to last - 1: the product of their singular values.

    Computed as the product of what is left of each row beside those before it, so that it is accurate down to
    0. `rows` has the shape of J and is overwritten. Yoshikawa, Manipulability of Robotic Mechanisms, Int. J.
    Robotics Research 4(2), 1985.
    """
    n = J.shape[1]
    if n < last - first:
        return 0.0
    volume = 1.0
    for r in range(first, last):
        for i in range(n):
            rows[r, i] = J[r, i]
        for _ in range(2):  # the second time removes what rounding left
            for b in range(first, r):
                along, square = 0.0, 0.0
                for i in range(n):
                    along += rows[r, i] * rows[b, i]
                    square += rows[b, i] * rows[b, i]
                if square > 0.0:
                    for i in range(n):
                        rows[r, i] -= along / square * rows[b, i]
        square = 0.0
        for i in range(n):
            square += rows[r, i] * rows[r, i]
        volume *= sqrt(square)
    return volume
