"""Mechanics of one robot is traced: the kernels' source runs once on a tape, with the robot's numbers.

    line = equations_of(robot, "rne")               # tau = M(q) qdd + C(q, qd) qd + g(q)
    line.inputs, line.operations, line.outputs      # what printers of C, Python or LLVM read
    (tau,) = line(q, qd, qdd)

The source runs unchanged, so each algorithm has a single text. `float`, `sin`, `cos` and `sqrt` are replaced
by functions of the tape, and the signs of friction are selected without branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...native.substitution import substitute
from ..calls.kernel import FLAG, WORK, Input, Kernel, Output, Scratch, as_robot
from ..mechanics.bodies import EVERYTHING, Array, work_shape
from ..mechanics.coriolis_matrix import coriolis_matrix
from ..mechanics.energy import gravity_load
from ..mechanics.errors import singular_mass_matrix
from ..mechanics.forward_dynamics import forward_dynamics
from ..mechanics.inverse_dynamics import rnea
from ..mechanics.jacobian_rate import jacobian_rate
from ..mechanics.kinematics import WORLD, jacobian, tool_pose
from ..mechanics.mass_matrix import TINY, mass_matrix
from ..model.robot import Robot
from ..model.table import COULOMB_MINUS, COULOMB_PLUS, COUNT, VISCOUS
from .tape import NotTraceable, StraightLine, Tape, Variable, choose, cosine, real, root, sine

PARAMETERS = "parameters"  # the name of their input
LARGEST = 10
"""Joints of an arm up to which mechanics is traced by default: the code grows with their square."""
STATE = Input("q"), Input("qd")
FREE = Scratch((6,))  # no wrench on the tool
EQUATIONS: Mapping[str, tuple[Kernel, tuple[int, ...]]] = {
    "fkine": (Kernel(tool_pose, (Input("q"), WORK, Output((4, 4)))), ()),
    "jacobian": (Kernel(jacobian, (Input("q"), FLAG, WORK, Output((6, "n")))), (WORLD,)),
    "jacobian_dot": (Kernel(jacobian_rate, (*STATE, FLAG, WORK, Output((6, "n")))), (WORLD,)),
    "rne": (Kernel(rnea, (*STATE, Input("qdd"), FREE, FLAG, WORK, Output())), (EVERYTHING,)),
    "gravload": (Kernel(gravity_load, (Input("q"), WORK, Output())), ()),
    "coriolis": (Kernel(coriolis_matrix, (*STATE, WORK, Output(("n", "n")))), ()),
    "inertia": (Kernel(mass_matrix, (Input("q"), WORK, Output(("n", "n")))), ()),
    "accel": (Kernel(forward_dynamics, (*STATE, Input("tau"), FREE, FLAG, WORK, Output())), (EVERYTHING,)),
}
"""Equations by the names of `blockdyn.functions`, with their flags: friction and gravity included."""


def _friction(arm: Any, i: int, rate: Any) -> Any:
    """`friction_of` without branches."""
    viscous = real(arm[i, VISCOUS]) * rate
    backwards = choose(rate < 0.0, viscous - arm[i, COULOMB_MINUS], viscous)
    return choose(rate > 0.0, viscous + arm[i, COULOMB_PLUS], backwards)


def _without_rounding(moment: Any, trace: Any) -> Any:
    """`without_rounding` without branches."""
    return choose(abs(moment) < TINY * abs(trace), 0.0, moment)


NAMES: Mapping[str, Any] = {
    "float": real,
    "sin": sine,
    "cos": cosine,
    "sqrt": root,
    "friction_of": _friction,
    "without_rounding": _without_rounding,
}
"""The meaning of names in a kernel's source while it is traced."""


@dataclass(frozen=True)
class Parameters:
    """Numbers of a robot that remain inputs: their count, and the table with them."""

    count: int
    table: Callable[[np.ndarray], np.ndarray]


