"""The common shape of the inputs and parameters of an elementwise block."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .errors import BlockError, SizeError
from .port import Size


def broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """NumPy's common shape.

    Raises SizeError when there is none.
    """
    if not any(shapes):  # all scalars, the most frequent case: NumPy's rule takes much longer
        return ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        sizes = ", ".join(str(Size(shape)) for shape in dict.fromkeys(shapes) if shape)
        raise SizeError(sizes, "sizes that are equal, or scalars") from None


def common_shape(shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """NumPy's common shape of inputs and parameters.

    Raises SizeError with the names of those that do not fit, if there is none.
    """
    try:
        return broadcast(list(shapes.values()))
    except SizeError as error:
        parts = tuple((name, str(Size(shape))) for name, shape in shapes.items() if shape)
        raise SizeError(error.actual, error.expected, parts=parts) from None


def fitting(kind: str, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise BlockError if the parameters of an elementwise block have no common shape; it names them."""
    try:
        common_shape(shapes)
    except SizeError as error:
        sizes = ", ".join(f"`{name}` is {size}" for name, size in error.parts)
        raise BlockError(f"{kind}: {sizes}\nexpected: {error.expected}") from None
