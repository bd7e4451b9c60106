"""Scope: signals kept and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import Port, Size


class Scope(Block):
    """Keeps its inputs in the result and plots them over time in one pair of axes.

    A label names an input, a list of labels the elements of one input: `labels: [[x, y, z], reference]`. With
    `count` there may be as many labels as the inputs have elements: `count: 1, labels: [x, y, z]`. A unit
    applies to an input, or lists the units of its elements, "m, m, rad". Raises ParameterError or SizeError
    if labels or units do not match the inputs.

    Example:
        {type: Scope, title: Position, labels: [reference, actual], units: [m, m]}
    """

    icon = "scope"
    outputs: ClassVar = ()
    logs: ClassVar[bool] = True

    count: int | None = option(default=None, doc="number of inputs; otherwise one per label, or 1")
    title: str = option(default="", doc="title of the axes")
    labels: Sequence[str | Sequence[str]] = option(
        default=(), doc="one per input, or a list with one per element; otherwise the names of the signals"
    )
    units: Sequence[str] = option(default=(), doc="one per input")

    def check(self) -> None:
        if self.count is not None and (type(self.count) is not int or not 1 <= self.count <= 100):
            raise ParameterError("Scope", "count", self.count, "a whole number from 1 to 100")
        if not isinstance(self.title, str):
            raise ParameterError("Scope", "title", self.title, "text")
        if not _texts(self.units):
            raise ParameterError("Scope", "units", self.units, "a list of texts")
        labels = self.labels
        if not isinstance(labels, tuple) or not all(isinstance(one, str) or _texts(one) for one in labels):
            expected = "a list of texts; a list of texts in it labels the elements of one input"
            raise ParameterError("Scope", "labels", labels, expected)
        if self.units and len(self.units) != self.width():
            raise ParameterError("Scope", "units", self.units, f"one text per input, {self.width()}")
        if labels and len(labels) != self.width() and not self.by_element():
            raise ParameterError("Scope", "labels", labels, f"one label per input, {self.width()}")

    def figure(self) -> Scope:
        return self

    def by_element(self) -> bool:
        """True if `labels` is one list for the elements of all inputs together."""
        return len(self.labels) > self.width() and _texts(self.labels)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        arrived = [size for size in inputs.values() if size is not None]
        if len(arrived) < self.width():
            return {}
        total = sum(size.count for size in arrived)
        if self.by_element() and len(self.labels) != total:
            expected = (
                f"{len(self.labels)} elements, one for each of the labels {', '.join(map(str, self.labels))}"
            )
            raise SizeError(str(arrived[0]) if len(arrived) == 1 else f"{total} elements", expected, "u0")
        for i, (label, size) in enumerate(zip(self.labels, arrived)):
            if not isinstance(label, str) and len(label) != size.count:
                expected = f"{len(label)} elements, one for each of the labels {', '.join(label)}"
                raise SizeError(str(size), expected, f"u{i}")
        return {}

    def element_labels(self, counts: Sequence[int]) -> list[tuple[str, ...]]:
        """For each input, the labels of its elements, one label for the whole input, or none."""
        if not self.by_element():
            return [
                (one,) if isinstance(one, str) else tuple(one) for one in self.labels or [()] * len(counts)
            ]
        starts = [sum(counts[:i]) for i in range(len(counts))]
        labels = tuple(map(str, self.labels))
        return [labels[start : start + count] for start, count in zip(starts, counts)]

    def width(self) -> int:
        """The number of inputs."""
        return self.count or max(len(self.labels), len(self.units), 1)

    def input_ports(self) -> tuple[Port, ...]:
        units = self.units or [""] * self.width()
        return tuple(Port(f"u{i}", unit=unit, buses=True) for i, unit in enumerate(units))


def _texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in value)
