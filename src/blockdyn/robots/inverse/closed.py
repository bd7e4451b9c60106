"""Closed-form inverse kinematics of arms with six joints that divide into smaller problems.

The arm consists of screws: at q = 0 joint i turns about the line through p_i along h_i (world axes), and the
tool is at T0. With e_i the motion of joint i, e_1 ... e_6 = T T0^-1 = G has to be solved. Axes 5 and 6 meet
in a point c, and

    SPHERICAL   axes 2 and 3 are parallel, axis 4 passes through c: a spherical wrist (Puma 560, KR5, IRB 140)
    PARALLEL    axes 2, 3 and 4 are parallel (UR3, UR5, UR10)
    SLIDING     joint 3 slides across axis 2, axis 4 passes through c (Stanford arm)

q1 places the point G c at c's constant distance along h_2; a triangle gives q3 and q2; the wrist follows from
directions. Each of three steps has two answers: eight in all, numbered 4 shoulder + 2 elbow + wrist.

    shoulder 0  right: seen from above axis 1 with the hand in front, the arm passes axis 1 on the right; an
                arm without an offset there has the positive side of axis 2 on the right
    elbow 0     up: on the side of axis 1's direction of the line from shoulder to hand; a slide further out
    wrist 0     not flipped: joint 5 is turned in its positive sense from where axes 4 and 6 align

Sources: Paul and Zhang, Int. J. Robotics Research 5(2), 1986, 32-44 (the configurations); Paden's
subproblems in Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation (1994), section 3.3;
Hawkins, Analytic Inverse Kinematics for the Universal Robots UR-5/UR-10 Arms, Georgia Institute of
Technology (2013).
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from ..mechanics.bodies import Array

Vector = tuple[float, float, float]

ALONG = 1e-10  # a component across an axis below this counts as 0: the angle about the axis is free


def vector(m: Array, row: int, at: int) -> Vector:
    """Three elements of a row."""
    return m[row, at], m[row, at + 1], m[row, at + 2]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    """|a|."""
    return sqrt(dot(a, a))


def across(a: Vector, k: Vector) -> Vector:
    """The component of a perpendicular to the unit vector k."""
    s = dot(a, k)
    return a[0] - s * k[0], a[1] - s * k[1], a[2] - s * k[2]


def rotate_about(k: Vector, angle: float, p: Vector) -> Vector:
    """p rotated by the angle about the unit vector k (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    x, y, z = cross(k, p)
    d = (1.0 - c) * dot(k, p)
    return c * p[0] + s * x + d * k[0], c * p[1] + s * y + d * k[1], c * p[2] + s * z + d * k[2]


def angle_between(a: Vector, b: Vector) -> float:
    """The angle between two vectors, 0 to pi, accurate at both ends."""
    return atan2(length(cross(a, b)), dot(a, b))


def turn_between(k: Vector, p: Vector, r: Vector, free: float) -> float:
    """The angle about k that takes p to r, as seen along k; `free` if either lies along k.

    Paden-Kahan subproblem 1: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation
    (1994), 3.3.
    """
    a, b = across(p, k), across(r, k)
    if length(a) < ALONG or length(b) < ALONG:
        return free
    return atan2(dot(k, cross(a, b)), dot(a, b))


def transform_point(G: Array, p: Vector) -> Vector:
    """G p for a pose G and a point p."""
    return plus(spun(G, p), (G[0, 3], G[1, 3], G[2, 3]))


def spun(G: Array, v: Vector) -> Vector:
    """R v for the rotation R of a pose."""
    return (
        G[0, 0] * v[0] + G[0, 1] * v[1] + G[0, 2] * v[2],
        G[1, 0] * v[0] + G[1, 1] * v[1] + G[1, 2] * v[2],
        G[2, 0] * v[0] + G[2, 1] * v[1] + G[2, 2] * v[2],
    )


def unspun(G: Array, v: Vector) -> Vector:
    """R^T v for the rotation R of a pose."""
    return (
        G[0, 0] * v[0] + G[1, 0] * v[1] + G[2, 0] * v[2],
        G[0, 1] * v[0] + G[1, 1] * v[1] + G[2, 1] * v[2],
        G[0, 2] * v[0] + G[1, 2] * v[1] + G[2, 2] * v[2],
    )


SPHERICAL, PARALLEL, SLIDING = 0, 1, 2
HOME = 6  # the first of three rows with T0^-1, after the rows (h, p) of the joints
ROWS = 9


def closed_form(form: Array, kind: int, goal: Array, near: Array, G: Array, q: Array, gaps: Array) -> None:
    """The eight solutions, q (8, 6), and their distances from the goal, gaps (8,), m: 0 within reach.

    form (9, 6): h and p of the joints, then T0^-1. Joints that the pose leaves free, in singular
    configurations, stay at `near`. G (4, 4) is scratch. Angles are not yet brought within limits.
    """
    displacement(form, goal, G)
    h1, p1, h2, c = vector(form, 0, 0), vector(form, 0, 3), vector(form, 1, 0), vector(form, 4, 3)
    x = minus(transform_point(G, c), p1)
    side = dot(h2, minus(c, p1))
    for shoulder in range(2):
        front = 1.0 if (shoulder == 0) == (side >= 0.0) else -1.0
        turn, gap = level(h2, h1, x, side, front)
        q1 = near[0] if length(across(x, h1)) < ALONG else 0.0 - turn
        for elbow in range(2):
            for wrist in range(2):
                k = 4 * shoulder + 2 * elbow + wrist
                q[k, 0] = q1
                flip = 1.0 if wrist == 0 else -1.0
                bend = -front if elbow == 0 else front
                if kind == PARALLEL:
                    missed = forearm(form, G, bend, flip, near, k, q)
                else:
                    reach = minus(plus(rotate_about(h1, -q1, x), p1), vector(form, 1, 3))
                    if kind == SLIDING:
                        missed = slide_arm(form, c, reach, 1.0 - 2.0 * elbow, near, k, q)
                    else:
                        missed = bend_arm(form, c, reach, bend, near, k, q)
                    turn_wrist(form, kind, G, flip, near, k, q)
                gaps[k] = sqrt(gap * gap + missed * missed)


def displacement(form: Array, goal: Array, G: Array) -> None:
    """G = T T0^-1."""
    for i in range(3):
        for j in range(4):
            G[i, j] = 0.0
            for k in range(3):
                G[i, j] += goal[i, k] * form[HOME + k, j]
        G[i, 3] += goal[i, 3]


def level(h: Vector, k: Vector, p: Vector, d: float, sign: float) -> tuple[float, float]:
    """The angle x with h . Rot(k, x) p = d, one of two, and the missing distance if none exists."""
    a, b = dot(h, cross(k, p)), dot(across(h, k), p)
    offset = d - dot(h, k) * dot(k, p)
    size = sqrt(a * a + b * b)
    room = (size - offset) * (size + offset)
    return atan2(a, b) + sign * atan2(sqrt(max(room, 0.0)), offset), max(abs(offset) - size, 0.0)


def aim(h: Vector, k: Vector, p: Vector, angle: float, sign: float) -> float:
    """The angle x that brings Rot(k, x) p to the given angle from h, or as close as possible; unit vectors.

    By the half-angle formula of the spherical triangle, which is accurate if h, k x p and p are in one
    plane.
    """
    b, c = angle_between(h, k), angle_between(k, p)
    short = sin(0.5 * (angle + b - c)) * sin(0.5 * (angle - b + c))
    wide = sin(0.5 * (b + c + angle)) * sin(0.5 * (b + c - angle))
    middle = atan2(dot(h, cross(k, p)), dot(across(h, k), p))
    return middle + sign * 2.0 * atan2(sqrt(max(short, 0.0)), sqrt(max(wide, 0.0)))


def bend_arm(form: Array, m: Vector, u: Vector, sign: float, near: Array, k: int, q: Array) -> float:
    """q2, q3 that take the point m to p2 + u, by the half-angle formula; the distance out of reach, m."""
    h2, p2, h3, p3 = vector(form, 1, 0), vector(form, 1, 3), vector(form, 2, 0), vector(form, 2, 3)
    a, b = minus(p3, p2), across(minus(m, p3), h2)
    u = across(u, h2)
    r, s, t = length(a), length(b), length(u)
    short = (r + s - t) * (r + s + t)
    wide = (t - r + s) * (t + r - s)
    if dot(h2, h3) < 0.0:
        sign = -sign
    middle = atan2(dot(a, cross(h3, b)), dot(a, b))
    q[k, 2] = middle + sign * 2.0 * atan2(sqrt(max(short, 0.0)), sqrt(max(wide, 0.0)))
    q[k, 1] = turn_between(h2, plus(a, rotate_about(h3, q[k, 2], b)), u, near[1])
    return max(t - r - s, abs(r - s) - t, 0.0)


def slide_arm(form: Array, m: Vector, u: Vector, sign: float, near: Array, k: int, q: Array) -> float:
    """q2, q3 that take the point m to p2 + u if joint 3 slides; the distance out of reach, m."""
    h2, p2, h3 = vector(form, 1, 0), vector(form, 1, 3), vector(form, 2, 0)
    b, u = across(minus(m, p2), h2), across(u, h2)
    s, t = length(across(b, h3)), length(u)
    q[k, 2] = sign * sqrt(max((t - s) * (t + s), 0.0)) - dot(b, h3)
    d = q[k, 2]
    q[k, 1] = turn_between(h2, plus(b, (d * h3[0], d * h3[1], d * h3[2])), u, near[1])
    return max(s - t, 0.0)


def turn_wrist(form: Array, kind: int, G: Array, sign: float, near: Array, k: int, q: Array) -> None:
    """q4, q5, q6 of a spherical wrist, for the remaining orientation after the first three joints."""
    h4, h5, h6 = vector(form, 3, 0), vector(form, 4, 0), vector(form, 5, 0)
    z = undo_arm_rotation(form, kind, k, q, spun(G, h6))
    q[k, 4] = aim(h4, h5, h6, angle_between(h4, z), sign)
    q[k, 3] = turn_between(h4, rotate_about(h5, q[k, 4], h6), z, near[3])
    v = cross(h5, h6)
    y = rotate_about(h4, -q[k, 3], undo_arm_rotation(form, kind, k, q, spun(G, v)))
    q[k, 5] = turn_between(h6, v, rotate_about(h5, -q[k, 4], y), 0.0)


def undo_arm_rotation(form: Array, kind: int, k: int, q: Array, v: Vector) -> Vector:
    """(R1 R2 R3)^T v."""
    v = rotate_about(vector(form, 0, 0), -q[k, 0], v)
    v = rotate_about(vector(form, 1, 0), -q[k, 1], v)
    if kind == SLIDING:
        return v
    return rotate_about(vector(form, 2, 0), -q[k, 2], v)


def forearm(form: Array, G: Array, bend: float, sign: float, near: Array, k: int, q: Array) -> float:
    """q5, q6, then q2, q3 and q4 of an arm whose joints 2, 3 and 4 are parallel; the missing distance, m."""
    h1, h2, h4 = vector(form, 0, 0), vector(form, 1, 0), vector(form, 3, 0)
    h5, h6, c = vector(form, 4, 0), vector(form, 5, 0), vector(form, 4, 3)
    z = rotate_about(h1, -q[k, 0], spun(G, h6))
    if dot(h2, h4) < 0.0:
        sign = -sign
    q5 = aim(h2, h5, h6, angle_between(h2, z), sign)
    q6 = -turn_between(h6, rotate_about(h5, -q5, h2), unspun(G, rotate_about(h1, q[k, 0], h2)), -near[5])
    q[k, 4], q[k, 5] = q5, q6
    p1, p4 = vector(form, 0, 3), vector(form, 3, 3)
    w = plus(c, rotate_about(h6, -q6, rotate_about(h5, -q5, minus(p4, c))))
    reach = minus(plus(rotate_about(h1, -q[k, 0], minus(transform_point(G, w), p1)), p1), vector(form, 1, 3))
    missed = bend_arm(form, p4, reach, bend, near, k, q)
    v = h5
    y = undo_arm_rotation(form, PARALLEL, k, q, spun(G, rotate_about(h6, -q6, rotate_about(h5, -q5, v))))
    q[k, 3] = turn_between(h4, v, y, near[3])
    return missed
