"""The work array of the mechanics kernels: one row of numbers a body, reused by every kernel.

A kernel gets it as its argument `work`, of shape `work_shape(n)`, and leaves nothing in it that the caller
may rely on, except where it says so. Vectors are in world axes; moments, inertias and torques are taken about
the origin of the body that the row belongs to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROTATION = 0  # 9: body axes in the world, row by row
ORIGIN = 9  # 3: of the body frame
REACH = 12  # 3: origin less the parent body's origin
TURN = 15  # 3: angular velocity
SPEED = 18  # 3: velocity of the origin
TURN_RATE = 21  # 3: angular acceleration
PUSH = 24  # 3: acceleration of the origin
FORCE = 27  # 3
TORQUE = 30  # 3: about the origin
HEAVY = 33  # mass, of the body or of all that it carries
FIRST = 34  # 3: first moment of mass
SECOND = 37  # 6: inertia xx, yy, zz, xy, xz, yz
MOMENTUM = 43  # 3: linear
SWIRL = 46  # 9: the angular part of the Coriolis factor
HALF = 55  # 6 + 9 + 6: articulated inertia: force by push, force by turn rate, torque by turn rate
THRUST = 76  # 6: what the articulated body answers to its joint, force and torque
PIVOT = 82  # inverse of its inertia along the joint
DRIVE = 83  # joint torque less what holds the body
MATRIX = 84  # n: a row of the mass matrix or of its factor
COLUMNS = 6  # behind it: one row of a matrix of six columns


def work_shape(n: int) -> tuple[int, int]:
    """The shape of the work array of a robot of n joints."""
    return n, MATRIX + n + COLUMNS


# what a torque is made of, to be added up
GRAVITY = 1
FRICTION = 2
ARMATURE = 4
EVERYTHING = 7
