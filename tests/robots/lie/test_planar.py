"""Rotations and poses of the plane: against matrix exponentials, arcs, and the same motions in space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.linalg import expm

from blockdyn.robots import lie

EXAMPLES = settings(max_examples=60, derandomize=True)
lengths = st.floats(-5.0, 5.0)
angles = st.one_of(st.floats(-np.pi, np.pi), st.sampled_from([0.0, 1e-300, 1e-12, -1e-7, np.pi, -np.pi]))


@EXAMPLES
@given(lengths, lengths, angles)
def test_exponentials_are_those_of_matrices_and_logarithms_undo_them(x, y, w):
    V = np.array([x, y, w])
    T = lie.exp2(V)
    np.testing.assert_allclose(T, expm(lie.skew2(V)), rtol=0, atol=1e-13)
    np.testing.assert_allclose(lie.exp2(lie.log2(T)), T, rtol=0, atol=1e-14)
    np.testing.assert_allclose(lie.vex2(lie.skew2(V)), V, rtol=0, atol=0)
    assert lie.is_pose2(T)


def test_a_quarter_turn_at_unit_speed_is_an_arc():
    """Radius v / omega = 2 / pi: the end is one radius ahead and one to the side."""
    r = 2 / np.pi
    np.testing.assert_allclose(
        lie.exp2([1.0, 0.0, np.pi / 2]), [[0, -1, r], [1, 0, r], [0, 0, 1]], atol=1e-15
    )


@EXAMPLES
@given(lengths, lengths, angles)
def test_motions_of_the_plane_are_motions_of_space(x, y, w):
    T = lie.lift2(lie.exp2([x, y, w]))
    np.testing.assert_allclose(T, lie.exp6([x, y, 0.0, 0.0, 0.0, w]), rtol=0, atol=1e-14)
    planar = lie.adjoint(T)[np.ix_([0, 1, 5], [0, 1, 5])]
    np.testing.assert_allclose(lie.adjoint2(lie.exp2([x, y, w])), planar, rtol=0, atol=1e-14)


def test_adjoint_inverse_and_parts():
    T, V = lie.pose2(1.0, -2.0, 0.7), np.array([0.3, 0.4, -1.1])
    np.testing.assert_allclose(
        lie.skew2(lie.adjoint2(T) @ V), T @ lie.skew2(V) @ np.linalg.inv(T), rtol=0, atol=1e-15
    )
    np.testing.assert_allclose(lie.inverse2(T), np.linalg.inv(T), rtol=0, atol=1e-15)
    R, p = lie.parts2(T)
    np.testing.assert_array_equal(R, lie.rot2(0.7))
    np.testing.assert_array_equal(p, [1.0, -2.0])
    assert lie.angle2(T) == pytest.approx(0.7, abs=1e-15)


def test_half_way_is_the_shorter_way():
    A, B = lie.pose2(0.0, 0.0, 3.0), lie.pose2(2.0, 4.0, -3.0)
    half = lie.interpolate2(A, B, 0.5)
    np.testing.assert_allclose(half, lie.pose2(1.0, 2.0, np.pi), rtol=0, atol=1e-15)
    np.testing.assert_allclose(lie.interpolate2(A, B, 1.0), B, rtol=0, atol=1e-15)


def test_what_is_no_motion_of_the_plane_is_refused():
    with pytest.raises(lie.GroupError, match="reflection"):
        lie.angle2([[1.0, 0.0], [0.0, -1.0]])
    with pytest.raises(lie.GroupError, match=r"last row.*\n.*R, p; 0 0 1"):
        lie.log2([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 1.0]])
    with pytest.raises(lie.WrongShape, match=r"shape \(3, 3\)"):
        lie.inverse2(np.eye(4))
    assert not lie.is_rotation2(2 * np.eye(2))
    assert not lie.is_pose2(np.eye(4))
