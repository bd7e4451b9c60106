"""MATLAB's arrays: their classes, sizes, reductions, products and joins, never over a limit of elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from .terms import TERMS, Array, Scalar, Term, call, combine, elements, fold, lessen, negation, objects, truth

Value: TypeAlias = Any
"""An array with two dimensions, a text, a struct as a dict, a cell array as a list, or a function."""
WORK = 100_000_000  # operations on numbers in one evaluation: about a second, of formulas some seconds
NODE_WORK = 500  # operations on numbers that take as long as one step through a tree
TERM_WORK = 50  # operations on numbers that take as long as one on a formula


class Room:
    """Bounds the sizes of values and the work of one evaluation. Its methods raise ValueError."""

    def __init__(self, limit: int) -> None:
        self.limit, self.work = limit, WORK

    def spend(self, operations: float) -> None:
        """Count operations on elements."""
        self.work -= int(min(operations, 1e18))
        if self.work < 0:
            raise ValueError("the computation is too long")

    def size(self, *shape: float) -> tuple[int, ...]:
        """Check a shape, negative sizes of which count as 0."""
        if not all(map(math.isfinite, shape)) or any(count != int(count) for count in shape):
            raise ValueError("sizes are finite whole numbers")
        counts = tuple(max(int(count), 0) for count in shape)
        if math.prod(counts) > self.limit or max(counts, default=0) > self.limit:
            raise ValueError(f"{' x '.join(map(str, counts))} elements; at most {self.limit} are allowed")
        self.spend(math.prod(counts))
        return counts


def row(values: Any) -> Array:
    """A row vector."""
    return np.asarray(values).reshape(1, -1)


def scalar(value: float | bool) -> Array:
    """A number as an array of one element."""
    return np.asarray(value, bool if isinstance(value, (bool, np.bool_)) else np.float64).reshape(1, 1)


def numbers(value: Value) -> Array:
    """The numbers of an array or the codes of a text."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, str):
        return row(np.array([ord(each) for each in value], np.float64))
    raise ValueError(f"{kind_of(value)} is not a number")


def kind_of(value: Value) -> str:
    """The kind of a value in words."""
    kinds = {dict: "a struct", list: "a cell array", np.ndarray: "an array"}
    return "a text" if isinstance(value, str) else kinds.get(type(value), "a function")


def reals(value: Value) -> Array:
    """Numbers in double precision. Raises ValueError for formulas."""
    array = numbers(value)
    if array.dtype == object:
        raise ValueError("a signal cannot be written in a formula here")
    return array.astype(np.float64)


def number(value: Value) -> float:
    """The one number of a value."""
    array = reals(value)
    if array.size != 1:
        raise ValueError(f"one number is expected, not {array.shape[0]} x {array.shape[1]}")
    return float(array[0, 0])


def integer(value: Value) -> int:
    """One whole number."""
    count = number(value)
    if not count.is_integer():
        raise ValueError(f"{count:g} is not a whole number")
    return int(count)


def vector(value: Value) -> Array:
    """The elements of a vector, one-dimensional."""
    array = reals(value)
    if array.size and min(array.shape) != 1:
        raise ValueError(f"a vector is expected, not {array.shape[0]} x {array.shape[1]}")
    return array.ravel()


def as_class(array: Array, kind: np.dtype[Any]) -> Array:
    """Numbers in a class: integers are rounded half away from zero and saturated."""
    if kind.kind not in "iu":
        return array.astype(kind)
    limits = np.iinfo(kind)
    rounded = np.nan_to_num(round_half_away(array.astype(np.float64)), nan=0.0, posinf=np.inf, neginf=-np.inf)
    largest = np.nextafter(float(limits.max), 0) if limits.bits == 64 else float(limits.max)
    inside = np.clip(rounded, float(limits.min), largest)
    exact = inside.astype(kind)
    return np.where(rounded >= float(limits.max), limits.max, exact).astype(kind)


def round_half_away(x: Array) -> Array:
    """Rounding half away from zero."""
    below = np.floor(np.abs(x))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.copysign(below + (np.abs(x) - below >= 0.5), x))


def _modulus(x: Array, y: Array) -> Array:
    return np.where(y == 0, x, np.mod(x, np.where(y == 0, 1, y)))


