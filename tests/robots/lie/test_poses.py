"""Poses, twists, wrenches, screws, small motions, interpolation: identities of the group."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from blockdyn.robots import lie

EXAMPLES = settings(max_examples=60, derandomize=True)

twists = st.tuples(*[st.floats(-1.5, 1.5, allow_subnormal=False)] * 6).map(np.array)


@EXAMPLES
@given(twists, twists)
def test_inverse_and_adjoint_follow_the_product(V, U):
    A, B = lie.exp6(V), lie.exp6(U)
    np.testing.assert_allclose(A @ lie.inverse(A), np.eye(4), atol=1e-14)
    np.testing.assert_allclose(lie.adjoint(A @ B), lie.adjoint(A) @ lie.adjoint(B), atol=1e-13)
    np.testing.assert_allclose(lie.skew6(lie.adjoint(A) @ U), A @ lie.skew6(U) @ lie.inverse(A), atol=1e-13)


@EXAMPLES
@given(twists, twists)
def test_the_bracket_is_the_commutator(V, U):
    commutator = lie.skew6(V) @ lie.skew6(U) - lie.skew6(U) @ lie.skew6(V)
    np.testing.assert_allclose(lie.skew6(lie.bracket(V) @ U), commutator, atol=1e-14)


@EXAMPLES
@given(twists, twists, twists)
def test_power_does_not_depend_on_the_frame(X, V, F):
    T = lie.exp6(X)
    moved, pushed = lie.adjoint(T) @ V, lie.adjoint(lie.inverse(T)).T @ F
    assert abs(moved @ pushed - V @ F) < 1e-12


@EXAMPLES
@given(twists, twists)
def test_interpolation_meets_both_ends_and_the_middle_is_halfway(V, U):
    A, B = lie.exp6(V), lie.exp6(U)
    for between in (lie.interpolate, lie.interpolate_screw):
        np.testing.assert_allclose(between(A, B, 0.0), A, atol=1e-14)
        np.testing.assert_allclose(between(A, B, 1.0), B, atol=1e-13)
        middle = between(A, B, 0.5)[:3, :3]
        np.testing.assert_allclose(middle @ A[:3, :3].T @ middle, B[:3, :3], atol=1e-12)
    np.testing.assert_allclose(
        lie.interpolate(A, B, 0.25)[:3, 3], 0.75 * A[:3, 3] + 0.25 * B[:3, 3], atol=1e-14
    )


@EXAMPLES
@given(twists, twists)
def test_small_motions_are_the_logarithm_to_first_order(V, U):
    A, small = lie.exp6(V), 1e-5 * U
    np.testing.assert_allclose(lie.delta(A, A @ lie.exp6(small), frame="body"), small, atol=1e-9)
    B = lie.exp6(small) @ A
    world = lie.delta(A, B)
    np.testing.assert_allclose(world[3:], small[3:], atol=1e-9)
    np.testing.assert_array_equal(world[:3], B[:3, 3] - A[:3, 3])
    np.testing.assert_allclose(lie.pose_error(A, B), world, atol=1e-9)
    np.testing.assert_allclose(lie.pose_of_delta(small), lie.exp6(small), atol=1e-9)


@EXAMPLES
@given(twists, twists)
def test_pose_error_leads_all_the_way(V, U):
    A, B = lie.exp6(V), lie.exp6(U)
    error = lie.pose_error(A, B)
    np.testing.assert_allclose(lie.exp3(error[3:]) @ A[:3, :3], B[:3, :3], atol=1e-13)
    np.testing.assert_array_equal(error[:3], B[:3, 3] - A[:3, 3])


def test_screws_are_points_directions_and_pitches():
    np.testing.assert_array_equal(lie.screw([3, 0, 0], [0, 0, 1], 2.0), [0, -3, 2, 0, 0, 1])
    np.testing.assert_array_equal(lie.screw([3, 0, 0], [0, 0, 1], np.inf), [0, 0, 1, 0, 0, 0])
    point, axis, pitch = lie.screw_parts([0, -3, 2, 0, 0, 1])
    np.testing.assert_array_equal(point, [3, 0, 0])
    np.testing.assert_array_equal(axis, [0, 0, 1])
    assert pitch == 2.0
    S, distance = lie.unit_screw([0, -6, 4, 0, 0, 2])
    np.testing.assert_array_equal(S, [0, -3, 2, 0, 0, 1])
    assert distance == 2.0


def test_orientation_and_approach_make_a_rotation():
    R = lie.exp3([0.3, -1.0, 0.5])
    np.testing.assert_allclose(lie.rotation_oa(3.0 * R[:, 1] + R[:, 2], 2.0 * R[:, 2]), R, atol=1e-15)


def test_projection_gives_the_rotation_that_noise_was_added_to():
    R = lie.exp3([0.3, -1.0, 0.5])
    P = np.array(
        [[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 0.7]]
    )  # symmetric and positive: polar factor is R
    np.testing.assert_allclose(lie.project_rotation(R @ P), R, atol=1e-14)
    assert np.linalg.det(lie.project_rotation(-np.eye(3))) > 0.999
