"""Points, velocities and wrenches in other frames: levers, conserved power, and the parts of a pose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blockdyn.robots import lie


def some_pose(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return lie.pose(Rotation.random(rng=rng).as_matrix(), rng.normal(size=3))


def test_a_force_has_a_moment_about_another_point():
    """10 N upwards at the origin, about a point half a metre along x: 5 N m about y."""
    T = lie.pose(p=[0.5, 0.0, 0.0])
    np.testing.assert_array_equal(lie.wrench_in_frame(T, [0, 0, 10, 0, 0, 0]), [0, 0, 10, 0, 5, 0])


def test_velocity_of_another_point_of_a_turning_body():
    """A wheel that turns at 2 rad/s about z: its point at x = 0.5 moves at 1 m/s along y."""
    T = lie.pose(p=[0.5, 0.0, 0.0])
    np.testing.assert_array_equal(lie.velocity_jacobian(T) @ [0, 0, 0, 0, 0, 2], [0, 1, 0, 0, 0, 2])


@pytest.mark.parametrize("seed", range(5))
def test_power_is_the_same_in_every_frame(seed):
    T, rng = some_pose(seed), np.random.default_rng(100 + seed)
    F, V = rng.normal(size=(2, 6))
    power = lie.wrench_in_frame(T, F) @ (lie.velocity_jacobian(T) @ V)
    assert power == pytest.approx(F @ V, abs=1e-13)


def test_other_axes_alone_turn_both_halves():
    T, V = some_pose(7), np.arange(6.0)
    R = T[:3, :3]
    found = lie.velocity_jacobian(T, same_body=False) @ V
    np.testing.assert_allclose(found, [*(R.T @ V[:3]), *(R.T @ V[3:])], rtol=0, atol=1e-15)


def test_points_move_with_the_pose():
    T, p = some_pose(3), np.random.default_rng(3).normal(size=(4, 5, 3))
    moved = lie.transform_points(T, p)
    expected = Rotation.from_matrix(T[:3, :3]).apply(p.reshape(-1, 3)) + T[:3, 3]
    np.testing.assert_allclose(moved.reshape(-1, 3), expected, rtol=0, atol=1e-14)
    np.testing.assert_allclose(lie.transform_points(T, p[0, 0]), moved[0, 0], rtol=0, atol=1e-15)
    with pytest.raises(lie.WrongShape, match="three numbers"):
        lie.transform_points(T, [1.0, 2.0])


def test_a_pose_in_one_line():
    T = lie.pose(lie.roty(np.pi / 2), [0.5, 0.0, 1.2])
    assert lie.pose_text(T) == "t = (0.5, 0, 1.2), rpy/zyx = (0, 90, 0) deg"
    assert lie.pose_text(lie.pose(lie.rotz(-0.5))) == "t = (0, 0, 0), rpy/zyx = (0, 0, -28.6479) deg"
    with pytest.raises(lie.WrongShape, match="order"):
        lie.pose_text(T, order="zzz")
