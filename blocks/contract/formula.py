"""Formulas: arithmetic written as text, read through a whitelist and never executed as Python."""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.words import nearest
from ...native.elementary.called import of_arrays
from .errors import FormulaError

TIME = "t"
CONSTANTS = {"pi": math.pi, "inf": math.inf}
CALLED = {"e": "exp(1)", "tau": "2 * pi"}
"""Numbers in other languages, names here: in control they mean an error, and a torque or a time constant."""
FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    **{name: (1, of_arrays(name)) for name in ("sin", "cos", "tan", "asin", "acos", "atan")},
    "atan2": (2, of_arrays("atan2")),
    **{name: (1, of_arrays(name)) for name in ("sinh", "cosh", "tanh", "exp", "log", "log10", "log2")},
    "sqrt": (1, np.sqrt), "hypot": (2, of_arrays("hypot")), "abs": (1, np.abs), "sign": (1, np.sign),
    "floor": (1, np.floor), "ceil": (1, np.ceil), "min": (2, np.minimum), "max": (2, np.maximum),
    "where": (3, np.where),
}  # fmt: skip


_raised = of_arrays("pow")


def _power(base: Any, exponent: Any) -> Any:
    """A power as compiled code computes it: squares and square roots have a single rounding error."""
    power = float(exponent) if np.ndim(exponent) == 0 else 1.0
    return base * base if power == 2.0 else (np.sqrt(base) if power == 0.5 else _raised(base, exponent))


OPERATORS: dict[type, tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", np.add), ast.Sub: ("-", np.subtract), ast.Mult: ("*", np.multiply),
    ast.Div: ("/", np.divide), ast.Pow: ("**", _power), ast.Mod: ("%", np.mod),
    ast.USub: ("neg", np.negative), ast.UAdd: ("pos", np.positive),
    ast.Lt: ("<", np.less), ast.LtE: ("<=", np.less_equal), ast.Gt: (">", np.greater),
    ast.GtE: (">=", np.greater_equal), ast.Eq: ("==", np.equal), ast.NotEq: ("!=", np.not_equal),
    ast.And: ("and", np.logical_and), ast.Or: ("or", np.logical_or), ast.Not: ("not", np.logical_not),
}  # fmt: skip
LONGEST = 2000  # characters: formulas come from files, and must not exhaust the parser
_WORDS = ("if", "else", "and", "or")  # words of formulas, between two values
DEEPEST = 60  # levels of nesting: every walk over a tree recurses, and Python allows 1000 calls in all


@dataclass(frozen=True)
class Node:
    """One operation: a number, a name, or an operator or function over nodes.

    `bit` is bit `value` of its part, as 0 or 1; `bits` the integer of its parts' truth values.
    """

    operation: str  # "number", "name", "list", "bit", "bits", an operator's sign or a function's name
    value: float | str = 0.0
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Formula:
    """A parsed formula: its text, the names it uses and its tree."""

    text: str
    names: tuple[str, ...]
    root: Node

    def __call__(self, *values: Any) -> Any:
        """The value of the formula, given the values of `names` in their order."""
        return evaluate(self.root, dict(zip(self.names, values, strict=True)))

    def value(self, names: Mapping[str, Any]) -> Any:
        """The value with names looked up in a mapping.

        Raises FormulaError for an unknown name.
        """
        for name in self.names:
            if name not in names:
                hint = nearest(name, list(names)) or constant_hint(name)
                raise FormulaError(
                    f"`{name}` in `{self.text}` is not known{hint}\n"
                    f"known are: {', '.join(sorted(names)) or 'no parameters'}"
                )
        return evaluate(self.root, names)


def constant_hint(name: str) -> str:
    """A hint with blockdyn's spelling of a constant that has another name elsewhere, or ''."""
    return f"; the number is written {CALLED[name]}" if name in CALLED else ""


# Cached: a block parses its formula several times while a diagram is compiled.
@lru_cache(maxsize=4096)
def parse(text: str) -> Formula:
    """Read a formula: numbers, names, + - * / ** %, comparisons, and/or/not, the functions of FUNCTIONS.

    Raises FormulaError naming the part that is not allowed, and its place.
    """
    text = text.strip()
    names: dict[str, None] = {}
    root = _parse_node(syntax_tree(text), text, names, 0)
    return Formula(text, tuple(names), root)


def syntax_tree(text: str, shown: str = "") -> ast.expr:
    """The syntax of a formula; errors quote `shown`, in which other names of the same lengths may occur.

    Raises FormulaError.
    """
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of {len(text)} characters; at most {LONGEST} are read")
    # Python's parser makes a tree and runs nothing; `_parse_node` takes only the nodes that formulas have.
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        shown = shown or text
        raise FormulaError(f"`{shown[:80]}` is not a formula: {_unreadable(shown, error)}") from None


def _unreadable(text: str, error: Exception) -> str:
    """The reason why a text is not a formula, in plain words, not the parser's."""
    if isinstance(error, (RecursionError, MemoryError)):
        return "it is nested too deep"
    reserved = _reserved_word_hint(text)
    if reserved:
        return reserved
    for opening, closing in ("()", "[]"):
        if text.count(opening) != text.count(closing):
            return f"it has {text.count(opening)} `{opening}` and {text.count(closing)} `{closing}`"
    start = (getattr(error, "offset", None) or len(text) + 1) - 1
    if start >= len(text.rstrip()):
        return "it ends too early"
    return f"it cannot be read from `{text[start : start + 20]}` on (character {start + 1})"


