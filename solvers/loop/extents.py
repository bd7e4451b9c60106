"""Extents: sizes of the solver's arrays for a program and a method."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...native.tangent.code import LANES
from ..differentiated import DifferentiatedProgram
from ..events.dip import ROWS
from ..methods.method import Method, Want

MANY = 100  # states from which a Jacobian is sparse, where a method takes both kinds


def extents(
    states: int, crossings: int, method: Method, differentiated: DifferentiatedProgram | None,
    wants: tuple[Want, ...],
) -> dict[str, int]:  # fmt: skip
    """The extents that the fields of `Work` name; `wants` are the needs of the method that has a Jacobian."""
    both = [each.data.arrays().extents() for each in (method, method.stiff) if each is not None]
    of_method = {name: max(each[name] for each in both) for name in both[0]}
    square = "jacobian" in wants and not is_sparse(wants, states)
    unknowns = len(differentiated.cuts) if differentiated is not None and square else 0
    n = states
    return of_method | {
        "states": n, "crossings": crossings, "sample_rows": ROWS, "lanes": LANES,
        "square": n if square else 0, "complex": n * of_method["pairs"] if square else 0,
        "states_and_one": n + 1 if wants else 0, "unknowns": unknowns,
        "wide": n + unknowns if unknowns else 0, "directions": n + unknowns + 1 if unknowns else 0,
    }  # fmt: skip


def is_sparse(wants: tuple[Want, ...], states: int) -> bool:
    """True if the Jacobian of this number of states is sparse; some methods take both kinds."""
    return "sparse jacobian" in wants and ("jacobian" not in wants or states >= MANY)


OF_JACOBIAN = {"square", "complex", "states_and_one", "unknowns", "wide", "directions"}
"""Extents of what a method that takes over has room for when it first does."""
_COUNTS = ("columns_at", "rows_of", "colours", "order", "place_of", "lower_at", "lower_rows", "upper_at",
           "upper_rows")  # fmt: skip
_PAIRS = ("lower_pair", "upper_pair", "diagonal_pair", "column_pair")
_REALS = ("entries", "lower", "upper", "diagonal", "column", "number", "probe")
UNKNOWN: dict[str, Any] = {name: np.zeros(0, np.int64) for name in _COUNTS}
UNKNOWN |= {name: np.zeros(0) for name in _REALS}
UNKNOWN |= {name: np.zeros((2, 0)) for name in _PAIRS}
"""What is known of a sparse Jacobian before its structure is asked for."""
