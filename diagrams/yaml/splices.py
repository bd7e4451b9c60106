"""Splices: one value, key or item of a YAML text changed, and no other character of it."""

from __future__ import annotations

from typing import Any

from ...base.yaml.spans import Key, Span
from ..model.section import Steps
from .text import flow, word
from .writer import tree_lines

INDENT = 2


class Splice:
    """The text with one change. Steps lead to what exists; what does not is a KeyError or IndexError."""

    def __init__(self, text: str, root: Span) -> None:
        self.text, self.root = text, root
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def replaced(self, steps: Steps, value: Any) -> str:
        """Another value at the end of some steps."""
        span = self.span(steps)
        start = span.start
        if not span.flow and steps and isinstance(steps[-1], str):  # lines become one, behind the key
            at = self.key(steps).value
            return self._with(
                (at, at, f" {flow(value)}"), (self._end_of_line(at), self._end_of_line(span.end), "")
            )
        lone = bool(steps) and isinstance(steps[-1], int) and not self.span(steps[:-1]).flow
        text = _item(value) if lone else flow(value)
        return self._with((start, span.end, self._after_colon(start) + text))

    def renamed(self, steps: Steps, name: str) -> str:
        """Another key at the end of some steps."""
        key = self.key(steps)
        return self._with((key.start, key.end, word(name)))

    def inserted(self, steps: Steps, name: str | None, value: Any, after: str | int | None = None) -> str:
        """One entry more in the mapping at the end of some steps, or without a name one item in the list.

        It goes behind the last one, or behind the one called `after`.
        """
        span = self.span(steps)
        if span.empty:
            return self._first(steps, span, name, value)
        last = self._inside(span)[-1] if after is None else self.span((*steps, after))
        if span.flow:
            text = flow(value) if name is None else f"{word(name)}: {flow(value)}"
            return self._with((last.end, last.end, f", {text}"))
        end = self._end_of_line(last.end)
        return self._with((end, end, self._lines(name, value, self._column(span.start))))

    def removed(self, steps: Steps) -> str:
        """Without the entry or item at the end of some steps; comments above it stay."""
        parent, last = self.span(steps[:-1]), steps[-1]
        number = list(parent.entries).index(str(last)) if parent.entries is not None else int(last)
        inside = self._inside(parent)
        starts = [self._start(parent, each) for each in range(len(inside))]
        span, start = inside[number], starts[number]
        following = starts[number + 1] if number + 1 < len(starts) else None
        if parent.flow:
            if following is not None:
                return self._with((start, following, ""))
            return self._with((inside[number - 1].end if number else start, span.end, ""))
        if self.text[self._begin_of_line(start) : start].strip() and following is not None:
            return self._with((start, following, ""))  # shares its line with a dash
        begin, end = self._begin_of_line(start), self._end_of_line(span.end)
        if self.text[begin:start].strip():
            begin = start
        elif end < len(self.text):
            end += len(self.newline)
        else:
            begin = max(0, begin - len(self.newline))
        if len(inside) > 1:
            return self._with((begin, end, ""))
        nothing = "{}" if parent.entries is not None else "[]"
        if not steps[:-1]:
            return self._with((begin, end, nothing + self.newline))
        at = self._place_of(steps[:-1])
        return self._with((at, at, f" {nothing}"), (begin, end, ""))

    def span(self, steps: Steps) -> Span:
        """The text of the value at the end of some steps."""
        span = self.root
        for step in steps:
            inside: Any = span.entries if isinstance(step, str) else span.items
            span = (inside if inside is not None else {})[step]
        return span

    def key(self, steps: Steps) -> Key:
        """The text of the key at the end of some steps."""
        return self.span(steps[:-1]).keys[str(steps[-1])]

    def _first(self, steps: Steps, span: Span, name: str | None, value: Any) -> str:
        """The first entry or item: in a line of its own where its mapping or list may have lines."""
        around = self.span(steps[:-1])
        if not steps or around.flow or isinstance(steps[-1], int):
            text = f"[{flow(value)}]" if name is None else f"{{{word(name)}: {flow(value)}}}"
            return self._with((span.start, span.end, self._after_colon(span.start) + text))
        at, end = self.key(steps).value, self._end_of_line(span.end)
        column = self._column(around.start) + INDENT
        return self._with((at, max(at, span.end), ""), (end, end, self._lines(name, value, column)))

    def _lines(self, name: str | None, value: Any, column: int) -> str:
        """An entry or item in lines of its own, behind the end of a line."""
        lines = tree_lines(name, value) if name is not None else [f"- {_item(value)}"]
        return "".join(f"{self.newline}{' ' * column}{line}" for line in lines)

    def _place_of(self, steps: Steps) -> int:
        """Where the value at the end of some steps may begin: behind its colon or its dash."""
        if isinstance(steps[-1], str):
            return self.key(steps).value
        return self._start(self.span(steps[:-1]), steps[-1]) + 1

    def _start(self, parent: Span, number: int) -> int:
        """Where the key of an entry begins, or the dash of an item."""
        if parent.entries is not None:
            return parent.keys[list(parent.entries)[number]].start
        assert parent.items is not None
        item = parent.items[number].start
        if parent.flow:
            return item
        column = self._column(parent.start)
        line = self._begin_of_line(item)
        while self.text[line + column : line + column + 1] != "-" or line + column >= max(item, 1):
            line = self._begin_of_line(line - 1)
        return line + column

    def _inside(self, span: Span) -> list[Span]:
        return list((span.entries or {}).values()) if span.items is None else span.items

    def _after_colon(self, at: int) -> str:
        """The blank that a value needs behind a colon or dash."""
        return " " if at and self.text[at - 1] in ":-" else ""

    def _begin_of_line(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _end_of_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def _column(self, at: int) -> int:
        return at - self._begin_of_line(at)

    def _with(self, *pieces: tuple[int, int, str]) -> str:
        """The text with other text in place of some of it."""
        text = self.text
        for start, end, new in sorted(pieces, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def _item(value: Any) -> str:
    """An item of a list in lines: wires stand there without quotes."""
    plain = isinstance(value, str) and " -> " in value and not {*value} & {*"#:{}\"'&*!|>%@`\n"} - {">"}
    return value if plain else flow(value)
