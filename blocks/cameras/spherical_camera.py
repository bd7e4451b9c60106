"""SphericalCamera: the image of points on a sphere."""

from __future__ import annotations

from collections.abc import Mapping

from ...robots.cameras.projection import camera_pose, in_camera, on_sphere
from ..contract.parameter import Array
from ..contract.port import Port, Size
from ..poses.sizes import POSE
from .lens import CameraBlock


class SphericalCamera(CameraBlock):
    """The directions in which points of the world are seen.

        (X, Y, Z) = R' (P - p),      phi = atan2(Y, X),      theta = acos(Z / r),      r = |P - p|

    R, p are those of T mount, as in CentralCamera. The output p has (phi1, theta1, phi2, theta2, ...),
    longitude and colatitude: phi counts from the camera's x axis about z, between -pi and pi, where it jumps
    (AngleDifference takes differences), theta from z. `distances` has the r. Points in every
    direction are seen; one on the z axis has no longitude, one at the origin no direction: 0 is shown. All
    inputs reach all outputs at once. Raises ParameterError for a mount that is no pose and points of other
    shapes.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), sections 11.3.2 and 16.3.

    Example:
        {type: SphericalCamera, points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0.5], [-1, 1, 0]]}
    """

    def input_ports(self) -> tuple[Port, ...]:
        pose = Port("T", POSE, "m", "pose of what carries the camera")
        if self.points is not None:
            return (pose,)
        return (pose, Port("P", Size((self.count, 3)), "m", "points of the world"))

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("p", 2 * self.number, "rad", "longitude and colatitude: phi1, theta1, phi2, ..."),
            Port("distances", Size((self.number,)), "m", "distance from the camera's origin"),
        )

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"pose": (4, 4)}

    @staticmethod
    def output(T: Array, P: Array, mount: Array, pose: Array, p: Array, distances: Array) -> None:
        camera_pose(T, mount, pose)
        for i in range(distances.shape[0]):
            x, y, z = in_camera(pose, P, i)
            p[2 * i], p[2 * i + 1], distances[i] = on_sphere(x, y, z)
