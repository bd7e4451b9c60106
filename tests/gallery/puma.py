"""The Puma 560 in pinocchio, from the published numbers, and a march from sample to sample."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np
import pytest

pinocchio: Any = pytest.importorskip("pinocchio")

# alpha, a, d, mass, centre of mass, moments of inertia (Corke and Armstrong-Helouvry 1994; standard DH, SI)
LINKS = (
    (pi / 2, 0.0, 0.0, 0.0, (0, 0, 0), (0, 0.35, 0)),
    (0.0, 0.4318, 0.0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (-pi / 2, 0.0203, 0.15005, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (pi / 2, 0.0, 0.4318, 0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (-pi / 2, 0.0, 0.0, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.0, 0.0, 0.0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
GEARS = np.array([62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686])
ROTORS = np.array([200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6])
VISCOUS = GEARS**2 * np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6])


def _model() -> Any:
    model, before, parent = pinocchio.Model(), pinocchio.SE3.Identity(), 0
    for i, (alpha, a, d, mass, com, moments) in enumerate(LINKS):
        parent = model.addJoint(parent, pinocchio.JointModelRZ(), before, f"joint{i + 1}")
        turn = pinocchio.utils.rotate("x", alpha)
        before = pinocchio.SE3(turn, np.array([a, 0.0, d]))
        body = pinocchio.Inertia(mass, np.array(com, float), np.diag(moments))
        model.appendBodyToJoint(parent, body, before)
    model.addFrame(pinocchio.Frame("tool", parent, 0, before, pinocchio.FrameType.OP_FRAME))
    model.armature = GEARS**2 * ROTORS
    return model


MODEL = _model()
DATA = MODEL.createData()
TOOL = MODEL.getFrameId("tool")


def accelerations(q: Any, qd: Any, tau: Any) -> Any:
    """qdd without Coulomb friction."""
    return np.array(pinocchio.aba(MODEL, DATA, q, qd, tau - VISCOUS * qd))


def torques(q: Any, qd: Any, qdd: Any) -> Any:
    """tau without Coulomb friction."""
    return np.array(pinocchio.rnea(MODEL, DATA, q, qd, qdd)) + VISCOUS * qd


def quintic(start: Any, end: Any, time: float, t: float) -> tuple[Any, Any, Any]:
    """q, qd, qdd of the polynomial of fifth degree that rests at both ends."""
    s, way = min(t / time, 1.0), np.subtract(end, start)
    return (
        start + way * (10 * s**3 - 15 * s**4 + 6 * s**5),
        way * 30 * s**2 * (1 - s) ** 2 / time,
        way * 60 * s * (1 - s) * (1 - 2 * s) / time**2,
    )


def march(derivative: Callable[[float, Any], Any], x: Any, t: float, h: float, steps: int = 1) -> Any:
    """x after h by the classical method of Runge and Kutta in so many steps."""
    h /= steps
    for _ in range(steps):
        k1 = derivative(t, x)
        k2 = derivative(t + h / 2, x + h / 2 * k1)
        k3 = derivative(t + h / 2, x + h / 2 * k2)
        k4 = derivative(t + h, x + h * k3)
        x, t = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), t + h
    return x


def moving(tau: Any) -> Callable[[float, Any], Any]:
    """The derivative of (q, qd) under constant torques."""
    return lambda _t, x: np.concatenate([x[6:], accelerations(x[:6], x[6:], tau)])
