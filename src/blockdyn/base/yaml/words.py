"""Errors for text that is not YAML are written for the user of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ..errors import BlockdynError
from ..location import Location
from .scanning import indented_by_tab


@dataclass(frozen=True)
class Form:
    """A document's noun, its first line, and the remedy for one that is too large."""

    noun: str
    beginning: str
    smaller: str


Kind = Literal["file", "encoding", "syntax", "limit", "duplicate", "type"]
"""A file that cannot be read or is too large; bytes or characters that are no text; no YAML; nested too deep
or with too many values; one key twice; another kind of value than can stand there."""


class DocumentError(BlockdynError):
    """A file or text that is not YAML 1.2: the place, the text found, the text expected, the remedy."""

    def __init__(
        self,
        kind: Kind,
        actual: str,
        expected: str,
        remedy: str = "",
        *,
        key: str = "",
        first: Location | None = None,
        location: Location,
    ) -> None:
        self.kind: Kind = kind
        self.actual, self.expected, self.remedy = actual, expected, remedy
        self.key, self.first, self.location = key, first, location
        lines = (f"{location}: {actual}", f"expected: {expected}", remedy)
        super().__init__("\n".join(line for line in lines if line))


class Hint(NamedTuple):
    """Hint for a syntax error: the text found, the text expected, and the remedy."""

    actual: str
    expected: str
    remedy: str = ""


_COMMAS = "separate {} by commas; quote text that holds , [ ] {{ }} or :"
_TABLE: tuple[tuple[str, Hint], ...] = (
    (
        r"expected ',' or '}', but got '<stream end>'|flow mapping.*found '<stream end>'",
        Hint("the text ends inside { }", "a } for every {", _COMMAS.format("entries")),
    ),
    (
        r"expected ',' or '\]', but got '<stream end>'|flow sequence.*found '<stream end>'",
        Hint("the text ends inside [ ]", "a ] for every [", _COMMAS.format("items")),
    ),
    (
        r"expected the node content, but found '<stream end>'",
        Hint("the text ends where a value was to come", "a value, and every { and [ closed"),
    ),
    (
        r"expected ',' or '}', but got '(.+)'",
        Hint("`$1` inside { }, after an entry", "a comma or }", _COMMAS.format("entries")),
    ),
    (
        r"expected ',' or '\]', but got '(.+)'",
        Hint("`$1` inside [ ], after an item", "a comma or ]", _COMMAS.format("items")),
    ),
    (
        r"found unexpected ':'",
        Hint("a colon inside text", "text", "inside { } and [ ], put text that holds a colon in quotes"),
    ),
    (
        r"mapping values are not allowed",
        Hint(
            "a colon where no key can stand", "one key a line",
            "indent all keys of one mapping equally; quote text with a colon",
        ),
    ),
    (
        r"could not find expected ':'",
        Hint("text without a colon among keys", "`key: value`", "a key is followed by a colon and a space"),
    ),
    (
        r"expected <block end>, but found '<block (mapping|sequence|entry)[^']*'",
        Hint("a line that is indented differently from the lines above", "the same indentation on one level"),
    ),
    (
        r"expected <block end>, but found '([}\]])'",
        Hint("`$1` that closes nothing", "one for every opening one"),
    ),
    (
        r"expected <block end>, but found '([-?,])'",
        Hint("`$1` among keys", "keys only, or items of a list only, in one place"),
    ),
    (
        r"expected <block end>, but found",
        Hint("more text after the end of a value", "one value", "put the whole text in quotes"),
    ),
    (
        r"found unexpected end of stream",
        Hint("text in quotes that does not end", "a closing quote", "in single quotes a quote is written ''"),
    ),
    (
        r"found (?:character )?'\\t'",
        Hint("a tab between values", "spaces", "an editor turns all tabs of a file into spaces"),
    ),
    (
        r"found character '(.+)' that cannot start any token",
        Hint("text that begins with `$1`", "another first character", "put the text in quotes"),
    ),
    (
        r"found unknown escape character '(.+)'",
        Hint(
            r"the escape `\$1` in double quotes", r"an escape such as \n, \t, \\, \x41 or \u00e4",
            "in single quotes, a backslash is one",
        ),
    ),
    (
        r"scanning an (alias|anchor)",
        Hint("`*` or `&` without a name after it", "a name", "put text that begins with it in quotes"),
    ),
    (
        r"but found another document",
        Hint("a second document", "one document a file", "remove the second `---`"),
    ),
)  # fmt: skip


def in_words(problem: str) -> Hint:
    """The meaning of a parser's message; if it is not in the table, the message without its context."""
    for pattern, words in _TABLE:
        match = re.search(pattern, problem)
        if match:
            shown = match.group(1) if match.groups() else ""
            return Hint(*(text.replace("$1", shown) for text in words))
    return Hint(problem.rpartition(": ")[2] or "unreadable", "YAML 1.2")


def syntax_error(error: Any, last: Location, text: str) -> DocumentError:
    """The error of a parser, with its place in the text, or the last one before it."""
    context, problem = getattr(error, "context", None), getattr(error, "problem", None)
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if "quoted" in str(context) and "end of stream" in str(problem):
        mark = error.context_mark  # where the quotes open
    at = Location(last.file, mark.line + 1, mark.column + 1) if mark is not None else last
    if mark is not None and (tab := indented_by_tab(text, mark.line)):
        at = Location(last.file, mark.line + 1, tab)
        return DocumentError("encoding", "a tab in the indentation", "spaces", location=at)
    return unreadable(": ".join(part for part in (context, problem) if part) or str(error), at)


def unreadable(problem: str, at: Location) -> DocumentError:
    """The error for a parser's message."""
    mistake, expected, remedy = in_words(problem)
    return DocumentError("syntax", f"not YAML: {mistake}", expected, remedy, location=at)
