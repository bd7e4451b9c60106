"""Concatenate: a rotation and a translation make a pose."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import SizeMismatch


def joined(along: str, *values: object) -> np.ndarray:
    d = bd.Diagram()
    d.add("y", bd.Concatenate(count=len(values), along=along))
    for i, value in enumerate(values):
        d.add(f"u{i}", bd.Constant(value=value))
        d.connect(f"u{i}", f"y[{i}]")
    return np.asarray(d.simulate(stop=1.0).final("y"))


def test_a_pose_from_rotation_and_translation() -> None:
    top = joined("columns", np.eye(3), [1.0, 2.0, 3.0])
    pose = joined("rows", top, [0.0, 0.0, 0.0, 1.0])
    point = pose @ [4.0, 5.0, 6.0, 1.0]
    assert point.tolist() == [5.0, 7.0, 9.0, 1.0]


def test_scalars_make_a_column() -> None:
    assert joined("rows", 1.0, 2.0).tolist() == [[1.0], [2.0]]
    assert joined("columns", 1.0, 2.0).tolist() == [[1.0, 2.0]]


def test_rows_of_different_lengths() -> None:
    with pytest.raises(SizeMismatch, match="same length"):
        joined("rows", [1.0, 2.0], [1.0, 2.0, 3.0])
