"""Pieces: a function that another one calls gives what it gave, afresh and from the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest
from numba import types

from blockdyn.native.pieces import Pieces


class Turn(NamedTuple):
    """A result with names."""

    angle: float
    axis: tuple[float, float]


def motion(x: float, n: int) -> tuple[tuple[float, int], Turn, float]:
    """Tuples within tuples, one of them named."""
    return (x, n), Turn(2.0 * x, (x, 1.0)), 3.0 * x


def test_tuples_within_tuples_are_the_same_from_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLOCKDYN_CACHE", str(tmp_path))
    given = [_result_of(Pieces(stored=True).piece(motion)) for _ in ("afresh", "known")]
    pair = types.Tuple((types.float64, types.int64))
    turn = types.NamedTuple((types.float64, types.UniTuple(types.float64, 2)), Turn)
    assert given == [types.Tuple((pair, turn, types.float64))] * 2


def _result_of(piece: Any) -> Any:
    """Numba's type of what the piece gives where it is called."""

    @numba.njit
    def call(x: float, n: int) -> object:
        return piece(x, n)

    call.compile((types.float64, types.int64))
    return call.nopython_signatures[0].return_type
