"""Breaks: where lines end by YAML 1.2 (specification 1.2.2, section 5.4): at LF, CR and CR LF only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

BREAK = re.compile(r"\r\n|\r|\n")
_OF_YAML_1_1 = "\x85\u2028\u2029"  # where ruamel.yaml ends lines too, without counting them
_TAB = re.compile(r"[ ?:-]*\t")  # items and keys indent as well
_PRIVATE = range(0x10FFFD, 0x100000, -1)  # code points that mean nothing


def events(text: str) -> Iterator[Any]:
    """What ruamel.yaml tells of a text while it reads, with lines that end where YAML 1.2 says."""
    from ruamel.yaml import YAML

    from .tabs import TabScanner

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
