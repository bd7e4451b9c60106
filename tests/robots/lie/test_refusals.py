"""Bad arguments: errors that say what was found and what is wanted."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn import BlockdynError
from blockdyn.robots import lie


def skewed() -> np.ndarray:
    T = np.eye(4)
    T[0, 1] = 0.02
    return T


def test_a_rotation_that_is_not_orthonormal_is_refused_with_its_distance():
    with pytest.raises(lie.GroupError, match=r"off by 0\.02 in R\^T R - I.*\n.*project_rotation"):
        lie.log3(skewed()[:3, :3])


def test_a_pose_that_is_not_orthonormal_is_refused():
    with pytest.raises(lie.GroupError, match=r"T is not a pose: the rotation part is off by 0\.02"):
        lie.log6(skewed())


def test_a_reflection_is_refused():
    with pytest.raises(lie.GroupError, match="reflection, determinant -1"):
        lie.rpy(np.diag([1.0, 1.0, -1.0]))


def test_a_last_row_of_something_else_is_refused():
    T = np.eye(4)
    T[3, 0] = 1.0
    with pytest.raises(lie.GroupError, match=r"last row is \[1\.0, 0\.0, 0\.0, 1\.0\]"):
        lie.inverse(T)


@pytest.mark.parametrize("w", [[1, 2], [[1, 2, 3]] * 3, "abc", [1, 2, np.nan], None])
def test_what_is_no_vector_is_refused(w):
    with pytest.raises(lie.WrongShape, match="w"):
        lie.exp3(w)


def test_a_column_is_a_vector():
    np.testing.assert_array_equal(lie.exp3([[0.1], [0.2], [0.3]]), lie.exp3([0.1, 0.2, 0.3]))


def test_lengths_other_than_one_are_refused_or_warned_of():
    with pytest.raises(lie.GroupError, match="length 2"):
        lie.rotation_quaternion([2, 0, 0, 0])
    with pytest.raises(lie.GroupError, match="axis has length"):
        lie.screw([0, 0, 0], [1, 1, 0])
    with pytest.warns(lie.NonUnitScrew, match=r"1 \(length 2\)"):
        lie.screw_parts([0, 0, 0, 0, 0, 2])


def test_unknown_orders_and_frames_are_refused_with_the_known_ones():
    with pytest.raises(lie.WrongShape, match="zyx, xyz, yxz, arm"):
        lie.rotation_rpy(0, 0, 0, order="zxy")
    with pytest.raises(lie.WrongShape, match="world or body"):
        lie.delta(np.eye(4), np.eye(4), frame="tool")


def test_all_of_them_are_blockdyn_errors():
    assert issubclass(lie.GroupError, BlockdynError)
    assert issubclass(lie.WrongShape, lie.GroupError)


def test_errors_keep_the_name_and_the_number() -> None:
    with pytest.raises(lie.GroupError) as caught:
        lie.log3(skewed()[:3, :3])
    assert (caught.value.name, caught.value.distance) == ("R", pytest.approx(0.02))
    with pytest.raises(lie.GroupError) as caught:
        lie.rotation_quaternion([2, 0, 0, 0])
    assert (caught.value.name, caught.value.length) == ("q", 2.0)


@pytest.mark.parametrize("M", [np.zeros((3, 3)), np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 0.0])])
def test_a_matrix_that_no_single_rotation_is_nearest_to_is_refused(M: np.ndarray) -> None:
    with pytest.raises(lie.GroupError, match="many are equally near"):
        lie.project_rotation(M)
