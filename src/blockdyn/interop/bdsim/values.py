"""Values of Python on wires of numbers: what a bdsim block gives, written as an array and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from ...blocks.contract.parameter import Array
from ...blocks.contract.port import Size

POSES = ("SE3", "SO3", "SE2", "SO2")


@dataclass(frozen=True)
class Form:
    """How a value lies on a wire, and how it is made from the numbers again.

    A number, an array, a list of numbers, a pose of spatialmath (its matrix), a mapping (its values one after
    another). Any other object stays where it is, in `cell`, and the wire carries a zero: who reads the wire
    is evaluated after who writes it, so the cell holds the value of the same instant.
    """

    shape: tuple[int, ...] = ()
    kind: str = "number"
    pose: Any = None
    parts: tuple[tuple[Any, Form], ...] = ()
    cell: list[Any] = field(default_factory=lambda: [None], compare=False)

    @property
    def size(self) -> Size:
        """The size of the wire."""
        return Size(self.shape)

    @property
    def numeric(self) -> bool:
        """Whether the wire carries numbers that native blocks can compute with."""
        return self.kind in ("number", "array")

    def written(self, value: Any) -> Any:
        """The numbers of a value. Raises ValueError for a value of another form."""
        if self.kind == "object":
            self.cell[0] = value
            return 0.0
        if self.kind == "pose":
            return np.asarray(value.A, np.float64)
        if self.kind == "mapping":
            return np.concatenate([np.ravel(form.written(value[key])) for key, form in self.parts])
        numbers = np.asarray(value, np.float64)
        if numbers.size != prod(self.shape):
            raise ValueError(f"it gives {numbers.shape}, where its first value had the shape {self.shape}")
        return numbers.reshape(self.shape)

    def read(self, numbers: Any) -> Any:
        """The value of these numbers."""
        if self.kind == "object":
            return self.cell[0]
        if self.kind == "pose":
            return self.pose(np.array(numbers), check=False)
        if self.kind == "list":
            return np.asarray(numbers).tolist()
        if self.kind == "mapping":
            flat, values, start = np.asarray(numbers), {}, 0
            for key, form in self.parts:
                count = prod(form.shape)
                values[key] = form.read(flat[start : start + count].reshape(form.shape)[()])
                start += count
            return values
        return np.array(numbers) if self.shape else float(numbers)


def form_of(value: Any) -> Form:
    """The form of a value, by which all that follow it on its wire are written."""
    if type(value).__name__ in POSES and len(value) == 1:
        return Form(value.A.shape, "pose", type(value))
    if isinstance(value, Mapping) and value:
        parts = tuple((key, form_of(item)) for key, item in value.items())
        if all(form.kind != "object" for _, form in parts):
            return Form((sum(prod(form.shape) for _, form in parts),), "mapping", parts=parts)
        return Form(kind="object")
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return Form()
    if isinstance(value, (np.ndarray, list, tuple)):
        numbers = _numbers(value)
        if numbers is not None and numbers.size and numbers.ndim <= 2:
            sequence = isinstance(value, (list, tuple)) and numbers.ndim > 0
            return Form(numbers.shape, "list" if sequence else "array" if numbers.shape else "number")
    return Form(kind="object")


def _numbers(value: Any) -> Array | None:
    try:
        numbers = np.asarray(value)
    except ValueError:
        return None
    return numbers.astype(np.float64) if numbers.dtype.kind in "biuf" else None
