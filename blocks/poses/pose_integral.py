"""PoseIntegral: the pose of a frame that moves with a given twist."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.lie import checks
from ...robots.lie.checks import GroupError
from ...robots.lie.kernels.pose import last_row
from ...robots.lie.kernels.quaternion import quaternion_of, rotation_of_quaternion
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, State
from .sizes import POSE


class PoseIntegral(Block):
    """Integral of a twist (v, w) on SE(3).

        dp/dt = v      dq/dt = (0, w) q / 2 + (1 - |q|^2) q          frame world
        dp/dt = R v    dq/dt = q (0, w) / 2 + (1 - |q|^2) q          frame body
        dp/dt = v + w x p, dq/dt as in world                         frame space

    T = [R(q / |q|), p; 0, 1], so that T stays a pose for any step. In world, v is the velocity of the
    origin of T and both are in world axes, as from a Jacobian in world axes; in body, both are in the axes of
    T; in space, v is the velocity of the point of the moving body that is passing the origin of the world, as
    in the space Jacobian. The last term of dq/dt pulls |q| back to 1 and does not change the rotation.
    `initial` is the pose at the start. The twist does not feed through to T directly. Raises ParameterError
    for an `initial` that is not a pose. Source: Lynch, Park, Modern Robotics (2017), section 3.3.2; Rucker,
    Integrating Rotations using Non-Unit Quaternions, IEEE Robotics and Automation Letters 3(4), 2018.

    Example:
        {type: PoseIntegral, frame: body}
    """

    icon = "∫ T"
    inputs: ClassVar = (Port("twist", 6, "m/s, rad/s", "(linear, angular)"),)
    outputs: ClassVar = (Port("T", POSE, "m"),)
    states: ClassVar = (State("p", "p0", "m"), State("q", "q0"))

    initial: Real = parameter(
        default=[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        unit="m",
        doc="pose at the start",
        dimensions=(2,),
    )
    frame: str = option(
        default="world", doc="axes and point of the twist", choices=("world", "body", "space")
    )

    def check(self) -> None:
        try:
            checks.pose(self.initial, "initial")
        except GroupError as error:
            expected = f"a pose, 4x4; {str(error).splitlines()[0]}"
            raise ParameterError(self.kind(), "initial", self.initial, expected) from None

    def constants(self) -> Mapping[str, Array]:
        T = np.asarray(self.initial)
        q = np.empty(4)
        quaternion_of(T, q)
        return {"p0": T[:3, 3].copy(), "q0": q}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        slopes: dict[str, Callable[..., Any]] = {"world": in_world, "body": in_body, "space": in_space}
        return {"derivative": slopes[self.frame], "output": output}


def output(p: Array, q: Array, T: Array) -> None:
    rotation_of_quaternion(q[0], q[1], q[2], q[3], T)
    for i in range(3):
        T[i, 3] = p[i]
    last_row(T)


def in_world(twist: Array, q: Array, d_p: Array, d_q: Array) -> None:
    for i in range(3):
        d_p[i] = twist[i]
    turning(q, twist[3], twist[4], twist[5], d_q)


def in_space(twist: Array, p: Array, q: Array, d_p: Array, d_q: Array) -> None:
    d_p[0] = twist[0] + twist[4] * p[2] - twist[5] * p[1]
    d_p[1] = twist[1] + twist[5] * p[0] - twist[3] * p[2]
    d_p[2] = twist[2] + twist[3] * p[1] - twist[4] * p[0]
    turning(q, twist[3], twist[4], twist[5], d_q)


# The product q (0, w) equals (0, R w) q, with w rotated into world axes: one kernel, `turning`, serves all
# three frames.


def in_body(twist: Array, q: Array, d_p: Array, d_q: Array) -> None:
    d_p[0], d_p[1], d_p[2] = rotate(q, twist[0], twist[1], twist[2])
    w0, w1, w2 = rotate(q, twist[3], twist[4], twist[5])
    turning(q, w0, w1, w2, d_q)


def rotate(q: Array, v0: float, v1: float, v2: float) -> tuple[float, float, float]:
    """R(q / |q|) v = v + 2 (s n x v + n x (n x v)) / |q|^2, q = (s, n)."""
    s, x, y, z = q[0], q[1], q[2], q[3]
    # Exact for any |q|, with one division and without the matrix: q is a state, whose length is only nearly
    # 1.
    k = 2.0 / (s * s + x * x + y * y + z * z)
    c0, c1, c2 = y * v2 - z * v1, z * v0 - x * v2, x * v1 - y * v0
    return (
        v0 + k * (s * c0 + y * c2 - z * c1),
        v1 + k * (s * c1 + z * c0 - x * c2),
        v2 + k * (s * c2 + x * c1 - y * c0),
    )


def turning(q: Array, w0: float, w1: float, w2: float, d_q: Array) -> None:
    """(0, w) q / 2 + (1 - |q|^2) q."""
    s, x, y, z = q[0], q[1], q[2], q[3]
    # The first term keeps |q|. The second gives d|q|^2/dt = 2 (1 - |q|^2) |q|^2: an error of |q|^2 decays at
    # the rate 2/s, which is too slow to make a problem stiff and fast compared with the growth of step
    # errors.
    back = 1.0 - (s * s + x * x + y * y + z * z)
    d_q[0] = back * s - 0.5 * (w0 * x + w1 * y + w2 * z)
    d_q[1] = back * x + 0.5 * (w0 * s + w1 * z - w2 * y)
    d_q[2] = back * y + 0.5 * (w1 * s + w2 * x - w0 * z)
    d_q[3] = back * z + 0.5 * (w2 * s + w0 * y - w1 * x)
