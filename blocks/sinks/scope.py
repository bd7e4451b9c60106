"""Scope: signals kept and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..block import Block
from ..errors import ParameterError
from ..parameter import option
from ..port import Port


class Scope(Block):
    """Keeps its inputs in the result and draws them over time on one pair of axes.

    Example:
        {type: Scope, title: Position, labels: [wanted, actual], units: [m, m]}
    """

    outputs: ClassVar = ()
    logs: ClassVar[bool] = True

    count: int | None = option(default=None, doc="number of inputs; otherwise one a label, or 1")
    title: str = option(default="", doc="title of the axes")
    labels: Sequence[str] = option(default=(), doc="one an input; otherwise the names of the signals")
    units: Sequence[str] = option(default=(), doc="one an input")

    def check(self) -> None:
        if self.count is not None and (type(self.count) is not int or not 1 <= self.count <= 100):
            raise ParameterError("Scope", "count", self.count, "a whole number from 1 to 100")
        if not isinstance(self.title, str):
            raise ParameterError("Scope", "title", self.title, "text")
        for name in ("labels", "units"):
            texts = getattr(self, name)
            if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
                raise ParameterError("Scope", name, texts, "a list of texts")
            if texts and len(texts) != self.width():
                raise ParameterError("Scope", name, texts, f"one text an input, {self.width()}")

    def width(self) -> int:
        """The number of inputs."""
        return self.count or max(len(self.labels), len(self.units), 1)

    def input_ports(self) -> tuple[Port, ...]:
        units = self.units or [""] * self.width()
        return tuple(Port(f"u{i}", unit=unit, buses=True) for i, unit in enumerate(units))
