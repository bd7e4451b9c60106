"""Scanning by YAML 1.2: line breaks, tabs between tokens, and unquoted text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ruamel.yaml.scanner import Scanner

BREAK = re.compile(r"\r\n|\r|\n")
_OF_YAML_1_1 = "\x85\u2028\u2029"  # where ruamel.yaml ends lines too, without counting them
_TAB = re.compile(r"[ ?:-]*\t")  # items and keys indent as well
_PRIVATE = range(0x10FFFD, 0x100000, -1)  # code points without a meaning


def events(text: str) -> Iterator[Any]:
    """Events of ruamel.yaml while it reads a text, with the line ends of YAML 1.2."""
    from ruamel.yaml import YAML

    inside = [character for character in _OF_YAML_1_1 if character in text]
    lower = text.lower()  # stands for itself neither as a character nor as an escape
    private = (chr(code) for code in _PRIVATE if chr(code) not in text and f"{code:x}" not in lower)
    stand_ins = dict(zip(inside, private))
    there = str.maketrans(stand_ins)
    back = str.maketrans({stand_in: character for character, stand_in in stand_ins.items()})
    reader = YAML(typ="safe", pure=True)
    reader.Scanner = TabScanner
    for event in reader.parse(text.translate(there) if inside else text):
        if inside and getattr(event, "value", None):
            event.value = event.value.translate(back)
        yield event


def place_of(text: str, index: int) -> tuple[int, int]:
    """The line and column of a character, both counted from 1."""
    ends = [line_break.end() for line_break in BREAK.finditer(text, 0, index)]
    return len(ends) + 1, index - (ends[-1] if ends else 0) + 1


def indented_by_tab(text: str, line: int) -> int:
    """The column, from 1, of a tab in the indentation of a line, counted from 0; 0 without one."""
    return len(match.group()) if (match := _TAB.match(BREAK.split(text)[line])) else 0


BLANKS = " \t"
_BREAKS = "\r\n\x85\u2028\u2029"


class TabScanner(Scanner):
    """The scanner of ruamel.yaml, which refuses all tabs outside { } and [ ].

    Neither a key nor an item of a list follows a tab: its column would be unclear.
    Source: YAML 1.2.2, sections 6.1 and 6.2.
    """

    def scan_to_next_token(self) -> None:
        while True:
            super().scan_to_next_token()
            if self.reader.peek() != "\t":
                return
            self._skip_blanks()
            if self.reader.peek() not in "#\0" + _BREAKS:
                self.allow_simple_key = False

    def scan_plain_spaces(self, indent: Any, start_mark: Any) -> Any:
        length = 0
        while self.reader.peek(length) in BLANKS:
            length += 1
        blanks = self.reader.prefix(length)
        if self.reader.peek(length) not in _BREAKS:
            self.reader.forward(length)
            return [blanks] if blanks else []
        self.reader.forward(length)
        spaces = super().scan_plain_spaces(indent, start_mark)
        while spaces and self.reader.peek() == "\t":
            self._skip_blanks()
            if self.reader.peek() in _BREAKS:  # an empty line of the text: a break in it
                more = super().scan_plain_spaces(indent, start_mark) or ()
                spaces = [each for each in (*spaces, "\n", *more) if each == "\n"]
        return spaces

    def _skip_blanks(self) -> None:
        while self.reader.peek() in BLANKS:
            self.reader.forward()


Scalar = None | bool | int | float | str

_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_BASES = {"0o": 8, "0x": 16}
_WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_EXACT = 2**63  # larger integers are kept in double precision


def resolve(text: str) -> Scalar:
    """The value of unquoted text: 1e5 is a number, 012 is twelve, `on` is text.

    Raises OverflowError for a number beyond double precision.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _WHOLE.fullmatch(text):
        base = _BASES.get(text[:2])
        if len(text) <= 20:
            integer = int(text[2:], base) if base else int(text)
            if abs(integer) < _EXACT:
                return integer
        return _finite(text if base is None else str(float.fromhex(text)) if base == 16 else _octal(text))
    return _finite(text) if _REAL.fullmatch(text) else text


def _octal(text: str) -> str:
    if len(text) > 345:  # 8**342 is the largest power that double precision holds
        raise OverflowError
    return str(int(text[2:], 8))


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise OverflowError
    return value
