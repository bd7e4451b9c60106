"""RandomSource: the base of sources whose samples are random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Size
from .source import Source


class RandomSource(Source):
    """Samples drawn at the ticks of a clock, held in between; each element of a vector has its own samples.

    Two parameters, `first` and `second`, shape the distribution; `scalar` and `vector` draw from it.
    """

    abstract: ClassVar = True
    sampled: ClassVar = True
    random: ClassVar = True
    shaped_by: ClassVar[tuple[str, str]] = ("", "")
    scalar: ClassVar[Callable[..., Any]]
    vector: ClassVar[Callable[..., Any]]

    sample_time: Real = parameter(default=0.1, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def check(self) -> None:
        self._shape()

    def _shape(self) -> tuple[int, ...]:
        first, second = self.shaped_by
        try:
            return np.broadcast_shapes(np.shape(getattr(self, first)), np.shape(getattr(self, second)))
        except ValueError:
            expected = f"as many numbers as `{first}` has"
            raise ParameterError(self.kind(), second, getattr(self, second), expected) from None

    def constants(self) -> Mapping[str, Array]:
        # Both are broadcast to the size of y, so that one kernel serves numbers and vectors.
        shape = self._shape() or (1,)
        values = (np.asarray(getattr(self, name), np.float64) for name in self.shaped_by)
        return {
            name: np.broadcast_to(value, shape).copy() for name, value in zip(("first", "second"), values)
        }

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": type(self).vector if self._shape() else type(self).scalar}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": Size(self._shape())}
