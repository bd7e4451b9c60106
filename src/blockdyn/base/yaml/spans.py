"""Spans give the places where every value and key of a YAML document begins and ends, for editing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_PASSED_OVER = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_KEPT = re.compile(r"[|>][-0-9]*\+")  # the header of text that keeps its last blank lines


@dataclass(slots=True)
class Span:
    """The text of one value after its anchor; one in lines (not `flow`) ends with its last value.

    `place` is where it may begin: after its colon or dash, and its anchor.
    """

    start: int
    end: int
    place: int
    flow: bool = True
    style: str = ""  # of text: ', ", | or >
    mapping: bool = False
    parts: dict[str | int, Part] | None = None


@dataclass(slots=True)
class Part:
    """An entry of a mapping or an item of a list: where it begins (its key, its dash), its key, its value."""

    start: int
    key: tuple[int, int]
    value: Span


def passed_over(text: str, at: int) -> int:
    """Index of the next character that is neither blank nor part of a comment."""
    match = _PASSED_OVER.match(text, at)
    assert match is not None
    return match.end()


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end is still to come; `at` is how far its text was followed."""

    span: Span
    at: int
    anchor: str | None
    start: int = -1  # of the part that has begun
    name: str | None = None
    key: tuple[int, int] = (0, 0)


class SpanReader:
    """Spans from the events of a text that `base.yaml.reader` reads without an error; no recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Span | None = None
        self.open: list[_Open] = []
        self.anchors: dict[str, str] = {}  # anchors of text, which may be a key

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind in ("ScalarEvent", "AliasEvent"):
            self._scalar(event, self.anchors.get(event.anchor, "") if kind == "AliasEvent" else event.value)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            place, start = self._begin(event)
            mapping = kind == "MappingStartEvent"
            span = Span(start, start, place, bool(event.flow_style), mapping=mapping, parts={})
            self.open.append(_Open(span, start + (self.text[start] in "[{" and span.flow), event.anchor))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            span = self.open.pop().span
            if span.flow and self.text[span.start] in "[{":
                span.end = event.end_mark.index
            elif span.parts:
                span.end = next(reversed(span.parts.values())).value.end
            self._put(span)

    def _scalar(self, event: Any, value: str) -> None:
        alias = type(event).__name__ == "AliasEvent"
        place, start = self._begin(event, alias=alias)
        end, style = event.end_mark.index, getattr(event, "style", None) or ""
        if not alias and event.anchor:
            self.anchors[event.anchor] = value
        if not alias and not value and not style:
            start = end = place  # nothing stands where it may begin
        elif style in ("|", ">"):  # ends where the next line begins, blank lines among it
            inside = self.text[start:end]
            content = inside.removesuffix("\n").removesuffix("\r") if _KEPT.match(inside) else None
            end = start + len(inside.rstrip(" \t\r\n") if content is None else content)
        holder = self.open[-1] if self.open else None
        if holder is not None and holder.span.mapping and holder.name is None:
            colon = passed_over(self.text, end)
            holder.name, holder.key = value, (start, end)
            holder.at = colon + 1 if self.text[colon : colon + 1] == ":" else end
            return
        self._put(Span(start, end, place, style=style))

    def _begin(self, event: Any, *, alias: bool = False) -> tuple[int, int]:
        """First possible and actual beginning of a value; a part begins with its key or its item."""
        at = event.start_mark.index
        holder = self.open[-1] if self.open else None
        if holder is not None and (not holder.span.mapping or holder.name is None):
            holder.start = passed_over(self.text, holder.at)
            if self.text[holder.start : holder.start + 1] == "," and holder.span.parts:
                holder.start = passed_over(self.text, holder.start + 1)
            holder.at = holder.start + (not holder.span.flow and not holder.span.mapping)
        place = at if holder is None else holder.at
        if event.anchor and not alias:
            place = at + 1 + len(event.anchor)
            at = passed_over(self.text, place)
        return place, at

    def _put(self, span: Span) -> None:
        if not self.open:
            self.root = span
            return
        holder = self.open[-1]
        parts = holder.span.parts
        assert parts is not None
        parts[len(parts) if holder.name is None else holder.name] = Part(holder.start, holder.key, span)
        holder.at, holder.name = span.end, None
