"""Conditions in formulas: each becomes a zero crossing and a bit of the block's mode.

A formula is rewritten as three formulas. The output has bits of the mode in place of conditions, so that it
is one smooth branch within a step for any inputs. The crossings show where a condition may change: an event
ends the step there. The mode evaluates the conditions as written.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce

from .errors import FormulaError
from .formula import TIME, Formula, Node, parse
from .internal_names import MODE as MODE_NAME

MOST = 30  # bits of a mode; bounds the rewritten formula too, in which parts with conditions are copied
CELL_BITS = 6  # floor stores its whole number modulo 64: a trial step may pass the event by 31 numbers

MODE = Node("name", MODE_NAME)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = (*COMPARISONS, "and", "or", "not")
SPACINGS = 2.0**-50  # relative to a number: at least four spacings, above the rounding of a few operations
NO_SIZE = 1e-150  # for a derivative of 0 at 0
CONDITIONS = (*LOGIC, "where", "min", "max", "abs", "sign", "floor", "ceil", "%", "atan2")
PARTIAL = ("sqrt", "log", "log2", "log10", "asin", "acos", "**")  # undefined somewhere


@lru_cache(maxsize=4096)
def roles(text: str) -> Mapping[str, Formula | tuple[Formula, ...]]:
    """A formula as the functions of an elementwise block: `output` and, with conditions, `crossing`, `mode`.

    Comparisons, abs, sign, min, max, where, floor, ceil, %, and the cut of atan2 are conditions. The output
    is the smooth branch that the bits of `mode` select, also a little beyond its end; `crossing` is zero
    where a branch ends, and `mode` selects the next branch.

    Raises FormulaError.
    """
    functions = joint_roles((("output", text),))
    formula, output = parse(text), functions["output"]
    if "mode" not in functions or isinstance(output, tuple):
        return functions
    return {**functions, "output": Formula(text, (*formula.names, MODE_NAME), output.root)}


@lru_cache(maxsize=1024)
def joint_roles(outputs: tuple[tuple[str, str], ...]) -> Mapping[str, Formula | tuple[Formula, ...]]:
    """Several formulas by role, such as `output_low`, as functions that share one mode.

    An output depends on the inputs in its branch; if inputs occur only in conditions, it is held between
    events.
    """
    text = "; ".join(text for _, text in outputs)
    formulas = {role: parse(text) for role, text in outputs}
    conditions = Conditions(text)
    frozen = {role: conditions.frozen(formula.root) for role, formula in formulas.items()}
    if not conditions.levels:
        return formulas
    return {
        **{role: _formula(formula.text, frozen[role]) for role, formula in formulas.items()},
        "crossing": tuple(_formula(text, level) for level in conditions.levels),
        "mode": _formula(text, Node("bits", parts=tuple(conditions.tests))),
    }


class Conditions:
    """The conditions met while a tree is rewritten: the tests that set each bit, and the crossings."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.room = MOST
        # By content: a repeated condition is kept once, and so is a level with two tests, such as those of
        # sign.
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
        """The tree with bits in place of conditions."""
        # Tests use the parts as written: all are evaluated again at events. Levels use the frozen parts,
        # because they are monitored within steps, where an inner condition must not make them jump.
        test = round_comparisons(node) if node.operation in COMPARISONS else node
        written = to_rounding(node).parts
        parts = tuple(map(self.frozen, written))
        match node.operation:
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                # In a comparison with 0 the other side itself is the level: x > 0, abs(x) and sign(x) then
                # share one crossing.
                return self.bit(test, parts[0] if written[1] == _number(0) else _do("-", *parts))
            case "and" | "or" | "not":
                return _do(node.operation, *map(self.truth, written, parts))
            case "where":
                return self.choice(written, self.truth(written[0], parts[0]), *parts[1:])
            case "min" | "max":  # a tie selects the first, which is then equal to the second
                first = self.bit(_do("<=" if node.operation == "min" else ">=", *written), _do("-", *parts))
                return _do("where", first, *parts)
            case "abs":  # (2 up - 1) x: the straight line continues beyond the kink until the event
                up = self.bit(_do(">=", written[0], _number(0)), parts[0])
                return _do("*", _do("-", _do("*", _number(2), up), _number(1)), parts[0])
            case "sign":  # two bits for three values: at x = 0 both are 0
                up, down = (self.bit(_do(way, written[0], _number(0)), parts[0]) for way in "><")
                return _do("-", up, down)
            case "floor":
                return self.floor(written[0], parts[0])
            case "ceil":
                return _do("neg", self.floor(_do("neg", written[0]), _do("neg", parts[0])))
            case "%":
                return _do(
                    "-", parts[0], _do("*", parts[1], self.floor(_do("/", *written), _do("/", *parts)))
                )
            case "atan2":
                return self.angle(written[0], *parts)
        return Node(node.operation, node.value, parts)

    def truth(self, written: Node, frozen: Node) -> Node:
        """A logical value; a number counts as true when it is not zero."""
        return frozen if written.operation in LOGIC else self.bit(_do("!=", written, _number(0)), frozen)

    def choice(self, written: tuple[Node, ...], first: Node, a: Node, b: Node) -> Node:
        """One of two branches; the other one where the first is undefined, such as sqrt(x) for x < 0."""
        chosen = _do("where", first, a, b)
        if not any(map(_partial, written[1:])):
            return chosen
        # A trial step runs past the end of the frozen branch. Because sqrt(x) is NaN there, every such step
        # would be rejected, and the end would never be reached. Beyond the end, where the branch is undefined
        # (NaN != NaN), the other branch is therefore used. It costs memory, because both branches are copied.
        self.take(CELL_BITS)
        ended = _do("!=", _do("not", written[0]), _do("not", first))
        undefined = _do("and", ended, _do("!=", chosen, chosen))
        return _do("where", undefined, _do("where", first, b, a), chosen)

    def floor(self, written: Node, x: Node) -> Node:
        """The number n within 32 of x - 1/2 whose last bits are in the mode; x crosses n and n + 1."""
        # n may be any number, but bits are few: only n modulo 64, `low`, is frozen. Of all numbers with this
        # remainder n is the one within 32 of x - 1/2. x may move by 32 in either direction from the middle of
        # its cell before another number is nearer: within a step the mode keeps n modulo 64 fixed, and x
        # determines n.
        low = _number(0)
        for j in range(CELL_BITS):
            bit = self.hold(_do("%", _do("floor", _do("/", written, _number(2**j))), _number(2)))
            low = _do("+", low, _do("*", _number(2**j), bit))
        cells = _number(2**CELL_BITS)
        centre = _number(2 ** (CELL_BITS - 1) - 0.5)
        turns = _do("floor", _do("/", _do("+", _do("-", x, low), centre), cells))
        n = _do("+", low, _do("*", cells, turns))
        # One crossing for both ends of the cell: (x - n) (n + 1 - x) is positive within, and 0 at either.
        self.levels[_do("*", _do("-", x, n), _do("-", _do("+", n, _number(1)), x))] = None
        return n

    def angle(self, written: Node, y: Node, x: Node) -> Node:
        """atan2(y, x), continued beyond +-pi until the sign change of y has been detected."""
        self.take(CELL_BITS - 1)
        # The sign of y is frozen. If atan2 jumps before the sign change of y has been detected, 2 pi is added
        # or subtracted: the angle continues smoothly past the cut, and jumps only at the event.
        plain = _do("atan2", y, x)
        up = self.bit(_do(">=", written, _number(0)), y)
        under = _do("and", up, _do("<", plain, _number(-math.pi / 2)))
        over = _do("and", _do("not", up), _do(">", plain, _number(math.pi / 2)))
        return _do("+", plain, _do("*", _number(math.tau), _do("-", under, over)))


