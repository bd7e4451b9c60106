"""The table of a robot: one row of numbers a joint, which is all that the mechanics kernels read.

Fixed joints are lumped into the bodies that carry them, so each row is one moving joint and the body behind
it. The joint's own frame is placed in its parent body's frame by PLACE_R, PLACE_P; the joint then turns
about, or slides along, its own z axis; what comes out is the body frame. Parents come before children. The
last row holds what belongs to the whole: gravity, and the tool in the frame of the body that carries it.
"""

from __future__ import annotations

PARENT = 0  # row of the parent body, -1 for the base
PRISMATIC = 1  # 0 revolute, 1 prismatic
OFFSET = 2  # added to the joint coordinate, rad or m
PLACE_R = 3  # 9 numbers, row by row: orientation of the joint frame in the parent body's frame
PLACE_P = 12  # 3: its origin there, m
MASS = 15  # kg
MOMENT = 16  # 3: mass times centre of mass, in the body frame, kg m
INERTIA = (
    19  # Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the body frame's ORIGIN, kg m2 (tensor elements, not products)
)
ARMATURE = 25  # motor inertia seen at the joint, G^2 Jm, kg m2 or kg
VISCOUS = 26  # at the joint, G^2 B, N m s/rad or N s/m
COULOMB_PLUS = 27  # torque that resists positive velocity, at least 0, N m or N
COULOMB_MINUS = 28  # torque that resists negative velocity, at least 0, N m or N
LOWER = 29  # limits of the joint coordinate; infinite where there are none
UPPER = 30
LINK_R = (
    31  # 9: the user's link frame in the body frame (identity for most robots, Tz(d) Tx(a) Rx(alpha) for DH)
)
LINK_P = 40  # 3
WIDTH = 43

# in the last row
TIP = PARENT  # the row of the body that carries the tool, -1 for the base
TOOL_R, TOOL_P = PLACE_R, PLACE_P  # the tool frame in that body's frame
GRAVITY = MOMENT  # 3: acceleration of free fall in the world frame, m/s2