_PARTIAL = ("sqrt", "log", "log2", "log10", "log1p", "asin", "acos", "acosh", "atanh", "power", "nthroot")
ELEMENTWISE: dict[str, tuple[int, Callable[..., Array]]] = {
    **{name: (1, getattr(np, name)) for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "log2", "log10", "log1p", "expm1", "sqrt",
        "abs", "sign", "floor", "ceil", "deg2rad", "rad2deg", "isnan", "isinf", "isfinite",
    )},
    "asin": (1, np.arcsin), "acos": (1, np.arccos), "atan": (1, np.arctan), "asinh": (1, np.arcsinh),
    "acosh": (1, np.arccosh), "atanh": (1, np.arctanh), "fix": (1, np.trunc), "round": (1, round_half_away),
    "sec": (1, lambda x: 1 / np.cos(x)), "csc": (1, lambda x: 1 / np.sin(x)),
    "cot": (1, lambda x: 1 / np.tan(x)), "sinc": (1, np.sinc),
    "sind": (1, lambda x: _degrees(np.sin, x)), "cosd": (1, lambda x: _degrees(np.sin, x + 90)),
    "tand": (1, lambda x: _degrees(np.sin, x) / _degrees(np.sin, x + 90)),
    "not": (1, np.logical_not), "mod": (2, _modulus), "rem": (2, np.fmod), "atan2": (2, np.arctan2),
    "hypot": (2, np.hypot), "xor": (2, np.logical_xor), "and": (2, np.logical_and), "or": (2, np.logical_or),
    "nthroot": (2, lambda x, n: np.copysign(np.abs(x) ** (1 / n), x)),
}  # fmt: skip


def _degrees(function: Callable[[Array], Array], x: Array) -> Array:
    """A sine of degrees, exact at multiples of 30 and 90."""
    turn = np.mod(x, 360)
    exact = {0: 0.0, 30: 0.5, 90: 1.0, 150: 0.5, 180: 0.0, 210: -0.5, 270: -1.0, 330: -0.5}
    value = function(np.deg2rad(turn))
    for angle, sine in exact.items():
        value = np.where(turn == angle, sine, value)
    return value


def broadcast_shape(room: Room, *arrays: Array) -> tuple[int, ...]:
    """The shape of arrays of which sizes of 1 expand. Raises ValueError."""
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        sizes = " and ".join(" x ".join(map(str, array.shape)) for array in arrays)
        raise ValueError(f"the sizes {sizes} do not fit one another") from None
    return room.size(*shape)


def elementwise(room: Room, name: str, values: Sequence[Value]) -> Value:
    """Apply a function to each element."""
    count, function = ELEMENTWISE[name]
    if len(values) != count:
        raise ValueError(f"{name} takes {count} argument{'s' if count > 1 else ''} here, not {len(values)}")
    arrays = [numbers(value) for value in values]
    broadcast_shape(room, *arrays)
    if any(array.dtype == object for array in arrays):
        if name not in TERMS:
            raise ValueError(f"`{name}` of a signal cannot be written as a formula")
        room.spend(TERM_WORK * max(array.size for array in arrays))
        return elements(lambda *x: _element(name, *x), *arrays)
    if name in ("and", "or", "xor", "not") and any(
        np.isnan(array.astype(np.float64)).any() for array in arrays
    ):
        raise ValueError("NaN is neither true nor false")
    kinds = [array.dtype for array in arrays]
    with np.errstate(all="ignore"):
        result = np.asarray(function(*(array.astype(np.float64) for array in arrays)))
    real(name, result, arrays)
    return result if result.dtype == bool else as_class(result, result_class(*kinds))


def _element(name: str, *parts: Term | float) -> Term | float:
    if any(isinstance(part, Term) for part in parts):
        return TERMS[name][1](*parts)
    with np.errstate(all="ignore"):
        return float(ELEMENTWISE[name][1](*np.asarray(parts, np.float64)))


def real(name: str, result: Array, arrays: Sequence[Array]) -> None:
    """Refuse results that MATLAB computes as complex numbers."""
    if name == "power":
        base, exponent = arrays
        if ((base < 0) & (exponent != np.floor(exponent)) | (base < 0) & np.isinf(exponent)).any():
            raise ValueError("power has a complex result here; values are real")
    elif name in _PARTIAL and np.isnan(result).any():
        unclear = np.logical_or.reduce(np.broadcast_arrays(*map(np.isnan, arrays)))
        clean = np.broadcast_to(~unclear, result.shape)
        if (np.isnan(result) & clean).any():
            raise ValueError(f"{name} has a complex result here; values are real")


