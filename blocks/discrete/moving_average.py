"""MovingAverage: the mean of the latest samples."""

from __future__ import annotations

from ..contract.parameter import Array, option
from .samples import Samples, check_length, shift


class MovingAverage(Samples):
    """Mean of the latest samples, for each element of u.

        y_k = (u_k + u_{k-1} + ... + u_{k - length + 1}) / length

    Samples before the first tick are `initial`, and so is y. The sum is computed afresh at each tick, so that
    rounding errors do not accumulate. u feeds through to y directly. Raises ParameterError for a length
    outside 2 ... 10000.

    Example:
        {type: MovingAverage, sample_time: 0.01, length: 10}
    """

    icon = "average"

    length: int = option(default=2, doc="samples")

    def check(self) -> None:
        check_length(self.kind(), self.length, 2)

    def rows(self) -> int:
        return self.length - 1

    @staticmethod
    def output(u: Array, x: Array, y: Array) -> None:
        for k in range(y.shape[0]):
            total = u[k]
            for i in range(x.shape[0]):
                total += x[i, k]
            y[k] = total / (x.shape[0] + 1)

    update = staticmethod(shift)
