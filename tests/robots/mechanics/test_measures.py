"""Manipulability, ellipsoids and payload, where they have closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import Joint, Link, Robot, functions as of, load
from blockdyn.robots.mechanics.errors import MechanicsError
from blockdyn.robots.mechanics.singularity import manipulability


def test_volume_of_random_rows() -> None:
    J = np.random.default_rng(0).normal(size=(6, 9))
    expected = np.prod(np.linalg.svd(J, compute_uv=False))
    assert manipulability(J, 0, 6, np.empty_like(J)) == pytest.approx(expected, rel=1e-12)


def test_volume_is_accurate_down_to_singular_poses() -> None:
    """Two unit links: l1 l2 |sin q2| of the planar rows, however small."""
    for q2 in (1.0, 1e-3, 1e-9, 0.0):
        J = of.jacobian(load("planar2"), (0.3, q2))
        found = manipulability(J, 0, 2, np.empty_like(J))
        assert found == pytest.approx(np.sin(q2), rel=1e-6, abs=1e-15)


def test_velocity_and_force_ellipsoids_are_inverse() -> None:
    puma = load("puma560")
    q = np.array([0.1, 0.8, 3.0, 0.2, 0.7, 0.3])
    J = of.jacobian(puma, q)[:3]
    velocity, force = of.ellipsoid(puma, q), of.ellipsoid(puma, q, kind="force")
    A = velocity.axes @ np.diag(velocity.lengths**2) @ velocity.axes.T
    np.testing.assert_allclose(A, J @ J.T, atol=1e-12)
    B = force.axes @ np.diag(force.lengths**2) @ force.axes.T
    np.testing.assert_allclose(B @ J @ J.T, np.eye(3), atol=1e-10)
    assert (np.diff(velocity.lengths) <= 0).all()
    assert (np.diff(force.lengths) <= 0).all()


def test_payload_of_two_links() -> None:
    """Stretched out, the shoulder bears 2 g of its own and 2 s g of the load."""
    arm = load("twolink")
    weight = np.array([0, 0, -9.81, 0, 0, 0])
    found = of.paycap(arm, (0, 0), weight, (100.0, 1000.0))
    assert found.joint == arm.moving[0].name
    assert found.factor == pytest.approx((100 - 2 * 9.81) / (2 * 9.81), rel=1e-9)
    assert of.paycap(arm, (0, 0), weight, (10.0, 1000.0)).factor == 0
    both = of.paycap(arm, (0, 0), -weight, 1000.0, (-20.0, -1000.0))
    assert both.factor == pytest.approx((20 + 2 * 9.81) / (2 * 9.81), rel=1e-9)


def test_singular_things_are_refused() -> None:
    two = load("planar2")
    with pytest.raises(MechanicsError, match="velocity y") as caught:
        of.cinertia(load("twolink"), (0.1, 0.2))
    assert "velocity y" in caught.value.direction
    with pytest.raises(MechanicsError, match="dependent rows"):
        of.ellipsoid(two, (0.3, 0.4), kind="force")
    links = Link("a", 1.0, (0.1, 0, 0)), Link("empty")
    light = Robot("light", (Joint("one"), Joint("two", parent="a")), links)
    for method in ("composite", "articulated"):
        with pytest.raises(MechanicsError, match="nothing resists") as caught:
            of.accel(light, (0, 0), (0, 0), (0, 0), method=method)
        assert (caught.value.robot, caught.value.joint) == ("light", "two")
    links = Link("empty"), Link("b", 1.3, (0.1, 0.2, 0.3), (0.3, 0.4, 0.5))
    coaxial = Robot("coaxial", (Joint("one"), Joint("two", parent="empty")), links)
    for method in ("composite", "articulated"):
        with pytest.raises(MechanicsError, match="mass matrix is singular"):
            of.accel(coaxial, (0.3, 0.7), (0, 0), (0, 0), method=method)
    ur5 = load("ur5")  # its links are point masses, the last one on the last axis
    for q in np.random.default_rng(5).uniform(-3, 3, (50, 6)):
        assert of.inertia(ur5, q)[5, 5] == 0.0
        for method in ("composite", "articulated"):
            with pytest.raises(MechanicsError, match="joint6"):
                of.accel(ur5, q, np.zeros(6), np.zeros(6), method=method)
    with pytest.raises(MechanicsError, match="euler"):
        of.jacobian(two, (0.3, 0.4), angles="euler")
