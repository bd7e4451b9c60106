"""Trace numbers of blocks: the code that computes them runs once on numbers that record their operations.

    radius = Number.leaf(0)              # a parameter that is set later
    traced_numbers(block, {"radius": radius})["turning"]     # Number: div(leaf 0, 2.0)

The source of `constants` and of expressions runs as it is. `np`, `float` and `super` stand for objects of
this module there. An operation is noted if machine code computes the same bits: + - * /, square roots,
absolute values, comparisons, and in expressions the elementary functions. Users of a trace compare it
with the block itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from ..blocks.continuous.scales import BALANCED, state_scales
from ..blocks.continuous.system import System
from ..blocks.contract.block import Block
from ..blocks.contract.formula import Formula, Node, operate
from ..native.elementary.called import FUNCTIONS as ELEMENTARY, of_number
from ..native.substitution import PACKAGE

LEAF, CONDITION = "leaf", ("lt", "le", "eq")


class NotTraced(TypeError):
    """An operation that a trace cannot record; it is internal."""


class Trace:
    """The conditions on which the operations of a trace hold, with their outcome."""

    def __init__(self) -> None:
        self.required: dict[Number, bool] = {}


class Number:
    """The result of an operation: its name, its operands (Numbers and floats), its value now.

    A leaf has its index as operand; `lt`, `le` and `eq` are 1 or 0, `select` (condition, a, b) is a or b.
    """

    __slots__ = ("name", "operands", "trace", "value")

    def __init__(self, trace: Trace, name: str, operands: tuple[Any, ...], value: float) -> None:
        self.trace, self.name, self.operands, self.value = trace, name, operands, value

    @staticmethod
    def leaf(trace: Trace, index: int, value: float) -> Number:
        """A settable number."""
        return Number(trace, LEAF, (index,), value)

    def _put(self, name: str, *operands: Any) -> Number:
        numbers = tuple(x if isinstance(x, Number) else _plain(x) for x in operands)
        values = [x.value if isinstance(x, Number) else x for x in numbers]
        try:
            return Number(self.trace, name, numbers, float(EVALUATE[name](*values)))
        except (ArithmeticError, ValueError):
            raise NotTraced(f"{name} of {values}") from None

    def __add__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._put("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self._put("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._put("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._put("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._put("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._put("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._put("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._put("div", other, self)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, (int, float)) and exponent == 2:
            return self._put("mul", self, self)
        raise NotTraced(f"a power of {exponent}")

    def __neg__(self) -> Number:
        return self._put("neg", self)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return self._put("abs", self)

    def sqrt(self) -> Number:
        """The square root, under the name by which NumPy calls it."""
        return self._put("sqrt", self)

    def _test(self, name: str, a: Any, b: Any, *, negated: bool = False) -> bool:
        """The outcome of a comparison, which the trace requires from now on."""
        condition = self._put(name, a, b)
        self.trace.required[condition] = bool(condition.value)
        return bool(condition.value) != negated

    def __lt__(self, other: Any) -> bool:
        return self._test("lt", self, other)

    def __le__(self, other: Any) -> bool:
        return self._test("le", self, other)

    def __gt__(self, other: Any) -> bool:
        return self._test("lt", other, self)

    def __ge__(self, other: Any) -> bool:
        return self._test("le", other, self)

    def __eq__(self, other: object) -> bool:
        return self._test("eq", self, other)

    def __ne__(self, other: object) -> bool:
        return self._test("eq", self, other, negated=True)

    def __bool__(self) -> bool:
        return self._test("eq", self, 0.0, negated=True)

    def __hash__(self) -> int:
        return id(self)

    def __float__(self) -> float:
        raise NotTraced("a function that takes a number of Python")

    __int__ = __index__ = __round__ = __float__


EVALUATE: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b, "neg": lambda a: -a, "abs": abs, "sqrt": math.sqrt,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "eq": lambda a, b: a == b,
    "select": lambda c, a, b: a if c else b, **{name: of_number(name) for name in ELEMENTARY},
}  # fmt: skip


def _plain(value: Any) -> float:
    if isinstance(value, (int, float, np.floating, np.integer, np.bool_)):
        return float(value)
    raise NotTraced(f"arithmetic with {type(value).__name__}")


def lesser(a: Any, b: Any) -> Any:
    """The smaller of two numbers."""
    return _either(a, b, a, b)


def greater(a: Any, b: Any) -> Any:
    """The larger of two numbers."""
    return _either(b, a, a, b)


def _either(left: Any, right: Any, a: Any, b: Any) -> Any:
    """`a` if left <= right, otherwise `b`; NaN is left to the comparison with the block."""
    number = next((x for x in (a, b) if isinstance(x, Number)), None)
    if number is None:
        return a if left <= right else b
    return number._put("select", number._put("le", left, right), a, b)


def is_traced(value: Any) -> bool:
    """True for a Number, and for an array or a list that holds one."""
    if isinstance(value, Number):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype == object and any(isinstance(x, Number) for x in value.ravel())
    return isinstance(value, (list, tuple)) and any(map(is_traced, value))


def _demote(value: Any) -> Any:
    """An array of objects as one of doubles, if it holds no Number."""
    if isinstance(value, np.ndarray) and value.dtype == object and not is_traced(value):
        return value.astype(np.float64)
    return value


def real(value: Any) -> Any:
    """`float` for a number or a Number."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    return value if isinstance(value, Number) else float(value)


