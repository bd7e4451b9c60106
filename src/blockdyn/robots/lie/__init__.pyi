"""The public names of lie, where they come from; each is imported when it is first asked for."""

from .errors import (
    GroupError as GroupError,
    NonUnitScrew as NonUnitScrew,
    NotPose as NotPose,
    NotRotation as NotRotation,
    NotUnit as NotUnit,
    WrongShape as WrongShape,
)
from .frames import (
    pose_text as pose_text,
    transform_points as transform_points,
    velocity_jacobian as velocity_jacobian,
    wrench_in_frame as wrench_in_frame,
)
from .orders import (
    angle_difference as angle_difference,
    euler as euler,
    euler_rates as euler_rates,
    rotation_euler as rotation_euler,
    rotation_rpy as rotation_rpy,
    rpy as rpy,
    rpy_rates as rpy_rates,
    wrap as wrap,
)
from .planar import (
    adjoint2 as adjoint2,
    angle2 as angle2,
    exp2 as exp2,
    interpolate2 as interpolate2,
    inverse2 as inverse2,
    is_pose2 as is_pose2,
    is_rotation2 as is_rotation2,
    lift2 as lift2,
    log2 as log2,
    parts2 as parts2,
    pose2 as pose2,
    rot2 as rot2,
    skew2 as skew2,
    vex2 as vex2,
)
from .poses import (
    adjoint as adjoint,
    bracket as bracket,
    delta as delta,
    exp6 as exp6,
    interpolate as interpolate,
    interpolate_screw as interpolate_screw,
    inverse as inverse,
    is_pose as is_pose,
    left_jacobian6 as left_jacobian6,
    left_jacobian6_inverse as left_jacobian6_inverse,
    log6 as log6,
    parts as parts,
    pose as pose,
    pose_error as pose_error,
    pose_of_delta as pose_of_delta,
    project_pose as project_pose,
    skew6 as skew6,
    vex6 as vex6,
)
from .quaternion_value import Quaternion as Quaternion
from .quaternions import (
    quaternion as quaternion,
    quaternion_axis_angle as quaternion_axis_angle,
    quaternion_exp as quaternion_exp,
    quaternion_inverse as quaternion_inverse,
    quaternion_log as quaternion_log,
    quaternion_product as quaternion_product,
    quaternion_rates as quaternion_rates,
    rotation_quaternion as rotation_quaternion,
    slerp as slerp,
)
from .rotations import (
    axis_angle as axis_angle,
    distance_to_rotation as distance_to_rotation,
    exp3 as exp3,
    is_rotation as is_rotation,
    left_jacobian3 as left_jacobian3,
    left_jacobian3_inverse as left_jacobian3_inverse,
    log3 as log3,
    project_rotation as project_rotation,
    rotation_axis_angle as rotation_axis_angle,
    rotation_oa as rotation_oa,
    rotx as rotx,
    roty as roty,
    rotz as rotz,
    skew as skew,
    split_vector as split_vector,
    vex as vex,
)
from .screws import screw as screw, screw_parts as screw_parts, unit_screw as unit_screw
