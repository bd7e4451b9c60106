"""ScrewTrajectory: a frame that moves from one pose to another along one screw."""

from __future__ import annotations

from ...robots.trajectories.polynomial import position_at
from ...robots.trajectories.poses import PosePath, screw_pose, way_between
from ..contract.parameter import Array
from .pose_motion import _PoseMotion


class ScrewTrajectory(_PoseMotion):
    """From pose T0 to T1 (4x4) along a screw: rotation and translation in constant ratio about one axis.

        T = T0 exp(s log(T0^-1 T1)),  s(t) from 0 to 1 by `method` between start and start + duration

    `twist` (linear, angular) is the velocity of the origin of T and the angular velocity, in the axes of the
    world or, with `frame` body, of T; `acceleration` is the rate of change of its six numbers. s is cubic,
    quintic or trapezoidal as in JointTrajectory. Before and after the motion the frame is at rest. The knots
    of s are time events. Raises ParameterError if T0 or T1 is not a pose.
    Source: Lynch, Park, Modern Robotics (2017), section 9.2.1.

    Example:
        {type: ScrewTrajectory, T1: [[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0.5], [0, 0, 0, 1]]}
    """

    icon = "screw"

    def way(self) -> PosePath:
        return way_between(self.T0, self.T1, screw=True, frame=self.frame)

    @staticmethod
    def output_T(t: float, mode: int, table: Array, first: Array, way6: Array, T: Array) -> None:
        screw_pose(first, way6, position_at(table, mode, t), T)
