"""Reshape: rows one behind the other."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch


def reshaped(u: object, shape: list[int]) -> np.ndarray:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.Reshape(shape=shape))
    d.connect("u", "y")
    return np.asarray(d.simulate(stop=1.0).final("y"))


def test_there_and_back() -> None:
    assert np.array_equal(reshaped([1.0, 2.0, 3.0, 4.0], [2, 2]), [[1.0, 2.0], [3.0, 4.0]])
    assert np.array_equal(reshaped([[1.0, 2.0], [3.0, 4.0]], [4]), [1.0, 2.0, 3.0, 4.0])
    assert reshaped([[7.0]], []) == 7.0


def test_elements_are_neither_lost_nor_made_up() -> None:
    with pytest.raises(SizeMismatch, match="6 elements"):
        reshaped([1.0, 2.0], [2, 3])


@pytest.mark.parametrize("shape", [[0], [1, 2, 3], 4, [2.0], ["a"]])
def test_shapes(shape: object) -> None:
    with pytest.raises(bd.ParameterError, match="shape"):
        bd.Reshape(shape=shape)  # type: ignore[arg-type]
