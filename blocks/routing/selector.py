"""Selector: some elements of a vector, or rows and columns of a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size
from ..contract.wiring import Element, Wiring

Indices = int | Sequence[int] | None


class Selector(Wiring):
    """Elements by their index, counted from 0; negative ones count from the end.

        y = u[indices]  of a vector,  y = u[rows, columns]  of a matrix

    A single index gives a scalar (or removes a dimension of a matrix), a list gives a vector in the
    list's order, repetitions included. For a matrix, leaving out `rows` (`columns`) takes all rows (columns).
    Raises SizeError for an index beyond the input.

    Example:
        {type: Selector, indices: [2, 0]}
    """

    icon = "elements"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = (Port("y", size_rule="by the indices"),)

    indices: Indices = option(default=None, doc="elements of a vector")
    rows: Indices = option(default=None, doc="rows of a matrix")
    columns: Indices = option(default=None, doc="columns of a matrix")

    def check(self) -> None:
        for name in ("indices", "rows", "columns"):
            value = getattr(self, name)
            items = value if isinstance(value, tuple) else (value,)
            if value is not None and not (items and all(type(item) is int for item in items)):
                raise ParameterError("Selector", name, value, "an index, or a list of indices, from 0")
        if (self.indices is None) == (self.rows is None and self.columns is None):
            expected = "either `indices`, for a vector, or `rows` and `columns`, for a matrix"
            raise ParameterError("Selector", "indices", self.indices, expected)

    def picked(self, size: Size) -> NDArray[Any]:
        """The indices of the chosen elements, in the shape of the output."""
        dimensions = 1 if self.indices is not None else 2
        if len(size.shape) != dimensions:
            raise SizeError(str(size), "a vector" if dimensions == 1 else "a matrix", "u")
        numbers = np.arange(size.count).reshape(size.shape)
        try:
            if self.indices is not None:
                return np.asarray(np.take(numbers, self.indices))
            if self.columns is not None:
                numbers = np.take(numbers, self.columns, axis=1)
            return np.asarray(numbers if self.rows is None else np.take(numbers, self.rows, axis=0))
        except IndexError as error:
            raise SizeError(str(size), f"a size that holds the chosen elements ({error})", "u") from None

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is not None:
            return {"y": Size(self.picked(u).shape)}
        chosen = [self.rows, self.columns] if self.indices is None else [self.indices]
        return {"y": None if None in chosen else Size(sum(map(np.shape, chosen), ()))}  # type: ignore[arg-type]

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        return {"y": [("u", int(i)) for i in self.picked(inputs["u"]).ravel()]}
