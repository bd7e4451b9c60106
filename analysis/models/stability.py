"""Stability: how many of infinitely many poles lie right of the axis, and of loops when closed."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from .frequency import NEAR, frequencies, pencil
from .linear_model import Complex, LinearModel, Matrix
from .turning import features, turning

POINTS = 4000
DECADES = 3.0
FREE = 0.5  # relative: what delays may turn of the determinant without turning its sum
EDGE = 1e-6  # of a radius: neutral loops nearer to 1 keep a motion for ever
BESIDE = 1e-6  # of the fastest pole: as far beyond the edge of stability is rounding


def unstable_poles(model: LinearModel) -> float:
    """How many zeros of det K(s), see `frequency.pencil`, lie right of the axis, by the principle of the
    argument: as many as f(i omega) makes turns from infinity to -infinity,

        f(s) = det K(s) / ((s + r)^n det(I - E D22)),  which tends to 1

    A zero at s = 0 is half a one. Infinite where what delays pass on at once comes back to them as large as
    it was. Sources: Mikhailov, Avtomatika i Telemekhanika 3 (1938), 27-81; Hale and Verduyn Lunel,
    Introduction to Functional Differential Equations (1993), section 9.6, of D22, for all times of delays.
    """
    delays = model.delays
    assert delays is not None
    if np.abs(np.linalg.eigvals(np.abs(delays.D22))).max(initial=0.0) >= 1.0 - EDGE:
        return inf
    found = features(model, zeros=False)
    rate = float(np.exp(np.mean(np.log(np.abs([each for each in found if abs(each) > NEAR])))))

    def determinant(model: LinearModel, omega: Matrix) -> Complex:
        points = np.asarray(1j * omega, np.complex128)
        shifted, _, _ = pencil(model, points)
        n, through = len(model.states), model.delays
        assert through is not None
        turned = np.exp(-points[:, None] * through.times)[:, :, None]
        shifted[:, :n] /= (points + rate)[:, None, None]
        direct = np.linalg.det(np.eye(len(through.times)) - turned * through.D22)
        return np.asarray(np.linalg.det(shifted) / direct)

    grid = frequencies(found, 0.0, POINTS, DECADES)
    grid = turning(model, grid, determinant, _wander)
    angle = np.unwrap(np.angle(determinant(model, grid)))
    return max(0.0, round(2.0 * float(angle[0] - angle[-1]) / np.pi) / 2.0)


def closed_loop(model: LinearModel) -> LinearModel:
    """The model of a loop transfer L with its loop closed, u = -y, in the place of L: of 1 / (1 + L) it has
    the states and delays.
    """
    back = np.linalg.inv(np.eye(1) + model.D)
    delays = model.delays
    if delays is not None:
        delays = replace(
            delays,
            B2=delays.B2 - model.B @ back @ delays.D12, C2=delays.C2 - delays.D21 @ back @ model.C,
            D22=delays.D22 - delays.D21 @ back @ delays.D12,
        )  # fmt: skip
    return replace(model, A=model.A - model.B @ back @ model.C, delays=delays)


def instability(loop: LinearModel) -> str:
    """What makes the loop of a transfer L unstable when it is closed, "a pole at 3"; nothing: it is stable.

    A pole on the edge, such as that of an integrator behind the loop, does not.
    """
    if loop.D[0, 0] == -1.0:
        return "a direct part of -1"
    closed = closed_loop(loop)
    if closed.delays is not None:
        count = unstable_poles(closed)
        return f"{count:g} poles right of the imaginary axis" if count >= 1.0 else ""
    poles = closed.poles()
    sizes = np.abs(poles)
    edge = sizes - 1.0 if loop.sample_time else poles.real / (sizes.max(initial=0.0) or 1.0)
    return f"a pole at {poles[np.argmax(edge)]:.4g}" if np.any(edge > BESIDE) else ""


def _wander(values: Complex) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether values that turn with the delays may go round 0."""
    middle = values.mean(axis=0)
    return np.asarray(np.abs(values - middle).max(axis=0) > FREE * np.abs(middle))
