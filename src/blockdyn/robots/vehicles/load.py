"""A vehicle carries a body whose mass may change in flight."""

from __future__ import annotations

from typing import NamedTuple

from ..mechanics.bodies import Array
from .rotor_loads import Wrench


class Load(NamedTuple):
    """Payload of a vehicle, fixed to it, in its body axes."""

    payload: float  # kg; 0: nothing
    payload_at: Array  # (3,), m, its centre of mass relative to the empty vehicle's
    payload_gyration: Array  # (3,), m, its radii of gyration about axes through it, parallel to the body's


def laden(J: Array, mass: float, load: Load, w: Array, wrench: Wrench) -> Wrench:
    """Specific force at the empty vehicle's centre of mass, m/s2, and dw/dt, rad/s2; body axes.

        m = m1 + m2     c = m2/m r     I = J + m2 diag(k^2) + m1 m2/m (|r|^2 1 - r r')
        I dw/dt = M - c x F - w x I w            f = F/m - dw/dt x c - w x (w x c)

    of a vehicle (m1, J) that carries m2 with radii of gyration k at r, under the force F at its own centre
    of mass and the moment M about it. The two are one rigid body with mass m, centre of mass c and inertia I
    about it (Steiner). Mass joins or leaves at the velocity of its position, so it changes neither
    velocity nor rates, and the equations hold while m2 changes.
    """
    fx, fy, fz, mx, my, mz = wrench
    added, at, k = load.payload, load.payload_at, load.payload_gyration
    total = mass + added
    x, y, z = at[0], at[1], at[2]
    reduced = mass * added / total
    share = added / total
    cx, cy, cz = share * x, share * y, share * z
    ixx = J[0, 0] + added * k[0] * k[0] + reduced * (y * y + z * z)
    iyy = J[1, 1] + added * k[1] * k[1] + reduced * (z * z + x * x)
    izz = J[2, 2] + added * k[2] * k[2] + reduced * (x * x + y * y)
    ixy, ixz, iyz = J[0, 1] - reduced * x * y, J[0, 2] - reduced * x * z, J[1, 2] - reduced * y * z
    wx, wy, wz = w[0], w[1], w[2]
    hx, hy, hz = (
        ixx * wx + ixy * wy + ixz * wz,
        ixy * wx + iyy * wy + iyz * wz,
        ixz * wx + iyz * wy + izz * wz,
    )
    mx -= cy * fz - cz * fy + wy * hz - wz * hy
    my -= cz * fx - cx * fz + wz * hx - wx * hz
    mz -= cx * fy - cy * fx + wx * hy - wy * hx
    # the inverse of I by its cofactors
    axx, ayy, azz = iyy * izz - iyz * iyz, ixx * izz - ixz * ixz, ixx * iyy - ixy * ixy
    axy, axz, ayz = ixz * iyz - ixy * izz, ixy * iyz - ixz * iyy, ixy * ixz - ixx * iyz
    scale = 1.0 / (ixx * axx + ixy * axy + ixz * axz)
    ax = scale * (axx * mx + axy * my + axz * mz)
    ay = scale * (axy * mx + ayy * my + ayz * mz)
    az = scale * (axz * mx + ayz * my + azz * mz)
    along = wx * cx + wy * cy + wz * cz
    squared = wx * wx + wy * wy + wz * wz
    return (
        fx / total - (ay * cz - az * cy) - (along * wx - squared * cx),
        fy / total - (az * cx - ax * cz) - (along * wy - squared * cy),
        fz / total - (ax * cy - ay * cx) - (along * wz - squared * cz),
        ax, ay, az,
    )  # fmt: skip