def _reserved_word_hint(text: str) -> str:
    """A hint for a reserved word of Python used as a name; '' for other words."""
    words = set(keyword.kwlist) - {*_WORDS, "not", "True", "False"}
    between = "|".join(_WORDS)
    match = re.search(
        rf"\b(?P<word>{'|'.join(words)})\b|(?:^|[-+*/%(,\[<>=])\s*(?P<between>{between})\b", text
    )
    if match is None:
        return ""
    word = match["word"] or match["between"]
    return f"`{word}` is a reserved word of Python: choose another name, such as `{word}_`"


def _parse_node(node: ast.expr, text: str, names: dict[str, None], depth: int) -> Node:
    if depth > DEEPEST:
        raise FormulaError(f"`{text[:60]}...` is nested deeper than {DEEPEST} levels")

    def read(inner: ast.expr) -> Node:
        return _parse_node(inner, text, names, depth + 1)

    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return Node("number", _number(value, text))
        case ast.Name(id=name) if name in CONSTANTS:
            return Node("number", CONSTANTS[name])
        case ast.Name(id=name):
            names[name] = None
            return Node("name", name)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return Node(OPERATORS[type(op)][0], parts=(read(left), read(right)))
        case ast.BinOp(op=ast.BitXor()):
            raise FormulaError(f"`^` in `{text[:60]}` is not the sign of a power: write `**`")
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return Node(OPERATORS[type(op)][0], parts=(read(operand),))
        case ast.BoolOp(op=op, values=values):
            return _fold_calls(OPERATORS[type(op)][0], map(read, values))
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            sides = [read(left), *map(read, comparators)]
            signs = [_comparison(op, text) for op in ops]
            pairs = zip(signs, pairwise(sides), strict=True)
            return _fold_calls("and", (Node(sign, parts=pair) for sign, pair in pairs))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            count = FUNCTIONS[name][0]
            if len(args) == count:
                return Node(name, parts=tuple(map(read, args)))
            if name in ("min", "max") and len(args) > 2:
                return _fold_calls(name, map(read, args))
            raise FormulaError(f"{name}() in `{text[:60]}` takes {count} arguments, not {len(args)}")
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return Node("list", parts=tuple(map(read, items)))
        case ast.IfExp(test=test, body=body, orelse=other):
            return Node("where", parts=(read(test), read(body), read(other)))
        case ast.Call(func=ast.Name(id=name)):
            raise FormulaError(
                f"`{name}` in `{text[:60]}` is not a function of formulas"
                f"{nearest(name, list(FUNCTIONS))}\n"
                f"expected one of: {', '.join(FUNCTIONS)}"
            )
        case _:
            piece = (ast.get_source_segment(text, node) or text)[:60]
            raise FormulaError(
                f"`{piece}` is not allowed in a formula\n"
                "expected: numbers, names, + - * / ** %, comparisons, and, or, not, lists, "
                + ", ".join(FUNCTIONS)
            )


def _fold_calls(name: str, nodes: Iterable[Node]) -> Node:
    """A function of two arguments applied to many, from the left."""
    return reduce(lambda left, right: Node(name, parts=(left, right)), nodes)


def _number(value: bool | int | float, text: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise FormulaError(f"a number in `{text[:60]}` is too large\nexpected: below 1.8e308, or `inf`")
    return number


def _comparison(op: ast.cmpop, text: str) -> str:
    if type(op) not in OPERATORS:
        reason = f": {reserved}" if (reserved := _reserved_word_hint(text)) else ""
        raise FormulaError(f"this comparison is not allowed in a formula: `{text[:60]}`{reason}")
    return OPERATORS[type(op)][0]


_BY_SIGN = dict(OPERATORS.values())


def evaluate(node: Node, names: Mapping[str, Any]) -> Any:
    """The value of a tree, elementwise, in double precision."""
    with np.errstate(all="ignore"):
        return _evaluate(node, names)


def _evaluate(node: Node, names: Mapping[str, Any]) -> Any:
    if node.operation == "number":
        return node.value
    if node.operation == "name":
        return names[str(node.value)]
    return operate(node, [_evaluate(part, names) for part in node.parts])


def operate(node: Node, parts: list[Any]) -> Any:
    """The value of one operation, given the values of its parts."""
    if node.operation == "list":
        return parts
    if node.operation == "bit":
        return _plain(np.asarray(parts[0], np.int64) >> int(node.value) & 1)
    if node.operation == "bits":
        return _plain(sum(np.not_equal(part, 0) * 2.0**i for i, part in enumerate(parts)))
    function = _BY_SIGN.get(node.operation) or FUNCTIONS[node.operation][1]
    numbers = [part if isinstance(part, float) else np.asarray(part, np.float64) for part in parts]
    return _plain(function(*numbers))


def _plain(value: Any) -> Any:
    if isinstance(value, (float, np.bool_)):
        return float(value)
    result = np.asarray(value, np.float64)
    return float(result) if result.ndim == 0 else result
