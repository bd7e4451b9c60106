"""The normal equations of one step, damped, with the joints that rest on their limits taken out."""

from __future__ import annotations

from ..mechanics.work import Array
from .limits import held


def normal_equations(J: Array, e: Array, normal: Array, push: Array) -> float:
    """normal = J^T J, its lower triangle, and push = J^T e; the mean of the diagonal."""
    n = J.shape[1]
    trace = 0.0
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(6):
                total += J[k, i] * J[k, j]
            normal[i, j] = total
        trace += float(normal[i, i])
        total = 0.0
        for k in range(6):
            total += J[k, i] * e[k]
        push[i] = total
    return float(trace / n)


def damp(arm: Array, q: Array, limited: int, damping: float, normal: Array, push: Array) -> None:
    """Add damping I to normal; joints at a limit that are pushed against it get the step 0."""
    n = normal.shape[0]
    for i in range(n):
        normal[i, i] += damping
    if limited != 0:
        for i in range(n):
            if held(arm, i, q[i], push[i]):
                for j in range(n):
                    normal[i, j] = 0.0
                    normal[j, i] = 0.0
                normal[i, i] = 1.0
                push[i] = 0.0
