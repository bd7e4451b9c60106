"""Delayed: common part of blocks that output an earlier value of a signal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...base.words import short
from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.formula_function import Function, functions_of
from ..contract.parameter import Array
from ..contract.port import Like, Port, Size, State
from .history import BEGAN, BEGIN, BROKE, LAST, MARKS, MOVED, PIECES, UNSET, columns

HISTORY = "u before the start, in place of `initial`: a function of t, or a list of one for each element"


class DelayBlock(Block):
    """A block with a history of its input u. Its output y has the size of u.

    `remember` records u over every step and at every event, see solvers.loop.delays.
    """

    abstract: ClassVar = True
    inputs: ClassVar[tuple[Port, ...]] = (Port("u", flat=True),)
    outputs: ClassVar[tuple[Port, ...]] = (Port("y", like=Like(("u",)), flat=True),)
    states: ClassVar[tuple[State, ...]] = (
        State("before", "begun", like="u", held=True, remembered=True),
        State("pieces", "empty", held=True, remembered=True),
        State("breaks", "empty", "s", held=True, remembered=True),
        State("levels", "empty", held=True, remembered=True),
        State("mark", "empty", held=True, remembered=True),
        State("passed", "empty", held=True),
    )

    times: ClassVar[tuple[str, ...]] = ("breaks", "due")  # states that are times
    variable: ClassVar = "t"  # the variable of the formula `history`
    paced_by: ClassVar = "delay"  # the input or the parameter that determines the delay

    @staticmethod
    def transit(pace: float, numbers: Mapping[str, Any]) -> float:
        """The delay, s, as long as the quantity that determines it stays constant."""
        return float(min(max(pace, numbers.get("minimum", 0.0)), numbers.get("maximum", np.inf)))

    def continued(self, states: Mapping[str, Array], start: float) -> Mapping[str, Array]:
        """The final states of a run as initial states of a run that begins at `start`: times are shifted."""
        if "mark" not in states or states["mark"][PIECES] == 0.0:
            return states
        by = start - states["mark"][LAST]
        moved = {name: value + by if name in self.times else value.copy() for name, value in states.items()}
        moved["mark"][[LAST, BROKE, BEGAN, MOVED]] += by
        moved["mark"][LAST] = start
        if "pieces" in moved:
            moved["pieces"].reshape(int(self.numbers()["buffer"]), -1)[:, BEGIN] += by
        return moved

    def check(self) -> None:
        buffer, initial = self.numbers()["buffer"], self.numbers()["initial"]
        if (past := self.past()) is not None:
            count = len(past)
            if np.any(initial) or np.shape(initial) not in ((), (count,)):
                raise ParameterError(self.kind(), "initial", initial, "either `initial` or `history`")
            for function in past:
                self._try(function)
        if buffer != int(buffer):
            raise ParameterError(self.kind(), "buffer", buffer, "a whole number")

    def _try(self, function: Function) -> None:
        """Raise ParameterError for a function of `history` that does not take a number and return one.

        It is tried at 0, where it may be undefined; a run that begins there reports that.
        """
        try:
            with np.errstate(all="ignore"):
                answer = np.asarray(function(0.0))
            wrong = "" if answer.ndim == 0 and answer.dtype.kind in "biuf" else f"it returns {short(answer)}"
        except TypeError as error:
            wrong = str(error)
        except Exception:  # noqa: BLE001  a user's function may raise anything out of its range
            return
        if wrong:
            expected = f"a function of {self.variable} that returns a number"
            raise ParameterError(self.kind(), "history", function, expected, reason=wrong)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u, begun = inputs["u"], np.shape(self.numbers()["initial"])
        if u is not None and begun not in ((), u.shape):
            raise SizeError(str(u), f"{Size(begun)}, as `initial` is", "u")
        past = self.past()
        if u is not None and past is not None and len(past) not in (1, u.count):
            raise SizeError(str(u), f"{len(past)} elements, as `history` has", "u")
        return {"y": u}

    def guess(self) -> Size | None:
        past, shape = self.past(), np.shape(self.numbers()["initial"])
        return Size((len(past),) if past is not None and len(past) > 1 else shape)

    def past(self) -> tuple[Function, ...] | None:
        """The functions of `history`, one for all elements or one for each. Raises ParameterError."""
        history = self.history  # type: ignore[attr-defined]
        return None if history is None else functions_of(self.kind(), "history", history, self.variable)

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        size, count = int(self.numbers()["buffer"]), inputs["u"].count
        shapes = {"pieces": (size, columns(count)), "breaks": (size,), "levels": (size,)}
        return {**shapes, "before": (count,), "mark": (MARKS,), "due": (1,)}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        kind: Any = type(self)
        return {**super().functions(), "remember": kind.remember}

    def constants(self) -> Mapping[str, Array | float]:
        begun = np.ravel(self.initial) if self.history is None else UNSET  # type: ignore[attr-defined]
        return {"begun": begun, "empty": 0.0, "never": np.inf}
