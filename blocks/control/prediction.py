"""Prediction: the costs and limits of a linear model over a horizon, as one quadratic program.

The data of a tick are one vector, theta: the state, the references, the disturbances, and the last input. The
whole program is linear in it, so that a tick only multiplies and finds the active limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..contract.parameter import Array
from .riccati import regulator_gain

GROWING = 1.0 + 1e-6  # modulus of the largest pole above which powers of A grow exponentially


class Model(NamedTuple):
    """x_{k+1} = A x_k + B u_k + E w_k,  y = C x."""

    A: Array
    B: Array
    E: Array
    C: Array


class Costs(NamedTuple):
    """Costs of the state, the last state, the input, its change, and the excess of y over its limits."""

    Q: Array
    terminal: Array
    R: Array
    S: Array
    violation: float


class Limits(NamedTuple):
    """Lower and upper limits of each input, of its change from sample to sample, and of each y."""

    inputs: tuple[Array, Array]
    changes: tuple[Array, Array]
    outputs: tuple[Array, Array]


def stabilising_gain(model: Model) -> Array:
    """K for which A - B K is stable; 0 if A is, or if no K is found.

    Source: Rossiter, Kouvaritakis, Rice, A numerically robust state-space approach to stable-predictive
    control strategies, Automatica 34(1), 1998, 65-73, doi:10.1016/S0005-1098(97)00171-3.
    """
    n, m = model.B.shape
    if np.abs(np.linalg.eigvals(model.A)).max() > GROWING:
        try:
            return regulator_gain(model.A, model.B, np.eye(n), np.eye(m), discrete=True)
        except (np.linalg.LinAlgError, ValueError):
            pass
    return np.zeros((m, n))


def responses(model: Model, into: Array, horizon: int) -> Array:
    """The matrix from all inputs, entering by `into`, to the stacked states of all samples."""
    n, m = into.shape
    response = np.zeros((horizon * n, horizon * m))
    column = into
    for i in range(horizon):
        for j in range(horizon - i):
            response[(i + j) * n : (i + j + 1) * n, j * m : (j + 1) * m] = column
        column = model.A @ column
    return response


def program(model: Model, costs: Costs, limits: Limits, horizon: int, *, preview: bool) -> Mapping[str, Any]:
    """The arrays for the kernel `multipliers`, and for the inputs that follow from the multipliers.

    Raises LinAlgError if the costs leave an input free.
    """
    (n, m), q, N = model.B.shape, model.E.shape[1], horizon
    each = np.eye(N) if preview else np.ones((N, 1))
    # The unknowns are v in u = v - K x: predictions with A - B K do not grow. With powers of an unstable A,
    # the program would lose all its digits.
    K = stabilising_gain(model)
    model = model._replace(A=model.A - model.B @ K)
    by_input = responses(model, model.B, N)
    powers = [model.A]
    for _ in range(N - 1):
        powers.append(model.A @ powers[-1])
    n_ref, n_w = n * each.shape[1], q * each.shape[1]
    wide = n + n_ref + n_w + m  # elements of theta
    states = np.zeros((N * n, wide))  # free response, without inputs
    states[:, :n] = np.vstack(powers)
    states[:, n + n_ref : -m] = responses(model, model.E, N) @ np.kron(each, np.eye(q))
    behind = states.copy()  # of the references
    behind[:, n : n + n_ref] = -np.kron(each, np.eye(n))
    changes = np.eye(N * m) - np.eye(N * m, k=-m)
    last = np.zeros((N * m, wide))
    last[:m, -m:] = -np.eye(m)

    feedback = -np.kron(np.eye(N, k=-1), K)  # each input depends on the state due to the previous one
    u_of_v = np.eye(N * m) + feedback @ by_input
    u_of_theta = feedback @ states
    u_of_theta[:m, :n] -= K
    last += changes @ u_of_theta
    changes = changes @ u_of_v

    weights = np.kron(np.eye(N), costs.Q)
    weights[-n:, -n:] = costs.terminal
    S = np.kron(np.eye(N), costs.S)
    R = np.kron(np.eye(N), costs.R)
    H = by_input.T @ weights @ by_input + u_of_v.T @ R @ u_of_v + changes.T @ S @ changes
    H = 0.5 * (H + H.T)
    np.linalg.cholesky(H)
    gradient = by_input.T @ weights @ behind + u_of_v.T @ R @ u_of_theta + changes.T @ S @ last
    inputs = -np.linalg.solve(H, gradient)

    C = np.kron(np.eye(N), model.C)
    p = model.C.shape[0]
    rows = _by_sample((u_of_v, changes, C @ by_input), N)
    theta = _by_sample((u_of_theta, last, C @ states), N)
    low, high = (np.concatenate([pair[side] for pair in limits]) for side in (0, 1))
    limited = np.isfinite(low) | np.isfinite(high)
    limited[0] |= not limited.any()  # a program without rows gets one unlimited row
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
        "of_theta": np.ascontiguousarray(inputs[:m] + u_of_theta[:m]),
        "of_limits": np.ascontiguousarray((moves / size)[:m]),
        "give": soft / size,
        "output": np.tile(np.concatenate([np.full(2 * m, -1.0), np.arange(float(p))])[limited], N),
    }  # fmt: skip


def _by_sample(parts: Sequence[Any], horizon: int) -> Array:
    """The rows of all parts, sample by sample."""
    return np.concatenate([part.reshape(horizon, -1, part.shape[1]) for part in parts], 1).reshape(
        -1, parts[0].shape[1]
    )
