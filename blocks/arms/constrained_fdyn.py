"""ConstrainedFDyn: a robot arm whose tool can move in some directions only."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.mechanics.bodies import work_shape
from ...robots.mechanics.kinematics import BODY, WORLD, jacobian, tool_pose
from ...robots.model.table import COULOMB_MINUS, COULOMB_PLUS
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Crossing, Port, Size, State
from . import guided_dry
from .arm import ArmBlock
from .fdyn import output_q, output_qd
from .guided import derivative, output, projected_rates
from .off_constraint import CLOSE, start_mode
from .sketch import sketch
from .start import check_start, coordinates, rates


class ConstrainedFDyn(ArmBlock):
    """Forward dynamics of an arm whose tool is held on a constraint that it cannot leave: Je [v; w] = 0.

        M qdd + c + g + f = tau + J^T (wrench + F)      Je J qd = 0      F = Je^T lam

    [v; w] is the velocity of the tool's origin and its angular velocity, in world axes or, with
    `frame: body`, in tool axes. `rows` is Je, six numbers per row: [0, 0, 1, 0, 0, 0] keeps the tool at its
    height. With `count`, Je is an input with that many rows instead, and `Je_dot` its derivative. F is the
    wrench that the environment applies to the tool, in world axes; it can pull as well as push.

    A purely linear row of `rows` in world axes keeps the tool on the plane through the point `at` (default:
    the tool's initial position), and drift from it is corrected at the rate `gain`: `stabilisation:
    baumgarte` by accelerations, e'' + 2 gain e' + gain^2 e = 0, `projection` by rates: qd is replaced by the
    nearest rates, in kinetic energy, that the constraint allows, and e' + gain e = 0. All other rows are held
    to zero speed. Rows that depend linearly on earlier rows have lam = 0.

    The initial state must satisfy the constraint. Otherwise ParameterError is raised, or, if Je is an input,
    the run ends at once with BlockFailed. tau and wrench have direct feedthrough only to qdd, lam and F.

    Coulomb friction is exact, as in FDyn. If sticking joints hold the tool by themselves, rigid-body
    mechanics does not determine how they and the surface share the load: lam is then the smallest, in the sum
    of squares, that keeps friction within its bounds. `slide` is 1/2 or -1/2 for a joint at rest whose
    friction is at its bound, held by the others and the surface. With Coulomb friction drift is always
    corrected by projection, because corrective accelerations would count as motion of the joints.
    Source: Baumgarte, Comp. Meth. Appl. Mech. Eng. 1, 1972, 1-16; Gear, Leimkuhler, Gupta, J. Comp. Appl.
    Math. 12-13, 1985, 77-90 (projection); friction: Pfeiffer, Glocker, Multibody Dynamics with Unilateral
    Contacts, 1996.

    Example:
        {type: ConstrainedFDyn, robot: puma560, pose: qn}
    """

    icon = "arm"
    weighs: ClassVar = True

    states: ClassVar = (
        State("position", "start", like="q"),
        State("velocity", "start_rate", like="qd"),
        State("slide", "start_slide", held=True),
    )

    rows: Real = parameter(
        default=[0, 0, 1, 0, 0, 0], unit="[F]/[lam]", doc="Je, six numbers per row", dimensions=(1, 2)
    )
    frame: str = option(default="world", doc="axes of the rows", choices=("world", "body"))
    at: Real = parameter(
        default=math.inf, unit="m", doc="point of the surface; default: the tool's start", infinite=True,
        dimensions=(0, 1),
    )  # fmt: skip
    count: int | None = option(default=None, doc="rows of the input Je; default: Je is `rows`")
    stabilisation: str = option(
        default="baumgarte", doc="correction of drift", choices=("baumgarte", "projection")
    )
    gain: Real = parameter(default=10.0, unit="1/s", doc="rate of correction", minimum=0, dimensions=(0,))
    pose: str | None = option(default=None, doc="a named pose of the robot to start from")
    q0: Real = parameter(default=0.0, unit="rad or m", doc="q at the start", dimensions=(0, 1))
    qd0: Real = parameter(default=0.0, unit="rad/s or m/s", doc="qd at the start", dimensions=(0, 1))

    def symbol(self) -> Icon:
        return sketch(self.model)

    def check(self) -> None:
        super().check()
        check_start(self.kind(), self.robot, self.model, self.pose, self.q0, self.qd0)
        if self.count is not None and self.count < 1:
            raise ParameterError(self.kind(), "count", self.count, "a number of rows, at least 1")
        if self._rows().shape[1] != 6:
            raise ParameterError(
                self.kind(), "rows", self.rows, "six numbers per row: [vx, vy, vz, wx, wy, wz]"
            )
        if np.size(np.asarray(self.at)) not in (1, 3):
            raise ParameterError(self.kind(), "at", self.at, "a point, three numbers")
        if not self.count:
            self._check_on_manifold()

    def _check_on_manifold(self) -> None:
        robot, rows = self.model, self._rows()
        q, qd, J = coordinates(robot, self.pose, self.q0), rates(robot, self.qd0), np.zeros((6, robot.n))
        work = np.zeros(work_shape(robot.n, len(robot.shares)))
        jacobian(robot.table(), q, BODY if self.frame == "body" else WORLD, work, J)
        speeds = rows @ (J @ qd)
        if np.abs(speeds).max() > CLOSE:
            expected = (
                "rates that the constraint allows: Je J qd0 = 0, but it is"
                f" {_format_list(speeds)} m/s or rad/s"
            )
            raise ParameterError(self.kind(), "qd0", self.qd0, expected)
        away = self._plane() * (rows[:, :3] @ (self._tool() - self._at()))
        if np.abs(away).max() > CLOSE:
            expected = (
                f"a start (pose, q0) on the surface through `at`; the tool is off by {_format_list(away)} m,"
                f" at {_format_list(self._tool())}"
            )
            name = "q0" if self.pose is None else "pose"
            raise ParameterError(self.kind(), name, getattr(self, name), expected)

    def _dry(self) -> Array:
        """1 for joints with Coulomb friction."""
        table = self.model.table()[: self.model.n]
        return np.asarray((table[:, COULOMB_PLUS] > 0) | (table[:, COULOMB_MINUS] > 0), np.float64)

    def _projects(self) -> bool:
        return self.stabilisation == "projection" or bool(self._dry().any())

    def _rows(self) -> Array:
        return np.atleast_2d(np.asarray(self.rows, np.float64))

    def _plane(self) -> Array:
        """1 for rows that keep the tool on a plane."""
        # With a fixed n, n . v is the rate of the distance n . p: drift can be measured. Rows with an angular
        # part, or in rotating axes, have no such integral: only their speed is held at zero.
        rows = np.zeros((self.count, 6)) if self.count else self._rows()
        flat = (self.frame == "world") & ~rows[:, 3:].any(axis=1) & rows.any(axis=1)
        return np.asarray(flat, np.float64)

    def _tool(self) -> Array:
        """Initial position of the tool."""
        robot, pose = self.model, np.zeros((4, 4))
        q = coordinates(robot, self.pose, self.q0)
        tool_pose(robot.table(), q, np.zeros(work_shape(robot.n, len(robot.shares))), pose)
        return pose[:3, 3]

    def _at(self) -> Array:
        point = np.zeros(3) + np.asarray(self.at, np.float64)
        return np.asarray(np.where(np.isfinite(point), point, self._tool()))

    def input_ports(self) -> tuple[Port, ...]:
        fixed = (
            self.joint_port("tau", "N m or N", "torques of the motors"),
            Port("wrench", 6, "N, N m", "a further wrench on the tool, world axes", default=0.0),
        )
        if not self.count:
            return fixed
        size = Size((self.count, 6))
        rate = Port("Je_dot", size, doc="its derivative", default=0.0, size_rule="count x 6")
        return (*fixed, Port("Je", size, doc="environment Jacobian", size_rule="count x 6"), rate)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            self.joint_port("qd", "rad/s or m/s"),
            self.joint_port("qdd", "rad/s2 or m/s2"),
            Port(
                "lam",
                Size((self.count or len(self._rows()),)),
                "N or N m",
                "multipliers, one per row",
                size_rule="one per row of Je",
            ),
            Port("F", 6, "N, N m", "force and moment on the tool, world axes"),
        )

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return (Crossing("friction", +1, count=self.model.n),) if self._dry().any() else ()

    def constants(self) -> Mapping[str, Any]:
        start_rate = rates(self.model, self.qd0)
        numbers = {
            **super().constants(),
            "start": coordinates(self.model, self.pose, self.q0),
            "start_rate": start_rate,
            "start_slide": np.where(self._dry() > 0, np.sign(start_rate), 1.0),
            "wired": float(self.count is not None),
            "frame_code": float(BODY if self.frame == "body" else WORLD),
            "project": float(self._projects()),
            "plane": self._plane(),
            "point": self._at(),
        }
        if not self.count:
            numbers |= {"Je": self._rows(), "Je_dot": np.zeros(self._rows().shape)}
        return numbers

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n, m = self.model.n, self.count or len(self._rows())
        dry = bool(self._dry().any())
        equations = n + m if dry else m
        shapes = {
            **{"J": (6, n), "E": (m, 6), "E_rate": (m, 6), "A": (m, n)},
            **{"drift": (m,), "violation": (m,), "target": (m,), "change": (n,)},
            **{"basis": (equations, n), "lower": (equations, equations), "force": (equations,)},
        }
        if dry:
            shapes |= {"C": (equations, n), "goal": (equations,), "span": (m, m), "multipliers": (m,)}
            shapes |= dict.fromkeys(("load", "friction_now", "trial", "column", "at_rest"), (n,))
        return {**super().scratch(), **shapes}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        roles: dict[str, Callable[..., Any]] = {
            "output_q": output_q,
            "output_qd": output_qd,
            "mode": start_mode,
        }
        if self._dry().any():
            return roles | guided_dry.FUNCTIONS
        roles |= {"output_qd": projected_rates} if self._projects() else {}
        return {**roles, "output": output, "derivative": derivative}


def _format_list(values: Array) -> str:
    return "[" + ", ".join(f"{v:.6g}" for v in values) + "]"