# ---- NumPy ----

_REAL = (None, real, np.float64)  # types of arrays that may hold Numbers


def _array(value: Any, dtype: Any = None, **options: Any) -> Any:
    value = _demote(value)
    if not is_traced(value):
        return np.array(value, np.float64 if dtype is real else dtype, **options)
    return value.copy() if isinstance(value, np.ndarray) else np.array(value, object)


def _as_array(value: Any, dtype: Any = None, **options: Any) -> Any:
    return value if isinstance(value, np.ndarray) and is_traced(value) else _array(value, dtype)


def _zeros(shape: Any, dtype: Any = None, **options: Any) -> Any:
    return np.full(shape, 0.0, object) if dtype in _REAL else np.zeros(shape, dtype)


def _ones(shape: Any, dtype: Any = None, **options: Any) -> Any:
    return np.full(shape, 1.0, object) if dtype in _REAL else np.ones(shape, dtype)


def _full(shape: Any, value: Any, dtype: Any = None, **options: Any) -> Any:
    return np.full(shape, value, object if is_traced(value) else dtype)


def _elementwise(function: Callable[..., Any], count: int) -> Any:
    return np.frompyfunc(function, count, 1)


_MEANT: dict[str, Any] = {
    "array": _array, "asarray": _as_array, "ascontiguousarray": _as_array,
    "zeros": _zeros, "empty": _zeros, "ones": _ones, "full": _full,
    "eye": lambda *values, **options: np.eye(*values, **options).astype(object),
    "maximum": _elementwise(greater, 2), "minimum": _elementwise(lesser, 2),
    "isinf": _elementwise(lambda x: abs(x) == math.inf, 1), "isnan": _elementwise(lambda x: x != x, 1),
    "isfinite": _elementwise(lambda x: abs(x) < math.inf, 1),
}  # fmt: skip


class _Numpy:
    """NumPy, or a module of it, for arrays that may hold Numbers."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if name in _MEANT and self._module is np:
            return _meaning(_MEANT[name], value)
        if isinstance(value, (FunctionType, BuiltinFunctionType, np.ufunc)) or type(value).__name__ == (
            "_ArrayFunctionDispatcher"
        ):
            return _call_on_doubles(value)
        return _Numpy(value) if name == "linalg" else value


def _call_on_doubles(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values, **options: function(*map(_demote, values), **options)


def _meaning(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Our function for values that include a Number, and for new arrays; otherwise NumPy's."""
    if isinstance(theirs, np.ufunc):
        return lambda *values: (ours if any(map(is_traced, values)) else theirs)(*map(_demote, values))
    return ours


