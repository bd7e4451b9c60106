"""The quaternion as a value: Hamilton's algebra, rotations against SciPy, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blockdyn.robots import lie
from blockdyn.robots.lie import Quaternion

ONE = Quaternion()
I, J, K = Quaternion(0, 1), Quaternion(0, 0, 1), Quaternion(0, 0, 0, 1)  # noqa: E741


def some(seed: int) -> Quaternion:
    return Quaternion.of(np.random.default_rng(seed).normal(size=4))


def test_hamiltons_rules():
    assert I * J == K
    assert J * K == I
    assert K * I == J
    assert J * I == -K
    assert I * I == J * J == K * K == I * J * K == -ONE


def test_algebra_of_a_division_ring():
    p, q, r = some(1), some(2), some(3)
    np.testing.assert_allclose(((p * q) * r).array, (p * (q * r)).array, atol=1e-14)
    np.testing.assert_allclose((p * (q + r)).array, (p * q + p * r).array, atol=1e-14)
    np.testing.assert_allclose((p / q * q).array, p.array, atol=1e-14)
    np.testing.assert_allclose((p - q).array, (p + (-1) * q).array, atol=0)
    np.testing.assert_allclose((q / 2).array, (0.5 * q).array, atol=0)
    assert abs(p * q) == pytest.approx(abs(p) * abs(q), rel=1e-14)
    assert q.inner(q) == pytest.approx(abs(q) ** 2, rel=1e-14)
    np.testing.assert_allclose((q * q.conjugate).array, [q.inner(q), 0, 0, 0], atol=1e-14)


def test_powers_are_repeated_products():
    q = some(4)
    np.testing.assert_allclose((q**3).array, (q * q * q).array, rtol=1e-14)
    np.testing.assert_allclose((q**-2 * q**2).array, ONE.array, atol=1e-14)
    assert q**0 == ONE


def test_unit_ones_are_rotations():
    a, b = Rotation.random(2, rng=np.random.default_rng(5))
    p, q = Quaternion.of(a.as_matrix()), Quaternion.of(lie.pose(b.as_matrix()))
    v = np.array([0.3, -2.0, 1.0])
    np.testing.assert_allclose((p * q).R, (a * b).as_matrix(), atol=1e-15)
    np.testing.assert_allclose(p * v, a.apply(v), atol=1e-14)
    np.testing.assert_allclose((p * Quaternion(0, *v) * p.conjugate).v, a.apply(v), atol=1e-14)
    np.testing.assert_allclose(p.T, lie.pose(a.as_matrix()), atol=1e-15)
    third = Quaternion.of_axis_angle([0, 1, 0], 0.9).scaled(1 / 3)
    np.testing.assert_allclose(third.array, Quaternion.of_axis_angle([0, 1, 0], 0.3).array, atol=1e-15)
    half = p.interpolate(q, 0.5)
    assert half.inner(p) == pytest.approx(half.inner(q) * np.sign(p.inner(q)), abs=1e-14)


def test_rates_are_the_derivative_of_a_steady_turn():
    w, q = np.array([0.3, -0.7, 1.1]), some(6).unit
    d = 1e-5
    ahead, behind = (Quaternion.of(lie.quaternion_exp(s * d * w)) * q for s in (1, -1))
    np.testing.assert_allclose(q.rates(w).array, ((ahead - behind) / (2 * d)).array, atol=1e-9)


def test_it_is_a_value():
    assert Quaternion(1, 2, 3, 4) == Quaternion(1.0, 2.0, 3.0, 4.0) != Quaternion(1, 2, 3, 5)
    assert len({Quaternion(1, 2), Quaternion(1, 2)}) == 1
    assert str(Quaternion(0.5, 1, -2, 0)) == "0.5 <1, -2, 0>"


def test_refusals():
    with pytest.raises(lie.GroupError, match="length 0"):
        _ = Quaternion(0).inverse
    with pytest.raises(lie.GroupError, match="has length"):
        _ = Quaternion(2.0).R
    with pytest.raises(lie.WrongShape, match="finite"):
        Quaternion(float("nan"))
    with pytest.raises(lie.WrongShape, match="whole number"):
        _ = ONE**0.5  # type: ignore[operator]
    with pytest.raises(lie.WrongShape, match="divisor"):
        _ = ONE / 0.0
    with pytest.raises(TypeError):
        _ = ONE + 1.0  # type: ignore[operator]