def round_comparisons(node: Node) -> Node:
    """A tree whose comparisons of computed times allow for rounding; see `to_rounding`."""
    parts = tuple(map(round_comparisons, node.parts))
    return to_rounding(node if parts == node.parts else Node(node.operation, node.value, parts))


def to_rounding(node: Node) -> Node:
    """A comparison of computed times that allows for rounding; other nodes unchanged.

    `t - 0.1 >= 0.2` holds from t = 0.3 on, where a clock may tick or the run may end; `t - 0.1 > 0.2` holds
    only after 0.3. A comparison of t itself with a number or a name is exact.
    """
    if node.operation not in ("<", "<=", ">", ">=") or all(map(_is_plain, node.parts)):
        return node
    sizes = [size for side in node.parts if TIME in _names(side) and (size := _size(side)) is not None]
    if not sizes:
        return node
    a, b = node.parts
    rounding = _do("*", _number(SPACINGS), reduce(_hypot, sizes, _number(0)))
    if node.operation in ("<", ">="):
        return _do(node.operation, _do("+", a, rounding), b)
    return _do(node.operation, a, _do("+", b, rounding))


def _is_plain(node: Node) -> bool:
    """True for a tree that is a name or a number, perhaps with a sign."""
    return all(map(_is_plain, node.parts)) and node.operation in ("name", "number", "neg", "pos")


def _size(node: Node) -> Node | None:
    """The magnitude of the terms of sums and products in a tree; None without any."""
    match node.operation:
        case "neg" | "pos" | "abs":
            return _size(node.parts[0])
        case "+" | "-" | "*" | "/" | "min" | "max":
            a, b = map(_size, node.parts)
            if a is None or b is None:
                return a or b
            return _do(node.operation, a, b) if node.operation in "*/" else _hypot(a, b)
        case "number" if math.isinf(float(node.value)):
            return None
    return None if _has_condition(node) else node


def _hypot(a: Node, b: Node) -> Node:
    return _do("hypot", _do("hypot", _number(NO_SIZE), a), b)  # abs would be a condition


def _has_condition(node: Node) -> bool:
    return node.operation in CONDITIONS or any(map(_has_condition, node.parts))


def _do(operation: str, *parts: Node) -> Node:
    return Node(operation, parts=parts)


def _number(value: float) -> Node:
    return Node("number", float(value))


def _partial(node: Node) -> bool:
    """True for a tree that may be undefined for some values; a whole power is always defined."""
    whole_power = (
        node.operation == "**" and node.parts[1].operation == "number" and float(node.parts[1].value) % 1 == 0
    )
    return (node.operation in PARTIAL and not whole_power) or any(map(_partial, node.parts))


def _formula(text: str, root: Node) -> Formula:
    return Formula(text, tuple(dict.fromkeys(_names(root))), root)


def _names(node: Node) -> Iterator[str]:
    if node.operation == "name":
        yield str(node.value)
    for part in node.parts:
        yield from _names(part)
