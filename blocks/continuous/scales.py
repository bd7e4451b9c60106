"""Scales of hidden states: the sizes at which states matter to the outputs of their block."""

from __future__ import annotations

import numpy as np

from ..contract.parameter import Array
from .system import System

SWEEPS = 500  # maximum number of sweeps; a companion matrix of order 20 takes about 100
BALANCED = 2.0  # accepted ratio of the norms of a row and its column


def state_scales(system: System) -> Array:
    """The errors of the states that change an output by 1, at most 1; shape (n,).

    This scaling balances the states: an error of one state does not change another state much more than
    itself, and no coefficient of C is above 1. A state far below 1 in an output near 1, such as w = y/w0^2 of
    a canonical form, thus has a tolerance far below the tolerance of y. Never above 1: a tolerance is not
    loosened.
    Source: Osborne, On Pre-Conditioning of Matrices, Journal of the ACM 7(4), 1960, 338-345.
    """
    n = len(system.A)
    reads = np.max(np.abs(system.C), axis=0, initial=0.0)
    if not np.any(reads):
        return np.ones(n)
    # The input is one more column and the output one more row: chains of integrators are balanced too.
    coupling = np.zeros((n + 1, n + 1))
    coupling[:n, :n] = np.abs(system.A)
    coupling[:n, n] = np.max(np.abs(system.B), axis=1, initial=0.0)
    coupling[n, :n] = reads
    np.fill_diagonal(coupling, 0.0)
    scales = np.ones(n)
    for _ in range(SWEEPS):
        most = 1.0
        for i in range(n):
            out = coupling[:n, i] @ (1.0 / scales) + coupling[n, i]
            into = coupling[i, :n] @ scales + coupling[i, n]
            if out > 0.0 and into > 0.0:
                ratio = np.sqrt(into / out) / scales[i]
                scales[i] *= ratio
                most = max(most, ratio, 1.0 / ratio)
        if most < BALANCED:
            break
    relative: Array = scales / np.max(reads * scales)
    return np.minimum(relative, 1.0)
