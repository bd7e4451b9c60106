"""MATLAB texts are split into words; this module holds words, tree nodes and the error for other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ....base.errors import BlockdynError

LONGEST = 300_000  # characters of a text: parameter files with tables are long, hostile ones longer
DEEPEST = 60  # levels of nesting: parsing and evaluation recurse, and Python allows 1000 calls in all


class UnreadableText(BlockdynError):
    """A text that is not valid: `problem` at `column` of `text`, both from `line` of the source.

    Columns and lines count from 1; `text` is the line of the source with the problem.
    """

    def __init__(self, problem: str, text: str = "", place: int = 0) -> None:
        before = text[: max(place, 0)]
        start = before.rfind("\n") + 1
        end = text.find("\n", start)
        self.problem, self.line, self.column = problem, before.count("\n") + 1, len(before) - start + 1
        self.text = text[start : end if end >= 0 else len(text)]
        self.place = place
        spot = f"line {self.line}, column {self.column}" if "\n" in text.strip() else f"column {self.column}"
        shown = self.text.strip()
        shown = shown if len(shown) <= 100 else shown[:100] + "..."
        super().__init__(f"{spot} of `{shown}`: {problem}" if text.strip() else problem)


class UnknownName(UnreadableText):
    """A name, `name`, that is neither a variable nor a function."""

    def __init__(self, name: str, problem: str, text: str = "", place: int = 0) -> None:
        self.name = name
        super().__init__(problem, text, place)


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression; `place` is the offset of its first or deciding character in the text."""

    place: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number."""

    value: float


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A text: 'characters', or a "string"."""

    value: str
    string: bool = False


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A variable, a constant or a function without arguments."""

    name: str


@dataclass(frozen=True, slots=True)
class Colon(Node):
    """A bare colon as an index: everything."""


@dataclass(frozen=True, slots=True)
class End(Node):
    """The last index."""


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-`, `+`, `~` before an operand, `'` and `.'` after it."""

    op: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """An operator between two operands; `!=` is read as `~=`."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A call or an index in parentheses: MATLAB writes both alike."""

    target: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Brace(Node):
    """An index in braces: the content of a cell."""

    target: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    """A field of a struct, by its name or by an expression for it."""

    target: Node
    name: str | Node


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """Rows of elements in square brackets."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class CellArray(Node):
    """Rows of elements in braces."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """start:stop or start:step:stop."""

    start: Node
    step: Node | None
    stop: Node


@dataclass(frozen=True, slots=True)
class Handle(Node):
    """A function: `@name` has no parameters (None) and a Name as its body."""

    parameters: tuple[str, ...] | None
    body: Node


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """One or several targets and a value; a target that is ignored, `~`, is None."""

    targets: tuple[Node | None, ...]
    value: Node


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """An expression as a statement."""

    value: Node


@dataclass(frozen=True, slots=True)
class If(Node):
    """Conditions with their statements, and the statements of `else`."""

    branches: tuple[tuple[Node, tuple[Node, ...]], ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class For(Node):
    """A loop over the columns of a value."""

    variable: str
    values: Node
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function with its parameters and results by name."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    body: tuple[Node, ...]


class String(str):
    """A text in double quotes, which joins with + and is compared as a whole."""

    __slots__ = ()


class Token(NamedTuple):
    """A word of the text; `space` if white space precedes it."""

    kind: str  # number, text, string, name, op, row (a new line or `;` in brackets), next, end
    text: str
    place: int
    space: bool


_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f\v\xa0\ufeff]+) | (?P<continuation>\.\.\.[^\n]*(?:\n|\Z)) | (?P<comment>%[^\n]*)
    | (?P<newline>\n) | (?P<number>(?:[0-9]+(?:\.(?!\.\.|[*/\\^'])[0-9]*)?|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?)
    | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
    | (?P<op>&&|\|\||==|~=|!=|<=|>=|\.\*|\./|\.\\|\.\^|\.'|[-+*/\\^<>=&|~!:,;()\[\]{}@.])""",
    re.VERBOSE,
)
_TEXT = {"'": re.compile(r"'((?:[^'\n]|'')*)'"), '"': re.compile(r'"((?:[^"\n]|"")*)"')}
_COMMAND = re.compile(  # commands that change no variable, with their words
    r"(?:clc|clear|clearvars|close|format|hold|more|figure|drawnow|warning|echo|grid|axis|disp|clf|commandwindow)"
    r"(?:[ \t]+(?![ \t=(])[^;,\n%]*)?(?=[;,\n%]|[ \t]*\Z)"
)
_CLOSING = {")": "(", "]": "[", "}": "{"}
KEYWORDS = frozenset((
    "if", "elseif", "else", "for", "switch", "case", "otherwise", "function", "return", "catch", "while",
    "try", "parfor", "persistent", "global", "break", "continue", "spmd", "classdef", "import",
))  # fmt: skip


