"""Prediction: the costs and limits of a linear model over a horizon, as one quadratic program.

What is known at a tick is one vector, theta: the state, the references, the disturbances, and the last input.
All of the program is linear in it, so that a tick only multiplies, and looks for the limits that are met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..contract.parameter import Array


class Model(NamedTuple):
    """x_{k+1} = A x_k + B u_k + E w_k,  y = C x."""

    A: Array
    B: Array
    E: Array
    C: Array


class Costs(NamedTuple):
    """Of the state, of the last state, of the input, of its change, and of what y is beyond its limits."""

    Q: Array
    terminal: Array
    R: Array
    S: Array
    violation: float


class Limits(NamedTuple):
    """Lower and upper, of each input, of its change from sample to sample, and of each y."""

    inputs: tuple[Array, Array]
    changes: tuple[Array, Array]
    outputs: tuple[Array, Array]


def responses(model: Model, into: Array, horizon: int) -> Array:
    """The states of all samples, one below the other, that what comes in by `into` leads to."""
    n, m = into.shape
    whole = np.zeros((horizon * n, horizon * m))
    column = into
    for i in range(horizon):
        for j in range(horizon - i):
            whole[(i + j) * n : (i + j + 1) * n, j * m : (j + 1) * m] = column
        column = model.A @ column
    return whole


def program(model: Model, costs: Costs, limits: Limits, horizon: int, *, preview: bool) -> Mapping[str, Any]:
    """The arrays of the kernel `multipliers`, and of the inputs that follow from them.

    Raises LinAlgError where the costs leave an input free.
    """
    (n, m), q, N = model.B.shape, model.E.shape[1], horizon
    each = np.eye(N) if preview else np.ones((N, 1))
    by_input = responses(model, model.B, N)
    powers = [model.A]
    for _ in range(N - 1):
        powers.append(model.A @ powers[-1])
    n_ref, n_w = n * each.shape[1], q * each.shape[1]
    wide = n + n_ref + n_w + m  # of theta
    states = np.zeros((N * n, wide))  # what becomes of the state without inputs
    states[:, :n] = np.vstack(powers)
    states[:, n + n_ref : -m] = responses(model, model.E, N) @ np.kron(each, np.eye(q))
    behind = states.copy()  # of the references
    behind[:, n : n + n_ref] = -np.kron(each, np.eye(n))
    changes = np.eye(N * m) - np.eye(N * m, k=-m)
    last = np.zeros((N * m, wide))
    last[:m, -m:] = -np.eye(m)

    weights = np.kron(np.eye(N), costs.Q)
    weights[-n:, -n:] = costs.terminal
    S = np.kron(np.eye(N), costs.S)
    H = by_input.T @ weights @ by_input + np.kron(np.eye(N), costs.R) + changes.T @ S @ changes
    H = 0.5 * (H + H.T)
    np.linalg.cholesky(H)
    inputs = -np.linalg.solve(H, by_input.T @ weights @ behind + changes.T @ S @ last)

    C = np.kron(np.eye(N), model.C)
    p = model.C.shape[0]
    rows = _by_sample((np.eye(N * m), changes, C @ by_input), N)
    theta = _by_sample((np.zeros((N * m, wide)), last, C @ states), N)
    low, high = (np.concatenate([pair[side] for pair in limits]) for side in (0, 1))
    limited = np.isfinite(low) | np.isfinite(high)
    limited[0] |= not limited.any()  # a program without rows is one whose row has no limits
    chosen = np.tile(limited, N)
    rows, theta = rows[chosen], theta[chosen]
    moves = np.linalg.solve(H, rows.T)
    size = np.sqrt(np.maximum(np.einsum("ij,ji->i", rows, moves), 0.0))
    size[size <= 1e-12 * np.abs(rows).max(initial=1.0)] = 1.0
    soft = np.tile(np.repeat([0.0, 0.0, 1.0], [m, m, p])[limited], N) / costs.violation
    G = (rows @ moves) / np.outer(size, size) + np.diag(soft / size**2)
    return {
        "G": 0.5 * (G + G.T),
        "free": (rows @ inputs + theta) / size[:, None],
        "low": np.tile(low[limited], N) / size,
        "high": np.tile(high[limited], N) / size,
        "of_theta": np.ascontiguousarray(inputs[:m]),
        "of_limits": np.ascontiguousarray((moves / size)[:m]),
        "give": soft / size,
        "output": np.tile(np.concatenate([np.full(2 * m, -1.0), np.arange(float(p))])[limited], N),
    }  # fmt: skip


def _by_sample(parts: Sequence[Any], horizon: int) -> Array:
    """The rows of all parts, those of one sample together."""
    return np.concatenate([part.reshape(horizon, -1, part.shape[1]) for part in parts], 1).reshape(
        -1, parts[0].shape[1]
    )
