"""The quadrotor loop of Robotics, Vision and Control (3rd ed., figure 4.24) as equations, without flapping.

Nested loops in the north-east-down frame: position, velocity, attitude, yaw, height; a mixer; the X-4 flyer.
The vehicle's state is (x y z, yaw pitch roll, velocity in the world, angular velocity in the body).
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from typing import Any

import numpy as np

STOP = 10.0

KP_YAW, KD_YAW = 100.0, 0.1
KP_Z, KD_Z, THRUST0 = 40.0, 1.0, 40.0
KP_XY, KD_XY = 0.1, 2.0
KP_RP, KD_RP = 20.0, 0.1
SLOWEST, FASTEST = 5.0, 1500.0  # rad/s, of a rotor
CIRCLE = 0.25  # Hz
TURN, TURN_FROM = 0.1, 3.0  # rad/s, s
CLIMB = (0.5, 5.5, -5.0)  # from s, to s, m (down is positive)

# the vehicle: Pounds, X-4 flyer
MASS, GRAVITY = 4.0, 9.81
INERTIA = (0.082, 0.082, 0.149)
ARM = 0.315  # m
_CT, _RHO, _R = 0.0048, 1.184, 0.165
THRUST = _CT * _RHO * pi * _R**4  # N s2
DRAG = _CT * (_CT / 2) ** 0.5 * _RHO * pi * _R**5  # N m s2


def targets(t: float) -> tuple[float, float, float, float]:
    """x*, y*, z*, yaw*."""
    turn = 2 * pi * CIRCLE * t
    begin, end, height = CLIMB
    climbed = height * min(1.0, max(0.0, (t - begin) / (end - begin)))
    return sin(turn - pi / 2), sin(turn), climbed, TURN * max(0.0, t - TURN_FROM)


def demands(target: Any, s: Any) -> tuple[float, float, float, float]:
    """Roll, pitch, yaw torque and thrust (negative: upwards) asked of the mixer."""
    yaw, pitch, roll = s[3], s[4], s[5]
    vx, vy, vz = rotation(yaw, pitch, roll).T @ s[6:9]
    yaw_rate, pitch_rate, roll_rate = euler_rates(pitch, roll, s[9:12])
    dx, dy = target[0] - s[0], target[1] - s[1]
    forward = cos(yaw) * dx + sin(yaw) * dy - KD_XY * vx
    right = -sin(yaw) * dx + cos(yaw) * dy - KD_XY * vy
    return (
        KP_RP * (KP_XY * right - roll - KD_RP * roll_rate),
        KP_RP * (-KP_XY * forward - pitch - KD_RP * pitch_rate),
        KP_YAW * (target[3] - yaw - KD_YAW * yaw_rate),
        KP_Z * (target[2] - s[2] - KD_Z * vz) - THRUST0,
    )


def rotation(yaw: float, pitch: float, roll: float) -> Any:
    """Rz(yaw) Ry(pitch) Rx(roll): body to world."""
    cy, sy, cp, sp, cr, sr = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    return np.array([
        [cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy],
        [cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy],
        [-sp, sr * cp, cr * cp],
    ])  # fmt: skip


def euler_rates(pitch: float, roll: float, w: Any) -> tuple[float, float, float]:
    """Yaw, pitch, roll rates of a body turning with w."""
    yaw_rate = (sin(roll) * w[1] + cos(roll) * w[2]) / cos(pitch)
    return yaw_rate, cos(roll) * w[1] - sin(roll) * w[2], w[0] + sin(pitch) * yaw_rate


ANGLES = np.arange(4) * pi / 2
SPINS = np.array([1.0, -1.0, 1.0, -1.0])
MIXER = np.array(
    [-np.sin(ANGLES) * ARM * THRUST, np.cos(ANGLES) * ARM * THRUST, DRAG * SPINS, -THRUST * np.ones(4)]
)
UNMIX = np.linalg.inv(MIXER)


def squared_speeds(demand: Any) -> Any:
    return np.clip(UNMIX @ np.asarray(demand), SLOWEST**2, FASTEST**2)


def rigid_body(s: Any, squares: Any) -> Any:
    """ds/dt without flapping: the mixer gives the exact wrench, thrust along the body's z."""
    roll_torque, pitch_torque, yaw_torque, thrust = MIXER @ squares
    yaw, pitch, roll = s[3], s[4], s[5]
    w = s[9:12]
    jx, jy, jz = INERTIA
    acceleration = rotation(yaw, pitch, roll)[:, 2] * (thrust / MASS)
    return np.array([
        *s[6:9],
        *euler_rates(pitch, roll, w),
        acceleration[0], acceleration[1], acceleration[2] + GRAVITY,
        (roll_torque - (jz - jy) * w[1] * w[2]) / jx,
        (pitch_torque - (jx - jz) * w[0] * w[2]) / jy,
        (yaw_torque - (jy - jx) * w[0] * w[1]) / jz,
    ])  # fmt: skip


