"""Demux: what Mux joined comes apart again."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch


def parts(counts: object, u: object) -> list[object]:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    block = bd.Demux(counts=counts)  # type: ignore[arg-type]
    d.add("part", block)
    d.connect("u", "part")
    r = d.simulate(stop=1.0)
    return [np.asarray(r.final(f"part.{port.name}")).tolist() for port in block.output_ports()]


def test_equal_and_unequal_parts() -> None:
    assert parts(2, [1.0, 2.0, 3.0, 4.0]) == [[1.0, 2.0], [3.0, 4.0]]
    assert parts(3, [1.0, 2.0, 3.0]) == [1.0, 2.0, 3.0]
    assert parts([3, 1], [1.0, 2.0, 3.0, 4.0]) == [[1.0, 2.0, 3.0], 4.0]


@pytest.mark.parametrize(
    ("counts", "u"), [(2, [1.0, 2.0, 3.0]), ([2, 2], [1.0, 2.0, 3.0]), (2, [[1.0, 2.0], [3.0, 4.0]])]
)
def test_parts_that_do_not_add_up(counts: object, u: object) -> None:
    with pytest.raises(SizeMismatch):
        parts(counts, u)


@pytest.mark.parametrize("counts", [0, [], [1, 0], True, "ab", 1.5, None])
def test_counts_are_counts(counts: object) -> None:
    with pytest.raises(bd.ParameterError, match="counts"):
        bd.Demux(counts=counts)  # type: ignore[arg-type]
