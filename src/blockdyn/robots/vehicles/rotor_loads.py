"""Forces and moments of rotors of any geometry on the body that carries them."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np

from ..mechanics.bodies import Array
from .rigid_flight import Vector


class Rotors(NamedTuple):
    """Hub positions in the body frame, m (a row each), and the signs of rotation about the body's z axis."""

    hubs: Array
    spins: Array


def ring(count: int, arm: float, hub_height: float) -> Rotors:
    """Equally spaced rotors: the first on +x, clockwise seen from above, turning +, -, +, - ...

    With z down, hub i stands at the angle 2 pi i / count about z, at z = hub_height.
    """
    angles = 2.0 * np.pi * np.arange(count) / count
    hubs = np.column_stack([arm * np.cos(angles), arm * np.sin(angles), np.full(count, hub_height)])
    hubs[np.abs(hubs) < 1e-15 * arm] = 0.0
    return Rotors(hubs, np.where(np.arange(count) % 2 == 0, 1.0, -1.0))


def allocation(rotors: Rotors, thrust: float, drag: float) -> Array:
    """The 4 x N matrix from squared rotor speeds to (roll, pitch, yaw torque, total thrust).

        tau = sum_i D_i x (0, 0, -b w_i^2) - k w_i |w_i| e_z,  T = sum_i b w_i^2

    with thrust coefficient b and drag coefficient k.
    """
    x, y, _ = rotors.hubs.T
    return np.array([-thrust * y, thrust * x, -drag * rotors.spins, np.full(x.size, thrust)])


Wrench = tuple[
    float, float, float, float, float, float
]  # force and moment about the centre of mass, body axes

# The flapping formula holds for small advance and inflow ratios. Beyond these bounds ratios and angles
# are constant, so a rotor's loads are continuous at all speeds, and go to zero as it stops.
ADVANCE, INFLOW, TILT = 0.5, 0.5, 0.5
QUIET = 1e-6  # rad/s: the force of a slower rotor is too small to be tilted


class Rotary(NamedTuple):
    """The n rotors of a vehicle, and the modelled effects."""

    hubs: Array  # (n, 3), m, from the centre of mass
    frames: Array  # (n, 9): rotation by rows from a rotor's axes, z along the shaft and against the thrust
    b: Array  # (n,), N s2
    k: Array  # (n,), N m s2
    drags: Array  # (n, 4): in the disc and along the shaft, N s2/(rad m); flapping moment; translational lift
    flap: Array  # (n, 4): tilt per advance ratio, per its product with inflow, rad; 16/gamma; radius, m
    spin_inertia: Array  # (n,), kg m2; 0: no gyroscopic moments
    health: Array  # (n,): the fraction that each rotor gives of its force and torque
    counted: Array  # (4,): not 0 if flapping, rotor drag or lift, ground effect, gyroscopic moments act
    ground_level: float  # m, z of the ground in the world


# Motion of the body in the air and above the ground: velocity of its centre of mass relative to the
# air, m/s, angular velocity, rad/s, the world's z, all in body axes; z of the centre of mass in the world, m.
# It is a plain tuple, because machine code passes named tuples as such.
Flow = tuple[float, float, float, float, float, float, float, float, float, float]


def part(health: float) -> float:
    """The fraction that a rotor gives, limited to [0, 1]; NaN stays."""
    return 0.0 if health < 0.0 else 1.0 if health > 1.0 else health


def rotor_loads(rotary: Rotary, flow: Flow, omega: Array) -> Wrench:
    """Force and moment of all rotors at signed speeds omega (n,), about their shafts.

        F = sum_i f_i      V = v + w x D_i
        M = sum_i (D_i x f_i - k_i w_i |w_i| e_i + c_m |w_i| V x e_i) - w x sum_i I_i w_i e_i
        f_i = T_i - |w_i| (c_p V + (c_a - c_p) (e_i . V) e_i) - c_h |V_p|^2 e_i

    with e the shaft's direction opposite to the thrust, V the velocity of the hub through the air (drag:
    Foerster, 2015; lift and flapping moment: RotorPy, 2023, as in `Rotor`), V_p its part in the disc, and T_i
    = -b_i w_i^2 e_i for rigid rotors.
    """
    fx = fy = fz = mx = my = mz = hx = hy = hz = 0.0
    hubs, frames, counted = rotary.hubs, rotary.frames, rotary.counted
    vx, vy, vz, wx, wy, wz, _, _, _, _ = flow
    for i in range(hubs.shape[0]):
        speed = omega[i]
        x, y, z = hubs[i, 0], hubs[i, 1], hubs[i, 2]
        ex, ey, ez = frames[i, 2], frames[i, 5], frames[i, 8]
        health = part(rotary.health[i])
        thrust = health * rotary.b[i] * speed * speed
        if counted[2] != 0.0:
            thrust *= ground_gain(rotary, flow, i)
        gx, gy, gz = -thrust * ex, -thrust * ey, -thrust * ez
        flap = 0.0
        ax = ay = az = 0.0
        if counted[0] != 0.0 or counted[1] != 0.0:
            ax, ay, az = vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x
            if counted[0] != 0.0:
                gx, gy, gz = tilted_thrust(rotary, i, abs(speed), thrust, (ax, ay, az), (wx, wy, wz))
            across = health * abs(speed) * rotary.drags[i, 0]
            axial = ex * ax + ey * ay + ez * az
            along = (health * abs(speed) * rotary.drags[i, 1] - across) * axial
            along += health * rotary.drags[i, 3] * (ax * ax + ay * ay + az * az - axial * axial)
            flap = health * abs(speed) * rotary.drags[i, 2]
            gx -= across * ax + along * ex
            gy -= across * ay + along * ey
            gz -= across * az + along * ez
        drag = health * rotary.k[i] * speed * abs(speed)
        fx += gx
        fy += gy
        fz += gz
        mx += y * gz - z * gy - drag * ex + flap * (ay * ez - az * ey)
        my += z * gx - x * gz - drag * ey + flap * (az * ex - ax * ez)
        mz += x * gy - y * gx - drag * ez + flap * (ax * ey - ay * ex)
        momentum = rotary.spin_inertia[i] * speed
        hx += momentum * ex
        hy += momentum * ey
        hz += momentum * ez
    if counted[3] != 0.0:
        mx -= wy * hz - wz * hy
        my -= wz * hx - wx * hz
        mz -= wx * hy - wy * hx
    return fx, fy, fz, mx, my, mz


