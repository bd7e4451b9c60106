"""Number of unstable poles of models with delays, which have infinitely many poles, and stability of closed
loops."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from .edge import beyond_edge
from .frequency import NEAR, at_points, frequencies, pencil
from .linear_model import Complex, LinearModel, Matrix
from .turning import features, turning

POINTS = 4000
DECADES = 3.0
FREE = 0.5  # relative: part of the determinant that delays may rotate without a turn of the sum
CLOSED = 1e-6  # |1 + L| at a computed pole of the closed loop
MARGINAL = "a pole on the edge of stability"
EDGE = 1e-6  # neutral loops whose spectral radius is nearer to 1 do not decay


def unstable_poles(model: LinearModel) -> float:
    """Number of zeros of det K(s), see `frequency.pencil`, right of the axis, by the principle of the
    argument: as many as f(i omega) makes turns from infinity to -infinity,

        f(s) = det K(s) / ((s + r)^n det(I - E D22)),  which tends to 1

    A zero at s = 0 counts half. Infinite if the direct feedthrough between delays does not decay.
    Sources: Mikhailov, Avtomatika i Telemekhanika 3 (1938), 27-81; Hale and Verduyn Lunel,
    Introduction to Functional Differential Equations (1993), section 9.6, on D22, for all delay times.
    """
    delays = model.delays
    assert delays is not None
    if np.abs(np.linalg.eigvals(np.abs(delays.D22))).max(initial=0.0) >= 1.0 - EDGE:
        return inf
    breaks = features(model, zeros=False)
    rate = float(np.exp(np.mean(np.log(np.abs([each for each in breaks if abs(each) > NEAR])))))

    def determinant(model: LinearModel, omega: Matrix) -> Complex:
        points = np.asarray(1j * omega, np.complex128)
        shifted, _, _ = pencil(model, points)
        n, through = len(model.states), model.delays
        assert through is not None
        turned = np.exp(-points[:, None] * through.times)[:, :, None]
        shifted[:, :n] /= (points + rate)[:, None, None]
        direct = np.linalg.det(np.eye(len(through.times)) - turned * through.D22)
        return np.asarray(np.linalg.det(shifted) / direct)

    grid = frequencies(breaks, 0.0, POINTS, DECADES)
    grid = turning(model, grid, determinant, _wander)
    angle = np.unwrap(np.angle(determinant(model, grid)))
    return max(0.0, round(2.0 * float(angle[0] - angle[-1]) / np.pi) / 2.0)


def growth(model: LinearModel) -> float:
    """Distance of the most unstable pole beyond the edge of stability: below 0 stable, 0 marginal. With
    delays, the number of unstable poles, or -1 if none.
    """
    if model.delays is not None:
        count = unstable_poles(model)
        return -1.0 if count == 0.0 else count if count >= 1.0 else 0.0
    return float(beyond_edge(model.poles(), model.sample_time).max(initial=-np.inf))


def closed_loop(model: LinearModel) -> LinearModel:
    """The model of a loop transfer L closed by u = -y, with the states and delays of 1 / (1 + L)."""
    back = np.linalg.inv(np.eye(len(model.D)) + model.D)
    delays = model.delays
    if delays is not None:
        delays = replace(
            delays,
            B2=delays.B2 - model.B @ back @ delays.D12, C2=delays.C2 - delays.D21 @ back @ model.C,
            D22=delays.D22 - delays.D21 @ back @ delays.D12,
        )  # fmt: skip
    return replace(model, A=model.A - model.B @ back @ model.C, delays=delays)


def instability(loop: LinearModel) -> str:
    """The reason why the loop transfer L is unstable when closed, such as "a pole at 3"; "" if it is stable.

    A pole on the edge of stability counts if it belongs to the loop (L = -1 there), not if it belongs to an
    integrator after the loop.
    """
    if np.linalg.det(np.eye(len(loop.D)) + loop.D) == 0.0:
        return "a direct feedthrough of -1"
    closed = closed_loop(loop)
    if closed.delays is not None:
        count = unstable_poles(closed)
        return f"{count:g} poles right of the imaginary axis" if count >= 1.0 else ""
    poles = closed.poles()
    beyond = beyond_edge(poles, loop.sample_time)
    if np.any(beyond > 0.0):
        return f"a pole at {poles[np.argmax(beyond)]:.4g}"
    edge = poles[beyond == 0.0]
    returned = np.linalg.svd(np.eye(len(loop.D)) + _finite(at_points(loop, edge)), compute_uv=False)
    loop_edge = edge[returned.min(axis=1, initial=np.inf) < CLOSED]
    return f"{MARGINAL} at {loop_edge[0]:.4g}" if loop_edge.size else ""


def _finite(values: Complex) -> Complex:
    """Replace values at a pole of L, which is not a pole of the closed loop, by large ones."""
    return np.where(np.isfinite(values), values, np.finfo(float).max ** 0.25)


def _wander(values: Complex) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True if values that turn with the delays may encircle 0."""
    middle = values.mean(axis=0)
    return np.asarray(np.abs(values - middle).max(axis=0) > FREE * np.abs(middle))
