"""Concatenate: matrices stacked or placed side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size, numbered_ports
from ..contract.wiring import Element, Wiring


class Concatenate(Wiring):
    """A matrix of the inputs.

        y = [u0; u1; ...] with `along: rows`,  [u0, u1, ...] with `along: columns`

    A vector counts as one row, or as one column; a scalar as a vector of one. For one vector of all elements
    see Mux. Raises SizeError if rows (columns) differ in length.

    Example:
        {type: Concatenate, count: 2, along: rows}
    """

    icon = "concatenate"
    outputs: ClassVar = (Port("y", size_rule="rows or columns of all inputs"),)

    count: int = option(default=2, doc="number of inputs")
    along: str = option(
        default="rows", doc="direction in which inputs are placed", choices=("rows", "columns")
    )

    def check(self) -> None:
        if not isinstance(self.count, int) or isinstance(self.count, bool) or not 1 <= self.count <= 10_000:
            raise ParameterError("Concatenate", "count", self.count, "a whole number from 1 to 10000")

    def input_ports(self) -> tuple[Port, ...]:
        return numbered_ports(self.count)

    def joined(self, sizes: list[Size]) -> NDArray[Any]:
        """The index of each output element among all elements of the inputs."""
        # NumPy joins arrays of numbers 0, 1, 2 ...: the order of elements then follows NumPy's rules.
        parts, start = [], 0
        for size in sizes:
            part = np.arange(start, start + size.count).reshape(size.shape)
            flat = len(size.shape) < 2
            parts.append(part.reshape((1, -1) if self.along == "rows" else (-1, 1)) if flat else part)
            start += size.count
        try:
            return np.concatenate(parts, axis=0 if self.along == "rows" else 1)
        except ValueError:
            shapes = ", ".join(map(str, sizes))
            raise SizeError(shapes, f"{self.along} of the same length") from None

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        known_sizes = [size for size in inputs.values() if size is not None]
        return {"y": Size(self.joined(known_sizes).shape) if len(known_sizes) == self.count else None}

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        elements = [(name, i) for name, size in inputs.items() for i in range(size.count)]
        return {"y": [elements[i] for i in self.joined(list(inputs.values())).ravel()]}
