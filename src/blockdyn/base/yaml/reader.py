"""YAML 1.2 is read as values with positions, without tags or equal keys, and within limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from ..location import Location
from ..words import visible
from .limits import DEEPEST, MOST, check_characters
from .positions import Entry, Node
from .scanning import events, resolve
from .words import DocumentError, Form, syntax_error, unreadable

KEPT = 2  # levels of nesting of which the entries before an error of syntax are still read

Tell: TypeAlias = Callable[[DocumentError], None]
Listener: TypeAlias = Callable[[Any], None]


@dataclass(frozen=True)
class Document:
    """Content of a text: all of it, or if not `complete` the part before an error of syntax."""

    root: Node | None
    complete: bool = True


def parse(text: str, file: str, form: Form, *, also: Listener | None = None) -> Node:
    """The document of a text, whose events are also passed to another reader, `also`.

    Raises DocumentError, the first one.
    """
    root = read_document(text, file, form, _raise_error, also).root
    assert root is not None
    return root


def read_document(text: str, file: str, form: Form, tell: Tell, also: Listener | None = None) -> Document:
    """The document of a text; `tell` receives every DocumentError.

    Of two equal keys the first counts; a value that cannot be one is text, nothing or infinite. Text after a
    syntax error is ignored.
    """
    builder = _Builder(file, form, tell)
    try:
        check_characters(text, file, form)
        _build(text, builder, also)
    except DocumentError as error:
        tell(error)
        return Document(None if error.kind in ("limit", "encoding") else builder.begun(), complete=False)
    return Document(builder.root)


def _raise_error(error: DocumentError) -> NoReturn:
    raise error


def _build(text: str, builder: _Builder, also: Listener | None) -> None:
    from ruamel.yaml.error import YAMLError

    try:
        for event in events(text):
            builder.take(event)
            if also is not None:
                also(event)
    except YAMLError as error:
        raise syntax_error(error, builder.last, text) from None
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, OverflowError) as error:
        # raised by the scanner, by oversight, for some escapes and directives
        if isinstance(error, OverflowError) or "chr()" in str(error):
            raise DocumentError(
                "syntax",
                "not YAML: quoted text with an escape for a character that does not exist",
                "escapes up to \\U0010FFFF",
                "in single quotes, a backslash is one",
                location=builder.last,
            ) from None
        raise unreadable(str(error), builder.last) from None
    if builder.root is None:
        form = builder.form
        expected = f"a {form.noun}, beginning with `{form.beginning}`"
        raise DocumentError("syntax", "the file is empty", expected, location=builder.last)


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been read."""

    at: Location
    anchor: str | None
    mapping: bool
    entries: dict[str, Entry] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    key: tuple[str, Location] | None = None
    duplicate: bool = False  # a repeated key: its value is skipped
    size: int = 1
    height: int = 1

    def close(self) -> Node:
        return Node(self.entries if self.mapping else self.items, self.at, self.size, self.height)


