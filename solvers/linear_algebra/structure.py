"""Find the sparsity of the Jacobian, an elimination order, and columns that can be nudged together.

What depends on what is found where the run stands, by derivatives along groups of states: groups are halved
until each is one state, and groups that reach no slope in common are halved together, so that a chain of n
states takes about log n derivatives. Whatever one point does not show, a later Jacobian notices, see
`solvers.steps.coloured`.

Source: Curtis, Powell, Reid, On the Estimation of Sparse Jacobian Matrices, J. Inst. Maths Applics 13 (1974),
117-119; Davis, Direct Methods for Sparse Linear Systems (2006), chapters 4 and 7.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..fields import Floats, Integers

SEED = 20  # of the directions, the same in every run
SLIGHT = 1e-10  # relative, of slopes: algebraic loops are solved to 1e-12
FIRST = 4  # bits: groups at first, each along a direction of its own
MANY = 6  # colours that are made fewer before their groups are halved
TOGETHER = 16  # directions at once
REMEMBERED = 8  # structures whose elimination is kept

Along = Callable[[Floats], Floats]
"""The change of all slopes along directions: (states, k) -> (slopes, k)."""


class Structure(NamedTuple):
    """Columns of the Jacobian and of its factors, by their rows; `rows_of[columns_at[j] : columns_at[j + 1]]`
    are those of column j. `order` says which state is eliminated when, `place_of` is its inverse.
    """

    columns_at: Integers
    rows_of: Integers
    colours: Integers
    order: Integers
    place_of: Integers
    lower_at: Integers
    lower_rows: Integers
    upper_at: Integers
    upper_rows: Integers


@lru_cache(1)
def directions(n: int) -> Floats:
    """A number for each state that hardly makes sums of products vanish."""
    numbers = np.random.default_rng(SEED).uniform(0.5, 1.5, n)
    numbers.flags.writeable = False
    return numbers


def dependencies(along: Along, n: int) -> tuple[Integers, Integers]:
    """The pairs of a slope and a state that it depends on: rows and columns, sorted by column, then row."""
    size = max((n - 1).bit_length() - FIRST, 0)
    group = np.arange(n) >> size
    colour = np.unique(group)
    rows, groups = np.tile(np.arange(n), len(colour)), np.repeat(colour, n)
    touched = _changes_along(along, group, rows, groups)
    rows, groups = rows[touched], groups[touched]
    for bit in range(size - 1, -1, -1):
        if colour.max(initial=0) >= MANY:
            colour = colours(rows, groups, len(colour))
        way = 2 * colour[group] + (np.arange(n) >> bit & 1)  # halves of groups of one colour go together
        ways = 2 * colour[groups]
        rows, groups = np.tile(rows, 2), np.concatenate([2 * groups, 2 * groups + 1])
        touched = _changes_along(along, way, rows, np.concatenate([ways, ways + 1]))
        rows, groups = rows[touched], groups[touched]
        sorting = np.argsort(groups, kind="stable")
        rows, groups, group = rows[sorting], groups[sorting], np.arange(n) >> bit
        colour = np.stack([2 * colour, 2 * colour + 1], axis=1).ravel()[: group[-1] + 1]
    return rows, groups


def _changes_along(along: Along, way: Integers, rows: Integers, ways: Integers) -> NDArray[np.bool_]:
    """True for slopes, `rows`, that change along directions, `ways`; `way` is the direction of each state."""
    number, touched = directions(len(way)), np.zeros(len(rows), bool)
    count = int(max(way.max(initial=-1), ways.max(initial=-1))) + 1
    for first in range(0, count, TOGETHER):
        states = np.flatnonzero(way // TOGETHER == first // TOGETHER)
        seeds = np.zeros((len(way), min(TOGETHER, count - first)))
        seeds[states, way[states] - first] = number[states]
        mine = ways // TOGETHER == first // TOGETHER
        touched[mine] = along(seeds)[rows[mine], ways[mine] - first] != 0.0
    return touched


def colours(rows: Integers, columns: Integers, count: int) -> Integers:
    """A colour for each column, so that no two of the same colour have a row in common."""
    used = [0] * (int(rows.max(initial=-1)) + 1)  # by row, the colours of its columns as bits
    ends = np.searchsorted(columns, np.arange(count + 1)).tolist()
    colour, row = np.zeros(count, np.int64), rows.tolist()
    for j in range(count):
        taken = 0
        for i in row[ends[j] : ends[j + 1]]:
            taken |= used[i]
        free = ~taken & (taken + 1)
        colour[j] = free.bit_length() - 1
        for i in row[ends[j] : ends[j + 1]]:
            used[i] |= free
    return colour


def structure(rows: Integers, columns: Integers, n: int) -> Structure:
    """The structure of a Jacobian with these entries, the columns in rising order."""
    return _structure(rows.tobytes(), columns.tobytes(), n)


@lru_cache(REMEMBERED)
def _structure(row_bytes: bytes, column_bytes: bytes, n: int) -> Structure:
    rows, columns = np.frombuffer(row_bytes, np.int64), np.frombuffer(column_bytes, np.int64)
    place = elimination(rows, columns, n)
    lower_at, lower_rows = fill(place[rows], place[columns], n)
    upper_rows = np.repeat(np.arange(n), np.diff(lower_at))  # both triangles have the same entries
    by_column = np.argsort(lower_rows, kind="stable")
    upper_at = np.searchsorted(lower_rows[by_column], np.arange(n + 1))
    return Structure(
        np.searchsorted(columns, np.arange(n + 1)), rows, colours(rows, columns, n), np.argsort(place), place,
        lower_at, lower_rows, upper_at, upper_rows[by_column],
    )  # fmt: skip


def elimination(rows: Integers, columns: Integers, n: int) -> Integers:
    """The place of each state in an order with little fill: multiple minimum degree, as in SuperLU."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    values = np.concatenate([np.ones(len(rows)), np.full(n, 2.0 * n)])
    entries = (np.concatenate([rows, np.arange(n)]), np.concatenate([columns, np.arange(n)]))
    factors = splu(
        csc_matrix((values, entries), (n, n)), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )  # fmt: skip
    return factors.perm_c.astype(np.int64)


def fill(rows: Integers, columns: Integers, n: int) -> tuple[Integers, Integers]:
    """The rows below the diagonal of each column of the lower factor, for a matrix made symmetric.

    A column has the rows of the matrix, and those of the columns for which it is the first row.
    """
    below: list[set[int]] = [set() for _ in range(n)]
    for i, j in zip(np.maximum(rows, columns).tolist(), np.minimum(rows, columns).tolist(), strict=True):
        if i != j:
            below[j].add(i)
    lists: list[list[int]] = []
    for j in range(n):
        ordered = sorted(below[j])
        lists.append(ordered)
        if len(ordered) > 1:
            below[ordered[0]].update(ordered[1:])
        below[j].clear()
    ends = np.concatenate([[0], np.cumsum([len(each) for each in lists], dtype=np.int64)])
    return ends.astype(np.int64), np.array([i for each in lists for i in each], np.int64)
