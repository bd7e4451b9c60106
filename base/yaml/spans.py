"""Spans: where in a text every value and key of a YAML document begins and ends, so that it can be edited."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_COLON = re.compile(r"[ \t]*:")


@dataclass(slots=True)
class Key:
    """The text of a key; `value` is where that of its value may begin: behind the colon, if there is one."""

    start: int
    end: int
    value: int


@dataclass(slots=True)
class Span:
    """The text of one value: of a mapping or list in lines (not `flow`), from its first key to its end."""

    start: int
    end: int
    flow: bool = True
    alias: bool = False
    keys: dict[str, Key] = field(default_factory=dict)
    entries: dict[str, Span] | None = None
    items: list[Span] | None = None

    @property
    def empty(self) -> bool:
        """Whether it is nothing, or a mapping or list that holds nothing."""
        return self.start == self.end or not (self.entries if self.items is None else self.items)


def spans(text: str) -> Span:
    """The spans of a text that `base.yaml.reader` reads without an error."""
    from ruamel.yaml import YAML

    reader = _Reader(text)
    for event in YAML(typ="safe", pure=True).parse(text):
        reader.take(event)
    assert reader.root is not None
    return reader.root


class _Reader:
    """Spans from events, without recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Span | None = None
        self.open: list[Span] = []
        self.key: list[str | None] = []

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._scalar(event)
        elif kind == "AliasEvent":
            self._put(Span(event.start_mark.index, event.end_mark.index, alias=True))
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            span = Span(event.start_mark.index, event.end_mark.index, bool(event.flow_style))
            if kind == "MappingStartEvent":
                span.entries = {}
            else:
                span.items = []
            self.open.append(span)
            self.key.append(None)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            span = self.open.pop()
            self.key.pop()
            inside = list((span.entries or {}).values()) if span.items is None else span.items
            span.end = event.end_mark.index if span.flow else inside[-1].end
            self._put(span)

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        parent = self.open[-1] if self.open else None
        if parent is not None and parent.entries is not None and self.key[-1] is None:
            colon = _COLON.match(self.text, end)
            parent.keys[event.value] = Key(start, end, colon.end() if colon else end)
            self.key[-1] = event.value
            return
        if event.style in ("|", ">"):  # ends where the next line begins, blank lines among it
            inside = self.text[start:end]
            kept = "+" in inside.partition("\n")[0]
            end = start + len(inside.removesuffix("\n").removesuffix("\r") if kept else inside.rstrip())
        elif start == end:
            start = end = self._nothing(parent, start)
        self._put(Span(start, end))

    def _nothing(self, parent: Span | None, at: int) -> int:
        """Where a value that is not there would stand: behind its colon or its dash."""
        if parent is None:
            return at
        if parent.entries is not None:
            return parent.keys[str(self.key[-1])].value
        return len(self.text[:at].rstrip()) if parent.flow else self.text.rindex("-", 0, at) + 1

    def _put(self, span: Span) -> None:
        if not self.open:
            self.root = span
            return
        parent = self.open[-1]
        if parent.entries is not None:
            parent.entries[str(self.key[-1])] = span
            self.key[-1] = None
        elif parent.items is not None:
            parent.items.append(span)