def result_class(*kinds: np.dtype[Any]) -> np.dtype[Any]:
    """The class of a result: integers win over single, single over double; logical counts as double."""
    whole_kinds = {kind for kind in kinds if kind.kind in "iu"}
    if len(whole_kinds) > 1:
        raise ValueError(f"integers of the classes {' and '.join(sorted(map(str, whole_kinds)))} do not mix")
    if whole_kinds:
        return whole_kinds.pop()
    return np.dtype(np.float32 if any(kind == np.float32 for kind in kinds) else np.float64)


def reduction_axis(array: Array, dimension: Value | None) -> int | None:
    """The axis of a reduction: the first whose size is not 1; None past the second, where sizes are 1."""
    if dimension is None:
        return 1 if array.shape[0] == 1 else 0
    axis = integer(dimension) - 1
    if axis < 0:
        raise ValueError("a dimension is at least 1")
    return axis if axis < 2 else None


def reduction(combined: Callable[[Array, int], Array], keep: bool = False) -> Callable[..., Value]:
    """A function that combines the elements of one dimension; with `keep` the class of numbers stays."""

    def reduce(room: Room, value: Value, dimension: Value | None = None) -> Array:
        array = numbers(value)
        room.spend(array.size)
        kind = array.dtype
        array = array.astype(np.float64) if kind.kind != "O" else array
        if array.shape == (0, 0) and dimension is None:
            array = array.reshape(0, 1)
        axis = reduction_axis(array, dimension)
        if axis is None:
            array, axis = array.reshape(*array.shape, 1), 2
            return combined(array, axis).reshape(array.shape[:2])
        with np.errstate(all="ignore"):
            result = combined(array, axis)
        result = result.reshape([1 if k == axis else n for k, n in enumerate(array.shape)])
        return as_class(result, result_class(kind)) if keep and kind.kind != "O" else lessen(result)

    return reduce


def lines(array: Array, axis: int, combined: Callable[[list[Scalar]], Scalar]) -> Array:
    """One element for the elements of each line along an axis."""
    moved = np.moveaxis(array, axis, -1)
    result = np.empty(moved.shape[:-1], object)
    for place in np.ndindex(*result.shape):
        result[place] = combined(list(moved[place]))
    return result


def joint_truth(array: Array, axis: int, sign: str) -> Array:
    """True where all (&) or any (|) elements along an axis are not 0."""
    if array.dtype == object:
        parts = lines(array, axis, lambda x: fold(sign, x, float(sign == "&")))
        return elements(truth, parts)
    if sign == "&":
        return np.asarray(np.all(array != 0, axis))
    return np.asarray(np.any((array != 0) & ~np.isnan(array), axis))


def mean(array: Array, axis: int) -> Array:
    """The mean along an axis."""
    if array.dtype != object:
        return np.asarray(np.sum(array, axis) / array.shape[axis])
    return lines(array, axis, lambda x: combine("/", fold("+", x, 0.0), float(len(x))))


def cumulative(name: str) -> Callable[..., Value]:
    """A cumulative sum or product."""

    def accumulate(room: Room, value: Value, dimension: Value | None = None) -> Array:
        array = numbers(value)
        room.spend(array.size)
        kind = array.dtype
        array = array.astype(np.float64) if kind.kind != "O" else array
        axis = reduction_axis(array, dimension)
        result = array if axis is None else np.asarray(getattr(np, name)(array, axis))
        return result if kind.kind == "O" else as_class(result, result_class(kind))

    return accumulate


def extreme(name: str) -> Callable[..., Value]:
    """Smallest or largest elements: of one array with their indices, or of two arrays; NaN is passed over."""
    function = np.fmin if name == "min" else np.fmax

    def choose(room: Room, value: Value, other: Value | None = None, dimension: Value | None = None) -> Value:
        array = numbers(value)
        if other is not None and dimension is None:
            right = numbers(other)
            broadcast_shape(room, array, right)
            if object in (array.dtype, right.dtype):
                return elements(lambda *x: _extreme_of(name, x), array, right)
            kind = result_class(array.dtype, right.dtype)
            return as_class(function(array.astype(np.float64), right.astype(np.float64)), kind)
        if other is not None and numbers(other).size:
            raise ValueError(f"{name} along a dimension takes [] as its second argument")
        axis = reduction_axis(array, dimension)
        room.spend(array.size)
        if array.size == 0:
            return np.zeros((0, 0)), np.zeros((0, 0))
        if axis is None:
            return array, np.ones(array.shape)
        shape = [1 if k == axis else n for k, n in enumerate(array.shape)]
        if array.dtype == object:
            return lines(array, axis, lambda x: _extreme_of(name, x)).reshape(shape)
        clean = np.where(np.isnan(array.astype(np.float64)), np.inf if name == "min" else -np.inf, array)
        index = (np.argmin if name == "min" else np.argmax)(clean, axis)
        return function.reduce(array, axis).reshape(shape), (index + 1.0).reshape(shape)

    return choose


