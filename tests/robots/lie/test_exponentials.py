"""exp and log of SO(3) and SE(3): against sums of 50 digits, SciPy, and each other, from angle 0 to pi."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from blockdyn.robots import lie

EXAMPLES = settings(max_examples=60, derandomize=True)

PI = np.pi
numbers = st.floats(-1.0, 1.0, allow_subnormal=False)
directions = (
    st.tuples(numbers, numbers, numbers)
    .filter(lambda v: np.linalg.norm(v) > 1e-3)
    .map(lambda v: np.array(v) / np.linalg.norm(v))
)
angles = st.one_of(
    st.floats(0.0, PI - 1e-9),
    st.floats(-15.0, 0.0).map(lambda e: 10.0**e),  # towards 0
    st.floats(-15.0, 0.0).map(lambda e: PI - 10.0**e - 1e-15),  # towards pi, and short of it
)
positions = st.tuples(*[st.floats(-10.0, 10.0, allow_subnormal=False)] * 3).map(np.array)


def digits_of_exp(W: np.ndarray) -> np.ndarray:
    """exp(W) of a matrix by its series, in 50 digits, rounded once."""
    with localcontext() as context:
        context.prec = 50
        W = np.array([[Decimal(float(value)) for value in row] for row in W])
        one = Decimal(1)
        term = np.array([[one if i == j else Decimal(0) for j in range(len(W))] for i in range(len(W))])
        total = term
        for k in range(1, 80):
            term = term.dot(W) / Decimal(k)
            total = total + term
        return total.astype(float)


@pytest.mark.parametrize(
    "angle", [0.0, 1e-160, 1e-9, 1e-5, 1e-4, 0.3, 1.0, 1.999, 2.001, 3.0, PI - 1e-9, PI, 6.0]
)
def test_exponentials_are_those_of_50_digits(angle):
    w = angle * np.array([0.36, -0.48, 0.8])
    V = np.array([1.0, -2.0, 0.5, *w])
    exact = digits_of_exp(lie.skew6(V))
    np.testing.assert_allclose(lie.exp3(w), exact[:3, :3], rtol=0, atol=5e-16)
    np.testing.assert_allclose(lie.exp6(V), exact, rtol=0, atol=1e-15)


@pytest.mark.parametrize("angle", [1e-300, 1e-160, 1e-12, 1e-8, 1e-6, 1e-3])
def test_small_rotation_vectors_keep_all_their_digits(angle):
    w = angle * np.array([0.36, -0.48, 0.8])
    np.testing.assert_allclose(lie.log3(lie.exp3(w)), w, rtol=4e-16, atol=0)


@EXAMPLES
@given(directions, angles)
def test_log_inverts_exp_of_rotations(axis, angle):
    w = axis * angle
    np.testing.assert_allclose(lie.log3(lie.exp3(w)), w, rtol=0, atol=2e-15)
    np.testing.assert_allclose(lie.exp3(w), Rotation.from_rotvec(w).as_matrix(), rtol=0, atol=2e-15)


@EXAMPLES
@given(directions, angles, positions)
def test_log_inverts_exp_of_poses(axis, angle, v):
    V = np.concatenate([v, axis * angle])
    T = lie.exp6(V)
    np.testing.assert_allclose(lie.log6(T), V, rtol=0, atol=1e-13)
    np.testing.assert_allclose(T, expm(lie.skew6(V)), rtol=0, atol=1e-13)


@EXAMPLES
@given(directions)
def test_half_turns_come_back_about_the_same_axis(axis):
    w = lie.log3(2.0 * np.outer(axis, axis) - np.eye(3))
    assert abs(np.linalg.norm(w) - PI) < 1e-15 * 4
    np.testing.assert_allclose(np.outer(w, w) / PI**2, np.outer(axis, axis), rtol=0, atol=2e-15)


@pytest.mark.parametrize("axis", np.eye(3))
def test_the_axis_of_a_half_turn_is_the_positive_one(axis):
    np.testing.assert_array_equal(lie.log3(2.0 * np.outer(axis, axis) - np.eye(3)), PI * axis)


@EXAMPLES
@given(directions, st.floats(0.0, 6.0), positions)
def test_left_jacobians_are_the_integral_of_exp(axis, angle, v):
    """J(V) = integral of exp(s ad V) over s from 0 to 1, which one exponential of a larger matrix gives."""
    V = np.concatenate([v, axis * angle])
    larger = np.zeros((12, 12))
    larger[:6, :6], larger[:6, 6:] = lie.bracket(V), np.eye(6)
    J = expm(larger)[:6, 6:]
    np.testing.assert_allclose(lie.left_jacobian6(V), J, rtol=0, atol=1e-11)
    np.testing.assert_allclose(lie.left_jacobian3(V[3:]), J[:3, :3], rtol=0, atol=1e-12)
    np.testing.assert_allclose(lie.left_jacobian6(V) @ lie.left_jacobian6_inverse(V), np.eye(6), atol=1e-9)
    np.testing.assert_allclose(
        lie.left_jacobian3(V[3:]) @ lie.left_jacobian3_inverse(V[3:]), np.eye(3), atol=1e-11
    )


def test_left_jacobian_gives_the_velocity_of_exp():
    V, rate, h = np.array([0.3, -1.0, 2.0, 0.5, 1.2, -0.7]), np.array([1.0, 2.0, -1.0, 0.3, -0.2, 0.9]), 1e-5
    change = (lie.exp6(V + h * rate) - lie.exp6(V - h * rate)) / (2.0 * h)
    twist = lie.vex6(change @ lie.inverse(lie.exp6(V)))
    np.testing.assert_allclose(lie.left_jacobian6(V) @ rate, twist, rtol=0, atol=1e-9)


@EXAMPLES
@given(directions, angles, positions)
def test_adjoint_is_the_exponential_of_the_bracket(axis, angle, v):
    V = np.concatenate([v, axis * angle])
    np.testing.assert_allclose(lie.adjoint(lie.exp6(V)), expm(lie.bracket(V)), rtol=0, atol=1e-11)


@EXAMPLES
@given(directions, st.floats(0.1, 3.0))
def test_axis_and_angle_come_back(axis, angle):
    found, turned = lie.axis_angle(lie.rotation_axis_angle(5.0 * axis, angle))
    np.testing.assert_allclose(found, axis, atol=1e-14)
    assert abs(turned - angle) < 1e-14
