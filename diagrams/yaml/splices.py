"""Splices change values, keys or items of a YAML text and leave every other character unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from ...base.yaml.scanning import BREAK
from ...base.yaml.spans import Part, Span, passed_over
from ..model.section import Steps
from .values import flow, word
from .writer import tree_lines

INDENT = 2
FRONT = -1
"""Behind it goes what is to be the first item of a list."""
_LINE = re.compile(r"[^\r\n]*")
_BLANKS = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")
_NOTHING_MORE = re.compile(r"[ \t]*(#[^\r\n]*)?(?=[\r\n]|\Z)")  # in a line, but for a comment
_HEADER = re.compile(r"[|>][-+0-9]*")
_NOT_PLAIN = {*"#:{}\"'&*!|%@`"}  # in an item of a list in lines


class Splice:
    """The text with one change. Steps lead to existing parts; others raise KeyError or IndexError.

    A part of a mapping or list includes its comma and the comment after it, unless another part ends in that
    line. Comments in lines of their own belong to no part.
    """

    def __init__(self, text: str, root: Span) -> None:
        self.text, self.root = text, root
        first = BREAK.search(text)
        self.newline = first.group() if first else "\n"

    def replaced(self, changes: Sequence[tuple[Steps, Any]]) -> str:
        """Other values at the ends of some steps, none of which is inside another one."""
        return self._with(*(piece for steps, value in changes for piece in self._replacement(steps, value)))

    def spelled(self, steps: Steps, text: str) -> str:
        """Other characters for the value at the end of some steps, which is in one line."""
        span = self.span(steps)
        return self._with((span.start, span.end, text))

    def renamed(self, steps: Steps, name: str) -> str:
        """Another key at the end of some steps."""
        start, end = self._part(steps).key
        return self._with((start, end, word(name)))

    def inserted(self, steps: Steps, name: str | None, value: Any, after: str | int | None = None) -> str:
        """One entry more in the mapping at the end of some steps, or without a name one item in the list.

        It goes after the last one, or after the one called `after`; an item after FRONT is the first.
        """
        span = self.span(steps)
        if not span.parts:
            return self._first(steps, span, name, value)
        parts = list(span.parts.values())
        if after == FRONT:
            return self._with(self._in_front(span, parts[0].start, value))
        number = len(parts) - 1 if after is None else list(span.parts).index(after)
        if span.flow:
            return self._in_flow(parts[number], _in_line(name, value))
        end = self._end_of_line(parts[number].value.end)
        return self._with((end, end, self._lines(name, value, self._column(span.start))))

    def removed(self, steps: Steps) -> str:
        """Without the entry or item at the end of some steps; comments in lines of their own stay."""
        parent = self.span(steps[:-1])
        assert parent.parts is not None
        number = list(parent.parts).index(steps[-1])
        if parent.flow:
            return self._with(*self._cut_from_flow(parent, number))
        return self._with(*self._cut_from_lines(parent, number, bool(steps[:-1])))

    def block(self, steps: Steps) -> tuple[int, int] | None:
        """The lines of an entry or item, with the comments in lines of their own above it and within it.

        None for a part that shares its line with another one.
        """
        parent = self.span(steps[:-1])
        parts = list((parent.parts or {}).values())
        part = self._part(steps)
        number = next(i for i, each in enumerate(parts) if each is part)
        begin, end = self._begin_of_line(part.start), self._end_of_line(part.value.end)
        if parent.flow or self.text[begin : part.start].strip(" \t"):
            return None
        column = part.start - begin
        least = self._end_of_line(parts[number - 1].value.end) if number else self._end_of_line(parent.place)
        while begin > least + 1 and (above := self._begin_of_line(self._without_break(begin))) > least:
            if self._comment(above) != column:
                break
            begin = above
        most = parts[number + 1].start if number + 1 < len(parts) else len(self.text)
        while (after := BREAK.match(self.text, end)) and after.end() < most:
            if self._comment(after.end()) <= column:
                break
            end = self._end_of_line(after.end())
        return begin, end

    def _comment(self, begin: int) -> int:
        """The column of the comment that a line is; -1 for another line."""
        at = self._after_blanks(begin)
        return at - begin if self.text[at : at + 1] == "#" else -1

    def lines(self, steps: Steps) -> list[str]:
        """The text of an entry or item as lines that begin at its own column."""
        block = self.block(steps)
        part = self._part(steps)
        if block is None:
            value = BREAK.split(self.text[part.start : part.value.end])
            dash = "- " if isinstance(steps[-1], int) and self.span(steps[:-1]).flow else ""
            return [dash + value[0], *(f"  {line.strip()}" for line in value[1:])]
        column = self._column(part.start)
        lines = BREAK.split(self.text[slice(*block)])
        return [line[min(column, len(line) - len(line.lstrip(" \t"))) :] for line in lines]

    def without(self, steps: Steps) -> str:
        """Without the entry or item at the end of some steps, and without the comments that are its own."""
        block = self.block(steps)
        if block is None:
            return self.removed(steps)
        parent = self.span(steps[:-1])
        number = list(parent.parts or {}).index(steps[-1])
        pieces = self._cut_from_lines(parent, number, bool(steps[:-1]))
        after = BREAK.match(self.text, block[1])
        block_cut = (block[0], after.end() if after else block[1], "")
        cuts = [block_cut, *(piece for piece in pieces if not piece[2])]
        first, last = min(piece[0] for piece in cuts), max(piece[1] for piece in cuts)
        return self._with((first, last, ""), *(piece for piece in pieces if piece[2]))

    def comments(self) -> list[str]:
        """The comments, in order: `#` after a blank, outside keys and values."""
        covered, queue = [(len(self.text), len(self.text))], [self.root]
        while queue:
            span = queue.pop()
            if span.parts is None:
                covered.append((span.start, span.end))
            for part in (span.parts or {}).values():
                covered.append(part.key)
                queue.append(part.value)
        comments, at = list[str](), 0
        for start, end in sorted(covered):
            comments += _COMMENT.findall(self.text[at:start])
            at = max(at, end)
        return comments

    def commented(self, steps: Steps, lines: Sequence[str]) -> str:
        """With comments in lines above an entry or item, or above the line that it shares."""
        block, start = self.block(steps), self._part(steps).start
        begin = self._begin_of_line(start) if block is None else block[0]
        column = " " * (self._after_blanks(begin) - begin)
        return self._with((begin, begin, "".join(f"{column}{line}{self.newline}" for line in lines)))

    def with_lines(self, steps: Steps, lines: Sequence[str], after: str | int | None) -> str | None:
        """Add lines of entries or items after one; None if these share lines."""
        span = self.span(steps)
        if span.flow or not span.parts:
            return None
        parts = list(span.parts.values())
        number = len(parts) - 1 if after is None else list(span.parts).index(after)
        block = self.block((*steps, list(span.parts)[number]))
        end = self._end_of_line(parts[number].value.end) if block is None else block[1]
        column = " " * self._column(span.start)
        return self._with((end, end, "".join(f"{self.newline}{column}{line}".rstrip(" ") for line in lines)))

    def span(self, steps: Steps) -> Span:
        """The text of the value at the end of some steps."""
        return self._part(steps).value if steps else self.root

    def _part(self, steps: Steps) -> Part:
        return (self.span(steps[:-1]).parts or {})[steps[-1]]

    # ---- pieces: from, to, and the text instead ----

    def _replacement(self, steps: Steps, value: Any) -> list[tuple[int, int, str]]:
        span = self.span(steps)
        in_lines = bool(steps) and not self.span(steps[:-1]).flow
        text = _item(value) if in_lines and isinstance(steps[-1], int) else flow(value)
        if isinstance(value, str) and value.isprintable() and span.style in ("'", '"'):
            in_single = "'" + value.replace("'", "''") + "'"
            text = in_single if span.style == "'" else json.dumps(value, ensure_ascii=False)
        header = _HEADER.match(self.text, span.start) if span.style in ("|", ">") else None
        if header:  # lines become one, and a comment after the header stays
            return [(span.start, header.end(), text), (*self._later_lines(span.start, span.end), "")]
        if in_lines and not span.flow and BREAK.search(self.text, span.place, span.start):
            return [(span.place, span.place, f" {text}"), (*self._later_lines(span.place, span.end), "")]
        if span.start < span.end or not steps:
            blank = " " if self.text[max(0, span.start - 1) : span.start] == ":" else ""
            return [(span.start, span.end, blank + text)]
        colon = ":" if self.text[span.place - 1] != ":" and span.place == self._part(steps).key[1] else ""
        return [(span.place, span.place, f"{colon} {text}")]

    def _cut_from_lines(self, parent: Span, number: int, inside: bool) -> list[tuple[int, int, str]]:
        parts = list((parent.parts or {}).values())
        part = parts[number]
        start, end = part.start, self._end_of_line(part.value.end)
        begin = self._begin_of_line(start)
        shared = bool(self.text[begin:start].strip(" \t"))  # its line has the dash or key of its parent
        nothing = "{}" if parent.mapping else "[]"
        if shared and len(parts) > 1:
            following = parts[1].start
            if "#" in self.text[end:following]:
                return [(self._without_blanks(start), end, "")]
            return [(start, following, "")]
        if shared:
            return [(parent.place, end, f" {nothing}")]
        after = BREAK.match(self.text, end)
        if after:
            end = after.end()
        elif (len(parts) > 1 or inside) and not (number and _ends_in_lines(parts[number - 1].value)):
            begin = self._without_break(begin)
        if len(parts) > 1:
            return [(begin, end, "")]
        if not inside:
            return [(begin, end, nothing + self.newline)]
        return [(parent.place, parent.place, f" {nothing}"), (begin, end, "")]

    def _cut_from_flow(self, parent: Span, number: int) -> list[tuple[int, int, str]]:
        parts = list((parent.parts or {}).values())
        part, previous = parts[number], parts[number - 1] if number else None
        following = parts[number + 1] if number + 1 < len(parts) else None
        start, end = part.start, part.value.end
        comma, stop, cuts = self._comma(end), end, []
        before = self._comma(previous.value.end) if previous else None
        if comma is not None and not BREAK.search(self.text, end, comma):
            stop = comma + 1
        elif comma is not None and before is not None and not BREAK.search(self.text, before, start):
            start = before  # each comma begins a line
        elif comma is not None:
            cuts.append((comma, self._after_blanks(comma + 1), ""))
        last_in_line = _NOTHING_MORE.match(self.text, stop)
        alone = previous is None or previous.value.end <= self._begin_of_line(end)
        if previous is not None and comma is None:
            start = self._with_comma_before(previous, start, bool(last_in_line))
        begin = self._begin_of_line(start)
        if last_in_line and alone:
            stop = last_in_line.end()
            after = BREAK.match(self.text, stop)
            if after and not self.text[begin:start].strip(" \t"):
                start, stop = begin, after.end()
            elif not number and following and "#" not in self.text[stop : following.start]:
                stop, cuts = following.start, []
            else:
                start = self._without_blanks(start)
        elif not last_in_line and following is not None:
            stop = following.start
        elif previous is not None:
            start = self._without_blanks(start)
        cuts.append((start, stop, ""))
        if len(parts) == 1:
            left = self.text[parent.start + 1 : start] + self.text[stop : parent.end - 1]
            if not left.strip(" \t\r\n,"):
                return [(parent.start + 1, parent.end - 1, "")]
        return cuts

    def _with_comma_before(self, previous: Part, start: int, last_in_line: bool) -> int:
        """Start of the last part with the comma before it; a comma on an earlier line may stay."""
        end = previous.value.end
        comma = self._comma(end)
        assert comma is not None
        if not BREAK.search(self.text, comma, start):
            return comma if BREAK.search(self.text, end, comma) else end
        return start if last_in_line or "#" in self.text[end:start] else end

    def _in_front(self, span: Span, start: int, value: Any) -> tuple[int, int, str]:
        """An item before the first one of a list, which begins at `start`."""
        if span.flow:
            return start, start, f"{flow(value)}, "
        return start, start, f"- {_item(value)}{self.newline}{' ' * self._column(start)}"

    def _first(self, steps: Steps, span: Span, name: str | None, value: Any) -> str:
        """The first entry or item: in a line of its own where its mapping or list may have lines."""
        inside = self.text[span.start + 1 : max(span.start, span.end - 1)]
        around = self.span(steps[:-1])
        if "#" in inside:
            at = span.start + 1 + len(inside.rstrip(" \t\r\n"))
            indent = self._column(self._after_blanks(self._begin_of_line(span.start))) + INDENT
            return self._with((at, at, self.newline + " " * indent + _in_line(name, value)))
        if not steps or around.flow or isinstance(steps[-1], int):
            return self._with(*self._replacement(steps, [value] if name is None else {name: value}))
        at, end = span.place, self._end_of_line(span.end)
        column = self._column(around.start) + INDENT
        return self._with((at, max(at, span.end), ""), (end, end, self._lines(name, value, column)))

    def _in_flow(self, last: Part, text: str) -> str:
        """A part after another one: in its line, or in the next one if this is not another part's."""
        end = last.value.end
        comma = self._comma(end)
        in_line = comma is not None and not BREAK.search(self.text, end, comma)
        line = _NOTHING_MORE.match(self.text, end if comma is None or not in_line else comma + 1)
        begin = self._begin_of_line(last.start)
        if not line or not (line.group(1) or not self.text[begin : last.start].strip(" \t,")):
            return self._with((end, end, f", {text}"))
        indent = self.newline + " " * self._column(last.start)
        if comma is None:
            return self._with((end, end, ","), (line.end(), line.end(), indent + text))
        text = f"{text}," if in_line else f", {text}"
        return self._with((line.end(), line.end(), indent + text))

    # ---- lines ----

    def _lines(self, name: str | None, value: Any, column: int) -> str:
        """An entry or item in lines of its own, after the end of a line."""
        lines = tree_lines(name, value) if name is not None else [f"- {_item(value)}"]
        return "".join(f"{self.newline}{' ' * column}{line}" for line in lines)

    def _comma(self, end: int) -> int | None:
        """Position of the comma after a part."""
        at = passed_over(self.text, end)
        return at if self.text[at : at + 1] == "," else None

    def _begin_of_line(self, at: int) -> int:
        return max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1

    def _end_of_line(self, at: int) -> int:
        line = _LINE.match(self.text, at)
        assert line is not None
        return line.end()

    def _later_lines(self, start: int, end: int) -> tuple[int, int]:
        """From the end of one line to the end of another one."""
        return self._end_of_line(start), self._end_of_line(end)

    def _after_blanks(self, at: int) -> int:
        blanks = _BLANKS.match(self.text, at)
        assert blanks is not None
        return blanks.end()

    def _without_blanks(self, at: int) -> int:
        """Start of the blanks before a place, in its line."""
        begin = self._begin_of_line(at)
        return begin + len(self.text[begin:at].rstrip(" \t"))

    def _without_break(self, begin: int) -> int:
        """End of the line before a place."""
        return begin - (2 if self.text[:begin].endswith("\r\n") else 1) if begin else 0

    def _column(self, at: int) -> int:
        return at - self._begin_of_line(at)

    def _with(self, *pieces: tuple[int, int, str]) -> str:
        """The text with other text in place of some of it."""
        text = self.text
        order = sorted(enumerate(pieces), key=lambda item: (item[1][:2], item[0]), reverse=True)
        for _, (start, end, new) in order:
            text = text[:start] + new + text[end:]
        return text


def _ends_in_lines(span: Span) -> bool:
    """True if a value ends with a text in lines, to which the last break may belong."""
    while span.parts and not span.flow:
        span = list(span.parts.values())[-1].value
    return span.style in ("|", ">")


def _in_line(name: str | None, value: Any) -> str:
    """An item or entry of a flow collection."""
    return flow(value) if name is None else f"{word(name)}: {flow(value)}"


def _item(value: Any) -> str:
    """An item of a list in lines: wires stand there without quotes."""
    wire = isinstance(value, str) and " -> " in value and value.isprintable() and not {*value} & _NOT_PLAIN
    return value if wire else flow(value)
