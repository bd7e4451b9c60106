"""Wheeled motion follows arcs and lines in the plane; wheels roll and slide at certain rates."""

from __future__ import annotations

import math

import numpy as np

from ..errors import InvalidRobot
from ..model.poses import Array

NEAR = 0.05  # rad: below it the series, whose first omitted term is 1e-17 of the sum


def arc(turn: float) -> tuple[float, float]:
    """The chord of an arc of length 1 that turns by `turn`, forwards and to the left.

        a = sin(turn)/turn,   b = (1 - cos(turn))/turn

    A point that moves by (s, n) in its axes while they turn by `turn`, at constant ratios, ends
    at (s a - n b, s b + n a): the exponential map of SE(2). Source: Lynch, Park, Modern Robotics (2017),
    section 13.3.1.
    """
    square = turn * turn
    if square < NEAR * NEAR:
        a = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        b = 0.5 * turn * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)))
        return a, b
    half = math.sin(0.5 * turn)
    return math.sin(turn) / turn, 2.0 * half * half / turn


def arc_end(s: float, n: float, turn: float, heading: float) -> tuple[float, float]:
    """End point of a motion by (s, n) in its own axes that turns by `turn`, starting at `heading`."""
    a, b = arc(turn)
    along, across = s * a - n * b, s * b + n * a
    cosine, sine = math.cos(heading), math.sin(heading)
    return cosine * along - sine * across, sine * along + cosine * across


INDEPENDENT = 1e-9  # of the largest singular value: below it the wheels do not determine every motion


def mecanum_wheels(wheelbase: float, track: float) -> Array:
    """The rows of four mecanum wheels: front left and right, rear right and left; rollers at 45 degrees."""
    x, y, slide = wheelbase / 2.0, track / 2.0, np.pi / 4.0
    return np.array([[x, y, 0.0, -slide], [x, -y, 0.0, slide], [-x, -y, 0.0, -slide], [-x, y, 0.0, slide]])


def wheel_matrix(wheels: object, radius: object, place: str) -> Array:
    """The matrix H of rates w = H (v_x, v_y, omega), for wheels x, y, beta, gamma, (n, 4): (n, 3).

        w_i = [cos(b), sin(b), x_i sin(b) - y_i cos(b)] (v_x, v_y, omega)/(r_i cos(gamma_i))
        b = beta_i + gamma_i

    beta is the driving direction of wheel i, and gamma + beta + pi/2 the rolling direction of its rollers:
    gamma is 0 for an omniwheel and +-pi/4 for a mecanum wheel. Raises InvalidRobot for wheels that do not
    determine every motion, such as parallel ones, or whose rollers roll along the driving direction.
    Source: Lynch, Park, Modern Robotics (2017), section 13.2.
    """
    rows = np.asarray(wheels, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 4 or len(rows) < 3:
        raise InvalidRobot(place, f"found the shape {rows.shape}", "three or more rows x, y, beta, gamma")
    x, y, beta, gamma = rows.T
    if not (np.abs(np.cos(gamma)) > INDEPENDENT).all():
        i = int(np.argmin(np.abs(np.cos(gamma))))
        actual = f"the rollers of wheel {i + 1} roll where it drives, gamma = {gamma[i]:g} rad"
        raise InvalidRobot(place, actual, "|gamma| less than pi/2")
    b = beta + gamma
    rolls = np.column_stack([np.cos(b), np.sin(b), x * np.sin(b) - y * np.cos(b)])
    H = np.asarray(rolls / (radius * np.cos(gamma))[:, None])
    size = max(1e-300, float(np.hypot(x, y).max()))
    least, greatest = np.linalg.svd(H / [1.0, 1.0, size], compute_uv=False)[[-1, 0]]
    if not least > INDEPENDENT * greatest:
        raise InvalidRobot(
            place, "the wheels do not hold every motion", "wheels that drive in several directions"
        )
    return H