def _extreme_of(name: str, parts: Sequence[Term | float]) -> Term | float:
    if any(isinstance(part, Term) for part in parts):
        return call(name, *parts) if len(parts) > 1 else parts[0]
    values = np.asarray(parts, np.float64)
    return float(np.fmin.reduce(values) if name == "min" else np.fmax.reduce(values))


def product(room: Room, left: Array, right: Array) -> Array:
    """A product of matrices."""
    if left.shape[1] != right.shape[0]:
        sizes = f"{left.shape[0]} x {left.shape[1]} and {right.shape[0]} x {right.shape[1]}"
        raise ValueError(f"a product of matrices of the sizes {sizes}; write .* for a product of elements")
    room.size(left.shape[0], right.shape[1])
    room.spend(left.size * right.shape[1] / 10)
    if object not in (left.dtype, right.dtype):
        return np.asarray(left.astype(np.float64) @ right.astype(np.float64))
    first, second = objects(left), objects(right)
    result = np.empty((left.shape[0], right.shape[1]), object)
    for i, j in np.ndindex(*result.shape):
        pairs = zip(first[i], second[:, j], strict=True)
        result[i, j] = fold("+", [combine("*", *pair) for pair in pairs], 0.0)
    return lessen(result)


def transpose(array: Value) -> Value:
    """Rows as columns; a text or a cell array of one element stays."""
    return numbers(array).T


def join(room: Room, parts: Sequence[Value], axis: int) -> Value:
    """Values next to one another (axis 1) or below one another (axis 0)."""
    if any(isinstance(part, list) for part in parts):
        room.size(sum(len(part) if isinstance(part, list) else 1 for part in parts))
        return [each for part in parts for each in (part if isinstance(part, list) else [part])]
    if any(isinstance(part, dict) for part in parts):
        if len(parts) == 1:
            return parts[0]
        raise ValueError("arrays of structs are not supported")
    if any(isinstance(part, str) for part in parts) and axis == 1:
        texts = [part if isinstance(part, str) else characters(reals(part)) for part in parts]
        room.size(sum(map(len, texts)))
        return "".join(texts)
    if any(isinstance(part, str) for part in parts):
        if len(parts) == 1:
            return parts[0]
        raise ValueError("texts below one another are not supported")
    arrays = [numbers(part) for part in parts]
    kinds = [array.dtype for array in arrays]
    arrays = [array for array in arrays if array.shape != (0, 0)]
    if not arrays:
        return np.zeros((0, 0))
    if len({array.shape[1 - axis] for array in arrays}) > 1:
        sizes = ", ".join(f"{array.shape[0]} x {array.shape[1]}" for array in arrays[:6])
        raise ValueError(f"the sizes {sizes} do not fit {'side by side' if axis else 'below one another'}")
    room.size(arrays[0].shape[1 - axis], sum(array.shape[axis] for array in arrays))
    if any(array.dtype == object for array in arrays):
        return np.concatenate([objects(array) for array in arrays], axis)
    integers = [kind for kind in kinds if kind.kind in "iu"]
    if not integers and all(array.dtype == bool for array in arrays):
        return np.concatenate(arrays, axis)
    kind = integers[0] if integers else result_class(*kinds)
    return np.concatenate([as_class(array.astype(np.float64), kind) for array in arrays], axis)


def characters(codes: Array) -> str:
    """The text of codes, along the columns."""
    if not all(0 <= code < 0x110000 for code in codes.flat):
        raise ValueError("a code is not the code of a character")
    return "".join(chr(int(code)) for code in codes.ravel(order="F"))


def negative(array: Array) -> Array:
    """The negated numbers."""
    if array.dtype == object:
        return elements(lambda x: -x, array)
    return as_class(-array.astype(np.float64), result_class(array.dtype))


def negate_truth(array: Array) -> Array:
    """Logical negation."""
    if array.dtype == object:
        return elements(negation, array)
    if np.isnan(array.astype(np.float64)).any():
        raise ValueError("NaN is neither true nor false")
    return np.asarray(array == 0)


