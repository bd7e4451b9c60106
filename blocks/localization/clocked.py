"""Clocked: clock and covariances of the sensors and estimators of localization."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, parameter


class ClockedBlock(Block):
    """Base of blocks that work at the ticks of a clock and hold their outputs in between."""

    abstract: ClassVar = True
    sampled: ClassVar = True

    _: KW_ONLY
    sample_time: Real = parameter(default=0.1, unit="s", doc="time between ticks", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))

    def check(self) -> None:
        self.constants()


def check_count(block: Block, name: str, least: int, most: int) -> None:
    """Raise ParameterError unless a count lies within these limits."""
    value = getattr(block, name)
    if not least <= value <= most:
        raise ParameterError(block.kind(), name, value, f"a whole number from {least} to {most}")


def root(matrix: Array) -> Array:
    """L with L L' = matrix, lower triangular up to a rotation, for a matrix that may be singular."""
    values, vectors = np.linalg.eigh(matrix)
    return np.ascontiguousarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def points(block: Block, name: str) -> Array:
    """Points of the plane, (n, 2), at least one, and no two of them equal. Raises ParameterError."""
    value = getattr(block, name)
    rows = np.ascontiguousarray(np.asarray(value, np.float64))
    if rows.ndim != 2 or rows.shape[1] != 2 or not len(rows):
        raise ParameterError(block.kind(), name, value, "a row x, y for each, at least one")
    order = np.lexsort(rows.T)
    twice = np.flatnonzero((rows[order[1:]] == rows[order[:-1]]).all(axis=1))
    if len(twice):
        i, j = sorted(order[twice[0] : twice[0] + 2].tolist())
        expected = f"points that differ; {i} and {j} are both at {rows[i].tolist()}"
        raise ParameterError(block.kind(), name, value, expected)
    return rows


def vector(block: Block, name: str, n: int, expected: str) -> Array:
    """A vector of n numbers. Raises ParameterError."""
    value: Any = getattr(block, name)
    if np.shape(value) != (n,):
        raise ParameterError(block.kind(), name, value, expected)
    return np.array(value, np.float64)
