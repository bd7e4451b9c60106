"""Unit quaternions against SciPy (whose order is x, y, z, s), and slerp."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st
from scipy.spatial.transform import Rotation, Slerp

from blockdyn.robots import lie

EXAMPLES = settings(max_examples=60, derandomize=True)

seeds = st.integers(0, 10**6)


def rotations(seed: int, count: int) -> Rotation:
    return Rotation.random(count, rng=np.random.default_rng(seed))


@EXAMPLES
@given(seeds)
def test_quaternions_and_rotations_are_each_others(seed):
    turned = rotations(seed, 1)[0]
    q = lie.quaternion(turned.as_matrix())
    np.testing.assert_allclose(q, turned.as_quat(canonical=True, scalar_first=True), rtol=0, atol=1e-15)
    np.testing.assert_allclose(lie.rotation_quaternion(q), turned.as_matrix(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(lie.quaternion_log(-q), turned.as_rotvec(), rtol=0, atol=2e-15)
    np.testing.assert_allclose(lie.quaternion_exp(turned.as_rotvec()), q, rtol=0, atol=1e-15)


@EXAMPLES
@given(seeds)
def test_products_are_compositions(seed):
    a, b = rotations(seed, 2)
    p, q = (lie.quaternion(r.as_matrix()) for r in (a, b))
    np.testing.assert_allclose(
        lie.rotation_quaternion(lie.quaternion_product(p, q)), (a * b).as_matrix(), atol=2e-15
    )
    np.testing.assert_allclose(lie.quaternion_product(q, lie.quaternion_inverse(q)), [1, 0, 0, 0], atol=1e-15)


@EXAMPLES
@given(seeds, st.floats(0.0, 1.0))
def test_slerp_is_scipys(seed, s):
    both = rotations(seed, 2)
    p, q = (lie.quaternion(r.as_matrix()) for r in both)
    expected = Slerp([0.0, 1.0], both)(s).as_matrix()
    np.testing.assert_allclose(lie.rotation_quaternion(lie.slerp(p, q, s)), expected, rtol=0, atol=1e-13)


def test_slerp_of_equal_quaternions_stays():
    q = lie.quaternion_axis_angle([0, 0, 1], 1.0)
    np.testing.assert_allclose(lie.slerp(q, q, 0.3), q, rtol=0, atol=1e-16)
    np.testing.assert_allclose(lie.slerp(q, -q, 0.3), q, rtol=0, atol=1e-16)


def test_rates_turn_a_quaternion_at_the_angular_velocity():
    q, w, h = lie.quaternion_exp([0.3, -1.0, 0.4]), np.array([0.5, 1.5, -0.7]), 1e-5
    ahead, behind = (lie.quaternion_product(lie.quaternion_exp(s * h * w), q) for s in (1, -1))
    np.testing.assert_allclose(lie.quaternion_rates(q, w), (ahead - behind) / (2 * h), atol=1e-9)