def _scales(system: Any) -> Any:
    """`blocks.continuous.scales.state_scales` without branches on the number of its sweeps."""
    if not any(map(is_traced, system[:3])):
        return state_scales(System(*(np.asarray(part, np.float64) for part in system)))
    A, B, C = (np.array(part, object) for part in system[:3])
    n = len(A)
    row, column = _norms(C), _norms(B.T)
    if not any(row):
        return np.ones(n)
    into_row = abs(A)
    scales: list[Any] = [1.0] * n
    even: Any = 0.0  # 1 once a sweep has moved no scale by much
    for _ in range(MOST_SWEEPS):
        most: Any = 1.0
        before = list(scales)
        for i in range(n):
            out = _sum(into_row[k, i] * (1.0 / scales[k]) if k != i else 0.0 for k in range(n)) + row[i]
            into = _sum(into_row[i, k] * scales[k] if k != i else 0.0 for k in range(n)) + column[i]
            if out > 0.0 and into > 0.0:
                ratio = _function("sqrt")(into / out) / scales[i]
                scales[i] = scales[i] * ratio
                most = greater(greater(most, ratio), 1.0 / ratio)
        scales = [_where(even, a, b) for a, b in zip(before, scales, strict=True)]
        even = _where(even, 1.0, _where(_less(most, BALANCED), 1.0, 0.0))
    if not even == 1.0:
        raise NotTraced("more sweeps than are usual")
    top: Any = None
    for size, scale in zip(row, scales, strict=True):
        top = size * scale if top is None else greater(top, size * scale)
    return np.array([lesser(scale / top, 1.0) for scale in scales], object)


def _norms(rows: Any) -> list[Any]:
    """The largest magnitude in each column."""
    sizes: list[Any] = [0.0] * rows.shape[1]
    for row in abs(rows):
        sizes = [greater(size, x) for size, x in zip(sizes, row, strict=True)]
    return sizes


def _sum(parts: Iterable[Any]) -> Any:
    """The sum from the left; zeros are not recorded."""
    total: Any = 0.0
    for part in parts:
        total = part if isinstance(total, float) and total == 0.0 else total + part
    return total


def _less(a: Any, b: float) -> Any:
    """The condition a < b, as an operand of `select`."""
    return a._put("lt", a, b) if isinstance(a, Number) else a < b


def _where(condition: Any, a: Any, b: Any) -> Any:
    """`a` if the condition, 1.0 or 0.0, holds, otherwise `b`."""
    if isinstance(condition, Number):
        if condition.name != "lt":
            condition = condition._put("eq", condition, 1.0)
        return condition._put("select", condition, a, b)
    return a if condition else b


MOST_SWEEPS = 8  # of the balancing of a block's states that a trace holds
NAMES: dict[str, Any] = {
    "np": _Numpy(np), "float": real, "type": lambda value: value.__class__, "state_scales": _scales,
}  # fmt: skip
"""The meaning of names in the code of a block while it is traced."""


# ---- blocks ----


def substitute(function: Any, names: Mapping[str, Any], finished: dict[Any, Any] | None = None) -> Any:
    """A copy of a function in which these names have other values, including in the functions that it calls.

    As `native.substitution.substitute`, and also within comprehensions.
    """
    finished = {} if finished is None else finished
    if function not in finished:
        scope = {"__builtins__": __builtins__, **function.__globals__, **names}
        copy = FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        finished[function] = copy
        for name in _global_names(function.__code__):
            value = scope.get(name)
            ours = isinstance(value, FunctionType) and value.__module__.startswith(PACKAGE)
            if ours and name not in names:
                scope[name] = substitute(value, names, finished)
    return finished[function]


