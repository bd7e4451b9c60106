"""Conditions in formulas: each becomes a zero crossing and a bit of the block's mode."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

from .errors import FormulaError
from .formula import Formula, Node, parse

MOST = 30  # bits that a mode holds
CELL_BITS = 6  # floor remembers its whole number modulo 64: a step may pass 31 of them

MODE = Node("name", "mode")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = (*COMPARISONS, "and", "or", "not")
PARTIAL = ("sqrt", "log", "log2", "log10", "asin", "acos", "**")  # undefined somewhere


@lru_cache(maxsize=4096)
def roles(text: str) -> Mapping[str, Formula | tuple[Formula, ...]]:
    """A formula as the functions of an elementwise block: `output` and, with conditions, `crossing`, `mode`.

    Comparisons, abs, sign, min, max, where, floor, ceil, %, and the cut of atan2 are conditions. The output
    is the smooth branch that the bits of `mode` select, also a little beyond its end; `crossing` tells when
    an end is passed, and `mode` which branch holds then.

    Raises FormulaError.
    """
    formula = parse(text)
    conditions = _Conditions(text)
    output = conditions.frozen(formula.root)
    if not conditions.levels:
        return {"output": formula}
    return {
        "output": Formula(text, (*formula.names, "mode"), output),
        "crossing": tuple(_formula(text, level) for level in conditions.levels),
        "mode": _formula(text, Node("bits", parts=tuple(conditions.tests))),
    }


class _Conditions:
    """The conditions met while a tree is rewritten: what sets each bit, and what crosses zero."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.room = MOST
        self.tests: dict[Node, Node] = {}  # test -> its bit
        self.levels: dict[Node, None] = {}

    def take(self, bits: int) -> None:
        """Keep formulas small: 30 bits, and a bounded number of copies of a part."""
        self.room -= bits
        if self.room < 0:
            raise FormulaError(
                f"`{self.text[:60]}` has more conditions than the {MOST} that a block holds\n"
                f"(floor, ceil, %, atan2, and a choice around roots or logarithms count {CELL_BITS} each)\n"
                "split it into several blocks"
            )

    def hold(self, test: Node) -> Node:
        """The bit that holds a test."""
        if test not in self.tests:
            self.take(1)
            self.tests[test] = Node("bit", len(self.tests), (MODE,))
        return self.tests[test]

    def bit(self, test: Node, level: Node) -> Node:
        """The bit that holds a test, which changes where `level` crosses zero."""
        self.levels[level] = None
        return self.hold(test)

    def frozen(self, node: Node) -> Node:
        """The same tree with bits in place of conditions."""
        whole = node.parts
        parts = tuple(map(self.frozen, whole))
        match node.operation:
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return self.bit(node, parts[0] if whole[1] == _number(0) else _do("-", *parts))
            case "and" | "or" | "not":
                return _do(node.operation, *map(self.truth, whole, parts))
            case "where":
                return self.choice(whole, self.truth(whole[0], parts[0]), *parts[1:])
            case "min" | "max":
                first = self.bit(_do("<=" if node.operation == "min" else ">=", *whole), _do("-", *parts))
                return _do("where", first, *parts)
            case "abs":
                up = self.bit(_do(">=", whole[0], _number(0)), parts[0])
                return _do("*", _do("-", _do("*", _number(2), up), _number(1)), parts[0])
            case "sign":
                up, down = (self.bit(_do(way, whole[0], _number(0)), parts[0]) for way in "><")
                return _do("-", up, down)
            case "floor":
                return self.floor(whole[0], parts[0])
            case "ceil":
                return _do("neg", self.floor(_do("neg", whole[0]), _do("neg", parts[0])))
            case "%":
                return _do("-", parts[0], _do("*", parts[1], self.floor(_do("/", *whole), _do("/", *parts))))
            case "atan2":
                return self.angle(whole[0], *parts)
        return Node(node.operation, node.value, parts)

    def truth(self, whole: Node, frozen: Node) -> Node:
        """A logical value; a number counts as true when it is not zero."""
        return frozen if whole.operation in LOGIC else self.bit(_do("!=", whole, _number(0)), frozen)

    def choice(self, whole: tuple[Node, ...], first: Node, a: Node, b: Node) -> Node:
        """One of two branches; the other where it is undefined beyond its end, as sqrt(x) for x > 0 is."""
        chosen = _do("where", first, a, b)
        if not any(map(_partial, whole[1:])):
            return chosen
        self.take(CELL_BITS)
        ended = _do("!=", _do("not", whole[0]), _do("not", first))
        undefined = _do("and", ended, _do("!=", chosen, chosen))
        return _do("where", undefined, _do("where", first, b, a), chosen)

    def floor(self, whole: Node, x: Node) -> Node:
        """The number n, within 32 of x - 1/2, whose last bits the mode holds; x crosses n and n + 1."""
        rest = _number(0)
        for j in range(CELL_BITS):
            bit = self.hold(_do("%", _do("floor", _do("/", whole, _number(2**j))), _number(2)))
            rest = _do("+", rest, _do("*", _number(2**j), bit))
        cells = _number(2**CELL_BITS)
        centre = _number(2 ** (CELL_BITS - 1) - 0.5)
        turns = _do("floor", _do("/", _do("+", _do("-", x, rest), centre), cells))
        n = _do("+", rest, _do("*", cells, turns))
        self.levels[_do("*", _do("-", x, n), _do("-", _do("+", n, _number(1)), x))] = None
        return n

    def angle(self, whole: Node, y: Node, x: Node) -> Node:
        """atan2(y, x), continued beyond +-pi until y has been seen to change its sign."""
        self.take(CELL_BITS - 1)
        plain = _do("atan2", y, x)
        up = self.bit(_do(">=", whole, _number(0)), y)
        under = _do("and", up, _do("<", plain, _number(-math.pi / 2)))
        over = _do("and", _do("not", up), _do(">", plain, _number(math.pi / 2)))
        return _do("+", plain, _do("*", _number(math.tau), _do("-", under, over)))


def _do(operation: str, *parts: Node) -> Node:
    return Node(operation, parts=parts)


def _number(value: float) -> Node:
    return Node("number", float(value))


def _partial(node: Node) -> bool:
    """Whether a tree may be undefined somewhere; a whole power never is."""
    whole = (
        node.operation == "**" and node.parts[1].operation == "number" and float(node.parts[1].value) % 1 == 0
    )
    return (node.operation in PARTIAL and not whole) or any(map(_partial, node.parts))


def _formula(text: str, root: Node) -> Formula:
    return Formula(text, tuple(dict.fromkeys(_names(root))), root)


def _names(node: Node) -> Iterator[str]:
    if node.operation == "name":
        yield str(node.value)
    for part in node.parts:
        yield from _names(part)
