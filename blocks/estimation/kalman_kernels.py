"""The steps of a Kalman filter for any number of measurements, as kernels."""

from __future__ import annotations

from ..contract.errors import Refusal
from ..contract.parameter import Array
from .cholesky import cholesky


def kalman_gain(P: Array, C: Array, R: Array, PC: Array, S: Array, K: Array) -> None:
    """K = P C' S^-1 with S = C P C' + R. PC (n x p) and S (p x p) are workspace.

    Raises Refusal if S is not positive.
    """
    n, p = P.shape[0], C.shape[0]
    multiply_by_transpose(P, C, PC)
    for i in range(p):
        for k in range(i + 1):
            total = R[i, k]
            for j in range(n):
                total += C[i, j] * PC[j, k]
            S[i, k] = total
    divide(PC, S, K)


def kalman_bucy_gain(P: Array, C: Array, R: Array, PC: Array, S: Array, K: Array) -> None:
    """K = P C' R^-1. PC (n x p) and S (p x p) are workspace. Raises Refusal if R is not positive."""
    multiply_by_transpose(P, C, PC)
    for i in range(C.shape[0]):
        for k in range(i + 1):
            S[i, k] = R[i, k]
    divide(PC, S, K)


def multiply_by_transpose(P: Array, C: Array, PC: Array) -> None:
    """PC = P C'."""
    for i in range(P.shape[0]):
        for k in range(C.shape[0]):
            total = 0.0
            for j in range(P.shape[0]):
                total += P[i, j] * C[k, j]
            PC[i, k] = total


def divide(PC: Array, S: Array, K: Array) -> None:
    """K = PC S^-1 by Cholesky's factor, which overwrites S.

    Raises Refusal if S is not positive.
    """
    n, p = PC.shape
    if cholesky(p, S, S, 0.0) > 0:
        raise Refusal("the covariance of the innovation is not positive: give R, or P0, larger values")
    for i in range(n):
        for k in range(p):
            total = PC[i, k]
            for j in range(k):
                total -= S[k, j] * K[i, j]
            K[i, k] = total / S[k, k]
        for k in range(p - 1, -1, -1):
            total = K[i, k]
            for j in range(k + 1, p):
                total -= S[j, k] * K[i, j]
            K[i, k] = total / S[k, k]


def reduce_covariance(P: Array, K: Array, PC: Array, out: Array) -> None:
    """out = P - K C P, symmetric."""
    n, p = K.shape
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(p):
                total += K[i, k] * PC[j, k] + K[j, k] * PC[i, k]
            out[i, j] = out[j, i] = P[i, j] - 0.5 * total


def propagate_covariance(A: Array, P: Array, Q: Array, AP: Array, out: Array) -> None:
    """out = A P A' + Q. AP (n x n) is workspace."""
    n = P.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += A[i, k] * P[k, j]
            AP[i, j] = total
    for i in range(n):
        for j in range(i + 1):
            total = Q[i, j]
            for k in range(n):
                total += AP[i, k] * A[j, k]
            out[i, j] = out[j, i] = total
