"""PoseFromPoints: a camera's pose from its image of known points."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.cameras.pose import Search, first_pose, settle
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import PER_POINT, Port
from ..poses.sizes import POSE
from .lens import Lens, LensBlock, MountedBlock

FLAT = 1e-6  # relative to their extent: points this close to a plane are coplanar (rounded data)
LINE = 1e-3  # relative to their extent: points closer to one line do not determine the turn about it


class Landmarks(NamedTuple):
    """The given points in axes about their centre, and the pose of these axes in the world."""

    q: Array  # (n, 3), over the extent
    axes: Array  # (3, 3): rows are the axes
    centre: Array
    extent: float
    inverse_mount: Array


class Start(NamedTuple):
    """Workspace: the linear equations, and the image divided by the focal lengths, with these lengths."""

    xy: Array
    f: Array
    equations: Array  # (m, m)
    matrix: Array  # (m,)


class PoseFromPoints(MountedBlock, LensBlock):
    """The pose of a camera from its image of known points: perspective from n points.

        T mount = argmin sum |p_i - projection of P_i|^2

    in pixels, by Gauss-Newton steps, down to rounding, from a linear initial estimate: the homography for 4
    or more coplanar points, the direct linear transformation for 6 or more that are not coplanar. The input p
    has the pixels (u1, v1, ...) of a CentralCamera with the same lens, T is the pose of the body that carries
    the camera in the world of `points`, and `residual` is the rms distance in pixels between image and
    projection. `valid` is 0 and T the identity if a point is not `visible` (an optional input), if the search
    ends with a point that is not in front of the camera, or if the image does not determine the pose. Four
    coplanar points seen from afar have a second pose that fits nearly as well, and noise may make the search
    end there. The pose is computed at the ticks of a clock. Raises ParameterError for too few points, for
    points near one line, and for a mount that is not a pose.
    Source: Hartley, Zisserman, Multiple View Geometry (2nd ed., 2004), sections 7.1 and 8.1.1, appendix 6.

    Example:
        {type: PoseFromPoints, points: [[0, 0, 0], [0.2, 0, 0], [0.2, 0.2, 0], [0, 0.2, 0]]}
    """

    icon = "image"
    sampled: ClassVar = True
    outputs: ClassVar = (
        Port("T", POSE, "m", "pose of the body that carries the camera"),
        Port("residual", 1, "", "root mean square distance in the image, pixels"),
        Port("valid", 1, "", "1 if a pose was determined, otherwise 0"),
    )

    points: Real = parameter(unit="m", doc="known points, a row (x, y, z) per point", dimensions=(2,))
    sample_time: Real = parameter(default=0.04, unit="s", doc="time between images", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first image", minimum=0, dimensions=(0,))

    def check(self) -> None:
        super().check()
        P = np.asarray(self.points, np.float64)
        if P.shape[1] != 3:
            raise ParameterError(self.kind(), "points", self.points, "a row (x, y, z) a point")
        spread = np.linalg.svd(P - P.mean(axis=0), compute_uv=False)
        if len(P) < 4 or spread[1] <= LINE * spread[0]:
            expected = "at least 4 coplanar points, not collinear, or at least 6 points that are not coplanar"
            raise ParameterError(self.kind(), "points", self.points, expected)
        if len(P) < 6 and not self._flat():
            expected = f"at least 6 points, because these are not coplanar; there are {len(P)}"
            raise ParameterError(self.kind(), "points", self.points, expected)

    def _flat(self) -> bool:
        P = np.asarray(self.points, np.float64)
        spread = np.linalg.svd(P - P.mean(axis=0), compute_uv=False)
        return bool(spread[2] <= FLAT * spread[0])

    def input_ports(self) -> tuple[Port, ...]:
        n = len(np.asarray(self.points))
        visible = Port("visible", n, "", "from CentralCamera", default=1.0, size_rule=PER_POINT)
        return (Port("p", 2 * n, "", "the image, pixels", size_rule="2 n, two per point"), visible)

    def constants(self) -> Mapping[str, Any]:
        P = np.asarray(self.points, np.float64)
        centre = P.mean(axis=0)
        axes = np.linalg.svd(P - centre)[2]
        axes[2] = np.cross(axes[0], axes[1])
        extent = float(np.sqrt(np.mean(np.sum(np.square(P - centre), axis=1))))
        lens = self.lens()
        return {
            **lens, "f": np.array([lens["fu"], lens["fv"]]),
            "q": np.ascontiguousarray((P - centre) @ axes.T / extent), "axes": np.ascontiguousarray(axes),
            "centre": centre, "extent": extent, "inverse_mount": np.linalg.inv(np.asarray(self.mount)),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n, m = len(np.asarray(self.points)), 8 if self._flat() else 11
        return {
            "xy": (2 * n,), "equations": (m, m), "matrix": (m,), "normal": (6, 6), "step": (6,),
            "turn": (3, 3), "R": (3, 3), "next_turned": (3, 3), "place": (3,), "next_place": (3,),
            "camera": (4, 4),
        }  # fmt: skip

    @staticmethod
    def output(
        p: Array,
        visible: Array,
        landmarks: Landmarks,
        lens: Lens,
        start: Start,
        search: Search,
        camera: Array,
        T: Array,
    ) -> tuple[float, float]:
        complete = on_focal_plane(p, visible, lens, start.xy)
        complete = complete and first_pose(
            landmarks.q, start.xy, start.equations, start.matrix, search.R, search.place
        )
        error = settle(landmarks.q, start.xy, start.f, search) if complete else nan
        if not error >= 0.0:
            for i in range(4):
                for j in range(4):
                    T[i, j] = 1.0 if i == j else 0.0
            return 0.0, 0.0
        carrier_pose(landmarks, search, camera, T)
        return sqrt(2.0 * error / p.shape[0]), 1.0


def on_focal_plane(p: Array, visible: Array, lens: Lens, xy: Array) -> bool:
    """The image divided by the focal lengths, and whether every point is visible."""
    complete = True
    for i in range(p.shape[0] // 2):
        xy[2 * i], xy[2 * i + 1] = (p[2 * i] - lens.u0) / lens.fu, (p[2 * i + 1] - lens.v0) / lens.fv
        complete = complete and visible[i] > 0.5
    return complete


def carrier_pose(landmarks: Landmarks, search: Search, camera: Array, T: Array) -> None:
    """T from the pose in `search`, which transforms the points from their own axes to camera axes."""
    # camera axes = R axes (P - centre) / extent + place, so the camera is at the zero of this expression
    for i in range(3):
        for j in range(3):
            camera[i, j] = 0.0
            for k in range(3):
                camera[i, j] += landmarks.axes[k, i] * search.R[j, k]
    for i in range(3):
        camera[i, 3] = landmarks.centre[i]
        for j in range(3):
            camera[i, 3] -= landmarks.extent * camera[i, j] * search.place[j]
        camera[3, i] = 0.0
    camera[3, 3] = 1.0
    for i in range(4):
        for j in range(4):
            T[i, j] = 0.0
            for k in range(4):
                T[i, j] += camera[i, k] * landmarks.inverse_mount[k, j]
