"""Spans give the places where every value and key of a YAML document begins and ends, for editing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import BlockdynError
from ..location import Location
from .limits import MOST
from .positions import Entry, Node
from .scanning import resolve

REMEMBERED = 1_000  # pieces of texts, and eight for each line of the present one
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
    """A mapping or list whose end has not been read; `at` is the position reached in its text."""

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
        self.plain = True  # without anchors, aliases and tags
        self.open: list[_Open] = []
        self.anchors: dict[str, str] = {}  # anchors of text, which may be a key

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        self.plain = self.plain and not (getattr(event, "anchor", None) or getattr(event, "tag", None))
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


# ---- pieces ----


@dataclass(slots=True)
class Piece:
    """An entry of a mapping or an item of a list in separate lines, at a line and an index of a text."""

    line: int
    index: int
    name: str | None
    entry: Entry
    part: Part


class PieceReader:
    """Reads texts that differ little: lines of an entry that it has met before are not read again.

    A text that is not a mapping in lines, or has anchors, tags, tabs or several documents, is left to the
    reader of whole texts, and so is a text with an error, which is then reported as for a whole one.
    """

    def __init__(self, file: str, parse: Callable[..., Node]) -> None:
        self.file, self.parse = file, parse
        self.pieces: dict[str, Piece] = {}
        self.used: dict[str, Piece] = {}

    def learn(self, text: str, root: Node, span: Span) -> None:
        """Store the pieces of a completely read text."""
        self.used = {}
        if not _WHOLE.search(text) and not span.flow:
            self._inside(text.splitlines(keepends=True), 0, 0, "", (root, span))
        self.pieces, self.used = self.used, {}

    def read(self, text: str) -> tuple[Node, Span] | None:
        """The document and its span; None for a text that has to be read completely."""
        if not self.pieces or _WHOLE.search(text):
            return None
        if len(self.pieces) > REMEMBERED + 8 * text.count("\n"):  # most are of earlier texts
            return None
        self.used = {}
        try:
            read = self._inside(text.splitlines(keepends=True), 0, 0, "")
        except (BlockdynError, ValueError, LookupError):  # the whole text has it too, at its place
            return None
        if read is None or read[0].size > MOST:
            return None
        self.pieces |= self.used  # those in an entry that has not changed stay as well
        return read

    def _inside(
        self, lines: list[str], line: int, index: int, above: str, parsed: tuple[Node, Span] | None = None
    ) -> tuple[Node, Span] | None:
        """Entries or items in lines, of which the first begins at a line and an index; `above` is their key.

        Their values are taken from the document if it is `parsed` already.
        """
        first = next((k for k, text in enumerate(lines) if not _EMPTY.match(text)), None)
        if first is None:
            return None
        column = _indent(lines[first])
        listed = lines[first][column : column + 2].rstrip("\r\n") in ("- ", "-")
        if column < _indent(above) + (not listed and above != "") or (column and not above):
            return None
        starts = [k for k, text in enumerate(lines) if not _EMPTY.match(text) and _indent(text) <= column]
        ready: list[tuple[Entry, Part]] | None = None
        if parsed is not None:
            ready = _taken(*parsed)
            if len(ready) != len(starts):
                return None
        entries: dict[str, Entry] = {}
        items: list[Node] = []
        parts: dict[str | int, Part] = {}
        at, size, height = index + sum(map(len, lines[:first])), 1, 1
        for number, (k, stop) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
            if _indent(lines[k]) != column:
                return None
            piece = self._piece(lines[k:stop], line + k, at, listed, ready[number] if ready else None)
            if piece is None or piece.name in entries or (piece.name is None) != listed:
                return None
            node = piece.entry.node
            size, height = size + node.size, max(height, node.height + 1)
            if piece.name is None:
                parts[len(items)] = piece.part
                items.append(node)
            else:
                entries[piece.name], parts[piece.name] = piece.entry, piece.part
            at += sum(map(len, lines[k:stop]))
        begin = next(iter(parts.values())).start
        end = next(reversed(parts.values())).value.end
        place = Location(self.file, line + first + 1, column + 1)
        span = Span(begin, end, begin, flow=False, mapping=not listed, parts=parts)
        return Node(items if listed else entries, place, size, height), span

    def _piece(
        self, lines: list[str], line: int, index: int, listed: bool, ready: tuple[Entry, Part] | None
    ) -> Piece | None:
        """One entry or item, which begins in the first of some lines."""
        text = "".join(lines)
        if ready is not None:
            return self._ready(text, lines, line, index, *ready)
        piece = self.used.get(text) or self.pieces.get(text)
        if piece is None:
            key = None if listed else _KEY.match(lines[0])
            piece = self._nested(key, lines, line, index) if key else None
            piece = piece or self._alone(text, line, index)
        elif (piece.line, piece.index) != (line, index):
            piece = _moved(piece, line, index)
        if piece is not None:
            self.used[text] = piece
        return piece

    def _ready(
        self, text: str, lines: list[str], line: int, index: int, entry: Entry, part: Part
    ) -> Piece | None:
        """A piece of a document that has been read, and the pieces in it."""
        if part.start != index + _indent(lines[0]):
            return None
        key = _KEY.match(lines[0])
        name = None if part.key == (0, 0) else key.group(2) if key else _NAME.sub("", text.split(":")[0])
        if name is None or name.isidentifier():
            self.used[text] = Piece(line, index, name, entry, part)
        if key and not part.value.flow:
            self._inside(lines[1:], line + 1, index + len(lines[0]), lines[0], (entry.node, part.value))
        return Piece(line, index, name, entry, part)

    def _nested(self, key: re.Match[str], lines: list[str], line: int, index: int) -> Piece | None:
        """A key whose value is in the lines below it."""
        read = self._inside(lines[1:], line + 1, index + len(lines[0]), lines[0])
        if read is None or not isinstance(resolve(key.group(2)), str):
            return None
        node, span = read
        start, end = index + key.start(2), index + key.end(2)
        span.place = end + 1
        entry = Entry(Location(self.file, line + 1, key.start(2) + 1), node)
        return Piece(line, index, key.group(2), entry, Part(start, (start, end), span))

    def _alone(self, text: str, line: int, index: int) -> Piece | None:
        """An entry or item read by itself."""
        reader = SpanReader(text)
        root = self.parse(text, self.file, also=reader.take)
        if not reader.plain or reader.root is None or len(reader.root.parts or ()) != 1 or reader.root.flow:
            return None
        last = reader.root
        while last.parts and not last.flow:
            last = next(reversed(last.parts.values())).value
        if last.start == last.end:  # nothing: its place depends on the lines that follow
            return None
        ((entry, part),) = _taken(root, reader.root)
        name = next(iter(root.entries), None)
        return _moved(Piece(0, 0, name, entry, part), line, index)


def _taken(root: Node, span: Span) -> list[tuple[Entry, Part]]:
    """The entries or items of a value, each with its part of the text."""
    values = [*root.entries.values()] or [Entry(item.at, item) for item in root.items]
    return list(zip(values, (span.parts or {}).values(), strict=True))


_PRINTABLE = "\\r\\n -~\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff"
_WHOLE = re.compile(rf"^(?:---|\.\.\.|%)|(?:^|\s)\?\s|[^{_PRINTABLE}]|\r(?!\n)", re.MULTILINE)
_NAME = re.compile(r"[ \"']")
_EMPTY = re.compile(r" *(?:#|\r?\n|\Z)")
_KEY = re.compile(r"( *)([A-Za-z_][A-Za-z0-9_]*):[ ]*(?:#.*)?\r?\n?\Z")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _moved(piece: Piece, line: int, index: int) -> Piece:
    """A copy of a piece at another position."""
    down, on = line - piece.line, index - piece.index

    def at(place: Location) -> Location:
        return Location(place.file, (place.line or 0) + down, place.column)

    def node(old: Node) -> Node:
        value = old.value
        if isinstance(value, dict):
            value = {key: Entry(at(entry.at), node(entry.node)) for key, entry in value.items()}
        elif isinstance(value, list):
            value = [node(item) for item in value]
        return Node(value, at(old.at), old.size, old.height)

    def span(old: Span) -> Span:
        parts = None if old.parts is None else {key: part(each) for key, each in old.parts.items()}
        return Span(old.start + on, old.end + on, old.place + on, old.flow, old.style, old.mapping, parts)

    def part(old: Part) -> Part:
        key = (old.key[0] + on, old.key[1] + on) if old.key[1] else old.key  # an item has none
        return Part(old.start + on, key, span(old.value))

    entry = Entry(at(piece.entry.at), node(piece.entry.node))
    return Piece(line, index, piece.name, entry, part(piece.part))
