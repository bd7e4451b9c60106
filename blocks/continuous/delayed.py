"""Delayed: what blocks that show a signal as it was have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size, State
from .history import MARKS, columns


class Delayed(Block):
    """A block with a history of its input u. Its output y has the size of u.

    `remember` takes u along every step and at every instant, see solvers.loop.delays.
    """

    abstract: ClassVar = True
    inputs: ClassVar[tuple[Port, ...]] = (Port("u", flat=True),)
    outputs: ClassVar = (Port("y", like=Like(("u",)), flat=True),)
    states: ClassVar[tuple[State, ...]] = (
        State("before", "begun", like="u", held=True, remembered=True),
        State("history", "empty", held=True, remembered=True),
        State("breaks", "empty", "s", held=True, remembered=True),
        State("levels", "empty", held=True, remembered=True),
        State("mark", "empty", held=True, remembered=True),
        State("passed", "empty", held=True),
    )

    def check(self) -> None:
        buffer = self.numbers()["buffer"]
        if buffer != int(buffer):
            raise ParameterError(self.kind(), "buffer", buffer, "a whole number")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u, begun = inputs["u"], np.shape(self.numbers()["initial"])
        if u is not None and begun not in ((), u.shape):
            raise SizeError(str(u), f"{Size(begun)}, as `initial` is", "u")
        return {"y": u}

    def guess(self) -> Size | None:
        return Size(np.shape(self.numbers()["initial"]))

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        size, count = int(self.numbers()["buffer"]), inputs["u"].count
        shapes = {"history": (size, columns(count)), "breaks": (size,), "levels": (size,)}
        return {**shapes, "before": (count,), "mark": (MARKS,), "due": (1,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        kind: Any = type(self)
        return {**super().functions(), "remember": kind.remember}

    def constants(self) -> Mapping[str, Array | float]:
        return {"begun": np.ravel(self.initial), "empty": 0.0, "never": np.inf}  # type: ignore[attr-defined]
