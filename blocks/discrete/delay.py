"""Delay: a sampled signal, some samples later."""

from __future__ import annotations

from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.parameter import Array, option
from ..contract.port import Port
from .samples import Samples, check_length, shift


class Delay(Samples):
    """Delay by a number of samples, for signals of any size.

        y(t_k) = u(t_{k - length}),  t_k = offset + k sample_time

    y is `initial` until tick `length`. u does not feed through to y directly. A bus keeps its fields. To
    delay by a time, without samples, use TransportDelay. Raises ParameterError if the length is missing or
    outside 1 ... 10000.

    Example:
        {type: Delay, sample_time: 0.01, length: 5}
    """

    inputs: ClassVar[tuple[Port, ...]] = (Port("u", flat=True, buses=True),)

    length: int | None = option(default=None, doc="number of samples, required")

    def symbol(self) -> str:
        return f"z^-{self.rows()}"

    def check(self) -> None:
        if self.length is None:
            time = self.sample_time
            expected = (
                f"the number of samples: Delay(sample_time={time}, length=5); a delay by a time, in s, is"
                f" TransportDelay({time}), and a delay by a single sample is UnitDelay(sample_time={time})"
            )
            raise ParameterError(self.kind(), "length", None, expected)
        check_length(self.kind(), self.length)

    def rows(self) -> int:
        return self.length or 1

    @staticmethod
    def output(x: Array, y: Array) -> None:
        last = x.shape[0] - 1
        for k in range(y.shape[0]):
            y[k] = x[last, k]

    update = staticmethod(shift)
