"""DescriptorIntegrator: the integral of a signal by equations with a mass matrix, which may be singular."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Port, Size, State, Unknown
from .descriptor import Parts, parts_of, square
from .system import initial_state


class DescriptorIntegrator(Block):
    """Integral with a constant mass matrix E, n x n, for implicit equations E dx/dt = f(t, x) as a loop.

        E dx/dt = u,  y = x,  x(start) = initial

    u and y are vectors of n elements, scalars for n = 1. A regular E is inverted when the block is built.
    If E is singular, some rows of u, or sums of them, must be 0 at every instant. Through the diagram, in
    which u depends directly on y, this determines a part a of x: Newton's method solves for it at every
    evaluation, and `loops: solve` is not needed. The states z of the block are the other part of x, whose
    size is the rank of E: x itself if E is regular, the elements of x that E differentiates if E involves no
    others, and orthogonal combinations otherwise. `initial` sets z; for a, the first search begins there, so
    values that contradict the equations are made consistent.
    Raises SizeError for sizes that disagree, and ParameterError for E = 0. A diagram is Undetermined if u
    does not depend directly on y. A run ends with LoopNotSolved if the equations without derivatives cannot
    be solved, or are singular, so that their index is above 1.
    Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section VI.1,
    doi:10.1007/978-3-642-05221-7; Kunkel and Mehrmann, Differential-Algebraic Equations (2006), section 3.1.

    Example:
        {type: DescriptorIntegrator, E: [[2, 1, 0], [1, 2, 0], [0, 0, 0]], initial: [1, 0, 0]}
    """

    icon = "E dx = u"
    states: ClassVar = (State("z", "begin"),)

    E: Real = parameter(unit="[u] s/[y]", doc="mass matrix")
    initial: Real = parameter(default=0.0, unit="[y]", doc="x at the start", dimensions=(0, 1))

    @cached_property
    def _parts(self) -> tuple[Parts, Array]:
        E = square("DescriptorIntegrator", self.E)
        return parts_of(E), initial_state(self.initial, E.shape[0])

    def check(self) -> None:
        _ = self._parts

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", self._size, flat=True, size_rule="n, rows of E"),)

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", self._size, flat=True, size_rule="n, rows of E"),)

    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("a", "search", flat=True),) if self._parts[0].conditions.size else ()

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        count = len(self._parts[0].conditions)
        return {**super().sizes(inputs), **{each.solved: Size((count,)) for each in self.unknowns()}}

    def constants(self) -> Mapping[str, Array]:
        parts, initial = self._parts
        matrices = {name: entries(matrix) for name, matrix in parts._asdict().items()}
        return matrices | {"begin": parts.begin @ initial, "search": parts.search @ initial}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if not self.unknowns():
            return {"output": regular_output, "derivative": derivative}
        return {"output": output, "output_solved_a": improve, "derivative": derivative}

    @property
    def _size(self) -> int:
        return len(self._parts[0].flowing)


def entries(matrix: Array) -> Array:
    """Row, column and value of each nonzero entry, one per row: E is usually sparse."""
    rows, columns = np.nonzero(matrix)
    return np.array([rows, columns, matrix[rows, columns]], np.float64).T


def derivative(u: Array, slopes: Array, d_z: Array) -> None:
    d_z[:] = 0.0
    for k in range(slopes.shape[0]):
        d_z[int(slopes[k, 0])] += slopes[k, 2] * u[int(slopes[k, 1])]


def regular_output(z: Array, y: Array) -> None:
    for i in range(z.shape[0]):
        y[i] = z[i]


def output(z: Array, a: Array, flowing: Array, algebraic: Array, y: Array) -> None:
    y[:] = 0.0
    for k in range(flowing.shape[0]):
        y[int(flowing[k, 0])] += flowing[k, 2] * z[int(flowing[k, 1])]
    for k in range(algebraic.shape[0]):
        y[int(algebraic[k, 0])] += algebraic[k, 2] * a[int(algebraic[k, 1])]


def improve(u: Array, a: Array, conditions: Array, solved_a: Array) -> None:
    for i in range(a.shape[0]):
        solved_a[i] = a[i]
    for k in range(conditions.shape[0]):
        solved_a[int(conditions[k, 0])] += conditions[k, 2] * u[int(conditions[k, 1])]
