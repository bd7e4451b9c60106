"""Lie groups of rigid motion: rotations, poses, quaternions, twists. Angles in rad, lengths in m.

Twists and exponential coordinates of poses are (linear, angular), quaternions scalar first. The functions
here check their arguments; `lie.kernels` holds what they are made of, for compiled code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import GroupError, NonUnitScrew, NotPose, NotRotation, NotUnit, WrongShape
from .frames import pose_text, transform_points, velocity_jacobian, wrench_in_frame
from .orders import angle_difference, euler, euler_rates, rotation_euler, rotation_rpy, rpy, rpy_rates, wrap
from .planar import (
    adjoint2,
    angle2,
    exp2,
    interpolate2,
    inverse2,
    is_pose2,
    is_rotation2,
    lift2,
    log2,
    parts2,
    pose2,
    rot2,
    skew2,
    vex2,
)
from .poses import (
    adjoint,
    bracket,
    delta,
    exp6,
    interpolate,
    interpolate_screw,
    inverse,
    is_pose,
    left_jacobian6,
    left_jacobian6_inverse,
    log6,
    parts,
    pose,
    pose_error,
    pose_of_delta,
    project_pose,
    skew6,
    vex6,
)
from .quaternion_value import Quaternion
from .quaternions import (
    quaternion,
    quaternion_axis_angle,
    quaternion_exp,
    quaternion_inverse,
    quaternion_log,
    quaternion_product,
    quaternion_rates,
    rotation_quaternion,
    slerp,
)
from .rotations import (
    axis_angle,
    distance_to_rotation,
    exp3,
    is_rotation,
    left_jacobian3,
    left_jacobian3_inverse,
    log3,
    project_rotation,
    rotation_axis_angle,
    rotation_oa,
    rotx,
    roty,
    rotz,
    skew,
    split_vector,
    vex,
)
from .screws import screw, screw_parts, unit_screw

__all__ = [
    "GroupError",
    "NonUnitScrew",
    "NotPose",
    "NotRotation",
    "NotUnit",
    "Quaternion",
    "WrongShape",
    "adjoint",
    "adjoint2",
    "angle2",
    "angle_difference",
    "axis_angle",
    "bracket",
    "delta",
    "distance_to_rotation",
    "euler",
    "euler_rates",
    "exp2",
    "exp3",
    "exp6",
    "interpolate",
    "interpolate2",
    "interpolate_screw",
    "inverse",
    "inverse2",
    "is_pose",
    "is_pose2",
    "is_rotation",
    "is_rotation2",
    "left_jacobian3",
    "left_jacobian3_inverse",
    "left_jacobian6",
    "left_jacobian6_inverse",
    "lift2",
    "log2",
    "log3",
    "log6",
    "parts",
    "parts2",
    "pose",
    "pose2",
    "pose_error",
    "pose_of_delta",
    "pose_text",
    "project_pose",
    "project_rotation",
    "quaternion",
    "quaternion_axis_angle",
    "quaternion_exp",
    "quaternion_inverse",
    "quaternion_log",
    "quaternion_product",
    "quaternion_rates",
    "rot2",
    "rotation_axis_angle",
    "rotation_euler",
    "rotation_oa",
    "rotation_quaternion",
    "rotation_rpy",
    "rotx",
    "roty",
    "rotz",
    "rpy",
    "rpy_rates",
    "screw",
    "screw_parts",
    "skew",
    "skew2",
    "skew6",
    "slerp",
    "split_vector",
    "transform_points",
    "unit_screw",
    "velocity_jacobian",
    "vex",
    "vex2",
    "vex6",
    "wrap",
    "wrench_in_frame",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from ..toolbox import absent

        raise absent(f"module {__name__!r}", name)
