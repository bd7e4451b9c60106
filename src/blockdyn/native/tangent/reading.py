"""A reader of LLVM's text: functions, their blocks in an order in which values stand before their use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NAME = r'%(?:[\w.$-]+|"[^"]+")'
SYMBOL = r'@(?:[\w.$-]+|"[^"]+")'
_FUNCTION = re.compile(rf"^define ([^@\n]*)({SYMBOL})\(([^\n]*)\)[^\n{{)]*\{{\n(.*?)^\}}", re.M | re.S)
_GLOBAL = re.compile(rf"^({SYMBOL}) = [^\n=]*?\b(?:constant|global) (.*)$", re.M)
_METADATA = re.compile(r",?\s*![\w.]+ !\d+")
_ATTRIBUTES = re.compile(r"\s#\d+\b")
_FLAGS = re.compile(
    r"^(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|inbounds|nuw|nusw|volatile|tail|musttail|notail) )+"
)
_LABEL = re.compile(r'^([\w.$-]+|"[^"]+"):')
_OPENING, _CLOSING = "([{<", ")]}>"


@dataclass(frozen=True)
class Line:
    """One instruction: `target = word operands`, without flags and metadata."""

    target: str
    word: str
    operands: str
    text: str


@dataclass(frozen=True)
class Block:
    """Instructions that run in a row."""

    label: str
    lines: tuple[Line, ...]

    @property
    def followers(self) -> list[str]:
        """The labels of the blocks that it may lead to."""
        return [name[1:] for name in re.findall(rf"label ({NAME})", self.lines[-1].operands)]


@dataclass(frozen=True)
class Function:
    """A function that a module defines: (type, name) of its parameters, its blocks in reverse postorder."""

    symbol: str
    result: str
    parameters: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]


def functions_of(text: str) -> dict[str, Function]:
    """The functions that a module's text defines, by symbol."""
    functions = {}
    for match in _FUNCTION.finditer(text):
        head, symbol, parameters, body = match.groups()
        result, _ = last_type(head)
        typed = tuple(argument(part) for part in split_list(parameters))
        functions[symbol] = Function(symbol, result, typed, _order_blocks(list(_blocks(body))))
    return functions


def global_types(text: str) -> dict[str, str]:
    """The types of a module's global variables, by symbol."""
    return {symbol: first_type(remainder)[0] for symbol, remainder in _GLOBAL.findall(text)}


def split_list(text: str) -> list[str]:
    """The parts of a list: split at commas outside of all brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    last = text[begin:].strip()
    return [*parts, last] if last else parts


def first_type(text: str) -> tuple[str, str]:
    """The type that a text begins with, and the text after it."""
    if text[0] not in _OPENING:
        kind, _, remainder = text.partition(" ")
        return kind, remainder
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth == 0:
            return text[: i + 1], text[i + 1 :].strip()
    raise ValueError(text)


def last_type(head: str) -> tuple[str, str]:
    """The type at the end of a function's head, and the text before it."""
    head = head.strip()
    match = re.search(r"(<[^<>]*>|\{.*\}|\[.*\]|\S+)$", head)
    assert match is not None, head
    return match.group(1), head[: match.start()]


def argument(text: str) -> tuple[str, str]:
    """Type and value of a parameter or an argument, without its attributes."""
    kind, remainder = first_type(text)
    match = re.search(
        rf"(?:getelementptr|inttoptr|ptrtoint|bitcast)\b.*\)$|{NAME}$|{SYMBOL}$|\S+$", remainder
    )
    return kind, match.group(0) if match else ""


def _blocks(body: str) -> Iterator[Block]:
    label, open_line = "", ""
    lines: list[Line] = []
    for raw in body.split("\n"):
        if named := _LABEL.match(raw):
            if lines:
                yield Block(label, tuple(lines))
            label, lines = named.group(1), []
            continue
        text = _ATTRIBUTES.sub("", _METADATA.sub("", raw)).strip()
        if not text or text.startswith((";", "#dbg")):
            continue
        open_line = f"{open_line} {text}".strip()
        if open_line.startswith("switch ") and not open_line.endswith("]"):
            continue
        lines.append(_line(open_line))
        open_line = ""
    if lines:
        yield Block(label, tuple(lines))


def _line(text: str) -> Line:
    match = re.match(rf"({NAME}) = (.*)", text)
    target, remainder = match.groups() if match else ("", text)
    remainder = _FLAGS.sub("", remainder)
    word, _, operands = remainder.partition(" ")
    return Line(target, word, _FLAGS.sub("", operands), text)


def _order_blocks(blocks: list[Block]) -> tuple[Block, ...]:
    """The blocks in reverse postorder: a block that dominates another stands before it."""
    by_label = {block.label: block for block in blocks}
    order: list[Block] = []
    reached = {blocks[0].label}
    path = [(blocks[0], iter(blocks[0].followers))]
    while path:
        block, followers = path[-1]
        label = next(followers, None)
        if label is None:
            order.append(block)
            path.pop()
        elif label not in reached:
            reached.add(label)
            path.append((by_label[label], iter(by_label[label].followers)))
    return tuple(reversed(order))
