"""A polynomial of degree five and its derivatives, in the time since its start; numbers or arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDTH = 7  # a row of a table: the time at which the polynomial begins, then c0 ... c5


def position(tau: Any, c0: Any, c1: Any, c2: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """c0 + c1 tau + ... + c5 tau^5."""
    return c0 + tau * (c1 + tau * (c2 + tau * (c3 + tau * (c4 + tau * c5))))


def velocity(tau: Any, c1: Any, c2: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """The first derivative."""
    return c1 + tau * (2.0 * c2 + tau * (3.0 * c3 + tau * (4.0 * c4 + tau * (5.0 * c5))))


def acceleration(tau: Any, c2: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """The second derivative."""
    return 2.0 * c2 + tau * (6.0 * c3 + tau * (12.0 * c4 + tau * (20.0 * c5)))


def jerk(tau: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """The third derivative."""
    return 6.0 * c3 + tau * (24.0 * c4 + tau * (60.0 * c5))


def position_at(table: Array, row: int, t: float) -> float:
    """The polynomial of a row of a table, at time t."""
    tau = t - table[row, 0]
    return position(  # type: ignore[no-any-return]
        tau, table[row, 1], table[row, 2], table[row, 3], table[row, 4], table[row, 5], table[row, 6]
    )


def velocity_at(table: Array, row: int, t: float) -> float:
    """Its first derivative."""
    tau = t - table[row, 0]
    return velocity(  # type: ignore[no-any-return]
        tau, table[row, 2], table[row, 3], table[row, 4], table[row, 5], table[row, 6]
    )


def acceleration_at(table: Array, row: int, t: float) -> float:
    """Its second derivative."""
    tau = t - table[row, 0]
    return acceleration(  # type: ignore[no-any-return]
        tau, table[row, 3], table[row, 4], table[row, 5], table[row, 6]
    )


def jerk_at(table: Array, row: int, t: float) -> float:
    """Its third derivative."""
    tau = t - table[row, 0]
    return jerk(tau, table[row, 4], table[row, 5], table[row, 6])  # type: ignore[no-any-return]
