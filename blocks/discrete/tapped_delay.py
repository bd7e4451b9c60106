"""TappedDelay: the latest samples of a signal as one vector or matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.errors import SizeError
from ..contract.icon import Icon
from ..contract.parameter import Array, option
from ..contract.port import Like, Port, Size
from .samples import Samples, check_length, shift


class TappedDelay(Samples):
    """The latest samples of a signal, as a vector; for a vector, as a matrix with a row for each sample.

        y(t_k) = (u_k, u_{k-1}, ..., u_{k - length + 1}),  t_k = offset + k sample_time

    `current` false leaves u_k out: y(t_k) = (u_{k-1}, ..., u_{k - length}), and u does not feed through to y
    directly. Samples before the first tick are `initial`. Raises ParameterError for a length outside
    1 ... 10000.

    Example:
        {type: TappedDelay, sample_time: 0.1, length: 4}
    """

    outputs: ClassVar[tuple[Port, ...]] = (
        Port(
            "y", like=Like(("u",), exact=False), flat=True, size_rule="length, or length x n for a vector u"
        ),
    )

    length: int = option(default=2, doc="samples")
    current: bool = option(default=True, doc="whether the first element of y is u of this tick")

    def symbol(self) -> Icon:
        taps = [f"z^-{i}" if i else "1" for i in range(1 - self.current, self.length + 1 - self.current)]
        shown = taps if len(taps) <= 3 else [taps[0], "...", taps[-1]]
        return Icon(matrix=tuple((tap,) for tap in shown))

    def check(self) -> None:
        check_length(self.kind(), self.length)

    def rows(self) -> int:
        return self.length

    def guess(self) -> Size | None:
        return None

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is None:
            return {"y": None}
        if len(u.shape) > 1:
            raise SizeError(str(u), "a scalar or a vector", "u")
        return {"y": Size((self.length, *u.shape))}

    def functions(self):  # type: ignore[no-untyped-def]
        return {"output": with_current if self.current else earlier, "update": shift}


def earlier(x: Array, y: Array) -> None:
    m = x.shape[1]
    for i in range(x.shape[0]):
        for k in range(m):
            y[i * m + k] = x[i, k]


def with_current(u: Array, x: Array, y: Array) -> None:
    m = x.shape[1]
    for k in range(m):
        y[k] = u[k]
        for i in range(1, x.shape[0]):
            y[i * m + k] = x[i - 1, k]
