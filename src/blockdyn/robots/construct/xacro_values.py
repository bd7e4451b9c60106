"""Expressions of xacro files are evaluated as Python would, from a whitelist and within bounds."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import islice
from typing import Any, cast

LONGEST = 4000  # characters of an expression
DEEPEST = 60  # levels of it
LARGEST = 200_000  # characters of a text, entries of a list and of all that it holds
MOST_BITS = 4096  # of an integer
_WIDTH = re.compile(r"\d{4}|\*")  # of a formatted number, and one taken from an argument
_FIELD = re.compile(r"\{[^:}]*[.\[]|\{[^}]*\{|\d{4}")  # of a format: a part of its argument, a field in it

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: value for name, value in vars(math).items() if callable(value) and not name.startswith("_")},
    **{each.__name__: each for each in (
        abs, all, any, bool, dict, divmod, enumerate, float, int, len, list, max, min, sorted, str,
        set, sum, tuple, zip,
    )},
    "isinstance": isinstance,
    "map": lambda function, *values: _list(map(function, *values)) if function in PLAIN else None,
    "range": lambda *ends: _list(range(*ends)),
    "round": lambda x, digits=None: round(x, digits if digits is None else max(-20, min(digits, 20))),
}  # fmt: skip
for _name in ("factorial", "comb", "perm", "prod", "lcm"):  # of large numbers they take for ever
    del FUNCTIONS[_name]
CONSTANTS: dict[str, Any] = {name: getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")}
PLAIN: tuple[Any, ...] = (abs, bool, float, int, len, str)
METHODS: dict[type, tuple[str, ...]] = {
    str: ("lower", "upper", "strip", "split", "replace", "startswith", "endswith", "join", "format", "title"),
    dict: ("keys", "values", "items", "get"),
    list: ("index", "count"),
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip


class Names(Mapping[str, Any]):
    """Names in a namespace, reached by dots."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _refuse(*words: Any) -> str:
    raise ValueError(" ".join(map(str, words)))


MESSAGES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("message", "warning", "error", "print_location"), lambda *words, **options: ""),
    "fatal": _refuse,
    "tokenize": lambda text, sep=",; ": [part for part in re.split(f"[{re.escape(sep)}]", text) if part],
}
LIBRARIES = {"math": Names({**FUNCTIONS, **CONSTANTS}), "python": Names(FUNCTIONS)}


def evaluate(text: str, names: Callable[[str], Any]) -> Any:
    """The value of an expression; `names` gives the value of a name, or raises KeyError.

    Raises ValueError with the reason.
    """
    try:
        return _value(_tree(text.strip()), names)
    except KeyError as error:
        raise ValueError(f"there is no `{error.args[0]}`") from None
    except (TypeError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError(str(error) or type(error).__name__) from None


@lru_cache(maxsize=4096)
def _tree(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise ValueError(f"an expression of {len(text)} characters, more than {LONGEST}")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError("not an expression") from None
    if _depth(tree) > DEEPEST:
        raise ValueError(f"an expression with more than {DEEPEST} levels")
    return tree


def _depth(tree: ast.AST) -> int:
    level, depth = [tree], 0
    while level and depth <= DEEPEST:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return depth


def _value(node: ast.expr, names: Callable[[str], Any]) -> Any:
    match node:
        case ast.Constant(value=value) if isinstance(value, (int, float, str, bool)) or value is None:
            return value
        case ast.Name(id=name):
            return names(name)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _combine(type(op), _value(left, names), _value(right, names))
        case ast.BoolOp(op=op, values=values):
            return _either(isinstance(op, ast.Or), values, names)
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _compare(_value(left, names), ops, others, names)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _value(body if _value(test, names) else other, names)
        case ast.List(elts=items):
            return [_value(item, names) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item, names) for item in items)
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(key, names): _value(item, names) for key, item in zip(keys, values) if key}
        case ast.Subscript(value=holder, slice=place):
            return _value(holder, names)[_place(place, names)]
        case ast.Attribute(value=holder, attr=name):
            return _attribute(_value(holder, names), name)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            return _call(function, arguments, keywords, names)
        case ast.ListComp(elt=item, generators=[loop]) | ast.GeneratorExp(elt=item, generators=[loop]):
            inner = [_bind(loop.target, each, names) for each in _list(_value(loop.iter, names))]
            chosen = [one for one in inner if all(_value(test, one) for test in loop.ifs)]
            return [_value(item, one) for one in chosen]
    raise ValueError(f"`{ast.unparse(node)}` is not read")


def _either(truth: bool, values: list[ast.expr], names: Callable[[str], Any]) -> Any:
    """The first value with that truth value, or the last."""
    result: Any = None
    for each in values:
        result = _value(each, names)
        if bool(result) is truth:
            break
    return result


def _compare(left: Any, ops: list[ast.cmpop], others: list[ast.expr], names: Callable[[str], Any]) -> Any:
    result: Any = True
    for op, other in zip(ops, others):
        right = _value(other, names)
        result = _COMPARE[type(op)](left, right)
        if not result:
            break
        left = right
    return result


def _place(node: ast.expr, names: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Slice):
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if end is None else _value(end, names) for end in ends))
    return _value(node, names)


