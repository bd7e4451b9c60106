"""Effort: the force and torque that a body takes for its motion, and what it hands on to another."""

from __future__ import annotations

from .work import FORCE, TORQUE, Array

Vector = tuple[float, float, float]


def take(bodies: Array, at: int, i: int, w: Vector, u: Vector, p: Vector, work: Array) -> None:
    """FORCE and TORQUE about its origin of body i, which turns at w, u = dw/dt, its origin accelerated by p.

    Newton and Euler, in whatever axes all numbers are. bodies[i, at : at + 10] holds mass, first moment, and
    inertia xx, yy, zz, xy, xz, yz about the origin, as the table does from MASS on, `work` from HEAVY on.
    """
    (wx, wy, wz), (ux, uy, uz), (px, py, pz) = w, u, p
    m, mx, my, mz = bodies[i, at], bodies[i, at + 1], bodies[i, at + 2], bodies[i, at + 3]
    sx, sy, sz = wy * mz - wz * my, wz * mx - wx * mz, wx * my - wy * mx
    work[i, FORCE] = m * px + uy * mz - uz * my + wy * sz - wz * sy
    work[i, FORCE + 1] = m * py + uz * mx - ux * mz + wz * sx - wx * sz
    work[i, FORCE + 2] = m * pz + ux * my - uy * mx + wx * sy - wy * sx
    xx, yy, zz = bodies[i, at + 4], bodies[i, at + 5], bodies[i, at + 6]
    xy, xz, yz = bodies[i, at + 7], bodies[i, at + 8], bodies[i, at + 9]
    lx, ly, lz = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
    work[i, TORQUE] = xx * ux + xy * uy + xz * uz + wy * lz - wz * ly + my * pz - mz * py
    work[i, TORQUE + 1] = xy * ux + yy * uy + yz * uz + wz * lx - wx * lz + mz * px - mx * pz
    work[i, TORQUE + 2] = xz * ux + yz * uy + zz * uz + wx * ly - wy * lx + mx * py - my * px


def hand_on(work: Array, i: int, point: Vector, force: Vector, torque: Vector) -> None:
    """Add a force and a torque about a point, as seen from the origin of body i, to what body i takes."""
    (x, y, z), (fx, fy, fz), (tx, ty, tz) = point, force, torque
    work[i, FORCE] += fx
    work[i, FORCE + 1] += fy
    work[i, FORCE + 2] += fz
    work[i, TORQUE] += tx + y * fz - z * fy
    work[i, TORQUE + 1] += ty + z * fx - x * fz
    work[i, TORQUE + 2] += tz + x * fy - y * fx
