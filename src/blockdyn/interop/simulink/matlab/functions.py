"""MATLAB's functions of values, by name; none of them reads a file, a clock or a random number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import algebra
from .arrays import (
    Room,
    Value,
    as_class,
    cumulative,
    extreme,
    integer,
    join,
    joint_truth,
    mean,
    number,
    numbers,
    product,
    reals,
    reduction,
    reduction_axis,
    result_class,
    row,
    scalar,
    transpose,
    vector,
)  # fmt: skip
from .terms import Array, combine, elements, lessen, objects, truth

CLASSES = {
    "double": np.float64, "single": np.float32, "logical": np.bool_, "boolean": np.bool_, "int8": np.int8,
    "int16": np.int16, "int32": np.int32, "int64": np.int64, "uint8": np.uint8, "uint16": np.uint16,
    "uint32": np.uint32, "uint64": np.uint64,
}  # fmt: skip


def _shape(room: Room, values: Sequence[Value]) -> tuple[tuple[int, ...], Any]:
    """The sizes and the class that zeros, ones and the like take."""
    kind: Any = np.float64
    if values and isinstance(values[-1], str):
        kind = CLASSES.get(values[-1])
        if kind is None:
            raise ValueError(f"the class '{values[-1]}' is not supported")
        values = values[:-1]
    counts = [float(size) for value in values for size in reals(value).flat]
    if not counts:
        counts = [0.0, 0.0] if values else [1.0, 1.0]
    elif len(counts) == 1:
        counts *= 2
    shape = room.size(*counts)
    if any(count != 1 for count in shape[2:]):
        raise ValueError("arrays of more than two dimensions are not supported")
    return shape[:2], kind


def _constant_array(constant: float) -> Callable[..., Value]:
    """An array of one number."""

    def fill(room: Room, *values: Value) -> Array:
        shape, kind = _shape(room, values)
        return np.full(shape, constant, kind)

    return fill


def _truth(constant: bool) -> Callable[..., Value]:
    return lambda room, *values: np.full(_shape(room, values)[0], constant)


def _eye(room: Room, *values: Value) -> Array:
    shape, kind = _shape(room, values)
    return np.eye(*shape, dtype=kind)


def _cast(name: str) -> Callable[..., Value]:
    """A conversion of class; the logical value of NaN is refused."""

    def convert(room: Room, value: Value) -> Value:
        array = numbers(value)
        if array.dtype == object:
            if name == "double":
                return array
            if name not in ("logical", "boolean"):
                raise ValueError(f"`{name}` of a signal cannot be written as a formula")
            return elements(truth, array)
        if name in ("logical", "boolean"):
            if np.isnan(array.astype(np.float64)).any():
                raise ValueError("NaN is neither true nor false")
            return array != 0
        if array.dtype.kind in "iu" and np.dtype(CLASSES[name]).kind in "iu":
            limits = np.iinfo(CLASSES[name])
            exact = [min(max(int(x), limits.min), limits.max) for x in array.flat]
            return np.array(exact, CLASSES[name]).reshape(array.shape)
        return as_class(array.astype(np.float64), np.dtype(CLASSES[name]))

    return convert


def _diag(room: Room, value: Value, offset: Value | None = None) -> Array:
    array, k = numbers(value), 0 if offset is None else integer(offset)
    if array.size and min(array.shape) == 1:
        side = array.size + abs(k)
        room.size(side, side)
        result = np.zeros((side, side), array.dtype)
        if array.dtype == object:
            result[:] = 0.0
        index = np.arange(array.size)
        result[index + max(-k, 0), index + max(k, 0)] = array.ravel()
        return result
    return np.diagonal(array, min(max(k, -array.shape[0]), array.shape[1])).reshape(-1, 1).copy()


def _linspace(room: Room, first: Value, last: Value, count: Value | None = None) -> Array:
    n = 100 if count is None else math.floor(number(count))
    room.size(1, n)
    return row(np.linspace(number(first), number(last), max(n, 1))) if n > 0 else np.zeros((1, 0))


def _logspace(room: Room, first: Value, last: Value, count: Value | None = None) -> Array:
    n = 50 if count is None else math.floor(number(count))
    exponents = _linspace(room, first, last, scalar(n))
    if number(last) == math.pi:
        raise ValueError("logspace up to pi means 10^first to pi in MATLAB; write the numbers")
    return np.asarray(10.0**exponents)


def _repmat(room: Room, value: Value, *counts: Value) -> Value:
    (rows, columns), _ = _shape(room, counts)
    if isinstance(value, str):
        if rows != 1:
            raise ValueError("texts below one another are not supported")
        room.size(len(value) * columns)
        return value * columns
    array = numbers(value)
    room.size(array.shape[0] * rows, array.shape[1] * columns)
    return np.tile(array, (rows, columns))


def _extent(value: Value) -> tuple[int, int]:
    """Rows and columns of any value."""
    if isinstance(value, np.ndarray):
        return value.shape[0], value.shape[1]
    if isinstance(value, (str, list)):
        return (1 if value or isinstance(value, str) else 0), len(value)
    return 1, 1


def _size(room: Room, value: Value, dimension: Value | None = None) -> Value:
    extent = _extent(value)
    if dimension is None:
        return Several((row(np.array(extent, np.float64)), *(scalar(float(n)) for n in extent)))
    axis = integer(dimension)
    if axis < 1:
        raise ValueError("a dimension is at least 1")
    return scalar(float(extent[axis - 1]) if axis <= 2 else 1.0)


class Several(tuple[Value, ...]):
    """Results of size(): the first one is for a single target, the others are for several."""


def _kron(room: Room, left: Value, right: Value) -> Array:
    a, b = numbers(left), numbers(right)
    room.size(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])
    if object in (a.dtype, b.dtype):
        blocks = [[elements(lambda x, y=y: combine("*", y, x), b) for y in line] for line in objects(a)]
        return np.block([list(line) for line in blocks])
    kind = result_class(a.dtype, b.dtype)
    return as_class(np.kron(a.astype(np.float64), b.astype(np.float64)), kind)


def _dot(room: Room, left: Value, right: Value) -> Array:
    a, b = numbers(left), numbers(right)
    if a.size != b.size or not a.size or min(a.shape) != 1 or min(b.shape) != 1:
        raise ValueError("dot takes two vectors of the same length")
    return product(room, a.reshape(1, -1), b.reshape(-1, 1))


def _cross(room: Room, left: Value, right: Value) -> Array:
    a, b = numbers(left), numbers(right)
    if a.size != 3 or b.size != 3:
        raise ValueError("cross takes two vectors of three elements")
    x, y = objects(a).ravel(), objects(b).ravel()
    pairs = [(1, 2), (2, 0), (0, 1)]
    values = [combine("-", combine("*", x[i], y[j]), combine("*", x[j], y[i])) for i, j in pairs]
    return lessen(np.array(values, object).reshape(a.shape))


def _interp1(
    room: Room, x: Value, y: Value, points: Value, method: Value = "linear", extrapolation: Value = ""
) -> Array:
    """Interpolation in a table; NaN outside of it without 'extrap'."""
    from scipy.interpolate import CubicSpline, PchipInterpolator

    a, b, at = vector(x), vector(y), reals(points)
    room.spend(10 * (a.size + at.size))
    if a.size != b.size or a.size < 2 or len(set(a.tolist())) != a.size:
        raise ValueError("interp1 takes two tables of the same length, at least 2, without repeated points")
    order = np.argsort(a)
    a, b = a[order], b[order]
    method = str(method).lower()
    if method == "extrap":
        method, extrapolation = "linear", "extrap"
    left = np.clip(np.searchsorted(a, at, "right") - 1, 0, a.size - 2)
    share = (at - a[left]) / (a[left + 1] - a[left])
    inner = (at >= a[0]) & (at <= a[-1])
    if method == "linear":
        result = b[left] + share * (b[left + 1] - b[left])
    elif method in ("nearest", "previous", "next"):
        step = {"nearest": share >= 0.5, "previous": share >= 1, "next": share > 0}[method]
        result = np.where(step, b[left + 1], b[left])
    elif method in ("pchip", "spline"):
        result = (PchipInterpolator if method == "pchip" else CubicSpline)(a, b)(at)
    else:
        raise ValueError(f"interp1 with '{method}' is not supported")
    outside = isinstance(extrapolation, str) and extrapolation == "extrap"
    if extrapolation != "" and not outside:
        raise ValueError("interp1 extrapolates by 'extrap' alone")
    keep = inner | (outside or method in ("pchip", "spline"))
    result = np.where(keep, result, np.nan)
    return result.reshape(at.shape)


def _reshape(room: Room, value: Value, *sizes: Value) -> Array:
    array = numbers(value)
    counts = [numbers(size) for size in sizes]
    if len(counts) == 1:
        wished: list[float | None] = [float(n) for n in counts[0].flat]
    else:
        wished = [None if size.size == 0 else number(size) for size in counts]
    if wished.count(None) == 1:
        others = math.prod(n for n in wished if n is not None)
        wished = [array.size / others if n is None and others else n for n in wished]
    shape = room.size(*(math.nan if n is None else n for n in wished))
    if math.prod(shape) != array.size or any(n != 1 for n in shape[2:]) or len(shape) < 2:
        raise ValueError(f"{array.size} elements do not fit {' x '.join(map(str, shape))}")
    return array.reshape(shape[:2], order="F")


def _sort(room: Room, value: Value, *options: Value) -> Value:
    source, array = numbers(value), reals(value)
    room.spend(array.size * 20)
    downward = any(isinstance(option, str) and option.lower() == "descend" for option in options)
    dimension = next((option for option in options if not isinstance(option, str)), None)
    axis = reduction_axis(array, dimension)
    if axis is None or not array.size:
        return source, np.ones(array.shape)
    keys = np.where(np.isnan(array), -np.inf, -array) if downward else array
    index = np.argsort(keys, axis, kind="stable")
    return np.take_along_axis(source, index, axis), index + 1.0


def _find(room: Room, value: Value, count: Value | None = None) -> Array:
    array = reals(value)
    room.spend(array.size)
    index = np.flatnonzero(array.ravel(order="F")) + 1.0
    index = index if count is None else index[: max(integer(count), 0)]
    if array.shape == (0, 0) or (array.size == 1 and not index.size):
        return np.zeros((0, 0))
    return index.reshape(1, -1) if array.shape[0] == 1 and array.shape[1] != 1 else index.reshape(-1, 1)


def _flip(axis: int | None) -> Callable[..., Value]:
    def flip(room: Room, value: Value, dimension: Value | None = None) -> Array:
        array = numbers(value)
        direction = axis if axis is not None else reduction_axis(array, dimension)
        return array if direction is None else np.flip(array, direction)

    return flip


def _struct(room: Room, *pairs: Value) -> dict[str, Value]:
    if len(pairs) % 2 or not all(isinstance(name, str) for name in pairs[::2]):
        raise ValueError("struct takes names and values in turn")
    if any(isinstance(value, list) and len(value) != 1 for value in pairs[1::2]):
        raise ValueError("arrays of structs are not supported")
    values = [value[0] if isinstance(value, list) else value for value in pairs[1::2]]
    return dict(zip(map(str, pairs[::2]), values, strict=True))


def _same_text(fold_case: bool) -> Callable[..., Value]:
    def compare(room: Room, left: Value, right: Value) -> Array:
        if isinstance(left, list) or isinstance(right, list):
            raise ValueError("comparison of cell arrays of texts is not supported")
        texts = isinstance(left, str) and isinstance(right, str)
        return scalar(texts and (left.lower() == right.lower() if fold_case else str(left) == str(right)))

    return compare


def _num2str(room: Room, value: Value) -> str:
    if isinstance(value, str):
        return value
    x = number(value)
    if not math.isfinite(x):
        return "NaN" if math.isnan(x) else "Inf" if x > 0 else "-Inf"
    if x.is_integer() and abs(x) < 1e15:
        return f"{x:.0f}"
    return f"{x:.{min(max(math.floor(math.log10(abs(x))), 0) + 5, 16)}g}"


def _cat(axis: int | None) -> Callable[..., Value]:
    def concatenate(room: Room, *values: Value) -> Value:
        direction, parts = axis, values
        if direction is None:
            direction, parts = integer(values[0]) - 1, values[1:]
        if direction not in (0, 1):
            raise ValueError("arrays of more than two dimensions are not supported")
        return join(room, parts, direction)

    return concatenate


def _block_diagonal(room: Room, *values: Value) -> Array:
    """Matrices along the diagonal, zeros elsewhere."""
    parts = [reals(value) for value in values]
    result = np.zeros(room.size(sum(p.shape[0] for p in parts), sum(p.shape[1] for p in parts)))
    row = column = 0
    for part in parts:
        result[row : row + part.shape[0], column : column + part.shape[1]] = part
        row, column = row + part.shape[0], column + part.shape[1]
    return result


def _asks(test: Callable[[Value], bool]) -> Callable[..., Value]:
    return lambda room, value: scalar(bool(test(value)))


def _eps(room: Room, value: Value | None = None) -> Array:
    return scalar(2.0**-52) if value is None else np.spacing(np.abs(reals(value)))


def _limit_of(name: str) -> Callable[..., Value]:
    def limit(room: Room, kind: Value = "int32") -> Array:
        if kind not in CLASSES or np.dtype(CLASSES[kind]).kind not in "iu":
            raise ValueError(f"{name} takes the name of a class of integers")
        return np.full((1, 1), getattr(np.iinfo(CLASSES[kind]), name[3:]), CLASSES[kind])

    return limit


def _is_vector(value: Value) -> bool:
    return 1 in _extent(value)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "pi": _constant_array(math.pi), "inf": _constant_array(math.inf), "Inf": _constant_array(math.inf),
    "nan": _constant_array(math.nan),
    "NaN": _constant_array(math.nan), "eps": _eps, "realmax": _constant_array(np.finfo(np.float64).max),
    "realmin": _constant_array(2.0**-1022), "flintmax": _constant_array(2.0**53),
    "intmax": _limit_of("intmax"),
    "intmin": _limit_of("intmin"), "true": _truth(True), "false": _truth(False),
    "zeros": _constant_array(0.0), "ones": _constant_array(1.0), "eye": _eye, "diag": _diag,
    "blkdiag": _block_diagonal, "linspace": _linspace,
    "logspace": _logspace, "repmat": _repmat, **{name: _cast(name) for name in CLASSES},
    "numel": lambda room, value: scalar(float(math.prod(_extent(value)))),
    "length": lambda room, value: scalar(float(max(_extent(value)) if math.prod(_extent(value)) else 0)),
    "size": _size, "ndims": lambda room, value: scalar(2.0),
    "isempty": _asks(lambda value: math.prod(_extent(value)) == 0),
    "isscalar": _asks(lambda value: _extent(value) == (1, 1)), "isvector": _asks(_is_vector),
    "isrow": _asks(lambda value: _extent(value)[0] == 1),
    "iscolumn": _asks(lambda value: _extent(value)[1] == 1),
    "isnumeric": _asks(lambda value: isinstance(value, np.ndarray) and value.dtype != bool),
    "isreal": _asks(lambda value: isinstance(value, (np.ndarray, str))),
    "islogical": _asks(lambda value: isinstance(value, np.ndarray) and value.dtype == bool),
    "ischar": _asks(lambda value: isinstance(value, str)),
    "isstruct": _asks(lambda value: isinstance(value, dict)),
    "iscell": _asks(lambda value: isinstance(value, list)),
    "isfield": lambda room, value, name: scalar(isinstance(value, dict) and name in value),
    "sum": reduction(np.sum, True), "prod": reduction(np.prod, True), "mean": reduction(mean),
    "var": lambda room, value: reduction(algebra.variance(1.0))(room, value),
    "std": lambda room, value: reduction(algebra.variance(0.5))(room, value),
    "any": reduction(lambda array, axis: joint_truth(array, axis, "|")),
    "all": reduction(lambda array, axis: joint_truth(array, axis, "&")),
    "cumsum": cumulative("cumsum"), "cumprod": cumulative("cumprod"),
    "min": extreme("min"), "max": extreme("max"),
    "norm": algebra.norm, "det": algebra.determinant, "inv": algebra.inverse, "pinv": algebra.pseudoinverse,
    "rank": algebra.rank, "eig": algebra.eigenvalues, "expm": algebra.exponential,
    "trace": lambda room, value: reduction(np.sum)(room, _diag(room, _one_square(value))),
    "transpose": lambda room, value: transpose(value), "ctranspose": lambda room, value: transpose(value),
    "kron": _kron, "cross": _cross, "dot": _dot, "polyval": algebra.polynomial_value,
    "polyfit": algebra.polynomial_fit, "conv": algebra.convolution,
    "deconv": algebra.deconvolution, "roots": algebra.roots, "poly": algebra.polynomial,
    "interp1": _interp1, "reshape": _reshape,
    "horzcat": _cat(1), "vertcat": _cat(0), "cat": _cat(None), "fliplr": _flip(1), "flipud": _flip(0),
    "flip": _flip(None), "sort": _sort, "find": _find, "struct": _struct, "strcmp": _same_text(False),
    "strcmpi": _same_text(True), "num2str": _num2str, "tf2ss": algebra.state_space,
    "ss2tf": algebra.transfer_function, "zp2tf": algebra.transfer_of_zeros,
}  # fmt: skip
"""Functions by name, constants among them; functions of single elements are in `ELEMENTWISE`."""

OF_SIGNALS = frozenset((
    "double", "logical", "boolean", "diag", "repmat", "numel", "length", "size", "ndims", "isempty",
    "isscalar", "isvector", "isrow", "iscolumn", "isnumeric", "isreal", "islogical", "ischar", "isstruct",
    "iscell", "sum", "prod", "mean", "var", "std", "any", "all", "cumsum", "cumprod", "min", "max", "norm",
    "det", "inv",
    "trace", "transpose", "ctranspose", "kron", "cross", "dot", "polyval", "reshape", "horzcat", "vertcat",
    "cat", "fliplr", "flipud", "flip", "struct",
))  # fmt: skip
"""Functions whose values for signals are formulas."""


def _one_square(value: Value) -> Array:
    array = numbers(value)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"a square matrix is expected, not {array.shape[0]} x {array.shape[1]}")
    return array if array.size != 1 else array.reshape(1, 1)
