"""The contents of a .bd file, read and never run: values, formulas, parts and wires, all checked."""

from __future__ import annotations

import ast
import contextlib
import json
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.words import nearest
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.formula import evaluate, parse
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.selector import Selector
from .values import Maker, Place


@dataclass(frozen=True)
class Formula:
    """A formula of the inputs u0, u1, ..., of their elements (u0_1 is u0[1]) and of constant coefficients."""

    inputs: int
    text: str
    elements: Mapping[str, tuple[int, int]]
    coefficients: Mapping[str, float]

    @property
    def __signature__(self) -> Signature:
        names = (f"u{k}" for k in range(self.inputs))
        return Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])

    def __call__(self, *inputs: Any) -> Any:
        values = {f"u{k}": value for k, value in enumerate(inputs)} | dict(self.coefficients)
        values |= {name: inputs[k][place] for name, (k, place) in self.elements.items()}
        return evaluate(parse(self.text).root, values)


def expression(make: Maker, formula: Formula) -> Place:
    """The formula as an Expression, whose conditions are events."""
    name = make.add(Expression(formula.text, coefficients=dict(formula.coefficients) or None))
    place = Place([[] for _ in range(formula.inputs)], [f"{name}.y"])
    for port in make.diagram.blocks[name].input_ports():
        if port.name in formula.elements:
            k, element = formula.elements[port.name]
            one = make.add(Selector(indices=element), port.name)
            make.wire(f"{one}.y", f"{name}.{port.name}")
            place.inputs[k].append(f"{one}.u")
        else:
            place.inputs[int(port.name[1:])].append(f"{name}.{port.name}")
    return place


OPERATIONS: Mapping[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.Mod: operator.mod, ast.MatMult: operator.matmul, ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}  # fmt: skip
NUMBERS = {"pi": math.pi, "inf": math.inf, "e": math.e, "tau": math.tau}
ROUND = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "radians", "degrees")
CALLS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in ROUND}, "array": np.array, "diag": np.diag, "zeros": np.zeros,
    "ones": np.ones, "eye": np.eye, "list": list, "tuple": tuple, "abs": abs, "float": float, "int": int,
}  # fmt: skip
MODULES = ("math", "np", "numpy")
BRACKETS: Mapping[str, Callable[..., Any]] = {"r_": np.hstack, "c_": np.column_stack}
LONGEST = 10_000  # characters of a text, and the largest number as an exponent or a size
MOST = 1_000_000  # elements of an array


class UnreadableValue(Exception):
    """A text that is not a value: the part that is not understood."""


def value_of(text: str, names: Mapping[str, Any]) -> Any:
    """The value of a text: literals, arithmetic, the names given, and some functions of math and numpy.

    A lambda of numbers becomes a Formula. Nothing is executed. Raises UnreadableValue.
    """
    if len(text) > LONGEST:
        raise UnreadableValue(f"a text of {len(text)} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise UnreadableValue(f"no expression: {error}") from None
    try:
        return _formula(tree, names) if isinstance(tree, ast.Lambda) else _value(tree, names)
    except UnreadableValue:
        raise
    except Exception as error:  # noqa: BLE001  whatever arithmetic of a stranger's numbers may raise
        raise UnreadableValue(f"{type(error).__name__}: {error}") from None


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.List(elts=items):
            return [_value(item, names) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item, names) for item in items)
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(k, names): _value(v, names) for k, v in zip(keys, values, strict=True) if k}
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATIONS:
            return OPERATIONS[type(op)](_value(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return _compute_operation(op, _value(left, names), _value(right, names))
        case ast.Name(id=name):
            return _look_up_name(name, names)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in MODULES and name in NUMBERS:
            return NUMBERS[name]
        case ast.Attribute(value=value, attr="T"):
            return np.transpose(_value(value, names))
        case ast.Attribute(value=value, attr=name) if not name.startswith("_") and _root(value) in names:
            return getattr(_value(value, names), name)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id="np"), attr=name), slice=items) if (
            name in BRACKETS
        ):
            inside = items.elts if isinstance(items, ast.Tuple) else [items]
            return BRACKETS[name]([_value(item, names) for item in inside])
        case ast.Call(func=ast.Name(id=name), args=items, keywords=[]) if name in CALLS:
            return _call_function(name, [_argument(item, names) for item in items])
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=items, keywords=[]) if (
            module in MODULES and name in CALLS
        ):
            return _call_function(name, [_argument(item, names) for item in items])
    raise UnreadableValue(f"`{ast.unparse(node)[:60]}` is not read")


