"""Gain: a signal multiplied by a number, element by element."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from ..contract.block import Block
from ..contract.icon import Icon
from ..contract.marks import label
from ..contract.parameter import Real, option, parameter
from ..contract.port import Like, Port
from .unit_option import check_unit


class Gain(Block):
    """Product with a constant, element by element.

        y = k u

    u and k are scalars, vectors or matrices; NumPy's broadcasting gives y its size. Without `unit` k counts
    as a plain number, and y has the unit of u; write `unit: N m` if u is in rad and k in N m/rad.

    Example:
        {type: Gain, k: 2.5}
    """

    inputs: ClassVar = (Port("u"),)
    elementwise: ClassVar = True

    k: Real = parameter(default=1.0, unit="[y]/[u]", doc="factor")
    unit: str = option(default="", doc="unit of y; default: the unit of u")

    def symbol(self) -> Icon:
        return Icon(label(self.k, "k"), shape="triangle")

    def check(self) -> None:
        check_unit("Gain", self.unit)

    def output_ports(self) -> tuple[Port, ...]:
        return _outputs(self.unit)

    @staticmethod
    def output(u: float, k: float) -> float:
        return k * u


@lru_cache
def _outputs(unit: str) -> tuple[Port, ...]:
    return (Port("y", unit=unit, like=Like(("u",), exact=False)),)
