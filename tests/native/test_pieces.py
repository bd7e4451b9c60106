"""Pieces: a function that another one calls gives what it gave, afresh and from the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numba
import pytest
from numba import types

import blockdyn as bd
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
    given = []
    for _ in ("afresh", "known"):
        monkeypatch.setattr("blockdyn.native.pieces._types", {})
        given.append(_result_of(Pieces().piece(motion)))
    pair = types.Tuple((types.float64, types.int64))
    turn = types.NamedTuple((types.float64, types.UniTuple(types.float64, 2)), Turn)
    assert given == [types.Tuple((pair, turn, types.float64))] * 2


def root(x: float) -> float:
    """A function that can fail, as a piece."""
    if x < 0.0:
        raise ValueError("no root")
    return x**0.5


def twice(x: float) -> float:
    """A piece that calls it, and does more afterwards."""
    y = root(x)
    return 2.0 * y


def test_what_a_piece_raises_reaches_whoever_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are called through a kernel: its status tells, afresh and from the store."""
    monkeypatch.setenv("BLOCKDYN_CACHE", str(tmp_path))
    monkeypatch.setattr(root, "__module__", "blockdyn.root")
    monkeypatch.setattr(twice, "__module__", "blockdyn.twice")

    class Twice(bd.Block):
        """twice(u)."""

        inputs: ClassVar = (bd.Port("u", 1),)
        outputs: ClassVar = (bd.Port("y", 1),)

        @staticmethod
        def output(u: float) -> float:
            return twice(u)

    d = bd.Diagram("roots")
    d.connect(d.add("ramp", bd.Ramp(slope=-1.0)), d.add("root", Twice()))
    for _ in ("afresh", "known"):
        assert d.simulate(stop=0.0).final("root") == 0.0
        with pytest.raises(bd.RunError, match="no root"):
            d.simulate(stop=1.0)


def _result_of(piece: Any) -> Any:
    """Numba's type of what the piece gives where it is called."""

    @numba.njit
    def call(x: float, n: int) -> object:
        return piece(x, n)

    call.compile((types.float64, types.int64))
    return call.nopython_signatures[0].return_type