def _attribute(holder: Any, name: str) -> Any:
    if isinstance(holder, Mapping) and name in holder:
        return holder[name]
    for kind, methods in METHODS.items():
        if isinstance(holder, kind) and name in methods:
            return getattr(holder, name)
    raise ValueError(f"there is no `.{name}`")


def _combine(op: type, left: Any, right: Any) -> Any:
    """The result of an operator, refused if it would be large."""
    whole = isinstance(left, int) and isinstance(right, int)
    if op is ast.Pow and whole and left.bit_length() * right > MOST_BITS:
        raise ValueError("a power that is too large")
    if op is ast.Mult:
        for size, times in ((left, right), (right, left)):
            if (
                isinstance(size, (str, list, tuple))
                and isinstance(times, int)
                and len(size) * times > LARGEST
            ):
                raise ValueError("a repetition that is too long")
    if op is ast.Mod and isinstance(left, str):
        if _WIDTH.search(left):
            raise ValueError("a format that is too wide")
        _weigh(right)
    result = _BINARY[op](left, right)
    if isinstance(result, int) and result.bit_length() > MOST_BITS:
        raise ValueError("an integer that is too large")
    if isinstance(result, (str, list, tuple)) and len(result) > LARGEST:
        raise ValueError("a text or list that is too long")
    return result


def _call(
    function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword], names: Callable[[str], Any]
) -> Any:
    values = [_value(item, names) for item in arguments]
    named = {each.arg: _value(each.value, names) for each in keywords if each.arg}
    called = _value(function, names)
    if not callable(called):
        raise ValueError(f"`{ast.unparse(function)}` is not a function")
    _weigh([*values, *named.values()])
    text = getattr(called, "__self__", None)
    if isinstance(text, str):
        _check_text(called.__name__, text, values)
    result: Any = called(*values, **named)
    if isinstance(result, (zip, enumerate)) or type(result).__name__.startswith("dict_"):
        return _list(cast("Iterable[Any]", result))
    return result


def _check_text(method: str, text: str, values: list[Any]) -> None:
    """Raise ValueError for a method of a text whose result would be large, or that reads attributes."""
    if method == "format" and _FIELD.search(text):
        raise ValueError(f"the format `{text:.40}` is not read")
    if method == "replace" and len(values) > 1 and (len(text) + 1) * len(str(values[1])) > LARGEST:
        raise ValueError("a replacement that is too long")


def _list(values: Iterable[Any]) -> list[Any]:
    """The values as a list of bounded length. Raises ValueError."""
    items = list(islice(values, LARGEST + 1))
    _weigh(items)
    return items


def _weigh(value: Any) -> int:
    """The number of characters and entries in a value. Raises ValueError above LARGEST."""
    total, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        total += len(item) if isinstance(item, str) else 1
        if isinstance(item, Mapping):
            waiting += [*islice(item, LARGEST), *islice(item.values(), LARGEST)]
        elif isinstance(item, (list, tuple)):
            waiting += item
        if total + len(waiting) > LARGEST:
            raise ValueError("a value that is too long")
    return total


def _bind(target: ast.expr, value: Any, names: Callable[[str], Any]) -> Callable[[str], Any]:
    """The names with the target of a loop, a name or several, as the value."""
    if isinstance(target, ast.Name):
        bound = {target.id: value}
    elif isinstance(target, ast.Tuple):
        bound = {each.id: item for each, item in zip(target.elts, value) if isinstance(each, ast.Name)}
    else:
        raise ValueError(f"`{ast.unparse(target)}` is not read")
    return lambda name: bound[name] if name in bound else names(name)


UNITS = {
    "!radians": 1.0, "!degrees": math.pi / 180.0, "!meters": 1.0, "!millimeters": 0.001, "!foot": 0.3048,
    "!inches": 0.0254,
}  # fmt: skip


def yaml_values(data: bytes) -> Any:
    """The values of a YAML text, with xacro's units of numbers. Raises ValueError."""
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import SafeConstructor
    from ruamel.yaml.error import YAMLError

    if len(data) > LARGEST:
        raise ValueError(f"more than {LARGEST} bytes")

    class Constructor(SafeConstructor):
        """Scalars as ROS reads them: YAML 1.1 without y and n for yes and no."""

    for tag, unit in UNITS.items():
        Constructor.add_constructor(tag, partial(_with_unit, unit))
    Constructor.add_constructor("tag:yaml.org,2002:bool", _truth_or_letter)
    reader = YAML(typ="safe", pure=True)
    reader.version, reader.Constructor = (1, 1), Constructor
    try:
        waiting: list[Any] = [reader.compose(data)]
        count = 0
        while waiting:  # aliases count as often as they are used
            item = waiting.pop()
            inner = item if isinstance(item, tuple) else getattr(item, "value", ())
            waiting += inner if isinstance(inner, (list, tuple)) else ()
            count += 1
            if count > LARGEST:
                raise ValueError(f"more than {LARGEST} values")
        return reader.load(data)
    except (YAMLError, RecursionError) as error:
        raise ValueError(f"not YAML: {error}"[:200]) from None


def _with_unit(unit: float, constructor: Any, node: Any) -> float:
    return float(evaluate(str(node.value), {**FUNCTIONS, **CONSTANTS}.__getitem__)) * unit


def _truth_or_letter(constructor: Any, node: Any) -> Any:
    return node.value if len(node.value) == 1 else constructor.construct_yaml_bool(node)
