"""Jacobian: the matrix from the joint rates of an arm to the velocity of its tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...robots.mechanics.kinematics import ANGLES, analytic_jacobian, jacobian
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, option
from ..contract.port import Port, Size
from .velocity_rows import VelocityBlock


class Jacobian(VelocityBlock):
    """The Jacobian of the tool, or of another frame.

        (v, w) = J(q) qd

    frame: world, v of the tool's origin in world axes; body, the same in the tool's own axes (JacobianBody of
    Modern Robotics, with order wv); space, v of the point of the tool's body at the world's origin
    (JacobianSpace). With `angles`, the angular rows are the rates of roll, pitch, yaw (rpy, or another of its
    orders: see RPYToPose), of the Euler angles ZYZ (euler), or of the exponential coordinates (exp: the
    rotation vector); at a singularity of these angles the run ends with BlockFailed. Raises ParameterError
    for `angles` in a frame other than world. J: 6 x n, or 3 x n with part trans or rot; rows m or 1, per rad
    or m.
    Source: Siciliano et al., Robotics (2009), sections 3.1 and 3.6; Lynch, Park, Modern Robotics (2017),
    section 5.1.

    Example:
        {type: Jacobian, robot: puma560, frame: body}
    """

    icon = "J(q)"

    angles: str = option(default="none", doc="the rates of these angles replace w", choices=("none", *ANGLES))

    def check(self) -> None:
        super().check()
        if self.angles != "none" and self.frame != "world":
            expected = "world, the only frame for the rates of angles"
            raise ParameterError(self.kind(), "frame", self.frame, expected)

    def input_ports(self) -> tuple[Port, ...]:
        return (self.joint_port("q", "rad or m"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            Port(
                "J",
                Size((len(self.rows()), self.model.n)),
                "m or 1, per rad or m",
                size_rule="6 x n, or 3 x n for one part; n joints",
            ),
        )

    def constants(self) -> Mapping[str, Any]:
        return {**super().constants(), "kind_of_angles": float(ANGLES.get(self.angles, 0))}

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {**super().scratch(), "pose": (4, 4), "rates": (3, 3)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": geometric if self.angles == "none" else analytic}


def geometric(
    q: Array, arm: Array, frame_code: float, rows: Array, work: Array, full: Array, J: Array
) -> None:
    jacobian(arm, q, int(frame_code), work, full)
    select_rows(full, rows, J)


def analytic(
    q: Array, arm: Array, kind_of_angles: float, rows: Array,
    work: Array, pose: Array, rates: Array, full: Array, J: Array,
) -> None:  # fmt: skip
    if analytic_jacobian(arm, q, int(kind_of_angles), work, pose, rates, full) >= 0:
        raise Refusal(
            "the angles of the tool are singular here: use others, or the Jacobian with angles none"
        )
    select_rows(full, rows, J)


def select_rows(full: Array, rows: Array, J: Array) -> None:
    """The chosen rows of a Jacobian, in their order: all kernels compute all six, linear before angular."""
    for r in range(rows.shape[0]):
        for i in range(full.shape[1]):
            J[r, i] = full[int(rows[r]), i]
