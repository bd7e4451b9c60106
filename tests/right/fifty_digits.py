"""The equations of a block in numbers of 50 digits: its own Python functions, with mpmath in math's place."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from types import CellType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import mpmath
import numpy as np

from blockdyn.blocks.contract.equations import role_arguments
from blockdyn.blocks.contract.formula import Formula, Node
from blockdyn.diagrams.compiler.interpreted_calls import Moment, reader, span
from blockdyn.diagrams.compiler.plan import binding
from blockdyn.diagrams.compiler.plan.binding import Argument, bind, targets
from blockdyn.diagrams.compiler.plan.unit import Unit, elements
from blockdyn.native.groups import gather_groups, parts_of
from blockdyn.solvers.layout import Memory

mpmath.mp.dps = 50
Number = mpmath.mpf
STEP = Number(10) ** -17  # central differences are then wrong by 1e-34, and rounded at 1e-33

ALIKE = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log10 log1p sqrt erf erfc atan2"
    " hypot cbrt fabs isfinite isnan isinf log"
)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: lambda *a, name=name: getattr(mpmath, name)(*map(Number, a)) for name in ALIKE.split()
} | {
    "log2": lambda a: mpmath.log(a, 2),
    "pow": lambda a, b: Number(a) ** b,
    "floor": lambda a: int(mpmath.floor(a)),
    "ceil": lambda a: int(mpmath.ceil(a)),
    "trunc": int,
    "fmod": lambda a, b: a - b * int(a / b),
    "copysign": lambda a, b: abs(a) if b >= 0 else -abs(a),
}
_BY_FUNCTION = {getattr(math, name): function for name, function in FUNCTIONS.items() if hasattr(math, name)}
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": lambda a, b: a**b, "%": lambda a, b: a - b * mpmath.floor(a / b), "neg": lambda a: -a,
    "pos": lambda a: a, "abs": abs, "min": min, "max": max, "sign": mpmath.sign,
    "where": lambda test, a, b: a if test > 0.5 else b, "not": lambda a: Number(a == 0),
    "and": lambda a, b: Number(a != 0 and b != 0), "or": lambda a, b: Number(a != 0 or b != 0),
    "<": lambda a, b: Number(a < b), "<=": lambda a, b: Number(a <= b), ">": lambda a, b: Number(a > b),
    ">=": lambda a, b: Number(a >= b), "==": lambda a, b: Number(a == b), "!=": lambda a, b: Number(a != b),
}  # fmt: skip


class _Module:
    """math or NumPy, with functions of 50 digits."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return FUNCTIONS.get(name) or getattr(self._module, name)


_translated: dict[Any, Any] = {math: _Module(math), np: _Module(np)}


def translated(value: Any) -> Any:
    """A function, with all that it calls, that computes with what it is given."""
    value = getattr(value, "py_func", value)
    if not isinstance(value, FunctionType | ModuleType):
        return _BY_FUNCTION.get(value, value) if callable(value) and not isinstance(value, type) else value
    if value not in _translated and isinstance(value, FunctionType):
        space = {**value.__globals__, "float": Number}
        cells = tuple(CellType(translated(cell.cell_contents)) for cell in value.__closure__ or ())
        copy = FunctionType(value.__code__, space, value.__name__, value.__defaults__, cells or None)
        _translated[value] = copy
        names = (name for name in value.__code__.co_names if name in space and name != "float")
        space |= {name: translated(space[name]) for name in names}
    return _translated.get(value, value)


def numbers(value: Any) -> Any:
    """A number or an array with 50 digits."""
    array = np.asarray(value)
    return _array([Number(float(each)) for each in array.ravel()], array.shape)


def _array(values: Any, shape: tuple[int, ...]) -> Any:
    """Values as an array, or as the one that they are."""
    array = np.empty(prod(shape), object)
    array[:] = list(values)
    return array.reshape(shape) if shape else array[0]


def _value(node: Node, names: dict[str, Any]) -> Any:
    if node.operation == "number":
        return Number(float(node.value))
    if node.operation == "name":
        return names[str(node.value)]
    if node.operation == "bit":
        return Number(int(names[str(node.parts[0].value)]) >> int(node.value) & 1)
    function = _OPERATIONS.get(node.operation) or FUNCTIONS[node.operation]
    return function(*(_value(part, names) for part in node.parts))


