"""Projection of points: onto the plane of an image, and onto a sphere.

A camera looks along its z axis; x points to the right of the image, y downwards.
Source: Corke, Robotics, Vision and Control (2nd ed., 2017), sections 11.1.2 and 11.3.
"""

from __future__ import annotations

from math import acos, atan2, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def camera_pose(carrier: Array, mount: Array, pose: Array) -> None:
    """pose = carrier mount: of the camera, from that of what carries it; all 4 x 4."""
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
    """Where a point in camera axes is seen, in pixels; z > 0."""
    return u0 + fu * x / z, v0 + fv * y / z


def on_sphere(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Longitude, colatitude and distance of a point in camera axes; the colatitude counts from z."""
    r = sqrt(x * x + y * y + z * z)
    return atan2(y, x), acos(z / r) if r > 0.0 else 0.0, r
