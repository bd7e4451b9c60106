"""NumPy's products, solutions and factors call linear algebra, written out here as code with tangents.

Matrices lie column by column, `lead` numbers from one column to the next, as BLAS and LAPACK have them.
Source: Golub and Van Loan, Matrix Computations (4th ed., 2013), sections 3.4, 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from ..compiling import kernel
from ..kernel import Kernel

TRANSPOSED, UPPER, DOUBLE = 116, 85, 100  # t, U, d: how these letters come
MANY = 2**40  # length of arrays of which only the address is passed


def dot(n: int, x: Any, y: Any, out: Any) -> int:
    out[0] = 0.0
    for i in range(n):
        out[0] += x[i] * y[i]
    return 0


def norm(n: int, x: Any, step: int, out: Any) -> int:
    total = 0.0
    for i in range(n):
        total += x[i * step] ** 2
    out[0] = sqrt(total)
    return 0


def matrix_vector(transposed: int, m: int, n: int, a: Any, lead: int, x: Any, y: Any) -> int:
    for i in range(n if transposed == TRANSPOSED else m):
        y[i] = 0.0
        for j in range(m if transposed == TRANSPOSED else n):
            y[i] += (a[j + i * lead] if transposed == TRANSPOSED else a[i + j * lead]) * x[j]
    return 0


def matrix_matrix(
    a_transposed: int, b_transposed: int, m: int, n: int, k: int,
    a: Any, a_lead: int, b: Any, b_lead: int, c: Any, c_lead: int,
) -> int:  # fmt: skip
    for i in range(m):
        for j in range(n):
            total = 0.0
            for p in range(k):
                left = a[p + i * a_lead] if a_transposed == TRANSPOSED else a[i + p * a_lead]
                right = b[j + p * b_lead] if b_transposed == TRANSPOSED else b[p + j * b_lead]
                total += left * right
            c[i + j * c_lead] = total
    return 0


def factors(n: int, a: Any, lead: int, pivots: Any) -> int:
    """P A = L U in the place of A; n or less where a pivot is 0: which, counted from 1."""
    singular = 0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i + k * lead]) > abs(a[best + k * lead]):
                best = i
        pivots[k] = best + 1
        if a[best + k * lead] == 0.0:
            singular = singular if singular else k + 1
            continue
        for j in range(n):
            swapped = a[k + j * lead]
            a[k + j * lead] = a[best + j * lead]
            a[best + j * lead] = swapped
        for i in range(k + 1, n):
            a[i + k * lead] /= a[k + k * lead]
            for j in range(k + 1, n):
                a[i + j * lead] -= a[i + k * lead] * a[k + j * lead]
    return singular


def solution(n: int, columns: int, a: Any, lead: int, pivots: Any, b: Any, b_lead: int) -> int:
    """A X = B: X in the place of B, the factors in the place of A."""
    singular = factors(n, a, lead, pivots)
    if singular:
        return singular
    for column in range(columns):
        begin = column * b_lead
        for i in range(n):
            other = pivots[i] - 1
            swapped = b[begin + i]
            b[begin + i] = b[begin + other]
            b[begin + other] = swapped
        for i in range(n):
            for j in range(i):
                b[begin + i] -= a[i + j * lead] * b[begin + j]
        for i in range(n - 1, -1, -1):
            for j in range(i + 1, n):
                b[begin + i] -= a[i + j * lead] * b[begin + j]
            b[begin + i] /= a[i + i * lead]
    return 0


def inverse(n: int, a: Any, lead: int, pivots: Any) -> int:
    """The inverse of A, in the place of its factors: U^-1 and L^-1 first, then their product."""
    for j in range(n):
        if a[j + j * lead] == 0.0:
            return j + 1
        a[j + j * lead] = 1.0 / a[j + j * lead]
    for j in range(n):
        for i in range(j):  # the columns before are inverted, this one is not from i on
            total = 0.0
            for k in range(i, j):
                total += a[i + k * lead] * a[k + j * lead]
            a[i + j * lead] = -total * a[j + j * lead]
    for j in range(n):
        for i in range(j + 1, n):
            total = a[i + j * lead]
            for k in range(j + 1, i):
                total += a[i + k * lead] * a[k + j * lead]
            a[i + j * lead] = -total
    for s in range(n):  # rows or columns s read rows and columns from s on alone
        for i in range(s):
            for k in range(s + 1, n):
                a[i + s * lead] += a[i + k * lead] * a[k + s * lead]
        for j in range(s):
            total = a[s + s * lead] * a[s + j * lead]
            for k in range(s + 1, n):
                total += a[s + k * lead] * a[k + j * lead]
            a[s + j * lead] = total
        for k in range(s + 1, n):
            a[s + s * lead] += a[s + k * lead] * a[k + s * lead]
    for k in range(n - 1, -1, -1):
        other = pivots[k] - 1
        for i in range(n):
            swapped = a[i + k * lead]
            a[i + k * lead] = a[i + other * lead]
            a[i + other * lead] = swapped
    return 0


def cholesky(triangle: int, n: int, a: Any, lead: int) -> int:
    """A = L L' in the place of a triangle of A; not positive: which minor, counted from 1."""
    down, across = (lead, 1) if triangle == UPPER else (1, lead)
    for j in range(n):
        total = a[j * down + j * across]
        for k in range(j):
            total -= a[j * down + k * across] ** 2
        if not total > 0.0:
            return j + 1
        diagonal = sqrt(total)
        a[j * down + j * across] = diagonal
        for i in range(j + 1, n):
            total = a[i * down + j * across]
            for k in range(j):
                total -= a[i * down + k * across] * a[j * down + k * across]
            a[i * down + j * across] = total / diagonal
    return 0