def _global_names(code: CodeType) -> set[str]:
    """The global names of a function's code and of functions inside it."""
    inner = [_global_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    return {*code.co_names}.union(*inner)


class _Traced:
    """Stands in for a block some of whose parameters are traced.

    Methods, properties and cached properties of the class run with the stand-in as `self`, see also
    `blocks.contract.reads`.
    """

    def __init__(self, block: Block, values: Mapping[str, Any]) -> None:
        numbers = {name: getattr(block, name) for name in block.rules()}
        object.__setattr__(self, "_state", (block, {**numbers, **values}))

    def __getattribute__(self, name: str) -> Any:
        block, values = object.__getattribute__(self, "_state")
        if name == "__class__":
            return type(block)
        return values[name] if name in values else _look_up(self, type(block).__mro__, name)


class _Super:
    """`super()` in a method of a block that is traced."""

    def __init__(self, standing: _Traced, classes: tuple[type, ...]) -> None:
        self._standing, self._classes = standing, classes

    def __getattr__(self, name: str) -> Any:
        return _look_up(self._standing, self._classes, name)


def _look_up(standing: _Traced, classes: tuple[type, ...], name: str) -> Any:
    """The attribute of a stand-in, from the first of some classes that defines it."""
    for k, owner in enumerate(classes):
        if name not in vars(owner):
            continue
        value = vars(owner)[name]
        names = {**NAMES, "super": lambda rest=classes[k + 1 :]: _Super(standing, rest)}
        if isinstance(value, FunctionType):
            return MethodType(substitute(value, names), standing)
        if isinstance(value, property) and value.fget is not None:
            return substitute(value.fget, names)(standing)
        if isinstance(value, cached_property):
            return substitute(value.func, names)(standing)
        if isinstance(value, staticmethod):
            return substitute(value.__func__, names)
        if isinstance(value, classmethod):
            return MethodType(value.__func__, standing.__class__)
        return value
    raise AttributeError(name)


def trace_part(block: Block, values: Mapping[str, Any], name: str, *arguments: Any) -> Any:
    """A method's result, or a property, of a block for which some parameters are traced. Raises NotTraced."""
    try:
        value = getattr(_Traced(block, values), name)
        return value(*arguments) if isinstance(value, MethodType) else value
    except NotTraced:
        raise
    except Exception as error:
        raise NotTraced(f"{block.kind()}.{name}: {error}") from error


# ---- expressions ----


def trace_value(formula: Formula, names: Mapping[str, Any]) -> Any:
    """The value of an expression over traced names. Raises NotTraced."""
    value = _evaluate_node(formula.root, names)
    array = np.array(value, object)
    return array if array.ndim else array.item()


def _function(name: str) -> Callable[..., Any]:
    def call(*values: Any) -> Any:
        number = next((x for x in values if isinstance(x, Number)), None)
        if number is None:
            return float(EVALUATE[name](*values))
        return number._put(name, *values)

    return call


def _power(base: Any, exponent: Any) -> Any:
    """A power, as `blocks.contract.formula` computes it."""
    if not isinstance(exponent, Number) and exponent in (2.0, 0.5):
        return base * base if exponent == 2.0 else _function("sqrt")(base)
    return _function("pow")(base, exponent)


_OPERATIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "+": (2, lambda a, b: a + b), "-": (2, lambda a, b: a - b), "*": (2, lambda a, b: a * b),
    "/": (2, lambda a, b: a / b), "neg": (1, lambda a: -a), "pos": (1, lambda a: a), "**": (2, _power),
    "min": (2, lesser), "max": (2, greater), "abs": (1, abs), "sqrt": (1, _function("sqrt")),
    "<": (2, lambda a, b: float(a < b)), "<=": (2, lambda a, b: float(a <= b)),
    ">": (2, lambda a, b: float(a > b)), ">=": (2, lambda a, b: float(a >= b)),
    "==": (2, lambda a, b: float(a == b)), "!=": (2, lambda a, b: float(a != b)),
    "where": (3, lambda test, a, b: a if test else b),
    "and": (2, lambda a, b: float(bool(a) and bool(b))), "or": (2, lambda a, b: float(bool(a) or bool(b))),
    "not": (1, lambda a: float(not a)),
    **{name: (1, _function(name)) for name in ELEMENTARY if name not in ("atan2", "hypot", "pow", "fmod")},
    "atan2": (2, _function("atan2")), "hypot": (2, _function("hypot")),
}  # fmt: skip


def _evaluate_node(node: Node, names: Mapping[str, Any]) -> Any:
    """The value of a tree, elementwise."""
    if node.operation == "number":
        return node.value
    if node.operation == "name":
        return names[str(node.value)]
    parts = [_evaluate_node(part, names) for part in node.parts]
    if node.operation == "list":
        return parts
    if not any(map(is_traced, parts)):
        with np.errstate(all="ignore"):
            return operate(node, parts)
    if node.operation not in _OPERATIONS:
        raise NotTraced(f"`{node.operation}` of an expression")
    count, function = _OPERATIONS[node.operation]
    return np.frompyfunc(function, count, 1)(*(np.array(part, object) for part in parts))
