"""Demux: a vector split into its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import option
from ..contract.port import SCALAR, Port, Size
from ..contract.wiring import Element, Part, Wiring


class Demux(Wiring):
    """Parts of a vector, in order; a part of one element is a scalar.

        [y0, y1, ...] = u

    `counts` is the number of equal parts, or a list with the number of elements of each part. Raises
    SizeError for an input that cannot be divided in this way.

    Example:
        {type: Demux, counts: [3, 1]}
    """

    icon = "mux"
    inputs: ClassVar = (Port("u", size_rule="elements of all outputs"),)

    counts: int | Sequence[int] = option(default=2, doc="number of parts, or elements of each")

    def check(self) -> None:
        several = isinstance(self.counts, tuple) and len(self.counts) > 0
        for count in self.counts if several else (self.counts,):  # type: ignore[union-attr]
            if type(count) is not int or not 1 <= count <= 10_000:
                expected = "a number of parts from 1 to 10000, or a list of such numbers of elements"
                raise ParameterError("Demux", "counts", self.counts, expected)

    def output_ports(self) -> tuple[Port, ...]:
        parts = self.counts if isinstance(self.counts, int) else len(self.counts)
        return tuple(Port(f"y{i}", size_rule="by `counts`") for i in range(parts))

    def lengths(self, elements: int) -> list[int]:
        """The number of elements of every part."""
        if isinstance(self.counts, int):
            return [elements // self.counts] * self.counts
        return list(self.counts)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        u = inputs["u"]
        if u is None and isinstance(self.counts, int):
            return {port.name: None for port in self.output_ports()}
        lengths = self.lengths(u.count if u else 0)
        if u is not None and (len(u.shape) > 1 or sum(lengths) != u.count or 0 in lengths):
            equal = f"of a multiple of {self.counts} elements, for equal parts"
            expected = equal if isinstance(self.counts, int) else f"{sum(lengths)}, the sum of counts"
            raise SizeError(str(u), f"vector {expected}", "u")
        return {f"y{i}": SCALAR if n == 1 else Size((n,)) for i, n in enumerate(lengths)}

    def origin(self, output: str, part: Part) -> tuple[str, Part] | None:
        if isinstance(self.counts, int):
            return "u", ((int(output[1:]), self.counts), *part)
        return None

    def gather(self, inputs: Mapping[str, Size]) -> Mapping[str, list[Element]]:
        lengths = self.lengths(inputs["u"].count)
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        return {
            f"y{i}": [("u", start + k) for k in range(n)]
            for i, (start, n) in enumerate(zip(starts, lengths, strict=True))
        }
