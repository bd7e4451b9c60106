"""Rotor loads: forces and moments of rotors of any geometry on the body that they carry."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from ..mechanics.work import Array
from .rigid_body import Vector

Wrench = tuple[
    float, float, float, float, float, float
]  # force and moment about the centre of mass, body axes

# The formula of flapping is one of small advance and inflow ratios. Beyond these bounds ratios and angles
# keep their values, so that what a rotor gives is continuous at all speeds, and goes to zero as it stops.
ADVANCE, INFLOW, TILT = 0.5, 0.5, 0.5
QUIET = 1e-6  # rad/s: a rotor that turns no faster gives no force worth a tilt


class Rotary(NamedTuple):
    """The rotors of a vehicle and what is to be counted of them; n rotors."""

    hubs: Array  # (n, 3), m, from the centre of mass
    frames: Array  # (n, 9): rotation by rows from a rotor's axes, z along the shaft and against the thrust
    b: Array  # (n,), N s2
    k: Array  # (n,), N m s2
    drags: Array  # (n, 2), N s2/(rad m), in the disc and along the shaft
    flap: Array  # (n, 4): tilt per advance ratio, per its product with inflow, rad; 16/gamma; radius, m
    spin_inertia: Array  # (n,), kg m2; 0: no gyroscopic moments
    health: Array  # (n,): the fraction that each rotor gives of its force and torque
    counted: Array  # (4,): not 0 where flapping, rotor drag, ground effect, gyroscopic moments are
    ground_level: float  # m, z of the ground in the world


class Flow(NamedTuple):
    """How the body moves through the air and lies above the ground, in body axes."""

    vx: float  # m/s, of the centre of mass against the air
    vy: float
    vz: float
    wx: float  # rad/s
    wy: float
    wz: float
    down_x: float  # the world's z
    down_y: float
    down_z: float
    z: float  # m, of the centre of mass in the world


def rotor_loads(rotary: Rotary, flow: Flow, omega: Array) -> Wrench:
    """Force and moment of all rotors at signed speeds omega (n,), about their shafts.

        F = sum_i f_i      M = sum_i (D_i x f_i - k_i w_i |w_i| e_i) - w x sum_i I_i w_i e_i

    with e the shaft's direction against the thrust. f_i = -b_i w_i^2 e_i for rigid rotors in still air.
    """
    fx = fy = fz = mx = my = mz = hx = hy = hz = 0.0
    hubs, frames = rotary.hubs, rotary.frames
    moving = rotary.counted[0] != 0.0 or rotary.counted[1] != 0.0
    for i in range(hubs.shape[0]):
        speed = omega[i]
        x, y, z = hubs[i, 0], hubs[i, 1], hubs[i, 2]
        ex, ey, ez = frames[i, 2], frames[i, 5], frames[i, 8]
        thrust = rotary.health[i] * rotary.b[i] * speed * speed
        if rotary.counted[2] != 0.0:
            thrust *= ground_gain(rotary, flow, i)
        gx, gy, gz = -thrust * ex, -thrust * ey, -thrust * ez
        if moving:
            gx, gy, gz = in_the_air(rotary, flow, i, speed, thrust)
        drag = rotary.health[i] * rotary.k[i] * speed * abs(speed)
        fx += gx
        fy += gy
        fz += gz
        mx += y * gz - z * gy - drag * ex
        my += z * gx - x * gz - drag * ey
        mz += x * gy - y * gx - drag * ez
        momentum = rotary.spin_inertia[i] * speed
        hx += momentum * ex
        hy += momentum * ey
        hz += momentum * ez
    if rotary.counted[3] != 0.0:
        mx -= flow.wy * hz - flow.wz * hy
        my -= flow.wz * hx - flow.wx * hz
        mz -= flow.wx * hy - flow.wy * hx
    return fx, fy, fz, mx, my, mz


def in_the_air(rotary: Rotary, flow: Flow, i: int, speed: float, thrust: float) -> Vector:
    """The force of rotor i in body axes: a tilted thrust, and drag against the velocity of its hub.

    In the rotor's axes, whose z is against the thrust, with V the velocity of the hub through the air,

        mu = |V_xy| / (|w| r)      lc = V_z / (|w| r)      u = V_xy / |V_xy|
        beta = (c1 mu - 2 lc mu) / (1 - mu^2/2)      c1 = 8/3 theta0 + 2 theta1
        a1 = u_x beta - 16/(gamma |w|) w_y      b1 = -u_y beta - 16/(gamma |w|) w_x
        T = b w^2 (-cos b1 sin a1, sin b1, -cos a1 cos b1)

    the tip-path-plane formula of Pounds, Mahony, Corke, Modelling and control of a large quadrotor robot,
    Control Engineering Practice 18(7), 2010. It holds for small mu and lc: these and the angles are bounded
    here, which changes nothing where mu, |lc| and the angles are below 1/2, and makes the force go to zero as
    the rotor stops. Rotor drag: Foerster, 2015, as in `Rotor`.
    """
    frames, hubs = rotary.frames, rotary.hubs
    x, y, z = hubs[i, 0], hubs[i, 1], hubs[i, 2]
    ax = flow.vx + flow.wy * z - flow.wz * y
    ay = flow.vy + flow.wz * x - flow.wx * z
    az = flow.vz + flow.wx * y - flow.wy * x
    px = frames[i, 0] * ax + frames[i, 3] * ay + frames[i, 6] * az
    py = frames[i, 1] * ax + frames[i, 4] * ay + frames[i, 7] * az
    pz = frames[i, 2] * ax + frames[i, 5] * ay + frames[i, 8] * az
    turning = abs(speed)
    tx, ty, tz = 0.0, 0.0, -thrust
    if rotary.counted[0] != 0.0 and turning > QUIET:
        tip = turning * rotary.flap[i, 3]
        mx, my = px / tip, py / tip
        squared = mx * mx + my * my
        if squared > ADVANCE * ADVANCE:
            shorter = ADVANCE / sqrt(squared)
            mx, my, squared = mx * shorter, my * shorter, ADVANCE * ADVANCE
        inflow = min(max(pz / tip, -INFLOW), INFLOW)
        slope = (rotary.flap[i, 0] + rotary.flap[i, 1] * inflow) / (1.0 - 0.5 * squared)
        lag = rotary.flap[i, 2] / turning
        roll = frames[i, 0] * flow.wx + frames[i, 3] * flow.wy + frames[i, 6] * flow.wz
        pitch = frames[i, 1] * flow.wx + frames[i, 4] * flow.wy + frames[i, 7] * flow.wz
        a1 = min(max(mx * slope - lag * pitch, -TILT), TILT)
        b1 = min(max(-my * slope - lag * roll, -TILT), TILT)
        tx, ty, tz = -thrust * cos(b1) * sin(a1), thrust * sin(b1), -thrust * cos(a1) * cos(b1)
    along, across = (
        turning * rotary.health[i] * rotary.drags[i, 1],
        turning * rotary.health[i] * rotary.drags[i, 0],
    )
    tx -= across * px
    ty -= across * py
    tz -= along * pz
    return (
        frames[i, 0] * tx + frames[i, 1] * ty + frames[i, 2] * tz,
        frames[i, 3] * tx + frames[i, 4] * ty + frames[i, 5] * tz,
        frames[i, 6] * tx + frames[i, 7] * ty + frames[i, 8] * tz,
    )


def ground_gain(rotary: Rotary, flow: Flow, i: int) -> float:
    """How much more thrust rotor i gives near the ground: 1 / (1 - (r / 4 h)^2), h the height of its hub.

    Cheeseman, Bennett, The effect of the ground on a helicopter rotor in forward flight, ARC R&M 3021, 1955.
    The formula has a pole at h = r/4; it is taken at h = r/2 from there down, its value 4/3. Where the thrust
    leans away from upright by an angle a, the excess is taken times cos a, and none upside down.
    """
    hubs, r = rotary.hubs, rotary.flap[i, 3]
    sunk = flow.down_x * hubs[i, 0] + flow.down_y * hubs[i, 1] + flow.down_z * hubs[i, 2]
    height = max(rotary.ground_level - flow.z - sunk, 0.5 * r)
    if r == 0.0:
        return 1.0
    frames = rotary.frames
    upright: float = flow.down_x * frames[i, 2] + flow.down_y * frames[i, 5] + flow.down_z * frames[i, 8]
    ratio: float = r / (4.0 * height)
    gain = 1.0 / (1.0 - ratio * ratio)
    return 1.0 + (gain - 1.0) * max(upright, 0.0)
