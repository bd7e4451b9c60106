"""Selector: the elements that NumPy's indexing takes."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch

V = np.arange(5.0)
M = np.arange(12.0).reshape(3, 4)


def chosen(u: object, **which: object) -> np.ndarray:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=u))
    d.add("y", bd.Selector(**which))  # type: ignore[arg-type]
    d.connect("u", "y")
    return np.asarray(d.simulate(stop=1.0).final("y"))


def test_of_vectors() -> None:
    assert chosen(V, indices=3) == 3.0
    assert chosen(V, indices=-1) == 4.0
    assert chosen(V, indices=[4, 0, 0]).tolist() == [4.0, 0.0, 0.0]


def test_of_matrices() -> None:
    assert np.array_equal(chosen(M, rows=1), M[1])
    assert np.array_equal(chosen(M, columns=[3, 0]), M[:, [3, 0]])
    assert np.array_equal(chosen(M, rows=[2, 0], columns=[1, 2]), M[np.ix_([2, 0], [1, 2])])
    assert chosen(M, rows=2, columns=3) == 11.0


@pytest.mark.parametrize(
    ("u", "which"), [(V, {"indices": 5}), (V, {"rows": 0}), (M, {"indices": 0}), (M, {"columns": [4]})]
)
def test_elements_that_are_not_there(u: object, which: dict[str, object]) -> None:
    with pytest.raises(SizeMismatch):
        chosen(u, **which)


@pytest.mark.parametrize(
    "which", [{}, {"indices": 0, "rows": 0}, {"indices": 0.5}, {"rows": []}, {"indices": "0"}]
)
def test_choices_that_are_none(which: dict[str, object]) -> None:
    with pytest.raises(bd.ParameterError):
        bd.Selector(**which)  # type: ignore[arg-type]
