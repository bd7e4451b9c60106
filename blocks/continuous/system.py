"""Linear systems as numbers: state-space matrices checked against each other, transfer functions realised."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..contract.errors import ParameterError, SizeError
from ..contract.parameter import Array


class System(NamedTuple):
    """A, B, C, D as matrices and the initial state as a vector."""

    A: Array
    B: Array
    C: Array
    D: Array
    initial: Array


def state_space(a: object, b: object, c: object, d: object, initial: object) -> System:
    """Numbers, vectors and matrices read as the matrices of a state-space system.

    A number is a 1x1 matrix, a vector B a column, a vector C a row; D = 0 and initial = 0 stand for zeros of
    the right size. Raises SizeError if their sizes disagree.
    """
    A = np.atleast_2d(np.asarray(a, np.float64))
    n = A.shape[0]
    if A.shape != (n, n):
        raise SizeError(f"A of {_size(A)}", "a square matrix A")
    B = np.asarray(b, np.float64)
    B = B.reshape(-1, 1) if B.ndim < 2 else B
    if B.shape[0] != n:
        raise SizeError(f"B of {_size(B)} with A of {_size(A)}", f"B with {n} rows, one per state")
    C = np.atleast_2d(np.asarray(c, np.float64))
    if C.shape[1] != n:
        raise SizeError(f"C of {_size(C)} with A of {_size(A)}", f"C with {n} columns, one per state")
    return System(A, B, C, _feedthrough(d, C.shape[0], B.shape[1]), initial_state(initial, n))


def _feedthrough(d: object, outputs: int, inputs: int) -> Array:
    D = np.asarray(d, np.float64)
    if D.ndim == 0 and D == 0.0:
        return np.zeros((outputs, inputs))
    if D.ndim == 1:
        D = D.reshape(-1, 1) if inputs == 1 else D.reshape(1, -1)
    D = np.atleast_2d(D)
    if D.shape != (outputs, inputs):
        expected = f"D of {outputs}x{inputs}: a row for each row of C, a column for each column of B"
        raise SizeError(f"D of {_size(D)}", expected)
    return D


def initial_state(initial: object, n: int) -> Array:
    """The state at the start (n,); 0 stands for zeros.

    Raises SizeError unless there are n values.
    """
    x = np.asarray(initial, np.float64)
    if x.ndim == 0 and (n == 1 or x == 0.0):
        return np.full(n, float(x))
    if x.shape != (n,):
        values = "one number" if x.ndim == 0 else f"initial of {_size(x)}"
        raise SizeError(values, f"{n} numbers for `initial`, one per state")
    return x


def canonical_form(block: str, num: object, den: object, initial: object) -> System:
    """The controllable canonical form of num/den, coefficients of falling powers.

    Raises ParameterError for a den of degree 0, or a num of a higher degree than den.
    Source: Kailath, Linear Systems (1980), chapter 2.
    """
    below = np.atleast_1d(np.asarray(den, np.float64))
    above = np.trim_zeros(np.atleast_1d(np.asarray(num, np.float64)), "f")  # leading zeros add no degree
    n = below.size - 1
    if n < 1 or below[0] == 0.0:
        expected = "at least two coefficients of falling powers, the first not zero"
        raise ParameterError(block, "den", den, expected)
    if above.size > below.size:
        raise ParameterError(block, "num", num, f"a degree of at most {n}, the degree of den")
    numerator = np.concatenate([np.zeros(n + 1 - above.size), above]) / below[0]
    denominator = below / below[0]
    # A companion matrix: the first row is the differential equation of w, solved for its highest derivative;
    # each 1 below the diagonal makes a state the derivative of the next.
    A = np.eye(n, k=-1)
    A[0] = -denominator[1:]
    B = np.zeros((n, 1))
    B[0, 0] = 1.0
    # One step of the division num : den. The quotient goes straight to y as D, the remainder is read from x.
    C = (numerator[1:] - numerator[0] * denominator[1:]).reshape(1, n)
    return System(A, B, C, numerator[:1].reshape(1, 1), initial_state(initial, n))


def _size(matrix: Array) -> str:
    return "x".join(map(str, matrix.shape))
