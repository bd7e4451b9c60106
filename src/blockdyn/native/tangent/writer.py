"""Lines of a tangent function: numbers and their tangents, several directions side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Writer:
    """Writes instructions. The tangent of k numbers is a vector of k times `lanes`, None where it is zero."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self._count = 0

    def put(self, line: str) -> None:
        """Write a line."""
        self.lines.append(f"  {line}")

    def do(self, line: str) -> str:
        """Write an instruction, and return the name of its value."""
        self._count += 1
        self.put(f"%.t{self._count} = {line}")
        return f"%.t{self._count}"

    def tangents(self, count: int) -> str:
        """The type of the tangents of so many numbers."""
        return f"<{count * self.lanes} x double>"

    def spread(self, value: str, count: int, kind: str = "double") -> str:
        """Each of `count` numbers repeated for every direction."""
        lanes = self.lanes
        if count == 1:
            vector = f"<{lanes} x {kind}>"
            one = self.do(f"insertelement {vector} poison, {kind} {value}, i64 0")
            return self.do(f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer")
        vector = f"<{count} x {kind}>"
        mask = indices(i for i in range(count) for _ in range(lanes))
        return self.do(f"shufflevector {vector} {value}, {vector} poison, {mask}")

    def scaled(self, tangent: str | None, factor: str, count: int) -> str | None:
        """A tangent times a number."""
        if tangent is None:
            return None
        return self.do(f"fmul {self.tangents(count)} {tangent}, {self.spread(factor, count)}")

    def calm(self, tangent: str | None, factor: str, count: int) -> str | None:
        """As `scaled`, also where the factor is infinite: what does not change has the tangent 0."""
        product = self.scaled(tangent, factor, count)
        if product is None:
            return None
        kind = self.tangents(count)
        moves = self.do(f"fcmp une {kind} {tangent}, zeroinitializer")
        mask = f"<{count * self.lanes} x i1>"
        return self.do(f"select {mask} {moves}, {kind} {product}, {kind} zeroinitializer")

    def added(self, tangents: Sequence[str | None], count: int) -> str | None:
        """The sum of tangents."""
        total = None
        for tangent in tangents:
            if total is None:
                total = tangent
            elif tangent is not None:
                total = self.do(f"fadd {self.tangents(count)} {total}, {tangent}")
        return total

    def negative(self, tangent: str | None, count: int) -> str | None:
        """A tangent of the other sign."""
        return None if tangent is None else self.do(f"fneg {self.tangents(count)} {tangent}")

    def chosen(self, condition: str, tangents: Sequence[str | None], count: int, wide: bool) -> str | None:
        """The first of two tangents where a condition holds, the second elsewhere; `wide`: it is a vector."""
        if tangents[0] == tangents[1]:
            return tangents[0]
        mask = self.spread(condition, count, "i1") if wide else condition
        test = f"<{count * self.lanes} x i1>" if wide else "i1"
        kind = self.tangents(count)
        first, second = (tangent or "zeroinitializer" for tangent in tangents)
        return self.do(f"select {test} {mask}, {kind} {first}, {kind} {second}")

    def picked(self, tangents: Sequence[str | None], counts: int, elements: Sequence[int]) -> str | None:
        """Of the tangents of two vectors of `counts` numbers each, those of some elements."""
        if tangents[0] is None and tangents[1] is None:
            return None
        first, second = (tangent or "zeroinitializer" for tangent in tangents)
        kind, lanes = self.tangents(counts), self.lanes
        mask = indices(max(i, 0) * lanes + j for i in elements for j in range(lanes))
        return self.do(f"shufflevector {kind} {first}, {kind} {second}, {mask}")


def indices(numbers: Iterable[int]) -> str:
    """A constant vector of indices."""
    listed = list(numbers)
    return f"<{len(listed)} x i32> <" + ", ".join(f"i32 {i}" for i in listed) + ">"
