"""Delay: a sampled signal, some samples later."""

from __future__ import annotations

from typing import ClassVar

from ..contract.parameter import Array, option
from ..contract.port import Port
from .samples import Samples, check_length, shift


class Delay(Samples):
    """Delay by a number of samples, for signals of any size.

        y(t_k) = u(t_{k - length}),  t_k = offset + k sample_time

    y is `initial` until tick `length`. There is no direct feedthrough. A bus keeps its fields. Raises
    ParameterError for a length beyond 1 ... 10000.

    Example:
        {type: Delay, sample_time: 0.01, length: 5}
    """

    inputs: ClassVar[tuple[Port, ...]] = (Port("u", flat=True, buses=True),)

    length: int = option(default=1, doc="samples")

    def symbol(self) -> str:
        return f"z^-{self.length}"

    def check(self) -> None:
        check_length(self.kind(), self.length)

    def rows(self) -> int:
        return self.length

    @staticmethod
    def output(x: Array, y: Array) -> None:
        last = x.shape[0] - 1
        for k in range(y.shape[0]):
            y[k] = x[last, k]

    update = staticmethod(shift)