def _argument(node: ast.expr, names: Mapping[str, Any]) -> Any:
    value = _value(node, names)
    if isinstance(value, int) and abs(value) > LONGEST:
        raise UnreadableValue(f"{value} is too large here")
    return value


def _call_function(name: str, arguments: list[Any]) -> Any:
    """Result of a function, if it is not too large."""
    count = 0
    if name in ("zeros", "ones", "eye"):
        shape = np.ravel(arguments[0]).tolist() if name != "eye" else (arguments * 2)[:2]
        count = math.prod(int(n) for n in shape)
    elif name == "diag" and np.ndim(arguments[0]) == 1:
        count = len(arguments[0]) ** 2
    if count > MOST:
        raise UnreadableValue(f"{name} with {count} elements")
    return CALLS[name](*arguments)


def _compute_operation(operation: ast.operator, left: Any, right: Any) -> Any:
    """A result of numbers, whose size is bounded."""
    for side in (left, right):
        if isinstance(side, (str, bytes)) or (isinstance(side, int) and abs(side) > 10**12):
            raise UnreadableValue(f"arithmetic with {str(side)[:40]!r}")
    if isinstance(operation, ast.Pow) and isinstance(right, int) and abs(right) > 1000:
        raise UnreadableValue(f"the exponent {right}")
    if isinstance(operation, ast.Mult) and isinstance(left, (list, tuple)) | isinstance(right, (list, tuple)):
        raise UnreadableValue("a list times a number")
    left_shape, right_shape = np.shape(left), np.shape(right)
    if isinstance(operation, ast.MatMult):
        count = math.prod(left_shape[:-1]) * math.prod(right_shape[1:])
    else:
        count = math.prod(np.broadcast_shapes(left_shape, right_shape))
    if count > MOST:
        raise UnreadableValue(f"a result with {count} elements")
    return OPERATIONS[type(operation)](left, right)


def _look_up_name(name: str, names: Mapping[str, Any]) -> Any:
    if name in names:
        return names[name]
    if name in NUMBERS:
        return NUMBERS[name]
    raise UnreadableValue(f"there is no value for `{name}`{nearest(name, list(names))}")


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _formula(node: ast.Lambda, names: Mapping[str, Any]) -> Formula:
    plain = _FormulaNames([argument.arg for argument in node.args.args], names)
    body = plain.visit(node.body)
    text = ast.unparse(body)
    try:
        Expression(text, coefficients=plain.coefficients)
    except ParameterError as error:
        raise UnreadableValue(f"a lambda beyond formulas of numbers: {error}".splitlines()[0]) from None
    return Formula(len(plain.arguments), text, plain.elements, plain.coefficients)


class _FormulaNames(ast.NodeTransformer):
    """The names of a lambda as names of a formula.

    Arguments are u0, u1, ..., an element of one is u0_1, numbers from outside are c0, c1, ...; math.sin and
    np.sin are sin.
    """

    def __init__(self, arguments: list[str], names: Mapping[str, Any]) -> None:
        self.arguments, self.names = arguments, names
        self.elements: dict[str, tuple[int, int]] = {}
        self.coefficients: dict[str, float] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in MODULES:
            return ast.Name(node.attr)
        raise UnreadableValue(f"`{ast.unparse(node)[:60]}` in a lambda")

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = self.visit(node.func) if isinstance(node.func, ast.Attribute) else node.func
        return ast.Call(function, [self.visit(item) for item in node.args], node.keywords)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node:
            case ast.Subscript(ast.Name(id=name), ast.Constant(value=int(k))) if (
                name in self.arguments and k >= 0
            ):
                place = self.arguments.index(name)
                self.elements[f"u{place}_{k}"] = place, k
                return ast.Name(f"u{place}_{k}")
        raise UnreadableValue(f"`{ast.unparse(node)[:60]}` in a lambda")

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.arguments:
            return ast.Name(f"u{self.arguments.index(node.id)}")
        value = _look_up_name(node.id, self.names)
        if not isinstance(value, (int, float)):
            raise UnreadableValue(f"`{node.id}` in a lambda is {value!r:.40}, not a number")
        key = f"c{len(self.coefficients)}"
        self.coefficients[key] = float(value)
        return ast.Name(key)