# By the symbol that numba calls: its arguments (a letter as in `native.front_end`; c a letter; - a value that
# numba always gives alike, as the factors 1 and 0 of BLAS), and the function in its place.
_CALLED: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "numba_xxdot": (("-", "i", "d1", "d1", "d1"), dot),
    "numba_xxnrm2": (("i", "d1", "i", "d1"), norm),
    "numba_xxgemv": (("c", "i", "i", "-p", "d1", "i", "d1", "-p", "d1"), matrix_vector),
    "numba_xxgemm": (
        ("c", "c", "i", "i", "i", "-p", "d1", "i", "d1", "i", "-p", "d1", "i"), matrix_matrix,
    ),
    "numba_xxgetrf": (("-i", "i", "d1", "i", "w1"), factors),
    "numba_ez_xxgetri": (("i", "d1", "i", "w1"), inverse),
    "numba_xgesv": (("i", "i", "d1", "i", "w1", "d1", "i"), solution),
    "numba_xxpotrf": (("c", "i", "d1", "i"), cholesky),
}  # fmt: skip
_TYPES = {"-": "i8", "-p": "ptr", "-i": "i64", "c": "i8", "i": "i64", "d1": "ptr", "w1": "ptr"}


def written_out(symbols: set[str]) -> tuple[str, list[Kernel]]:
    """Definitions of the given functions that are listed here, and the kernels that these call."""
    texts, kernels = [], []
    for symbol, (letters, function) in _CALLED.items():
        if symbol in symbols:
            taken = tuple("i" if letter == "c" else letter for letter in letters if letter[0] != "-")
            kernels.append(kernel(function, taken))
            texts.append(_definition(symbol, letters, kernels[-1]))
    return "\n".join(texts), kernels


def _definition(symbol: str, letters: tuple[str, ...], code: Kernel) -> str:
    """The function that numba calls; its first argument is the type of numbers, of which doubles are
    supported.
    """
    taken = ", ".join(f"{_TYPES[letter]} %a{i}" for i, letter in enumerate(letters))
    lines, passed, kinds = [], ["ptr %result", "ptr %failure"], ["ptr", "ptr"]
    for i, letter in enumerate(letters):
        if letter == "c":
            lines.append(f"  %w{i} = zext i8 %a{i} to i64")
            passed.append(f"i64 %w{i}")
        elif letter == "i":
            passed.append(f"i64 %a{i}")
        elif letter in ("d1", "w1"):
            size = 8 if letter == "d1" else 4
            passed += ["ptr null", "ptr null", f"i64 {MANY}", f"i64 {size}", f"ptr %a{i}"]
            passed += [f"i64 {MANY}", f"i64 {size}"]
    kinds = [part.partition(" ")[0] for part in passed]
    others = f"{symbol}_of_other_numbers"
    return "\n".join([
        f"declare i32 @{code.symbol}({', '.join(kinds)})",
        f"declare i32 @{others}(ptr)",
        f"define i32 @{symbol}(i8 %kind, {taken}) alwaysinline {{",
        "  %result = alloca i64", "  %failure = alloca ptr", *lines,
        f"  %doubles = icmp eq i8 %kind, {DOUBLE}",
        "  br i1 %doubles, label %known, label %unknown",
        "unknown:", f"  %u = call i32 @{others}(ptr null)", "  ret i32 %u",
        "known:", f"  %status = call i32 @{code.symbol}({', '.join(passed)})",
        "  %info = load i64, ptr %result", "  %short = trunc i64 %info to i32", "  ret i32 %short", "}",
    ])  # fmt: skip
