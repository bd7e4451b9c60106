"""ImageJacobian: the matrix from a camera's velocity to the velocities of image points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...robots.cameras.projection import central_rows, of_carrier, spherical_rows
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import PER_POINT, Port, Size
from .lens import MOST, Lens, LensBlock, MountedBlock


class MovingImageBlock(MountedBlock):
    """Base of blocks that turn an image into its Jacobian."""

    abstract = True

    distance: Real | None = parameter(
        default=None, unit="m", doc="assumed for all points, or one per point; default: an input",
        above=0, dimensions=(0, 1),
    )  # fmt: skip
    count: int = option(default=4, doc="number of points")

    def check(self) -> None:
        super().check()
        if not 1 <= self.count <= MOST:
            raise ParameterError(self.kind(), "count", self.count, f"a number from 1 to {MOST}")
        if self.distance is not None and np.asarray(self.distance).shape not in ((), (self.count,)):
            raise ParameterError(self.kind(), "distance", self.distance, f"a number, or {self.count}")

    def ports_for(self, unit: str, name: str) -> tuple[Port, ...]:
        """The inputs: an image, and the distances of its points."""
        image = Port("p", 2 * self.count, unit, "the image from the camera", size_rule="2 n, two per point")
        return (
            (image,)
            if self.distance is not None
            else (image, Port(name, Size((self.count,)), "m", size_rule=PER_POINT))
        )

    def assumed(self, name: str) -> Mapping[str, Any]:
        """The assumed distances, under the name of the input that they replace."""
        if self.distance is None:
            return {}
        return {name: np.array(np.broadcast_to(np.asarray(self.distance, np.float64), (self.count,)))}


class ImageJacobian(MovingImageBlock, LensBlock):
    """The interaction matrix of points in perspective: dp/dt = J (v, w).

        f/rho_u [-1/Z, 0, x/Z, x y, -(1 + x^2), y]      x = (u - u0) rho_u / f
        f/rho_v [0, -1/Z, y/Z, 1 + y^2, -x y, -x]       y = (v - v0) rho_v / f

    for each point of the image p, pixels (u1, v1, ...) of a CentralCamera with the same lens; the points do
    not move. v and w are the velocity and angular velocity of the body that carries the camera, at its origin
    and in its axes. Z is the depth of each point: an input, or the assumed `distance`. J: 2 count x 6. All
    inputs feed through to J directly. Raises ParameterError for a mount that is not a pose and for a wrong
    number of distances.
    Source: Chaumette, Hutchinson, Visual servo control, part I, IEEE Robotics and Automation Magazine 13(4),
    2006, DOI 10.1109/MRA.2006.250573.

    Example:
        {type: ImageJacobian, count: 4, distance: 2.0}
    """

    icon = "J(p)"

    def input_ports(self) -> tuple[Port, ...]:
        return self.ports_for("", "depth")

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port(
                "J", Size((2 * self.count, 6)), "", "pixels per m and per rad", size_rule="2 n x 6, n points"
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        return {**self.lens(), **self.assumed("depth")}

    @staticmethod
    def output(p: Array, depth: Array, mount: Array, lens: Lens, J: Array) -> None:
        for i in range(depth.shape[0]):
            x, y = (p[2 * i] - lens.u0) / lens.fu, (p[2 * i + 1] - lens.v0) / lens.fv
            central_rows(x, y, depth[i], lens.fu, lens.fv, J, 2 * i)
        of_carrier(mount, J)


class SphericalImageJacobian(MovingImageBlock):
    """The interaction matrix of points on a sphere: dp/dt = J (v, w).

        [s/(r st), -c/(r st), 0, c ct/st, s ct/st, -1]      s = sin phi, c = cos phi of the longitude
        [-c ct/r, -s ct/r, st/r, s, -c, 0]                  st = sin theta, ct = cos theta of the colatitude

    for each point of the image p, (phi1, theta1, ...) of a SphericalCamera; the points do not move. v and w
    are the velocity and angular velocity of the body that carries the camera, at its origin and in its axes.
    r is the distance of each point: the input `distances`, or the assumed `distance`. On the camera's z axis
    the rate of the longitude is infinite. J: 2 count x 6. All inputs feed through to J directly. Raises
    ParameterError for a mount that is not a pose and for a wrong number of distances.
    Source: Corke, Robotics, Vision and Control (2nd ed., 2017), section 16.3.

    Example:
        {type: SphericalImageJacobian, count: 4, distance: 3.0}
    """

    icon = "J(φ, θ)"

    def input_ports(self) -> tuple[Port, ...]:
        return self.ports_for("rad", "distances")

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port("J", Size((2 * self.count, 6)), "", "rad per m and per rad", size_rule="2 n x 6, n points"),
        )

    def constants(self) -> Mapping[str, Any]:
        return self.assumed("distances")

    @staticmethod
    def output(p: Array, distances: Array, mount: Array, J: Array) -> None:
        for i in range(distances.shape[0]):
            spherical_rows(p[2 * i], p[2 * i + 1], distances[i], J, 2 * i)
        of_carrier(mount, J)
