"""Multirotors against Lagrange's equations, of body and rotors as bodies of their own: from energies alone.

The coordinates are position, roll, pitch, yaw and the angles of the rotors; derivatives of the energies are
taken by complex steps, which are exact to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

from .conftest import Call
from .test_flight import state, tilted

STEP = 1e-30


def turned(angles: Any) -> Any:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    (a, b, c), (d, e, f) = np.cos(angles), np.sin(angles)
    roll = np.array([[1, 0, 0], [0, a, -d], [0, d, a]])
    pitch = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
    yaw = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
    return yaw @ pitch @ roll


def along(function: Any, x: Any, direction: Any) -> Any:
    """The derivative of a function along a direction."""
    return np.imag(function(x + 1j * STEP * direction)) / STEP


def rates(angles: Any, slopes: Any) -> Any:
    """Angular velocity in body axes, with Euler's kinematics."""
    (cr, cp, _), (sr, sp, _) = np.cos(angles), np.sin(angles)
    E = np.array([[1, 0, -sp], [0, cr, sr * cp], [0, -sr, cr * cp]])
    return E @ slopes


def test_euler_s_kinematics_turn_the_matrix() -> None:
    angles, slopes = np.array([0.4, -0.7, 2.1]), np.array([0.3, 1.1, -0.6])
    turning = turned(angles).T @ along(turned, angles, slopes)
    np.testing.assert_allclose(rates(angles, slopes), [turning[2, 1], turning[0, 2], turning[1, 0]])


@pytest.mark.parametrize("seed", range(6))
def test_rates_are_those_of_lagrange(call: Call, seed: int) -> None:
    """d/dt dT/dx' - dT/dx = Q for the angles of the body, the rotors being turned by their motors."""
    vehicle = tilted(seed, 3 + seed)
    s = state(seed, vehicle)
    rng = np.random.default_rng(seed)
    angles, slopes = rng.uniform(-1.2, 1.2, 3), rng.uniform(-3.0, 3.0, 3)
    J, spin_inertia = np.array(vehicle.inertia), vehicle.numbers("inertia")
    shafts, speeds = -vehicle.axes, s["speeds"]

    def kinetic(angles: Any, slopes: Any, speeds: Any) -> Any:
        w = rates(angles, slopes)
        # a rotor's spin adds to the turning of the body, whose J holds the rotors as if they stood still
        return 0.5 * w @ J @ w + (spin_inertia * speeds) @ (shafts @ w) + 0.5 * spin_inertia @ speeds**2

    def momenta(x: Any) -> Any:
        """dT/dx' of the three angles; exact by differences, T being quadratic in x'."""
        angles, slopes, speeds = x[:3], x[3:6], x[6:]
        return np.array(
            [
                0.5 * (kinetic(angles, slopes + k, speeds) - kinetic(angles, slopes - k, speeds))
                for k in np.eye(3)
            ]
        )

    motors = {"omega": s["omega"], "speeds": speeds}
    block = bd.NRotor(vehicle=vehicle, motors=True, gyroscopic=True)
    half = rng.uniform(0.5, 2.0) * quaternion(angles)
    w = rates(angles, slopes)
    out = call(
        block, "derivative", {"d_p": 3, "d_q": 4, "d_v": 3, "d_w": 3, "d_speeds": vehicle.n},
        **{**s, **motors, "q": half, "w": w},
    )  # fmt: skip
    x = np.concatenate([angles, slopes, speeds])
    mass = np.array([along(momenta, x, np.eye(x.size)[3 + k]) for k in range(3)]).T
    known = along(momenta, x, np.concatenate([slopes, np.zeros(3), out["d_speeds"]]))
    gradient = [along(lambda a: kinetic(a, slopes, speeds), angles, k) for k in np.eye(3)]
    thrusts = s["health"] * vehicle.numbers("thrust") * speeds**2
    drags = s["health"] * vehicle.numbers("torque") * speeds * abs(speeds)
    # virtual power of what acts from outside: thrusts at the hubs, the air's torque on the rotors, the input
    power = [
        -thrusts @ np.einsum("ij,ij->i", shafts, np.cross(rates(angles, k), vehicle.hubs))
        - drags @ (shafts @ rates(angles, k))
        + s["torque"] @ rates(angles, k)
        for k in np.eye(3)
    ]
    curves = np.linalg.solve(mass, np.array(power) + gradient - known)
    turning = along(lambda y: rates(y[:3], y[3:]), x[:6], np.concatenate([slopes, curves]))
    np.testing.assert_allclose(out["d_w"], turning, rtol=1e-11, atol=1e-11)
    lift = turned(angles) @ (-thrusts @ shafts) + s["force"]
    np.testing.assert_allclose(out["d_v"], lift / vehicle.mass + [0, 0, vehicle.gravity], rtol=1e-12)


def quaternion(angles: Any) -> Any:
    """Half turns about z, y, x, scalar first."""
    total = np.array([1.0, 0.0, 0.0, 0.0])
    for axis in (2, 1, 0):
        s, v = total[0], total[1:]
        turn = np.sin(angles[axis] / 2) * np.eye(3)[axis]
        c = np.cos(angles[axis] / 2)
        total = np.concatenate([[s * c - v @ turn], s * turn + c * v + np.cross(v, turn)])
    return total
