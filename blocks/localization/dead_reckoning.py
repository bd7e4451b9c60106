"""DeadReckoning: a pose from odometry alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from typing import ClassVar, NamedTuple

from ...robots.localization.filters import predict
from ...robots.shapes.ground import ellipses
from ..contract.capabilities import Marks
from ..contract.parameter import Array, Real, parameter
from ..contract.port import PLANAR, Port, Size, State
from ..contract.random_numbers import tick
from ..estimation.covariance import covariance
from .clocked import ClockedBlock, vector
from .odometry import V_PUBLISHED

ODOMETRY = Port("odometry", 2, "m, rad", "distance and turn since the last tick", pace=(1.0, 1.0))
POSE = Port("pose", 3, "m, m, rad", "x, y and heading, which is not wrapped", elements=PLANAR)
COVARIANCE = Port("covariance", Size((3, 3)), "", "of the pose")
STATES = (State("x", "start"), State("P", "begin"))
POSE_EXPECTED = "a pose: x, y, heading"


class Odometer(NamedTuple):
    """The measured odometry and its covariance."""

    odometry: Array
    drift: Array


class OdometryFilter(ClockedBlock):
    """The common part of estimators with odometry: its covariance, and the initial pose."""

    abstract: ClassVar = True
    inputs: ClassVar = (ODOMETRY,)

    _: KW_ONLY
    V: Real = parameter(
        default=list(V_PUBLISHED), unit="m2, rad2", doc="covariance of an increment", dimensions=(0, 1, 2)
    )
    initial_pose: Real = parameter(
        default=[0.0, 0.0, 0.0], unit="m, m, rad", doc="pose at the first tick", dimensions=(1,)
    )
    P0: Real = parameter(
        default=0.0, unit="m2, m2, rad2", doc="covariance of the initial pose", dimensions=(0, 1, 2)
    )

    def constants(self) -> Mapping[str, Array]:
        return {
            "start": vector(self, "initial_pose", 3, POSE_EXPECTED), "begin": covariance(self, "P0", 3),
            "drift": covariance(self, "V", 2),
        }  # fmt: skip

    def marks(self) -> Iterator[Marks]:
        yield Marks(("pose", "covariance"), around)


def around(size: float, pose: Array, covariance: Array) -> Array:
    """The ellipse of 95 % about each position, for a film."""
    return ellipses(pose[:, None, :2], covariance[:, None, :2, :2])


def keep(pose: Array, covariance: Array, next_x: Array, next_P: Array) -> None:
    """The update of a filter whose states are a pose and its covariance, which are also its outputs."""
    copy(pose, covariance, next_x, next_P)


class DeadReckoning(OdometryFilter):
    """The pose from summed increments of distance and heading, each an arc, and its covariance.

        pose_k = f(pose_{k-1}, odometry_k),   P_k = F P_{k-1} F' + G V G'

    F and G are the derivatives of f with respect to pose and increment; on circles and lines f is exact.
    `initial_pose` with the covariance P0 is the pose at the first tick; the increment of that tick belongs to
    the time before it and is not used. V is the covariance of an increment: variances in m2 and rad2, or a 2
    x 2 matrix.
    Raises ParameterError for a P0 or V that is not a covariance.
    Source: Corke, Robotics, Vision and Control (2017), section 6.1.

    Example:
        {type: DeadReckoning, V: [4.0e-4, 7.6e-5], sample_time: 0.1}
    """

    icon = "dead reckoning"
    outputs: ClassVar = (POSE, COVARIANCE)
    states: ClassVar = STATES

    update = staticmethod(keep)

    @staticmethod
    def output(
        t: float, sample_time: float, offset: float, odometry: Array, x: Array, P: Array, drift: Array,
        pose: Array, covariance: Array,
    ) -> None:  # fmt: skip
        copy(x, P, pose, covariance)
        if tick(t, offset, sample_time) > 0.0:
            predict(pose, covariance, odometry, drift)


def copy(x: Array, P: Array, other: Array, other_P: Array) -> None:
    """Mean and covariance."""
    for i in range(x.shape[0]):
        other[i] = x[i]
        for j in range(x.shape[0]):
            other_P[i, j] = P[i, j]
