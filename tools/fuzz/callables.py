"""Callables: every public function, class and method of blockdyn, and right values for their arguments."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

import blockdyn as bd
from blockdyn.robots import functions, inverse, lie, load, modern_robotics, robot_from, trajectories

MODULES = (bd, bd.robots, functions, inverse, trajectories, lie, modern_robotics)
LEFT_OUT = {  # what draws, needs a file or a network, or is no call
    "Array",
    "Real",
    "animate",
    "film",
    "frames",
    "open",
    "picture",
    "plot",
    "plot_xy",
    "report",
    "run",
    "save",
    "save_table",
    "show",
    "strip",
    "workspace",
    "sensitivity",
    "deferred",
    "compile",
    "check",
    "dataset",
    "gathered",
    "load_sweep",
    "Result",
    "sizes",
    "output",
}
POSE = np.eye(4)
SCREWS = [[0, 0, 1, 4, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, -1, -6, 0, -0.1]]
VALUES: dict[str, Any] = {  # right values by the name of an argument
    "robot": "puma560",
    "q": [0.1] * 6,
    "qd": [0.1] * 6,
    "qdd": [0.1] * 6,
    "tau": [0.1] * 6,
    "wrench": [1.0] * 6,
    "q0": [0.1] * 6,
    "J": np.eye(6),
    "link": "link3",
    "of": "tool",
    "to": "base",
    "T": POSE,
    "T0": POSE,
    "T1": POSE,
    "A": POSE,
    "B": POSE,
    "R": np.eye(3),
    "M": POSE,
    "W": np.zeros((3, 3)),
    "w": [0.1, 0.2, 0.3],
    "V": [0.1] * 6,
    "d": [0.1] * 6,
    "o": [0, 1, 0],
    "a": [0, 0, 1],
    "axis": [0, 0, 1],
    "omega": [0.1, 0, 0],
    "Je": [[0, 0, 1.0, 0, 0, 0]],
    "points": [[0.0, 0], [1, 1], [2, 0]],
    "text": "Rz(q1) Tx(1)",
    "s": 0.5,
    "v": [0.1] * 6,
    "poses": [POSE, POSE],
    "duration": 2.0,
    "stop": 0.1,
    "start": 0.0,
    "angle": 0.3,
    "name": "arm",
    "p": [1.0, 0, 0, 0],
    "rpy": [0.1] * 3,
    "S": [0, 0, 1, 0, 0, 0],
    "point": [0.1] * 3,
    "function": math.sin,
    "path": "x",
    "formula": "a * b",
    "shape": [2],
    "names": ["a", "b"],
    "Mlist": [POSE] * 4,
    "Glist": [np.eye(6)] * 3,
    "Slist": np.array(SCREWS).T,
    "Blist": np.array(SCREWS).T,
    "dt": 0.01,
    "N": 5,
    "thetalist": [0.1] * 3,
    "dthetalist": [0.1] * 3,
    "ddthetalist": [0.1] * 3,
    "taulist": [0.1] * 3,
    "thetalist0": [0.1] * 3,
    "g": [0, 0, -9.8],
    "Ftip": [0.0] * 6,
    "times": 5,
    "Tf": 2.0,
    "method": None,
    "thetastart": [0.1] * 3,
    "thetaend": [0.5] * 3,
    "Xstart": POSE,
    "Xend": POSE,
    "eomg": 0.01,
    "ev": 0.001,
    "direction": 0,
    "initial": "x0",
    "sample_time": 0.1,
    "rows": None,
    "other": None,
    "fraction": 0.1,
    "seed": 1,
}


def callables() -> dict[str, Callable[..., Any]]:
    """Everything public that can be called, by name."""
    members = dict(_of_modules())
    for label, thing in instances().items():
        for name in dir(type(thing)):
            member = inspect.getattr_static(type(thing), name)
            if not name.startswith("_") and name not in LEFT_OUT and not isinstance(member, property):
                method = getattr(thing, name)
                if callable(method):
                    members[f"{label}.{name}"] = method
    return members


def _of_modules() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            error = isinstance(thing, type) and issubclass(thing, (Exception, Warning))
            if callable(thing) and name not in LEFT_OUT and not error and not isinstance(thing, ModuleType):
                yield f"{module.__name__}.{name}", thing


def instances() -> dict[str, Any]:
    """Things with public methods."""
    diagram = bd.Diagram("d", {"kp": 2.0})
    x = diagram.add("x", bd.Integrator(1.0))
    diagram.connect(diagram.add("k", bd.Gain(-1.0)), x)
    diagram.connect(x, "k")
    result = diagram.simulate(stop=0.1)
    return {
        "Robot": load("puma560"),
        "Diagram": diagram,
        "Handle": x,
        "Result": result,
        "Trace": result.trace("x"),
        "Quaternion": lie.Quaternion.of([1.0, 0.0, 0.0, 0.0]),
        "Block": bd.Gain(2.0),
        "Sweep": bd.Sweep(diagram, {"x.initial": [1.0, 2.0]}, measures={"peak": {"max": "x"}}, stop=1.0),
        "Joint": robot_from("puma560").joints[0],
        "Link": robot_from("puma560").links[0],
        "Timer": bd.Timer(0.1),
    }


def right_value(name: str, parameter: inspect.Parameter) -> Any:
    """A value that the argument probably takes."""
    if parameter.default is not parameter.empty:
        return parameter.default
    return VALUES.get(name, 1.0)
