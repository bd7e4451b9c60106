"""Inport: an input of the subsystem, or of the program, that contains the block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import Port, Size
from .outport import check_number


class Inport(Block):
    """Input of a subsystem, or of the outermost diagram; the block's name is the input's name.

        y = the signal on the subsystem's input; in the outermost diagram, the signal given to the run:
            `simulate(inputs={"name": ...})`; y = default if nothing is given

    Inputs are in the order of `number`; those without a number follow in the order of declaration. When the
    diagram is flattened, a driven Inport disappears: its wire goes straight to the blocks that read it.

    Unless there is a `default`, raises MissingInput for an unwired input of a subsystem, and RunArgumentError
    if a run does not provide an input of the outermost diagram.

    Example:
        {type: Inport, number: 0, unit: N, default: 0.0}
    """

    elementwise: ClassVar = True

    number: int | None = option(default=None, doc="position among the inputs, from 0")
    unit: str = option(default="", doc="unit of the signal")
    default: Real | None = parameter(default=None, unit="[y]", doc="value if no signal is given")
    size: int | Sequence[int] | None = option(
        default=None, doc="shape of the signal; default: as `default`, or as the given signal"
    )

    def symbol(self) -> Icon:
        return Icon("" if self.number is None else str(self.number), shape="round")

    def check(self) -> None:
        check_number("Inport", self.number)
        shape = np.asarray(0.0 if self.default is None else self.default).shape
        if self.size is not None and shape not in ((), declared_shape(self.size)):
            raise ParameterError("Inport", "default", self.default, f"a number, or {self.size} numbers")

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", unit=self.unit, size_rule="by `size`"),)

    def numbers(self) -> dict[str, float | Array]:
        # NaN without a default: a run without this input is rejected, and NaN would end it otherwise.
        value = np.nan if self.default is None else np.asarray(self.default, np.float64)
        return {"default": np.broadcast_to(value, self.shape)}

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the signal if no other shape is given."""
        if self.size is not None:
            return declared_shape(self.size)
        return np.asarray(0.0 if self.default is None else self.default).shape

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size]:
        return {"y": Size(self.shape)}

    @staticmethod
    def output(default: float) -> float:
        return default


def declared_shape(size: int | Sequence[int]) -> tuple[int, ...]:
    """The shape that an option `size` means: 1 is a number, 3 a vector, [2, 3] a matrix."""
    if isinstance(size, int):
        return () if size == 1 else (size,)
    return tuple(size)