KEYS = ("blocks", "wires")


class BadDiagramFile(BlockdynError):
    """A .bd file that is invalid, or has an unreadable value; `block` and `field` are the place."""

    def __init__(self, path: str, actual: str, expected: str, block: str = "", field: str = "") -> None:
        self.path, self.block, self.field, self.expected = path, block, field, expected
        place = f"{path}" + (f", block `{block}`" if block else "") + (f", {field}" if field else "")
        super().__init__(f"{place}: {actual}\nexpected: {expected}")


@contextlib.contextmanager
def as_written(
    path: str,
    block: Mapping[str, Any],
    expected: str = "a block with id, block_type, title, inputs, outputs and parameters",
) -> Iterator[None]:
    """Raise BadDiagramFile if a part is not in the format of bdedit."""
    try:
        yield
    except BadDiagramFile:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        actual = f"not as bdedit writes it ({type(error).__name__}: {error})"
        raise BadDiagramFile(path, actual, expected, str(block.get("title", ""))) from error


def drawing(path: str) -> dict[str, Any]:
    """The content of a .bd file, in the format of bdedit. Raises BadDiagramFile."""
    try:
        with open(path, encoding="utf-8") as file:
            model = json.load(file)
    except (OSError, UnicodeDecodeError) as error:
        raise BadDiagramFile(path, str(error), "a .bd file of bdedit") from None
    except (ValueError, RecursionError):
        raise BadDiagramFile(path, "not a JSON text", "a .bd file of bdedit") from None
    fine = isinstance(model, dict) and all(isinstance(model.get(key), list) for key in KEYS)
    if not fine or not all(isinstance(item, dict) for key in KEYS for item in model[key]):
        raise BadDiagramFile(path, "not a diagram", "an object with lists of `blocks` and `wires`")
    return dict(model)


def wires_of(path: str, model: Mapping[str, Any]) -> dict[Any, Any]:
    """Ends of wires at their sources, by ends at inputs, as numbers. Raises BadDiagramFile."""
    inputs, outputs = _sockets(path, model["blocks"], "inputs"), _sockets(path, model["blocks"], "outputs")
    wires: dict[Any, Any] = {}
    for wire in model["wires"]:
        with as_written(path, {}, "a wire with start_socket and end_socket"):
            start, end = wire["start_socket"], wire["end_socket"]
            if start not in outputs:
                raise BadDiagramFile(path, f"a wire begins at {start!r:.40}", "the number of an output")
            title, index = outputs[start]
            if end not in inputs:
                actual = f"a wire of it ends at {end!r:.40}"
                raise BadDiagramFile(path, actual, "the number of an input", title, f"output {index}")
            if wires.setdefault(end, start) != start:
                title, index = inputs[end]
                first, second = (outputs[number][0] for number in (wires[end], start))
                actual = f"wires of `{first}` and of `{second}` end there"
                raise BadDiagramFile(path, actual, "one wire", title, f"input {index}")
    return wires


def _sockets(path: str, blocks: list[dict[str, Any]], side: str) -> dict[Any, tuple[str, Any]]:
    """The title of the block and the index of every input or output, by its number."""
    sockets: dict[Any, tuple[str, Any]] = {}
    numbers: dict[Any, str] = {}
    for block in blocks:
        with as_written(path, block):
            title = str(block.get("title", ""))
            number = block.get("id")
            if number in numbers:
                actual = f"its id {number!r:.40} is also the id of `{numbers[number]}`"
                raise BadDiagramFile(path, actual, "a number of its own", title)
            if number is not None:
                numbers[number] = title
            for socket in block.get(side, ()):
                if socket["id"] in sockets:
                    actual = f"its id {socket['id']!r:.40} occurs twice in the file"
                    field = f"{side.removesuffix('s')} {socket['index']}"
                    raise BadDiagramFile(path, actual, "a number of its own", title, field)
                sockets[socket["id"]] = title, socket["index"]
    return sockets
