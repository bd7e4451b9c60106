"""Trees of MATLAB expressions are evaluated to arrays, texts, structs and cell arrays, with bounded work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....base.words import nearest
from .algebra import OPERATORS, arithmetic
from .arrays import (
    ELEMENTWISE,
    NODE_WORK,
    Room,
    Value,
    as_class,
    elementwise,
    index,
    join,
    kind_of,
    negate_truth,
    negative,
    numbers,
    progression,
    result_class,
    scalar,
    transpose,
)  # fmt: skip
from .functions import FUNCTIONS, OF_SIGNALS
from .syntax import parse
from .terms import Array
from .words import (
    DEEPEST,
    Binary,
    Brace,
    Call,
    CellArray,
    Colon,
    End,
    Field,
    Handle,
    Matrix,
    Name,
    Node,
    Number,
    Range,
    String,
    Text,
    Unary,
    UnknownName,
    UnreadableText,
)  # fmt: skip

LIMIT = 1_000_000  # elements of a value
REFUSED = (
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    np.linalg.LinAlgError,
    MemoryError,
    RecursionError,
    AttributeError,
)
Variables = Mapping[str, Any] | Callable[[str], Any]


@dataclass(frozen=True, eq=False)
class FunctionValue:
    """A function as a value, with the variables in scope at its definition."""

    parameters: tuple[str, ...] | None
    body: Node
    scope: Mapping[str, Value] = field(default_factory=dict)


def as_value(value: object) -> Value:
    """Convert a number, array, text, mapping or list of Python to a value of MATLAB."""
    if isinstance(value, (str, FunctionValue, list)) or callable(value):
        return value
    if isinstance(value, Mapping):
        return {str(name): as_value(each) for name, each in value.items()}
    array = np.asarray(value)
    if array.dtype.kind not in "biufO" or array.ndim > 2:
        raise ValueError(f"a value of the type {type(value).__name__} is not supported")
    if array.dtype.kind in "iu" and not isinstance(value, (np.ndarray, np.generic)):
        array = array.astype(np.float64)
    return array if array.ndim == 2 else array.reshape(1, -1)


def plain(value: Value, *, vector: bool = False) -> Any:
    """Convert a value to Python's numbers: a float for one number, rows as nested lists.

    With `vector` a row or a column is one list, and one number a list of one.
    """
    if isinstance(value, np.ndarray):
        array = value.astype(np.float64)
        if vector and (array.size == 0 or min(array.shape) == 1):
            return array.ravel().tolist()
        return float(array[0, 0]) if array.size == 1 else array.tolist()
    if isinstance(value, dict):
        return {name: plain(each, vector=vector) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each, vector=vector) for each in value]
    return value


def evaluate(text_or_node: str | Node, variables: Variables | None = None, *, limit: int = LIMIT) -> Value:
    """The value of an expression: an array with two dimensions, a text, a dict or a list.

    Numbers are float64, logical values bool, and integer classes and single keep their own type. `variables`
    are values by name, or a function that returns the value of a name, or None. Results that MATLAB computes
    as complex numbers are refused, and so are values of more than `limit` elements. Raises UnreadableText.
    """
    text = text_or_node if isinstance(text_or_node, str) else ""
    node = parse(text) if isinstance(text_or_node, str) else text_or_node
    return main_result(Evaluator(variables, limit, text).value(node))


def main_result(value: Value) -> Value:
    """The only or the first of several results."""
    return value[0] if isinstance(value, tuple) else value


class Evaluator:
    """Evaluates trees; the errors quote `text`. Local variables in `scope` come before `variables`."""

    def __init__(self, variables: Variables | None, limit: int = LIMIT, text: str = "") -> None:
        self.variables, self.text, self.room = variables if variables is not None else {}, text, Room(limit)
        self.scope: dict[str, Value] = {}
        self.functions: dict[str, Callable[..., Value]] = {}
        self.ends: list[tuple[Value, int, int]] = []
        self.depth = 0

    def value(self, node: Node) -> Value:
        """The value of a node; a tuple for a function with several results."""
        self.depth += 1
        try:
            if self.depth > DEEPEST + 40:
                raise ValueError("the computation is nested too deep")
            self.room.spend(NODE_WORK)
            return self.operation(node)
        except REFUSED as error:
            raise UnreadableText(_reason(error), self.text, node.place) from None
        finally:
            self.depth -= 1

    def single(self, node: Node) -> Value:
        """The value, or the first of several."""
        return main_result(self.value(node))

    def operation(self, node: Node) -> Value:
        """The value of a node, with errors of its own as ValueError."""
        match node:
            case Number(value=value):
                return scalar(value)
            case Text(value=value, string=string):
                return String(value) if string else value
            case Name(name=name):
                return self.named(name, node)
            case Binary():
                return self.chain(node)
            case Unary(op=op, operand=operand):
                return self.signed(op, self.single(operand))
            case Range(start=start, step=step, stop=stop):
                limits = [self.single(part) for part in (start, step, stop) if part is not None]
                return progression(self.room, *limits)
            case Matrix(rows=rows):
                return join(self.room, [join(self.room, self.each(line), 1) for line in rows], 0)
            case CellArray(rows=rows):
                if len(rows) > 1 and any(len(line) > 1 for line in rows):
                    raise ValueError("cell arrays of several rows and columns are not supported")
                return [each for line in rows for each in self.each(line)]
            case Handle(parameters=parameters, body=body):
                return FunctionValue(parameters, body, dict(self.scope))
            case Field(target=target):
                return self.entry(self.single(target), self.field_name(node))
            case Call(target=target, arguments=arguments):
                return self.call(target, arguments)
            case Brace(target=target, arguments=arguments):
                return self.content(self.single(target), arguments)
            case Colon():
                raise ValueError("a bare colon is an index")
            case End() if self.ends:
                return scalar(float(_extent_at(*self.ends[-1])))
            case _:
                raise ValueError("this is not an expression")

    def each(self, nodes: Sequence[Node]) -> list[Value]:
        """The values of several nodes."""
        return [self.single(node) for node in nodes]

    def chain(self, node: Node) -> Value:
        """Operators one after another, without recursion into the left operands."""
        operators: list[Binary] = []
        while isinstance(node, Binary) and node.op not in ("&&", "||"):
            operators.append(node)
            node = node.left
        if isinstance(node, Binary):
            value = self.circuit(node)
        else:
            value = self.single(node)
        for operator in reversed(operators):
            right = self.single(operator.right)
            try:
                value = arithmetic(self.room, operator.op, value, right)
            except REFUSED as error:
                raise UnreadableText(_reason(error), self.text, operator.place) from None
        return value

    def circuit(self, node: Binary) -> Value:
        """`&&` and `||`, whose right operand is evaluated only if the left one does not decide."""
        operators: list[Binary] = []
        left: Node = node
        while isinstance(left, Binary) and left.op in ("&&", "||"):
            operators.append(left)
            left = left.left
        value = _condition(self.single(left))
        for operator in reversed(operators):
            if value.dtype != object and bool(value[0, 0]) == (operator.op == "||"):
                value = scalar(bool(value[0, 0]))
                continue
            right = _condition(self.single(operator.right))
            value = arithmetic(self.room, operator.op[0], value, right)
        return value

    def signed(self, op: str, value: Value) -> Value:
        """A sign, negation or transpose."""
        if op in ("'", ".'"):
            return value if isinstance(value, (str, list)) and len(value) <= 1 else transpose(value)
        array = numbers(value)
        self.room.spend(array.size)
        if op == "-":
            return negative(array)
        return (
            negate_truth(array)
            if op == "~"
            else as_class(array, result_class(array.dtype))
            if array.dtype != object
            else array
        )

    def variable(self, name: str) -> Value | None:
        """The value of a variable; None if there is none."""
        if name in self.scope:
            return self.scope[name]
        value = self.variables(name) if callable(self.variables) else self.variables.get(name)
        return None if value is None else as_value(value)

    def named(self, name: str, node: Node) -> Value:
        """A variable, or a function without arguments."""
        value = self.variable(name)
        if value is not None:
            return value
        return self.function(name, (), node)

    def call(self, target: Node, arguments: tuple[Node, ...]) -> Value:
        """An index into a variable, or the call of a function."""
        if isinstance(target, Name):
            value = self.variable(target.name)
            if value is None:
                return self.function(target.name, [self.argument(each) for each in arguments], target)
        else:
            value = self.single(target)
        if isinstance(value, FunctionValue) or callable(value):
            return self.applied(value, [self.argument(each) for each in arguments])
        return index(self.room, value, self.indices(value, arguments))

    def argument(self, node: Node) -> Value:
        """An argument of a function; an outer `end` does not apply in it."""
        if isinstance(node, Colon):
            return ":"
        return self.single(node)

    def indices(self, value: Value, arguments: Sequence[Node]) -> list[Value | None]:
        """The values of indices, None for a bare colon; `end` is the last index of its place."""
        results: list[Value | None] = []
        for k, node in enumerate(arguments):
            self.ends.append((value, k, len(arguments)))
            results.append(None if isinstance(node, Colon) else self.single(node))
            self.ends.pop()
        return [None if isinstance(each, str) and each == ":" else each for each in results]

    def function(self, name: str, values: Sequence[Value], node: Node) -> Value:
        """A function by its name."""
        if name in self.functions:
            return self.functions[name](*values)
        if name in ELEMENTWISE:
            return elementwise(self.room, name, values)
        if name in OPERATORS and len(values) == 2:
            return arithmetic(self.room, OPERATORS[name], *values)
        if name in ("uminus", "uplus") and len(values) == 1:
            return self.signed("-" if name == "uminus" else "+", values[0])
        if name not in FUNCTIONS:
            hint = nearest(name, [*FUNCTIONS, *ELEMENTWISE, *self.functions, *self.scope])
            complex_unit = "; complex numbers are not supported" if name in ("i", "j") else ""
            word = "function" if values else "variable or function"
            raise UnknownName(name, f"unknown {word} `{name}`{complex_unit or hint}", self.text, node.place)
        if name not in OF_SIGNALS and any(_has_signal(value) for value in values):
            raise ValueError(f"`{name}` of a signal cannot be written as a formula")
        try:
            return FUNCTIONS[name](self.room, *values)
        except TypeError:
            raise ValueError(f"`{name}` does not take {len(values)} such arguments") from None
        except (ArithmeticError, LookupError, np.linalg.LinAlgError) as error:
            raise ValueError(f"{name}: {error}") from None

    def applied(self, function: FunctionValue | Callable[..., Value], values: Sequence[Value]) -> Value:
        """The value of a function with arguments."""
        if not isinstance(function, FunctionValue):
            return function(*values)
        if function.parameters is None:
            assert isinstance(function.body, Name)
            named = self.variable(function.body.name)
            if isinstance(named, FunctionValue) or callable(named):
                return self.applied(named, values)
            return self.function(function.body.name, values, function.body)
        if len(values) > len(function.parameters):
            raise ValueError(f"a function of {len(function.parameters)} parameters takes not {len(values)}")
        outer, ends = self.scope, self.ends
        self.scope = {**function.scope, **dict(zip(function.parameters, values, strict=False))}
        self.ends = []
        try:
            return self.value(function.body)
        finally:
            self.scope, self.ends = outer, ends

    def field_name(self, node: Field) -> str:
        """The name of a field, which an expression may give."""
        if isinstance(node.name, str):
            return node.name
        name = self.single(node.name)
        if not isinstance(name, str):
            raise ValueError("the name of a field is a text")
        return str(name)

    def entry(self, value: Value, name: str) -> Value:
        """A field of a struct."""
        if not isinstance(value, dict):
            raise ValueError(f"{kind_of(value)} has no field `{name}`")
        if name not in value:
            raise ValueError(f"the struct has no field `{name}`{nearest(name, list(value))}")
        return as_value(value[name])

    def content(self, value: Value, arguments: Sequence[Node]) -> Value:
        """One element of a cell array."""
        if not isinstance(value, list):
            raise ValueError(f"{kind_of(value)} is not indexed by braces")
        chosen = index(self.room, value, self.indices(value, arguments))
        if len(chosen) != 1:
            raise ValueError("braces choose one element here")
        return as_value(chosen[0])


def _reason(error: BaseException) -> str:
    """The text of an error."""
    if isinstance(error, (MemoryError, RecursionError)):
        return "the computation is too large"
    return str(error) or "the value cannot be computed"


def _has_signal(value: Value) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == object


def _condition(value: Value) -> Array:
    """One truth value."""
    array = numbers(value)
    if array.size != 1:
        raise ValueError("&& and || take single values")
    if array.dtype != object and np.isnan(array.astype(np.float64)).any():
        raise ValueError("NaN is neither true nor false")
    return array


def _extent_at(value: Value, position: int, count: int) -> int:
    """The last index at one of several places."""
    if not isinstance(value, np.ndarray):
        size = len(value) if isinstance(value, (str, list)) else 1
        return size if count == 1 or position == 1 else 1
    if count == 1:
        return int(value.size)
    return int(value.shape[position]) if position < 2 else 1
