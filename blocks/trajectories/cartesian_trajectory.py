"""CartesianTrajectory: a frame whose origin moves on a straight line while it turns about one axis."""

from __future__ import annotations

from ...robots.trajectories.polynomial import position_at
from ...robots.trajectories.poses import PosePath, line_pose, way_between
from ..contract.parameter import Array
from .pose_motion import _PoseMotion


class CartesianTrajectory(_PoseMotion):
    """From pose T0 to T1 (4x4), with separate motions of origin and orientation.

        p = p0 + s (p1 - p0),  R = R0 exp(s log(R0^T R1)),  s(t) from 0 to 1 by `method`

    The orientation turns the shorter way, by at most half a turn, about a fixed axis (slerp). `twist`
    (linear, angular) is the velocity of the origin and the angular velocity, in the axes of the world or,
    with `frame` body, of T; `acceleration` is the rate of change of its six numbers. s is cubic, quintic or
    trapezoidal as in JointTrajectory, between start and start + duration. Before and after the motion the
    frame is at rest. The knots of s are time events. Raises ParameterError if T0 or T1 is not a pose. Source:
    Lynch, Park, Modern Robotics (2017), section 9.2.1; Shoemake, Animating rotation with quaternion curves,
    SIGGRAPH 1985.

    Example:
        {type: CartesianTrajectory, T1: [[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0.5], [0, 0, 0, 1]]}
    """

    icon = "poses"

    def way(self) -> PosePath:
        return way_between(self.T0, self.T1, screw=False, frame=self.frame)

    @staticmethod
    def output_T(t: float, mode: int, table: Array, first: Array, way6: Array, T: Array) -> None:
        line_pose(first, way6, position_at(table, mode, t), T)
