"""Omnidirectional: rates of wheels that roll one way and slide another, by the motion of their vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidRobot
from ..model.poses import Array

INDEPENDENT = 1e-9  # of the largest singular value: below it the wheels leave a motion free


def mecanum_wheels(wheelbase: float, track: float) -> Array:
    """The rows of four mecanum wheels: front left and right, rear right and left; rollers at 45 degrees."""
    x, y, slide = wheelbase / 2.0, track / 2.0, np.pi / 4.0
    return np.array([[x, y, 0.0, -slide], [x, -y, 0.0, slide], [-x, -y, 0.0, -slide], [-x, y, 0.0, slide]])


def wheel_matrix(wheels: Any, radius: Any, place: str) -> Array:
    """The matrix H of rates w = H (v_x, v_y, omega), for wheels x, y, beta, gamma, (n, 4): (n, 3).

        w_i = [cos(b), sin(b), x_i sin(b) - y_i cos(b)] (v_x, v_y, omega)/(r_i cos(gamma_i))
        b = beta_i + gamma_i

    beta is the direction in which wheel i drives, and gamma + beta + pi/2 that in which its rollers roll:
    gamma is 0 for an omniwheel and +-pi/4 for a mecanum wheel. Raises InvalidRobot for wheels that leave a
    motion free, such as parallel ones, or whose rollers roll where they drive. Source: Lynch, Park, Modern
    Robotics (2017), section 13.2.
    """
    rows = np.asarray(wheels, np.float64)
    if rows.ndim != 2 or rows.shape[1] != 4 or len(rows) < 3:
        raise InvalidRobot(place, f"found the shape {rows.shape}", "three or more rows x, y, beta, gamma")
    x, y, beta, gamma = rows.T
    if not (np.abs(np.cos(gamma)) > INDEPENDENT).all():
        i = int(np.argmin(np.abs(np.cos(gamma))))
        told = f"the rollers of wheel {i + 1} roll where it drives, gamma = {gamma[i]:g} rad"
        raise InvalidRobot(place, told, "|gamma| less than pi/2")
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
