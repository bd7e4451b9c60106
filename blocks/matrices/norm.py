"""Norm: the length of a vector."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

from ..block import Block
from ..parameter import Array
from ..port import Port


class Norm(Block):
    """Euclidean norm of a vector, Frobenius norm of a matrix; at least one element of any size.

        y = sqrt(sum of u_i^2)

    At u = 0 it has a corner, where no event is: it touches zero and does not cross it.

    Example:
        {type: Norm}
    """

    inputs: ClassVar = (Port("u"),)
    outputs: ClassVar = (Port("y", 1),)

    @staticmethod
    def output(u: Array) -> float:
        largest = 0.0
        for i in range(u.size):
            largest = max(largest, abs(u.flat[i]))
        if largest == 0.0:
            return 0.0
        total = 0.0
        for i in range(u.size):
            total += (u.flat[i] / largest) * (u.flat[i] / largest)
        return largest * sqrt(total)
