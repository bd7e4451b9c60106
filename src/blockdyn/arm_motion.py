"""fdyn: how an arm moves under joint torques, as one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .base.annotations import real_numbers
from .blocks.arms.fdyn import FDyn
from .blocks.contract.errors import ParameterError
from .blocks.contract.parameter import Real
from .blocks.sources.clock import Clock
from .blocks.sources.constant import Constant
from .blocks.user.function import Function, argument_names, defaults
from .diagrams.model.diagram import Diagram
from .diagrams.results.result import Result
from .robots.library.catalogue import robot_from
from .robots.model.robot import Robot

EXPECTED = "a function of t, q and qd, or torques: a number, or one for each joint"


def fdyn(
    robot: Robot | str | Mapping[str, Any],
    stop: float,
    torque: Callable[..., Any] | ArrayLike | None = None,
    q0: Real | str = 0.0,
    qd0: Real = 0.0,
    *,
    compiled_torque: bool = True,
    **settings: Any,
) -> Result:
    """The motion of an arm from t = 0 to `stop`, s: signals arm.q, arm.qd, arm.qdd and torque.

        M(q) qdd + c(q, qd) + g(q) + f = tau

    torque: a function of t, q (n,) and qd (n,), under any names, that returns tau (n,), N m or N; or constant
    torques, one per joint or one for all; default: none. The function is compiled if possible, and otherwise,
    or with compiled_torque=False, called back; it must depend only on its arguments, and jumps inside it are
    not located. q0: joint coordinates, or the name of a pose of the robot; qd0: rates; one number applies to
    all joints. settings: those of Diagram.simulate, such as rtol, method, every.

    Coulomb friction is exact, as in the block FDyn. For a wrench on the tool, a controller with states or
    samples, or located jumps make a Diagram with that block. Raises RobotError, BlockError, RunError.
    """
    model = robot_from(robot)
    pose = q0 if isinstance(q0, str) else None
    diagram = Diagram("fdyn")
    arm = diagram.add("arm", FDyn(model, pose=pose, q0=0.0 if isinstance(q0, str) else q0, qd0=qd0))
    if callable(torque):
        law = Function(torque, size=(model.n,), compiled=compiled_torque)
        source = diagram.add("torque", law)
        names = _arguments(torque)
        diagram.connect(arm["q"], source[names[1]])
        diagram.connect(arm["qd"], source[names[2]])
        if names[0] != "t":  # the one name that a Function takes for the time
            diagram.connect(diagram.add("clock", Clock()), source[names[0]])
    else:
        source = diagram.add("torque", Constant(_constant(torque, model.n)))
    diagram.connect(source, arm["tau"])
    return diagram.simulate(stop=stop, **settings)


def _arguments(torque: Callable[..., Any]) -> list[str]:
    """The names of the time, the coordinates and the rates. Raises ParameterError."""
    optional = defaults(torque)
    names = [name for name in argument_names(torque) if name not in optional]
    if len(names) != 3 or "t" in names[1:]:
        raise ParameterError("fdyn", "torque", torque, EXPECTED, reason=f"its arguments are {names}")
    return names


def _constant(torque: Any, n: int) -> Any:
    """Constant torques, (n,). Raises ParameterError."""
    try:
        torques = real_numbers(0.0 if torque is None else torque)
    except (TypeError, ValueError):
        raise ParameterError("fdyn", "torque", torque, EXPECTED) from None
    if torques.shape not in ((), (1,), (n,)) or not np.isfinite(torques).all():
        raise ParameterError("fdyn", "torque", torque, EXPECTED, reason=f"the robot has {n} joints")
    return np.broadcast_to(torques, (n,)).tolist()
