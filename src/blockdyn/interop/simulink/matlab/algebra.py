"""Operators of MATLAB, linear algebra, polynomials, and forms of transfer functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import (
    TERM_WORK,
    Room,
    Value,
    as_class,
    broadcast_shape,
    integer,
    lines,
    number,
    numbers,
    product,
    real,
    reals,
    result_class,
    row,
    scalar,
    transpose,
    vector,
)  # fmt: skip
from .terms import Array, Scalar, call, combine, elements, fold, lessen
from .words import DEEPEST, String

OPERATORS = {
    "plus": "+", "minus": "-", "times": ".*", "mtimes": "*", "rdivide": "./", "ldivide": ".\\",
    "mrdivide": "/", "mldivide": "\\", "power": ".^", "mpower": "^", "eq": "==", "ne": "~=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "and": "&", "or": "|", "pow": "^",
}  # fmt: skip
"""Operators by the names of their functions."""
_UFUNCS = {
    "+": np.add, "-": np.subtract, ".*": np.multiply, "./": np.divide, ".^": np.power, "==": np.equal,
    "~=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "&": np.logical_and, "|": np.logical_or,
}  # fmt: skip


def arithmetic(room: Room, op: str, left: Value, right: Value) -> Value:
    """Two operands with an operator: sizes of 1 expand, and * / \\ ^ are of matrices."""
    if isinstance(left, String) or isinstance(right, String):
        return _of_strings(op, left, right)
    a, b = numbers(left), numbers(right)
    if op in ("*", "/", "\\", "^") and not (a.size == 1 and b.size == 1):
        if op == "*" and a.size != 1 and b.size != 1:
            whole_kind = result_class(*(x.dtype for x in (a, b) if x.dtype != object))
            if whole_kind.kind in "iu":
                raise ValueError("products of matrices of integers are not supported")
            result = product(room, a, b)
            return result if result.dtype == object else as_class(result, whole_kind)
        if op == "/" and b.size != 1:
            return transpose(_solve(room, b.T, a.T))
        if op == "\\" and a.size != 1:
            return _solve(room, a, b)
        if op == "^":
            return _matrix_power(room, a, b)
    op = {"*": ".*", "/": "./", "\\": ".\\", "^": ".^"}.get(op, op)
    if op == ".\\":
        op, a, b = "./", b, a
    broadcast_shape(room, a, b)
    if object in (a.dtype, b.dtype):
        sign = op.lstrip(".")
        room.spend(TERM_WORK * max(a.size, b.size))
        return lessen(elements(lambda x, y: combine(sign, x, y), a, b))
    if op in ("&", "|") and (np.isnan(a.astype(np.float64)).any() or np.isnan(b.astype(np.float64)).any()):
        raise ValueError("NaN is neither true nor false")
    kind = result_class(a.dtype, b.dtype)
    if (
        kind.kind in "iu"
        and op[0] in "+-."
        and any(abs(int(x)) > 2**53 for array in (a, b) if array.dtype.kind in "iu" for x in array.flat)
    ):
        raise ValueError("integers above 2^53 are not supported in arithmetic")
    work = np.float32 if kind == np.float32 else np.float64
    with np.errstate(all="ignore"):
        result = np.asarray(_UFUNCS[op](a.astype(work), b.astype(work)))
    if op == ".^":
        real("power", result, (a.astype(np.float64), b.astype(np.float64)))
    return result if result.dtype == bool else as_class(result, kind)


def _of_strings(op: str, left: Value, right: Value) -> Value:
    """Strings are joined by + and compared as a whole."""
    if isinstance(left, str) and isinstance(right, str):
        if op == "+":
            return String(left + right)
        if op in ("==", "~="):
            return scalar((str(left) == str(right)) == (op == "=="))
    raise ValueError(f"`{op}` of a string is not supported")


def _solve(room: Room, matrix: Array, right: Array) -> Array:
    """matrix \\ right: the solution of linear equations, of too many equations by least squares."""
    if matrix.shape[0] != right.shape[0]:
        raise ValueError(f"a division of matrices with {matrix.shape[0]} and {right.shape[0]} equations")
    if matrix.dtype == object:
        return product(room, inverse(room, matrix), right)
    a = reals(matrix)
    room.spend(a.size * min(a.shape) + a.shape[1] * right.size)
    if right.dtype == object:
        if a.shape[0] != a.shape[1]:
            raise ValueError(
                "a division of signals by a matrix that is not square cannot be written as a formula"
            )
        return product(room, regular(np.linalg.inv, a), right)
    b = reals(right)
    if a.shape[0] == a.shape[1]:
        return regular(np.linalg.solve, a, b)
    if a.shape[0] < a.shape[1] or np.linalg.matrix_rank(a) < a.shape[1]:
        raise ValueError("the equations have many solutions; use pinv for the shortest")
    return np.asarray(np.linalg.lstsq(a, b, rcond=None)[0])


def _matrix_power(room: Room, base: Array, exponent: Array) -> Array:
    """A whole power of a square matrix."""
    n = number(exponent) if exponent.size == 1 else 0.5
    if base.shape[0] != base.shape[1] or not float(n).is_integer():
        raise ValueError("^ takes a square matrix and a whole number; write .^ for powers of elements")
    if abs(n) > 2**53:
        raise ValueError("the power is too large")
    if base.dtype == object:
        result, step = np.eye(base.shape[0]), base if n > 0 else inverse(room, base)
        if abs(n) > DEEPEST:
            raise ValueError("the power is too large for a formula")
        for _ in range(abs(int(n))):
            result = product(room, result, step)
        return result
    room.spend(2 * max(np.log2(abs(n)), 1.0) * base.shape[0] ** 3 / 10 if n else 0)
    matrix = reals(base)
    if n < 0:
        matrix = regular(np.linalg.inv, matrix)
    with np.errstate(all="ignore"):
        return np.linalg.matrix_power(matrix, abs(int(n)))


def norm(room: Room, value: Value, kind: Value | None = None) -> Array:
    array = numbers(value)
    room.spend(array.size * min(array.shape, default=0))
    order: Any = 2.0 if kind is None else kind if isinstance(kind, str) else number(kind)
    order = math.inf if isinstance(order, str) and order.lower() == "inf" else order
    flat = array.size == 0 or min(array.shape) == 1
    if array.dtype == object:
        if not flat or order not in (2.0, "fro"):
            raise ValueError("only the length of a vector, norm(u), can be written as a formula")
        squares = [combine("*", each, each) for each in array.flat]
        return lessen(np.array([[call("sqrt", fold("+", squares, 0.0))]], object))
    x = array.astype(np.float64)
    if x.size == 0:
        return scalar(0.0)
    if order not in (1.0, 2.0, math.inf, "fro") and not (flat and isinstance(order, float)):
        raise ValueError(f"norm(..., {order}) is not supported")
    return scalar(float(np.linalg.norm(x.ravel() if flat else x, None if order == "fro" and flat else order)))


def _square(room: Room, value: Value, power: int = 3) -> Array:
    """A square matrix of numbers, whose decomposition is counted as work."""
    matrix = reals(value)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a square matrix is expected, not {matrix.shape[0]} x {matrix.shape[1]}")
    room.spend(matrix.shape[0] ** power)
    return matrix


def _minors(room: Room, array: Array) -> Any:
    """The determinant of a small matrix with signals, by its first row."""
    if array.shape[0] != array.shape[1] or array.shape[0] > 3:
        raise ValueError("determinants and inverses of signals are written for square matrices up to 3 x 3")
    if array.shape[0] == 1:
        return array[0, 0]
    total: Any = 0.0
    for k in range(array.shape[1]):
        part = combine("*", array[0, k], _minors(room, np.delete(array[1:], k, 1)))
        total = part if k == 0 else combine("-" if k % 2 else "+", total, part)
    return total


def determinant(room: Room, value: Value) -> Array:
    array = numbers(value)
    if array.dtype == object:
        return lessen(np.array([[_minors(room, array)]], object))
    return scalar(float(np.linalg.det(_square(room, array))))


def inverse(room: Room, value: Value) -> Array:
    """The inverse of a matrix; with signals by its adjugate."""
    array = numbers(value)
    if array.dtype != object:
        return regular(np.linalg.inv, _square(room, array))
    determinant, n = _minors(room, array), array.shape[0]
    result = np.empty((n, n), object)
    for i, j in np.ndindex(n, n):
        minor = _minors(room, np.delete(np.delete(array, j, 0), i, 1)) if n > 1 else 1.0
        minor = combine("*", -1.0, minor) if (i + j) % 2 else minor
        result[i, j] = combine("/", minor, determinant)
    return result


def regular(function: Callable[..., Any], matrix: Array, *more: Array) -> Array:
    """A function of a matrix that has an inverse. Raises ValueError where it has none."""
    if matrix.size and (
        not np.isfinite(matrix).all() or np.linalg.cond(matrix, 1) > 1 / np.finfo(np.float64).eps
    ):
        raise ValueError("the matrix is singular to working precision")
    return np.asarray(function(matrix, *more))


def pseudoinverse(room: Room, value: Value) -> Array:
    matrix = reals(value)
    room.spend(matrix.size * min(matrix.shape, default=0) * 10)
    return np.linalg.pinv(matrix, rcond=max(matrix.shape) * np.finfo(np.float64).eps)


def rank(room: Room, value: Value) -> Array:
    matrix = reals(value)
    room.spend(matrix.size * min(matrix.shape, default=0) * 10)
    return scalar(float(np.linalg.matrix_rank(matrix)) if matrix.size else 0.0)


def polynomial_value(room: Room, coefficients: Value, value: Value) -> Array:
    p, x = vector(coefficients), numbers(value)
    room.spend(p.size * x.size)
    if x.dtype != object:
        return np.asarray(np.polyval(p, x.astype(np.float64)), np.float64).reshape(x.shape)

    def horner(each: Any) -> Any:
        total: Any = p[0] if p.size else 0.0
        for coefficient in p[1:]:
            total = combine("+", combine("*", total, each), float(coefficient))
        return total

    return elements(horner, x)


def polynomial_fit(room: Room, x: Value, y: Value, degree: Value) -> Array:
    a, b, n = vector(x), vector(y), integer(degree)
    if a.size != b.size or not 0 <= n < a.size:
        raise ValueError("polyfit takes as many x as y, and a degree below their number")
    room.spend(a.size * (n + 1) ** 2)
    powers = np.vander(a, n + 1)
    return row(np.linalg.lstsq(powers, b, rcond=None)[0])


def _orient(like: Array, values: Array) -> Array:
    """A vector as a column if another is one."""
    return values.reshape(-1, 1) if like.shape[1] == 1 and like.shape[0] > 1 else values.reshape(1, -1)


def convolution(room: Room, left: Value, right: Value) -> Array:
    a, b = vector(left), vector(right)
    if not a.size or not b.size:
        raise ValueError("conv takes two vectors")
    room.size(a.size + b.size)
    room.spend(a.size * b.size / 10)
    return _orient(numbers(left) if a.size > 1 else numbers(right), np.convolve(a, b))


def deconvolution(room: Room, left: Value, right: Value) -> Value:
    a, b = vector(left), vector(right)
    if not a.size or not b.size or b[0] == 0:
        raise ValueError("deconv takes a divisor whose first coefficient is not 0")
    room.spend(a.size * b.size)
    if b.size > a.size:
        return scalar(0.0), numbers(left)
    quotient = np.zeros(a.size - b.size + 1)
    remainder = a.copy()
    for k in range(quotient.size):
        quotient[k] = remainder[k] / b[0]
        remainder[k : k + b.size] -= quotient[k] * b
        remainder[k] = 0.0
    return _orient(numbers(left), quotient), _orient(numbers(left), remainder)


def _only_real(values: Array, name: str) -> Array:
    """Numbers without imaginary parts."""
    if np.iscomplexobj(values) and np.any(values.imag != 0):
        raise ValueError(f"{name} has complex results here; values are real")
    return np.asarray(values.real)


def roots(room: Room, coefficients: Value) -> Array:
    p = vector(coefficients)
    room.spend(p.size**3)
    if not np.isfinite(p).all():
        raise ValueError("roots takes finite coefficients")
    return _only_real(np.roots(p), "roots").reshape(-1, 1)


def polynomial(room: Room, value: Value) -> Array:
    array = reals(value)
    if (array.size and min(array.shape) == 1 and array.size > 1) or array.size <= 1:
        room.spend(array.size**2)
        return row(np.atleast_1d(np.poly(array.ravel())))
    return row(_only_real(np.poly(_square(room, array)), "poly"))


def eigenvalues(room: Room, value: Value) -> Array:
    matrix = _square(room, value)
    if not np.isfinite(matrix).all():
        raise ValueError("eig takes finite numbers")
    if np.array_equal(matrix, matrix.T):
        return np.linalg.eigvalsh(matrix).reshape(-1, 1)
    return _only_real(np.linalg.eigvals(matrix), "eig").reshape(-1, 1)


def exponential(room: Room, value: Value) -> Array:
    from scipy.linalg import expm

    return np.asarray(expm(_square(room, value)))


def state_space(room: Room, numerator: Value, denominator: Value) -> Value:
    """The controllable canonical form, as in MATLAB."""
    b, a = vector(numerator), np.trim_zeros(vector(denominator), "f")
    if not a.size or not b.size:
        raise ValueError("tf2ss takes a numerator and a denominator that is not 0")
    b = np.trim_zeros(b, "f") if b.size > a.size else b
    n = a.size - 1
    if b.size > a.size:
        raise ValueError("the transfer function is improper: its numerator has the higher order")
    room.size(n, n)
    b, a = np.concatenate([np.zeros(a.size - b.size), b]) / a[0], a / a[0]
    A = np.eye(n, k=-1)
    A[:1] = -a[1:]
    return A, np.eye(n, 1), (b[1:] - b[0] * a[1:]).reshape(1, n), scalar(b[0])


def transfer_function(
    room: Room, A: Value, B: Value, C: Value, D: Value, channel: Value | None = None
) -> Value:
    from scipy.signal import ss2tf

    a = _square(room, A)
    k = 1 if channel is None else integer(channel)
    if not 1 <= k <= reals(B).shape[1]:
        raise ValueError("the number of the input is out of range")
    top, bottom = ss2tf(a, reals(B), reals(C), reals(D), input=k - 1)
    return np.atleast_2d(top), row(bottom)


def transfer_of_zeros(room: Room, zeros: Value, poles: Value, gain: Value) -> Value:
    z, p = vector(zeros), vector(poles)
    room.spend(z.size**2 + p.size**2)
    bottom = np.atleast_1d(np.poly(p))
    top = np.atleast_1d(number(gain) * np.poly(z))
    return row(np.concatenate([np.zeros(max(bottom.size - top.size, 0)), top])), row(bottom)


def variance(power: float) -> Callable[[Array, int], Array]:
    """The sample variance along an axis, with n - 1 in the denominator, to a power; 0 for one element."""

    def spread(values: list[Scalar]) -> Scalar:
        middle = combine("/", fold("+", values, 0.0), float(len(values)))
        squares: list[Scalar] = []
        for value in values:
            away = combine("-", value, middle)
            squares.append(combine("*", away, away))
        total = combine("/", fold("+", squares, 0.0), float(max(len(values) - 1, 1)))
        return total if power == 1.0 else combine("^", total, power)

    return lambda array, axis: lines(array, axis, spread)
