"""IKine: joint coordinates that bring the tool of an arm to a pose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...robots.errors import RobotError
from ...robots.inverse.analytic import GOOD, Branch, Eight, closed_ikine
from ...robots.inverse.arguments import configuration_of, frame_of, mask_of
from ...robots.inverse.form import Form, form_of
from ...robots.inverse.numeric import RULES
from ...robots.inverse.search import ikine, starts
from ...robots.inverse.task import SearchArrays, Task
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size, State
from .arm import FramedBlock
from .start import coordinates

CLOSED = "closed"


class IKine(FramedBlock):
    """Inverse kinematics: joint coordinates q that bring the tool to the pose T, as a function of T alone.

    `success` is 1 if the tool is at T within `tolerance`, and q within the joint limits; if it is 0, q is the
    closest approximation that the searches found. `residual` is the length of the pose error, m and rad
    together, weighted by `mask`.

    method: `lm` (with the damping of Chan and Lawrence), `sugihara`, or `newton`, for any arm: a search from
    q0 (added to the named pose `pose`), then from `restarts` further points, always the same ones, so that q
    is a function of T. It is smooth as long as the searches end on one branch; if they change to another, q
    jumps, and the solver sees no event. `closed` gives the closed form of arms with a spherical wrist or
    three parallel joints; `configuration` (r or l, u or d, n or f: "run") keeps it on one branch; if several
    branches remain, the one nearest to q0 is used. mask, frame, tolerance and the parameters of searches are
    then unused.

    With `follow`, an input `near`, such as measured joint coordinates, replaces q0. SampledIKine is a sampled
    block that continues from its own last solution.

    mask: six weights of the error, linear then angular, in the axes of `frame`; 0 leaves a direction free.
    Source: robots/inverse: Chan and Lawrence, ICRA 1988, 834-839; Sugihara, IEEE Trans. Robotics 27(5), 2011;
    Paul and Zhang, Int. J. Robotics Research 5(2), 1986.

    Example:
        {type: IKine, robot: puma560, method: closed, configuration: run}
    """

    icon = "q(T)"

    method: str = option(default="lm", choices=("lm", "newton", "sugihara", CLOSED), doc="method of solution")
    configuration: str = option(default="", doc="branch of the closed form: r or l, u or d, n or f")
    pose: str | None = option(default=None, doc="a named pose of the robot, to which q0 is added")
    q0: Real = parameter(default=0.0, unit="rad or m", doc="start of the search", dimensions=(0, 1))
    follow: bool = option(default=False, doc="true adds the input `near`, which replaces q0")
    mask: Real = parameter(
        default=[1.0] * 6, unit="1", doc="weights of the error", minimum=0, dimensions=(1,)
    )
    frame: str = option(default="world", choices=("world", "body"), doc="axes of the mask")
    limits: bool = option(default=True, doc="false ignores joint limits")
    tolerance: Real = parameter(
        default=1e-9, unit="m, rad", doc="largest residual that counts as success", above=0, dimensions=(0,)
    )
    restarts: int = option(default=100, doc="maximum number of searches after the first one")
    iterations: int = option(default=50, doc="maximum number of steps of a search")
    seed: int = option(default=0, doc="seed of the starts of further searches")

    def check(self) -> None:
        super().check()
        robot, n = self.model, self.model.n
        if n == 0:
            raise ParameterError(self.kind(), "robot", self.robot, "a robot with a joint that moves")
        if np.size(np.asarray(self.q0)) not in (1, n):
            expected = f"{n} numbers, one for each joint, or one for all"
            raise ParameterError(self.kind(), "q0", self.q0, expected)
        if self.pose is not None and self.pose not in robot.named:
            poses = ", ".join(robot.named) or "none"
            raise ParameterError(self.kind(), "pose", self.pose, f"a named pose of {robot.name}: {poses}")
        for name, least in (("restarts", 0), ("iterations", 1), ("seed", 0)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise ParameterError(self.kind(), name, value, f"a whole number, at least {least}")
        self._checked("mask", lambda: mask_of(self.mask))
        self._checked("configuration", lambda: configuration_of(self.configuration))
        if self.method == CLOSED:
            self._checked("robot", self._form)
        elif self.configuration:
            expected = "nothing, unless the method is closed"
            raise ParameterError(self.kind(), "configuration", self.configuration, expected)

    def _checked(self, name: str, find: Callable[[], object]) -> None:
        try:
            find()
        except RobotError as error:
            raise ParameterError(self.kind(), name, getattr(self, name), reason=error) from None

    def _form(self) -> Form:
        return form_of(self.model, self.of)

    def input_ports(self) -> tuple[Port, ...]:
        goal = Port("T", Size((4, 4)), "m", f"reference pose of {self.of} in the world")
        return (goal, self.joint_port("near", "rad or m", "where to begin")) if self.follow else (goal,)

    def output_ports(self) -> tuple[Port, ...]:
        return (
            self.joint_port("q", "rad or m"),
            Port("success", 1, "", "1 if q is a solution, otherwise 0"),
            Port("residual", 1, "m, rad", "length of the pose error"),
        )

    def constants(self) -> Mapping[str, Any]:
        start = coordinates(self.model, self.pose, self.q0)
        shared = {**super().constants(), "start": start, "limited": float(self.limits)}
        if not self.follow and not self.sampled:
            shared["near"] = start
        if self.method == CLOSED:
            shoulder, elbow, wrist = configuration_of(self.configuration)
            form = self._form()
            branch = {"shoulder": shoulder, "elbow": elbow, "wrist": wrist}
            return {**shared, **branch, "form": form.numbers, "form_kind": form.kind, "ones": np.ones(6)}
        return {
            **shared,
            "side": frame_of(self.frame),
            "rule": np.array([*RULES[self.method], float(self.tolerance)]),  # type: ignore[arg-type]
            "steps": self.iterations,
            "starts": starts(self.model, self.restarts, self.seed, self.limits),
        }

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        n = self.model.n
        shared = {**super().scratch(), "e": (6,), "pose": (4, 4)}
        if self.method == CLOSED:
            each = {"ranks": (8,), "residuals": (8,), "gaps": (8,)}
            return {**shared, **each, "solutions": (8, 6), "target": (4, 4)}
        return {**shared, "J": (6, n), "normal": (n, n), "step": (n,), "trial": (n,), "report": (3,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": in_closed_form if self.method == CLOSED else by_search}


class SampledIKine(IKine):
    """Inverse kinematics at the ticks of a clock, each starting from the previous solution.

    Like IKine, but the first tick begins at q0 (added to the named pose `pose`), and each later one at the
    last q that was a solution, so that q follows a slowly moving pose without jumps. q is held between ticks.

    Example:
        {type: SampledIKine, robot: panda, pose: qr, sample_time: 0.01}
    """

    sampled: ClassVar = True
    states: ClassVar = (State("near", "start", like="q"),)

    sample_time: Real = parameter(default=0.01, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def check(self) -> None:
        super().check()
        if self.follow:
            raise ParameterError(
                self.kind(), "follow", self.follow, "false: it follows its own last solution"
            )

    @staticmethod
    def update(near: Array, q: Array, success: float, next_near: Array) -> None:
        # Only from a solution: if the pose is out of reach, a search may end far from the next solution.
        for i in range(near.shape[0]):
            next_near[i] = q[i] if success > 0.5 else near[i]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {**super().functions(), "update": self.update}


def by_search(
    T: Array, near: Array, arm: Array, mask: Array, side: float, rule: Array, limited: float, steps: float,
    starts: Array, q: Array, room: SearchArrays, report: Array,
) -> tuple[float, float]:  # fmt: skip
    task = Task(T, mask, int(side), rule, int(limited), int(steps))
    return float(ikine(arm, task, starts, near, q, room, report)), report[0]


def in_closed_form(
    T: Array, near: Array, arm: Array, form: Array, form_kind: float, ones: Array,
    shoulder: float, elbow: float, wrist: float, limited: float, q: Array, eight: Eight,
) -> tuple[float, float]:  # fmt: skip
    branch = Branch(int(shoulder), int(elbow), int(wrist))
    k = closed_ikine(arm, form, int(form_kind), T, ones, branch, int(limited), near, q, eight)
    return 1.0 if eight.ranks[k] == GOOD else 0.0, eight.residuals[k]