def equations_of(
    robot: Robot | str, name: str, *, of: str = "tool", flags: Sequence[int] | None = None
) -> StraightLine:
    """Straight-line code of a robot's equations, by a name of EQUATIONS; `of` is the frame of the tool.

    flags replaces the flags listed there: the terms of inverse dynamics (a sum of `mechanics.bodies`'
    GRAVITY, FRICTION, ARMATURE), the frame of a Jacobian (a value of `mechanics.kinematics.FRAMES`).
    Raises NotTraceable, UnknownRobot, UnknownFrame.
    """
    kernel, usual = EQUATIONS[name]
    return trace(kernel, as_robot(robot).table(of), usual if flags is None else flags, name=name)


def trace(
    kernel: Kernel,
    arm: Array,
    flags: Sequence[int] = (),
    *,
    sizes: Sequence[tuple[str, int]] = (),
    leaves: Mapping[str, tuple[slice, slice]] | None = None,
    name: str = "",
    reads: set[tuple[int, int]] | None = None,
    parameters: Parameters | None = None,
) -> StraightLine:
    """The straight-line code of a kernel for the robot of this table, with these flags.

    Outputs of the kernel come first, then the parts of its work array that `leaves` names. The indices of the
    table that the code depends on are added to `reads`. `parameters` are a last input, with their
    table. Raises NotTraceable for a function that a tape cannot represent, such as a function of angles.
    """
    n = int(arm[-1, COUNT])
    lengths = {"n": n, "joints": len(arm) - 1, **dict(sizes)}
    shapes = [_shape(argument, lengths) for argument in kernel.arguments]
    inputs = [
        Variable(argument.name, shape)
        for argument, shape in zip(kernel.arguments, shapes)
        if isinstance(argument, Input)
    ]
    if parameters is not None:
        inputs.append(Variable(PARAMETERS, (parameters.count,)))
    name = name or kernel.function.__name__
    tape = Tape(name, inputs)
    arrays = tape.variables()
    if parameters is not None:
        arm = parameters.table(arrays[PARAMETERS])
    values: list[Any] = [Table(arm, set() if reads is None else reads)]
    outputs: list[tuple[str, np.ndarray]] = []
    work = np.full(work_shape(n, len(arm) - 1), 0.0, object)
    flag = iter(flags)
    for argument, shape in zip(kernel.arguments, shapes):
        if argument is FLAG:
            values.append(next(flag))
        elif isinstance(argument, Input):
            values.append(arrays[argument.name])
        elif isinstance(argument, (Output, Scratch)):
            values.append(np.full(shape, 0.0, object))
            if isinstance(argument, Output):
                outputs.append((f"y{len(outputs) or ''}", values[-1]))
        else:
            values.append(work)
    try:
        status = substitute(kernel.function, NAMES)(*values)
        status = None if status is None else int(status)
    except NotTraceable:
        raise
    except Exception as error:
        raise NotTraceable(name, str(error)) from error
    outputs += [(part, work[at]) for part, at in (leaves or {}).items()]
    return tape.finish(outputs, status)


def regular(robot: Robot, line: StraightLine) -> StraightLine:
    """The same code. Raises MechanicsError if it always fails because a joint has no inertia."""
    if line.status is not None and line.status >= 0:
        raise singular_mass_matrix(robot.name, robot.moving[line.status].name)
    return line


def _shape(argument: Any, lengths: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array among a kernel's arguments."""
    return tuple(lengths[x] if isinstance(x, str) else x for x in getattr(argument, "shape", ()))


class Table:
    """A robot's table of Python numbers, which records the indices that are read."""

    def __init__(self, arm: Array, reads: set[tuple[int, int]]) -> None:
        self.shape, self._rows, self._reads = arm.shape, arm.tolist(), reads

    def __getitem__(self, place: tuple[int, int]) -> Any:
        i, k = place
        self._reads.add((i % self.shape[0], k))
        return self._rows[i][k]
