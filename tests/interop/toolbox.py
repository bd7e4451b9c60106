"""Stand-ins for the Robotics Toolbox: of its blocks and robots, what a diagram's translation reads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


def block(bd: Any, kind: str, source: Any, **attributes: Any) -> Any:
    """A block of the toolbox with one input, whose own output has no value, as at a singularity."""
    from bdsim.block_types import FunctionBlock

    def output(self: Any, t: float, inputs: Any, x: Any) -> Any:
        raise np.linalg.LinAlgError("Singular matrix")

    own = {"nin": 1, "nout": 1, "output": output, "__module__": "roboticstoolbox.blocks.arm"}
    made = type(kind, (FunctionBlock,), own)(bd=bd, name=f"{kind.lower()}{len(bd.blocklist)}")
    for name, value in attributes.items():
        setattr(made, name, value)
    bd.connect(source, made)
    return made


class Chain:
    """A robot of elementary transforms, `Rz` and `tx` with a number or a joint's place."""

    name = "chain"

    def __init__(self, *terms: tuple[str, Any], base: Any = None) -> None:
        from spatialmath import SE3

        self.terms, self.base, self.tool = terms, base or SE3(), SE3()
        self.n = sum(isinstance(value, str) for _, value in terms)

    def ets(self) -> list[Any]:
        return [_transform(kind, value) for kind, value in self.terms]

    def ikine_LM(self, T: Any, q0: Any = None, seed: Any = None) -> Any:
        raise AssertionError("the search is blockdyn's own")


def _transform(kind: str, value: Any) -> Any:
    """A joint, whose value is a text such as "q1" or "-q1", or a constant."""
    from spatialmath import SE3

    if isinstance(value, str):
        return SimpleNamespace(
            kind=kind, isjoint=True, isflip=value[0] == "-", jindex=int(value.lstrip("-q")) - 1
        )
    make = {"Rx": SE3.Rx, "Rz": SE3.Rz, "tx": SE3.Tx, "tz": SE3.Tz}[kind]
    return SimpleNamespace(kind=kind, isjoint=False, isflip=False, jindex=None, A=lambda: make(value).A)


class DHRobot:
    """A robot of a table of a, alpha, d, mass and centre of mass, standard convention."""

    name = "arm"
    gravity = (0.0, 0.0, -9.81)

    def __init__(self, *rows: tuple[float, float, float, float, Any]) -> None:
        from spatialmath import SE3

        self.base = self.tool = SE3()
        self.n = len(rows)
        still = {"mdh": False, "theta": 0.0, "isprismatic": False, "offset": 0.0, "isflip": False}
        free = {"B": 0.0, "G": 1.0, "Jm": 0.0, "Tc": (0.0, 0.0), "I": np.zeros((3, 3))}
        self.links = [
            SimpleNamespace(a=a, alpha=alpha, d=d, m=m, r=np.array(r), **still, **free)
            for a, alpha, d, m, r in rows
        ]