def tilted_thrust(rotary: Rotary, i: int, speed: float, thrust: float, air: Vector, rates: Vector) -> Vector:
    """The thrust of rotor i, whose disc flaps, in body axes; `air` is the air-relative velocity of its hub.

    In the rotor's axes, z opposite to the thrust, with V = air and w the body's rates,

        mu = |V_xy| / (|u| r)      lc = V_z / (|u| r)      n = V_xy / |V_xy|
        beta = (c1 mu - 2 lc mu) / (1 - mu^2/2)      c1 = 8/3 theta0 + 2 theta1
        a1 = n_x beta - 16/(gamma |u|) w_y      b1 = -n_y beta - 16/(gamma |u|) w_x
        T = b u^2 (-cos b1 sin a1, sin b1, -cos a1 cos b1)

    the tip-path-plane formula of Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot,
    Control Engineering Practice 18(7), 2010. It holds for small mu and lc: they and the angles are bounded
    here, without effect if mu, |lc| and the angles are below 1/2, so the force goes to zero as the rotor
    stops.
    """
    frames = rotary.frames
    tx, ty, tz = 0.0, 0.0, -thrust
    if speed > QUIET:
        ax, ay, az = air
        wx, wy, wz = rates
        tip = 1.0 / (speed * rotary.flap[i, 3])
        px = (frames[i, 0] * ax + frames[i, 3] * ay + frames[i, 6] * az) * tip
        py = (frames[i, 1] * ax + frames[i, 4] * ay + frames[i, 7] * az) * tip
        inflow = (frames[i, 2] * ax + frames[i, 5] * ay + frames[i, 8] * az) * tip
        squared = px * px + py * py
        if squared > ADVANCE * ADVANCE:
            shorter = ADVANCE / sqrt(squared)
            px, py, squared = px * shorter, py * shorter, ADVANCE * ADVANCE
        inflow = min(max(inflow, -INFLOW), INFLOW)
        slope = (rotary.flap[i, 0] + rotary.flap[i, 1] * inflow) / (1.0 - 0.5 * squared)
        lag = rotary.flap[i, 2] / speed
        roll = frames[i, 0] * wx + frames[i, 3] * wy + frames[i, 6] * wz
        pitch = frames[i, 1] * wx + frames[i, 4] * wy + frames[i, 7] * wz
        a1 = min(max(px * slope - lag * pitch, -TILT), TILT)
        b1 = min(max(-py * slope - lag * roll, -TILT), TILT)
        flat = thrust * cos(b1)
        tx, ty, tz = -flat * sin(a1), thrust * sin(b1), -flat * cos(a1)
    return (
        frames[i, 0] * tx + frames[i, 1] * ty + frames[i, 2] * tz,
        frames[i, 3] * tx + frames[i, 4] * ty + frames[i, 5] * tz,
        frames[i, 6] * tx + frames[i, 7] * ty + frames[i, 8] * tz,
    )


def ground_gain(rotary: Rotary, flow: Flow, i: int) -> float:
    """Gain of rotor i's thrust near the ground: 1 / (1 - (r / 4 h)^2), h the height of its hub.

    Cheeseman, Bennett, The effect of the ground on a helicopter rotor in forward flight, ARC R&M 3021, 1955.
    The formula has a pole at h = r/4; below h = r/2 its value there, 4/3, is used. For a thrust tilted
    from the vertical by an angle a, the excess is multiplied by cos a; it is 0 upside down.
    """
    _, _, _, _, _, _, down_x, down_y, down_z, z = flow
    hubs, r = rotary.hubs, rotary.flap[i, 3]
    sunk = down_x * hubs[i, 0] + down_y * hubs[i, 1] + down_z * hubs[i, 2]
    height = max(rotary.ground_level - z - sunk, 0.5 * r)
    if r == 0.0:
        return 1.0
    frames = rotary.frames
    upright: float = down_x * frames[i, 2] + down_y * frames[i, 5] + down_z * frames[i, 8]
    ratio: float = r / (4.0 * height)
    gain = 1.0 / (1.0 - ratio * ratio)
    return 1.0 + (gain - 1.0) * max(upright, 0.0)