def progression(room: Room, *limits: Value) -> Array:
    """start:stop or start:step:stop, with MATLAB's count and its elements from both ends.

    A stop within a few roundings of an element is that element, so that 0:0.1:1 has 11 elements. The upper
    half is counted downwards from the last one. Source: MathWorks, "How does the COLON operator work?".
    """
    arrays = [reals(each) for each in limits]
    kind = result_class(*(numbers(each).dtype for each in limits))
    if any(array.size == 0 for array in arrays):
        return np.zeros((1, 0))
    start, stop, step = number(limits[0]), number(limits[-1]), number(limits[1]) if len(limits) == 3 else 1.0
    if np.isnan(start) or np.isnan(stop) or np.isnan(step):
        return scalar(np.nan)
    if step == 0 or ((step > 0) == (start > stop) and start != stop):
        return np.zeros((1, 0))
    if not all(map(np.isfinite, (start, stop, step))):
        raise ValueError("a range has finite limits")
    tolerance = 2 * np.finfo(np.float64).eps * max(abs(start), abs(stop))
    with np.errstate(over="ignore"):
        count = np.round((stop - start) / step)
    if not np.isfinite(count) or count > 10 * room.limit:
        raise ValueError(f"a range of {count:g} elements; at most {room.limit} are allowed")
    sign = np.sign(step)
    if sign * (start + count * step - stop) > tolerance:
        count -= 1
    last = start + count * step
    last = stop if sign * (last - stop) > -tolerance else last
    n = int(room.size(1, count + 1)[1]) - 1
    steps = np.arange(n + 1)
    values = np.where(steps <= n / 2, start + steps * step, last - (n - steps) * step)
    if n % 2 == 0 and n:
        values[n // 2] = (start + last) / 2
    return as_class(row(values), kind)


def index(room: Room, value: Value, places: Sequence[Value | None]) -> Value:
    """The elements at places that count from 1: one place counts along the columns, None is everything."""
    if isinstance(value, str):
        return type(value)(characters(index(room, numbers(value), places)))
    if isinstance(value, list):
        cells = np.arange(1.0, len(value) + 1).reshape(1, -1)
        return [value[int(k) - 1] for k in index(room, cells, places).ravel(order="F")]
    if isinstance(value, dict):
        if any(place is not None and (reals(place) != 1).any() for place in places):
            raise ValueError("arrays of structs are not supported")
        return value
    array = numbers(value)
    if not places:
        return array
    if len(places) == 1:
        place = places[0]
        if place is None:
            return array.reshape(-1, 1, order="F")
        positions, shape = locations(place, array.size)
        room.size(len(positions))
        if min(array.shape) == 1 and array.size != 1 and min(shape, default=0) <= 1:
            shape = (1, len(positions)) if array.shape[0] == 1 else (len(positions), 1)
        return array.ravel(order="F")[positions].reshape(shape, order="F")
    axes = _axes(room, array.shape, places)
    return array[np.ix_(*axes)]


def _axes(room: Room, shape: tuple[int, ...], places: Sequence[Value | None]) -> list[Array]:
    """The positions in each of two dimensions."""
    for place in places[2:]:
        if place is not None and (reals(place) != 1).any():
            raise ValueError("arrays of more than two dimensions are not supported")
    axes = [np.arange(n) if p is None else locations(p, n)[0] for p, n in zip(places[:2], shape, strict=True)]
    room.size(*(len(axis) for axis in axes))
    return axes


def locations(place: Value, count: int | None) -> tuple[Array, tuple[int, ...]]:
    """Positions from 0 and their shape for an index of numbers or of truth values, up to a count."""
    array = numbers(place)
    if array.dtype == object:
        raise ValueError("an index that depends on a signal cannot be written as a formula")
    if array.dtype == bool:
        positions = np.flatnonzero(array.ravel(order="F"))
        shape = (1, len(positions)) if array.shape[0] == 1 else (len(positions), 1)
    else:
        flat = array.ravel(order="F").astype(np.float64)
        if (flat != np.floor(flat)).any() or (flat < 1).any():
            wrong = flat[(flat != np.floor(flat)) | (flat < 1)][0]
            raise ValueError(f"the index {wrong:g} is not a whole number from 1")
        if (flat > 2**53).any():
            raise ValueError("an index is too large")
        positions, shape = flat.astype(np.int64) - 1, array.shape
    if count is not None and len(positions) and positions.max() >= count:
        raise ValueError(f"the index {positions.max() + 1} is past the last element, {count}")
    return positions, shape
