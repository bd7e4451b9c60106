"""CentralCamera: the image of points in perspective."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...robots.cameras.projection import camera_pose, in_camera, on_image
from ..contract.parameter import Array
from ..contract.port import PER_POINT, Crossing, Port, Size, State
from .lens import CameraBlock, Lens, LensBlock, side


class View(NamedTuple):
    """Points in the world, the camera's pose and lens, and an array for its pose in the world."""

    T: Array
    P: Array
    mount: Array
    lens: Lens
    image: Array
    pose: Array


class CentralCamera(CameraBlock, LensBlock):
    """The image of points in the world, in a camera with central projection.

        (X, Y, Z) = R' (P - p),      u = u0 + f X / (rho_u Z),      v = v0 + f Y / (rho_v Z)

    R and p are the rotation and the origin of T mount: T is the pose of the body that carries the camera, for
    an arm from FKine, for a vehicle from QuaternionToPose. The camera looks along its z axis, x is to the
    right of the image and y downwards; f is the focal length, rho the size of a pixel. `points` are fixed in
    the world; `count` moving points come from an input P instead. The output p is (u1, v1, u2, v2, ...), and
    `depth` has the values Z. A point that is not in front of the camera gets the coordinates (-width,
    -height), outside the image. `visible` is 1 for points in front of the camera and within the image, 0 <= u
    <= width, 0 <= v <= height, otherwise 0. Each change of `visible`, and each passage of a point through the
    camera's plane, is an event. All inputs feed through to p and depth directly. Raises ParameterError for a
    mount that is not a pose, and for points and sizes of the wrong shape.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 11.1.2, also for the defaults.

    Example:
        {type: CentralCamera, points: [[-0.2, -0.2, 2], [0.2, -0.2, 2], [0.2, 0.2, 2], [-0.2, 0.2, 2]]}
    """

    icon = "camera"

    @property
    def states(self) -> tuple[State, ...]:  # type: ignore[override]
        return (State("shown", "unknown", held=True), State("front", "unknown", held=True))

    def zero_crossings(self) -> tuple[Crossing, ...]:
        n = self.number
        image = (Crossing("enters", +1, count=n), Crossing("leaves", -1, count=n))
        return (*image, Crossing("ahead", +1, count=n), Crossing("behind", -1, count=n))

    def output_ports(self) -> tuple[Port, ...]:
        n = self.number
        return (
            Port("p", 2 * n, "", "pixels: u1, v1, u2, v2, ...", size_rule="2 n, two per point"),
            Port("depth", Size((n,)), "m", "along the camera's z axis", size_rule=PER_POINT),
            Port(
                "visible", Size((n,)), "", "1 for points in front and within the image", size_rule=PER_POINT
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), **self.lens()}

    @staticmethod
    def output(view: View, shown: Array, front: Array, p: Array, depth: Array, visible: Array) -> None:
        lens = view.lens
        camera_pose(view.T, view.mount, view.pose)
        for i in range(depth.shape[0]):
            x, y, z = in_camera(view.pose, view.P, i)
            if front[i] > 0.0 and z > 0.0:
                p[2 * i], p[2 * i + 1] = on_image(x, y, z, lens.fu, lens.fv, lens.u0, lens.v0)
            else:
                p[2 * i], p[2 * i + 1] = -view.image[0], -view.image[1]
            depth[i] = z
            visible[i] = shown[i]

    @staticmethod
    def crossing(view: View, enters: Array, leaves: Array, ahead: Array, behind: Array) -> None:
        camera_pose(view.T, view.mount, view.pose)
        for i in range(enters.shape[0]):
            x, y, z = in_camera(view.pose, view.P, i)
            enters[i] = leaves[i] = margin(x, y, z, view.lens, view.image)
            ahead[i] = behind[i] = z

    @staticmethod
    def jump(
        view: View, shown: Array, front: Array, crossed_enters: Array, crossed_leaves: Array,
        crossed_ahead: Array, crossed_behind: Array, next_shown: Array, next_front: Array,
    ) -> None:  # fmt: skip
        camera_pose(view.T, view.mount, view.pose)
        for i in range(shown.shape[0]):
            x, y, z = in_camera(view.pose, view.P, i)
            seen = margin(x, y, z, view.lens, view.image)
            next_shown[i] = side(crossed_enters[i], crossed_leaves[i], shown[i], seen)
            next_front[i] = side(crossed_ahead[i], crossed_behind[i], front[i], z)


def margin(x: float, y: float, z: float, lens: Lens, image: Array) -> float:
    """Margin of a point in the image: the smallest of its depth and its distances from the edges."""
    if not z > 0.0:
        return z
    u, v = on_image(x, y, z, lens.fu, lens.fv, lens.u0, lens.v0)
    return min(z, u, float(image[0]) - u, v, float(image[1]) - v)