def derivative(t: float, s: Any) -> Any:
    return rigid_body(s, squared_speeds(demands(targets(t), s)))


def without_flapping() -> list[float]:
    """Tight reference: DOP853, legs between the corners of the targets."""
    from scipy.integrate import solve_ivp

    s = np.zeros(12)
    corners = [0.0, CLIMB[0], TURN_FROM, CLIMB[1], STOP]
    for begin, end in pairwise(corners):
        s = solve_ivp(derivative, (begin, end), s, method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    return [float(v) for v in s]


STATE = ("px", "py", "pz", "yaw", "pitch", "roll", "vx", "vy", "vz", "wx", "wy", "wz")


def formulas() -> dict[str, str]:
    """The loop and the rigid body, a formula a block; the names in a formula are the blocks that drive it."""
    jx, jy, jz = INERTIA
    texts = {
        "zref": "down + up",
        # body velocity and Euler rates, from the states
        "speed1": "cos(yaw) * vx + sin(yaw) * vy",
        "speed2": "cos(yaw) * vy - sin(yaw) * vx",
        "ub": "cos(pitch) * speed1 - sin(pitch) * vz",
        "vb": "sin(roll) * (sin(pitch) * speed1 + cos(pitch) * vz) + cos(roll) * speed2",
        "wb": "cos(roll) * (sin(pitch) * speed1 + cos(pitch) * vz) - sin(roll) * speed2",
        "yawrate": "(sin(roll) * wy + cos(roll) * wz) / cos(pitch)",
        "pitchrate": "cos(roll) * wy - sin(roll) * wz",
        "rollrate": "wx + sin(pitch) * yawrate",
        # controllers
        "forward": f"cos(yaw) * (xref - px) + sin(yaw) * (yref - py) - {KD_XY} * ub",
        "right": f"cos(yaw) * (yref - py) - sin(yaw) * (xref - px) - {KD_XY} * vb",
        "askroll": f"{KP_RP} * ({KP_XY} * right - roll - {KD_RP} * rollrate)",
        "askpitch": f"{KP_RP} * (-{KP_XY} * forward - pitch - {KD_RP} * pitchrate)",
        "askyaw": f"{KP_YAW} * (yawref - yaw - {KD_YAW} * yawrate)",
        "askthrust": f"{KP_Z} * (zref - pz - {KD_Z} * wb) - {THRUST0}",
    }
    asked = ("askroll", "askpitch", "askyaw", "askthrust")
    for rotor in range(4):  # the mixer: squared speeds within limits
        mixed = " + ".join(f"({float(UNMIX[rotor, k])!r}) * {asked[k]}" for k in range(4))
        texts[f"square{rotor}"] = f"min(max({mixed}, {SLOWEST**2}), {FASTEST**2})"
    for row, name in enumerate(("rolltorque", "pitchtorque", "yawtorque", "thrust")):
        texts[name] = " + ".join(f"({float(MIXER[row, k])!r}) * square{k}" for k in range(4))
    texts |= {
        "ax": f"(cos(roll) * sin(pitch) * cos(yaw) + sin(roll) * sin(yaw)) * thrust / {MASS}",
        "ay": f"(cos(roll) * sin(pitch) * sin(yaw) - sin(roll) * cos(yaw)) * thrust / {MASS}",
        "az": f"cos(roll) * cos(pitch) * thrust / {MASS} + {GRAVITY}",
        "spinx": f"(rolltorque - {jz - jy!r} * wy * wz) / {jx}",
        "spiny": f"(pitchtorque - ({jx - jz!r}) * wx * wz) / {jy}",
        "spinz": f"(yawtorque - {jy - jx!r} * wx * wy) / {jz}",
    }
    return texts