def _called(function: Any, values: list[Any]) -> list[Any]:
    """The results of a function, whose groups are made of single values."""
    parts = parts_of(function)
    row = list(gather_groups(parts, values, lambda kind, items: kind(*items))) if parts else values
    return _flat(translated(function)(*row))


def _flat(answer: Any) -> list[Any]:
    """Numbers of nested tuples and arrays, in a row."""
    if isinstance(answer, tuple | list | np.ndarray):
        return [each for part in answer for each in _flat(part)]
    return [answer]


class Equations:
    """Slopes and outputs of a unit, in the modes and with the held states of a point."""

    def __init__(self, unit: Unit, m: Memory) -> None:
        self.unit = unit
        self._memory: Any = SimpleNamespace(p=m.p, z=m.z, modes=m.modes, fired=m.fired)
        self.states = [s.name for s in unit.block.states if unit.states_at[s.name][0] == "x"]
        self.roles = [role for role in unit.functions if role.startswith("output")]
        self.roles += [role for role in unit.functions if role == "derivative"]

    def at(self, point: list[Any], count: int) -> list[Any]:
        """All slopes, then all outputs, where `point` is `count` states, the inputs, the time."""
        unit, (x, rest) = self.unit, (point[:count], point[count:])
        known = {name: _array(x[span(unit, name)], unit.state_shapes[name]) for name in self.states}
        for name in unit.inputs:
            shape = unit.in_sizes[name].shape
            known[name] = _array(rest[: prod(shape)], unit.input_ports[name].seen(shape))
            rest = rest[prod(shape) :]
        slopes = [Number(0)] * count
        for role in self.roles:
            results = self._results(role, known, point[-1])
            if role != "derivative":
                known |= results
                continue
            for name, value in results.items():
                slopes[span(unit, name)] = list(np.ravel(value))
        return slopes + [each for port in unit.block.output_ports() for each in np.ravel(known[port.name])]

    def _results(self, role: str, known: dict[str, Any], t: Any) -> dict[str, Any]:
        arguments = bind(self.unit, role, self.unit.names[role])
        values = [self._read(a, known, t) for a in arguments]
        wanted = targets(self.unit, role)
        if self.unit.elementwise:
            rows = [self._element(role, arguments, values, i) for i in range(self.unit.count)]
            columns = zip(*rows, strict=True)
            return {name: _array(c, self.unit.shape) for (name, _), c in zip(wanted, columns, strict=True)}
        answer = _called(self.unit.functions[role], values)
        results = {a.name: v for a, v in zip(arguments, values, strict=True) if a.kind == binding.TARGET}
        for name, shape in wanted:
            if name not in results:
                results[name], answer = _array(answer[: prod(shape)], shape), answer[prod(shape) :]
        return results

    def _element(self, role: str, arguments: list[Argument], values: list[Any], i: int) -> list[Any]:
        function, row = self.unit.functions[role], []
        for a, value in zip(arguments, values, strict=True):
            whole = a.kind == binding.TABLE or np.shape(value) == ()
            row.append(value if whole else np.ravel(value)[list(elements(a.shape, self.unit.shape))[i]])
        formulas = function if isinstance(function, tuple) else (function,)
        if isinstance(formulas[0], Formula):
            names = dict(zip(role_arguments(function), row, strict=True))
            return [_value(formula.root, names) for formula in formulas]
        return _called(function, row)

    def _read(self, a: Argument, known: dict[str, Any], t: Any) -> Any:
        if a.kind == binding.TIME:
            return t
        if a.kind in (binding.INPUT, binding.OUTPUT) or (a.name in self.states and a.kind == binding.STATE):
            value = known[a.name]
            return value.copy() if isinstance(value, np.ndarray) else value
        if a.kind in (binding.SCRATCH, binding.TARGET):
            return _array([Number(0)] * prod(a.shape), a.shape)
        value = reader(self.unit, a)(Moment(0.0, np.zeros(0), self._memory, {}))
        return value if a.kind in binding.INTEGERS else numbers(value)
