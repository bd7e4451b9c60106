"""Check the order conditions of the weights of an explicit Runge-Kutta method.

A method has order p when for each rooted tree t of up to p vertices

    sum_i b_i Phi_i(t) = 1 / gamma(t),    Phi_i([t_1 ... t_m]) = prod_k sum_j a_ij Phi_j(t_k)

Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), theorem II.2.13.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

MOST = 8  # vertices of the trees that are looked at: 200 trees; one more vertex doubles and more their number
PRINTED = 1e-8
"""Part of its terms by which a condition may be missed: coefficients are printed to ten decimals and more. An
order that is not there misses by far more, the midpoint rule its third by a twelfth.
"""

Tree: TypeAlias = tuple["Tree", ...]  # a root is the tuple of the trees that hang from it


def order_met(rows: Sequence[Sequence[Fraction]], weights: Sequence[Fraction], order: int) -> int:
    """The order, at most `order`, whose conditions the weights meet, as far as trees of MOST vertices say."""
    n = len(rows)
    a = np.zeros((n, n))
    for i, row in enumerate(rows):
        a[i, : len(row)] = [float(weight) for weight in row]
    b = np.array([float(weight) for weight in weights])
    phi: dict[Tree, NDArray[np.float64]] = {}
    for vertices in range(1, min(order, MOST) + 1):
        for tree in trees(vertices):
            phi[tree] = np.prod([np.ones(n), *(a @ phi[branch] for branch in tree)], axis=0)
            exact = 1.0 / density(tree)
            if abs(b @ phi[tree] - exact) > PRINTED * (exact + np.abs(b) @ np.abs(phi[tree])):
                return vertices - 1
    return order


@cache
def trees(vertices: int) -> tuple[Tree, ...]:
    """All rooted trees with that many vertices, each once."""
    return tuple(_forests(vertices - 1, vertices - 1))


def _forests(vertices: int, largest: int) -> Iterator[Tree]:
    """All multisets of trees with a given total of vertices, none above `largest`."""
    if vertices == 0:
        yield ()
    for size in range(min(vertices, largest), 0, -1):
        for count in range(1, vertices // size + 1):
            for chosen in combinations_with_replacement(trees(size), count):
                for smaller in _forests(vertices - count * size, size - 1):
                    yield (*chosen, *smaller)


def _size(tree: Tree) -> int:
    return 1 + sum(map(_size, tree))


def density(tree: Tree) -> int:
    """The density of a tree."""
    return _size(tree) * prod(map(density, tree))
