"""SphericalCamera: the image of points on a sphere."""

from __future__ import annotations

from math import pi

from ...robots.cameras.projection import camera_pose, in_camera, on_sphere
from ..contract.parameter import Array
from ..contract.port import PER_POINT, Crossing, Port, Size, State
from .lens import CameraBlock, side


class SphericalCamera(CameraBlock):
    """The directions in which points of the world are seen.

        (X, Y, Z) = R' (P - p),      phi = atan2(Y, X),      theta = acos(Z / r),      r = |P - p|

    R and p are the rotation and the origin of T mount, as in CentralCamera. The output p is (phi1, theta1,
    phi2, theta2, ...), longitude and colatitude: phi is measured from the camera's x axis about z, between
    -pi and pi, where it jumps at an event (use AngleDifference for differences), theta from z. `distances`
    has the values r. The camera sees in every direction; for a point on the z axis the longitude is
    undefined, and for a point at the origin the direction; the output is then 0. All inputs feed through to
    all outputs directly.
    Raises ParameterError for a mount that is not a pose and for points of the wrong shape.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), sections 11.3.2 and 16.3.

    Example:
        {type: SphericalCamera, points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0.5], [-1, 1, 0]]}
    """

    icon = "fisheye"

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        return (State("right", "unknown", held=True),)

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("rises", +1, count=self.number), Crossing("falls", -1, count=self.number))

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port(
                "p",
                2 * self.number,
                "rad",
                "longitude and colatitude: phi1, theta1, phi2, ...",
                size_rule="2 n, two per point",
            ),
            Port(
                "distances",
                Size((self.number,)),
                "m",
                "distance from the camera's origin",
                size_rule=PER_POINT,
            ),
        )

    @staticmethod
    def output(
        T: Array, P: Array, mount: Array, right: Array, pose: Array, p: Array, distances: Array
    ) -> None:
        camera_pose(T, mount, pose)
        for i in range(distances.shape[0]):
            x, y, z = in_camera(pose, P, i)
            p[2 * i], p[2 * i + 1], distances[i] = on_sphere(x, y, z)
            # A trial step that has passed the jump continues without it, until the event is located.
            if x < 0.0 and right[i] == 1.0 and y < 0.0:
                p[2 * i] += 2.0 * pi
            elif x < 0.0 and right[i] == 0.0 and y >= 0.0:
                p[2 * i] -= 2.0 * pi

    @staticmethod
    def crossing(T: Array, P: Array, mount: Array, pose: Array, rises: Array, falls: Array) -> None:
        camera_pose(T, mount, pose)
        for i in range(rises.shape[0]):
            rises[i] = falls[i] = in_camera(pose, P, i)[1]

    @staticmethod
    def jump(
        T: Array, P: Array, mount: Array, right: Array, pose: Array,
        crossed_rises: Array, crossed_falls: Array, next_right: Array,
    ) -> None:  # fmt: skip
        camera_pose(T, mount, pose)
        for i in range(right.shape[0]):
            y = in_camera(pose, P, i)[1]
            next_right[i] = side(crossed_rises[i], crossed_falls[i], right[i], y)