def tokens(text: str, fcn: bool = False) -> list[Token]:
    """The words of a text. Raises UnreadableText.

    A quote is a transpose directly after an operand and begins a text elsewhere, as in `[a' 'b']`.
    """
    if len(text) > LONGEST:
        raise UnreadableText(f"a text of {len(text)} characters; at most {LONGEST} are read")
    return list(_scan(text.translate({91: 40, 93: 41}) if fcn else text, text))


def _scan(text: str, source: str) -> Iterator[Token]:
    """The words one after another, then a word of kind `end`."""
    place, space, opened, before = 0, False, [""], Token("next", "", 0, False)
    while place < len(text):
        if before.kind == "next" and len(opened) == 1 and (match := _COMMAND.match(text, place)):
            place = match.end()
            continue
        character = text[place]
        listing = opened[-1] in ("[", "{")
        operand = before.kind in ("number", "text", "string", "name") or before.text in (
            ")",
            "]",
            "}",
            "'",
            ".'",
        )
        if character == '"' or (character == "'" and not (operand and not (listing and space))):
            match = _TEXT[character].match(text, place)
            if match is None:
                raise UnreadableText(f"a text has no closing {character}", source, place)
            kind = "text" if character == "'" else "string"
            token = Token(kind, match[1].replace(character * 2, character), place, space)
        elif character == "'":
            token, match = Token("op", "'", place, space), re.compile("'").match(text, place)
        else:
            match = _TOKEN.match(text, place)
            if match is None:
                raise UnreadableText(f"the character {character!r} has no meaning here", source, place)
            kind = str(match.lastgroup)
            if kind in ("space", "continuation", "comment"):
                end = _comment_end(text, place) if kind == "comment" else match.end()
                place, space = end, True
                continue
            token = _word(kind, match[0], place, space, listing, source)
        assert match is not None
        if token.text in ("(", "[", "{") and token.kind == "op":
            opened.append(token.text)
        elif token.text in _CLOSING and token.kind == "op" and opened.pop() != _CLOSING[token.text]:
            raise UnreadableText(f"`{token.text}` closes nothing", source, place)
        if token.kind == "op" and token.text in ",;" and len(opened) == 1:
            token = token._replace(kind="next")
        place, space, before = match.end(), False, token
        yield token
    if len(opened) > 1:
        raise UnreadableText(f"`{opened[-1]}` is not closed", source, len(source))
    yield Token("end", "", len(text), True)


def _word(kind: str, word: str, place: int, space: bool, listing: bool, source: str) -> Token:
    """The token of a number, a name, an operator or a line end."""
    if kind == "newline":
        return Token("row" if listing else "next", ";" if listing else "\n", place, space)
    if kind == "op" and word == ";" and listing:
        return Token("row", ";", place, space)
    if kind == "number" and (after := re.compile(r"[A-Za-z_]\w*").match(source, place + len(word))):
        if after[0] in ("i", "j"):
            raise UnreadableText(f"`{word}{after[0]}` is complex; values here are real", source, place)
        raise UnreadableText(f"`{word}{after[0]}` is neither a number nor a name", source, place)
    return Token(kind, {"!=": "~=", "!": "~"}.get(word, word), place, space)


def _comment_end(text: str, place: int) -> int:
    """The end of a comment: its line's, or its block's from a line with `%{` alone to one with `%}` alone."""
    depth, start = 0, text.rfind("\n", 0, place) + 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip()
        depth += (line == "%{") - (line == "%}")
        if depth <= 0:
            return end
        start = end + 1
    return len(text)
