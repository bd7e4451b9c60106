"""Butcher: a tableau as it is printed, made one that the loop can step by.

Check the order conditions of the weights of an explicit Runge-Kutta method.

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

from ...base.annotations import holds_truth
from ...base.checked import checked_numbers
from .data import InvalidMethod
from .tableau import Rationals, Tableau, hermite

Number = int | float | str | Fraction
ROUNDING = 1e-12  # of weights that were given as doubles
MOST_ORDER = 14  # of the explicit Runge-Kutta methods that were published
MOST = 8  # vertices of the trees that are looked at: 200 trees; one more vertex doubles and more their number
PRINTED = 1e-8
"""Part of its terms by which a condition may be missed: coefficients are printed to ten decimals and more. An
order that is not there misses by far more, the midpoint rule its third by a twelfth.
"""

Tree: TypeAlias = tuple["Tree", ...]  # a root is the tuple of the trees that hang from it


def _invalid_tableau(name: str, actual: str, expected: str) -> InvalidMethod:
    return InvalidMethod(f"butcher_tableau: {name} is {actual}\nexpected: {expected}")


@checked_numbers(_invalid_tableau)
def butcher_tableau(
    a: Sequence[Sequence[Number]], b: Sequence[Number], *, order: int, b_hat: Sequence[Number] = (),
    error_order: int = 0,
) -> Tableau:  # fmt: skip
    """Return the data of an explicit Runge-Kutta method; numbers may be text, such as "1/3".

    The nodes are the sums of the rows. Where no stage is the slope at the end of the step, it is added. The
    dense output is the cubic that meets both ends of a step in value and slope.

    Args:
        a: one row a stage, with the weights of the stages before it.
        b: weights of the step, one a stage.
        order: of the step.
        b_hat: weights of the embedded solution, whose difference from the step is the error estimate; without
            them steps are fixed.
        error_order: order of the embedded solution.

    Raises:
        InvalidMethod: rows of other lengths, weights that do not sum to 1, or that miss the conditions of the
            order claimed (Hairer, Norsett, Wanner, theorem II.2.13; looked at up to order 8).
    """
    rows, weights, embedded = [_exact(row) for row in a], _exact(b), _exact(b_hat)
    lengths = [len(row) for row in rows]
    if not 1 <= order <= MOST_ORDER or not 0 <= error_order <= MOST_ORDER:
        raise InvalidMethod(
            f"butcher_tableau: found order {order}, error_order {error_order}\n"
            f"expected: 1 to {MOST_ORDER}, and the error's at least 0"
        )
    if not rows or embedded == weights:
        what = "no stage" if not rows else "b_hat equal to b, whose difference would be the error"
        raise InvalidMethod(f"butcher_tableau: found {what}\nexpected: a stage at least, and two solutions")
    if lengths != list(range(len(rows))) or len(weights) != len(rows) or len(embedded) not in (0, len(rows)):
        raise InvalidMethod(
            f"butcher_tableau: found rows of {lengths}, {len(weights)} weights b, {len(embedded)} of b_hat\n"
            "expected: rows of 0, 1, 2 ... weights, and one weight of b and b_hat per stage"
        )
    for name, each in (("b", weights), ("b_hat", embedded)):
        if each and abs(float(sum(each)) - 1.0) > ROUNDING:
            raise InvalidMethod(f"butcher_tableau: found weights {name} that sum to {sum(each)}\nexpected: 1")
    if bool(embedded) != (error_order > 0):
        raise InvalidMethod(
            "butcher_tableau: found one of b_hat and error_order\nexpected: both, or neither of them"
        )
    for name, each, claimed in (("order", weights, order), ("error_order", embedded, error_order)):
        if each and (met := order_met(rows, each, claimed)) < claimed:
            raise InvalidMethod(
                f"butcher_tableau: found {name} {claimed}, and weights that meet the conditions of order"
                f" {met}\n"
                f"expected: {name}={met}, or the weights as they are printed"
            )
    zero = Fraction(0)
    if len(rows) > 1 and (*rows[-1], zero) == weights:  # the last stage is the slope at the end
        rows, weights = rows[:-1], weights[:-1]
    stages = (*rows, weights)
    return Tableau(
        order=order, c=tuple(sum(row, zero) for row in stages), a=stages, dense=hermite(weights),
        dense_order=min(order, 3), error_order=error_order,
        e=tuple(x - y for x, y in zip((*weights, zero), (*embedded, zero), strict=False)) if embedded else (),
    )  # fmt: skip


def _exact(numbers: Sequence[Number]) -> Rationals:
    try:
        if holds_truth(list(numbers)):
            raise TypeError("true and false are not numbers")
        return tuple(Fraction(number) for number in numbers)
    except (TypeError, ValueError) as error:
        raise InvalidMethod(f"butcher_tableau: {error}\nexpected: numbers, or text such as 1/3") from None


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