class _Builder:
    """Nodes from events, without recursion."""

    def __init__(self, file: str, form: Form, tell: Tell) -> None:
        self.file, self.form, self.tell = file, form, tell
        self.root: Node | None = None
        self.last = Location(file, 1, 1)
        self.open: list[_Open] = []
        self.anchors: dict[str, Node | None] = {}
        self.documents = 0

    def begun(self) -> Node | None:
        """The complete part of the document and of its sections, without the last entry."""
        if self.root is None and self.open:
            if len(self.open) <= KEPT:
                self._forget_last()
            del self.open[KEPT:]
            while self.open:
                self._put(self.open.pop().close(), None)
        return self.root

    def _forget_last(self) -> None:
        """Leave out the entry before the error: part of it may be the unreadable text."""
        last = self.open[-1]
        values: Any = last.entries or last.items
        if len(self.open) == 1 and last.entries:
            values = next(reversed(last.entries.values())).node.value or values
        if isinstance(values, dict):
            values.popitem()
        elif isinstance(values, list) and values:
            values.pop()

    def take(self, event: Any) -> None:
        mark = event.start_mark
        kind = type(event).__name__
        if mark is not None and kind not in ("StreamEndEvent", "DocumentEndEvent"):
            self.last = Location(self.file, mark.line + 1, mark.column + 1)
        match kind:
            case "ScalarEvent":
                self._refuse_tag(event)
                self._put(Node(self._scalar(event), self.last), event.anchor)
            case "MappingStartEvent" | "SequenceStartEvent":
                self._refuse_tag(event)
                if len(self.open) >= DEEPEST:
                    raise self._too_deep()
                if self._expects_key():
                    raise DocumentError("type", "a mapping or list as a key", "text", location=self.last)
                if event.anchor:
                    self.anchors[event.anchor] = None
                self.open.append(_Open(self.last, event.anchor, kind == "MappingStartEvent"))
            case "MappingEndEvent" | "SequenceEndEvent":
                done = self.open.pop()
                self._put(done.close(), done.anchor)
            case "AliasEvent":
                self._put(self._alias(event.anchor), None)
            case "DocumentStartEvent":
                self._document(event)

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise DocumentError(
                "syntax", "a second document", f"one {self.form.noun} a file", location=self.last
            )
        if event.tags or (event.version is not None and tuple(event.version) != (1, 2)):
            expected = "YAML 1.2 without directives"
            self.tell(DocumentError("syntax", "a directive", expected, location=self.last))

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None:
            error = DocumentError(
                "syntax",
                f"the tag `{str(event.tag)[:60]}`",
                "a value without a tag (text that looks like a number is put in quotes)",
                "files are read as data: no tag makes an object or runs code",
                location=self.last,
            )
            self.tell(error)

    def _scalar(self, event: Any) -> bool | int | float | str | None:
        text: str = event.value
        if event.style is not None:
            try:
                text.encode("utf-8")
            except UnicodeEncodeError:
                self.tell(
                    DocumentError("encoding", "half a character", "whole characters", location=self.last)
                )
            return text
        if self._expects_key():
            return text if isinstance(self._number(text), str) else self._odd_key(text)
        return self._number(text)

    def _number(self, text: str) -> bool | int | float | str | None:
        try:
            return resolve(text)
        except OverflowError:
            expected = "a number below 1.8e308, or .inf"
            self.tell(DocumentError("type", f"the number {text[:40]}", expected, location=self.last))
            return math.inf

    def _odd_key(self, text: str) -> str:
        more = "; decimals have a point, 2.5: a comma ends a value" if text[:1].isdigit() else ""
        expected = f'text; "{text}" in quotes is text{more}'
        self.tell(DocumentError("type", f"`{text}` as a key", expected, key=text, location=self.last))
        return text

    def _alias(self, name: str) -> Node:
        node = self.anchors.get(name)
        if node is None:
            problem = "that contains this alias" if name in self.anchors else "that does not exist"
            text = f"alias `*{name}` of an anchor {problem}"
            error = DocumentError("syntax", text, "an anchor above", location=self.last)
            if name in self.anchors:
                raise error
            self.tell(error)
            return Node(None, self.last)
        if len(self.open) + node.height > DEEPEST:
            raise self._too_deep()
        return Node(node.value, self.last if node.height == 0 else node.at, node.size, node.height)

    def _expects_key(self) -> bool:
        return bool(self.open) and self.open[-1].mapping and self.open[-1].key is None

    def _put(self, node: Node, anchor: str | None) -> None:
        """Append a complete node to the open mapping or list, or make it the root."""
        if anchor:
            self.anchors[anchor] = node
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if parent.mapping and parent.key is None:
            self._key(parent, node)
            return
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if parent.size > MOST:
            raise DocumentError(
                "limit",
                f"more than {MOST} values, aliases written out",
                f"at most {MOST}",
                self.form.smaller,
                location=self.last,
            )
        if parent.key is not None:
            name, at = parent.key
            if not parent.duplicate:
                parent.entries[name] = Entry(at, node)
            parent.key, parent.duplicate = None, False
        else:
            parent.items.append(node)

    def _key(self, parent: _Open, node: Node) -> None:
        if not isinstance(node.value, str):
            raise DocumentError("type", f"{node.describe()} as a key", "text", location=self.last)
        if visible(node.value, lines=False) != node.value:
            shown = visible(node.value, lines=False)[:60]
            expected = "printable text on one line"
            self.tell(DocumentError("type", f"the key `{shown}`", expected, location=self.last))
        first = parent.entries.get(node.value)
        if first is not None:
            error = DocumentError(
                "duplicate",
                f"key `{node.value}` is repeated; the first is at {first.at}",
                "every key once",
                "remove or rename one of the two",
                key=node.value,
                first=first.at,
                location=self.last,
            )
            self.tell(error)
            parent.duplicate = True
        parent.key = (node.value, self.last)

    def _too_deep(self) -> DocumentError:
        text = f"more than {DEEPEST} levels of nesting"
        return DocumentError("limit", text, f"at most {DEEPEST}", self.form.smaller, location=self.last)
