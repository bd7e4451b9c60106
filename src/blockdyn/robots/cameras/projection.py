"""Points are projected onto an image plane or a sphere; their images move with the camera.

A camera looks along its z axis; x points to the right of the image, y downwards.
Source: Corke, Robotics, Vision and Control (2nd ed., 2017), sections 11.1.2 and 11.3.

A Jacobian has a row for each of the two coordinates of a point, and six columns: the velocity of the camera's
origin and its angular velocity, in its axes. The points are at rest.
"""

from __future__ import annotations

from math import acos, atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def camera_pose(carrier: Array, mount: Array, pose: Array) -> None:
    """pose = carrier mount: the camera's pose, from the pose of the body that carries it; all 4 x 4."""
    for i in range(4):
        for j in range(4):
            pose[i, j] = 0.0
            for k in range(4):
                pose[i, j] += carrier[i, k] * mount[k, j]


def in_camera(pose: Array, P: Array, i: int) -> tuple[float, float, float]:
    """Point i of the world in the axes of a camera: R' (P_i - p)."""
    x, y, z = P[i, 0] - pose[0, 3], P[i, 1] - pose[1, 3], P[i, 2] - pose[2, 3]
    return (
        pose[0, 0] * x + pose[1, 0] * y + pose[2, 0] * z,
        pose[0, 1] * x + pose[1, 1] * y + pose[2, 1] * z,
        pose[0, 2] * x + pose[1, 2] * y + pose[2, 2] * z,
    )


def on_image(x: float, y: float, z: float, fu: float, fv: float, u0: float, v0: float) -> tuple[float, float]:
    """Pixel coordinates of a point in camera axes; z > 0."""
    return u0 + fu * x / z, v0 + fv * y / z


def on_sphere(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Longitude, colatitude and distance of a point in camera axes; the colatitude counts from z."""
    r = sqrt(x * x + y * y + z * z)
    return atan2(y, x), acos(z / r) if r > 0.0 else 0.0, r


def central_rows(x: float, y: float, z: float, fu: float, fv: float, J: Array, r: int) -> None:
    """Rows r and r + 1 of J, of pixels: x and y are the point's coordinates over its depth z.

        fu [-1/z, 0, x/z, x y, -(1 + x^2), y]      fv [0, -1/z, y/z, 1 + y^2, -x y, -x]

    Source: Chaumette, Hutchinson, Visual servo control, part I, IEEE Robotics and Automation Magazine 13(4),
    2006, equation 11, DOI 10.1109/MRA.2006.250573.
    """
    J[r, 0], J[r, 1], J[r, 2] = -fu / z, 0.0, fu * x / z
    J[r, 3], J[r, 4], J[r, 5] = fu * x * y, -fu * (1.0 + x * x), fu * y
    J[r + 1, 0], J[r + 1, 1], J[r + 1, 2] = 0.0, -fv / z, fv * y / z
    J[r + 1, 3], J[r + 1, 4], J[r + 1, 5] = fv * (1.0 + y * y), -fv * x * y, -fv * x


def spherical_rows(phi: float, theta: float, distance: float, J: Array, r: int) -> None:
    """Rows r and r + 1 of J, of longitude and colatitude; undefined for a colatitude of 0 or pi.

    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 16.3; Corke, Spherical image-based
    visual servo and structure estimation, IEEE International Conference on Robotics and Automation 2010.
    """
    c, s, ct, st = cos(phi), sin(phi), cos(theta), sin(theta)
    J[r, 0], J[r, 1], J[r, 2] = s / (distance * st), -c / (distance * st), 0.0
    J[r, 3], J[r, 4], J[r, 5] = c * ct / st, s * ct / st, -1.0
    J[r + 1, 0], J[r + 1, 1], J[r + 1, 2] = -c * ct / distance, -s * ct / distance, st / distance
    J[r + 1, 3], J[r + 1, 4], J[r + 1, 5] = s, -c, 0.0


def of_carrier(mount: Array, J: Array) -> None:
    """The columns of J for the velocity of the camera's carrier, at its origin and in its axes.

    J [R', -R' [p]; 0, R']      R, p of the mount
    """
    for r in range(J.shape[0]):
        v0, v1, v2 = J[r, 0], J[r, 1], J[r, 2]
        w0, w1, w2 = J[r, 3], J[r, 4], J[r, 5]
        for k in range(3):
            J[r, k] = v0 * mount[k, 0] + v1 * mount[k, 1] + v2 * mount[k, 2]
            J[r, 3 + k] = w0 * mount[k, 0] + w1 * mount[k, 1] + w2 * mount[k, 2]
        # -a [p] = p x a as a row
        J[r, 3] += mount[1, 3] * J[r, 2] - mount[2, 3] * J[r, 1]
        J[r, 4] += mount[2, 3] * J[r, 0] - mount[0, 3] * J[r, 2]
        J[r, 5] += mount[0, 3] * J[r, 1] - mount[1, 3] * J[r, 0]
