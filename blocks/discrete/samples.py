"""Samples: common part of blocks that keep earlier samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Like, Port, Size, State

MOST = 10_000  # maximum number of samples: all are shifted at every tick


class Samples(Block):
    """Base of blocks that keep rows of numbers, with one number for each element of u."""

    abstract: ClassVar = True
    inputs: ClassVar[tuple[Port, ...]] = (Port("u", flat=True),)
    outputs: ClassVar[tuple[Port, ...]] = (Port("y", like=Like(("u",)), flat=True),)
    states: ClassVar = (State("x", "start"),)
    sampled: ClassVar = True
    held_initial: ClassVar[str] = "initial"

    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[u]", doc="u before the first tick")

    def rows(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": inputs["u"]}

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        return {"x": (self.rows(), inputs["u"].count)}

    def guess(self) -> Size | None:
        return Size(np.shape(np.asarray(self.initial, np.float64)))

    def constants(self) -> Mapping[str, Any]:
        return {"start": np.asarray(self.initial, np.float64).ravel()}


def check_length(kind: str, length: int, least: int = 1) -> None:
    """Raise ParameterError if the number of samples is out of range."""
    if not least <= length <= MOST:
        raise ParameterError(kind, "length", length, f"a whole number from {least} to {MOST}")


def shift(u: Array, x: Array, next_x: Array) -> None:
    """Shift the rows by one, with u first."""
    for k in range(u.shape[0]):
        next_x[0, k] = u[k]
        for i in range(1, x.shape[0]):
            next_x[i, k] = x[i - 1, k]
