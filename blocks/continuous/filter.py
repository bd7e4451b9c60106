"""Filter: common part of linear filters of signals of any size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size, State
from .scales import state_scales
from .system import System


class Filter(Block):
    """A linear system with one input and one output for each element of the signal."""

    abstract: ClassVar = True
    inputs: ClassVar = (Port("u", flat=True),)
    outputs: ClassVar = (Port("y", like=Like(("u",)), flat=True),)
    states: ClassVar = (State("x", "rest", scale="scale"),)

    def system(self) -> System:
        """The system."""
        raise NotImplementedError

    def settled(self) -> Any:
        """The constant u before the start."""
        return 0.0

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": inputs["u"]}

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        return {"x": (self.system().A.shape[0], inputs["u"].count)}

    def guess(self) -> Size | None:
        return Size(np.shape(self.settled()))

    def constants(self) -> Mapping[str, Array]:
        system = self.system()
        settled = np.linalg.solve(system.A, -system.B)  # the state after a constant u of 1
        numbers = {"A": system.A, "B": system.B, "C": system.C, "D": system.D}
        steady = np.asarray(settled * np.ravel(self.settled()), np.float64)
        return {**numbers, "rest": steady, "scale": state_scales(system)[:, None]}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": with_feedthrough if np.any(self.system().D) else output, "derivative": slope}


def output(x: Array, C: Array, y: Array) -> None:
    for k in range(y.shape[0]):
        total = 0.0
        for i in range(x.shape[0]):
            total += C[0, i] * x[i, k]
        y[k] = total


def with_feedthrough(u: Array, x: Array, C: Array, D: Array, y: Array) -> None:
    for k in range(y.shape[0]):
        total = D[0, 0] * u[k]
        for i in range(x.shape[0]):
            total += C[0, i] * x[i, k]
        y[k] = total


def slope(u: Array, x: Array, A: Array, B: Array, d_x: Array) -> None:
    for k in range(u.shape[0]):
        for i in range(x.shape[0]):
            total = B[i, 0] * u[k]
            for j in range(x.shape[0]):
                total += A[i, j] * x[j, k]
            d_x[i, k] = total
