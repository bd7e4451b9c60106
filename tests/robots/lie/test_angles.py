"""Three angles: orders against SciPy, singular orientations, rates, wrapping."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.spatial.transform import Rotation

from blockdyn.robots import lie

EXAMPLES = settings(max_examples=60, derandomize=True)

ORDERS = {
    "zyx": ("ZYX", (2, 1, 0)),
    "xyz": ("XYZ", (0, 1, 2)),
    "yxz": ("YXZ", (2, 1, 0)),
    "arm": ("XYZ", (2, 1, 0)),
}
full = st.floats(-3.14, 3.14)
half = st.floats(-1.57, 1.57)


@pytest.mark.parametrize("order", ORDERS)
@EXAMPLES
@given(full, half, full)
def test_roll_pitch_yaw_are_scipys_rotations(order, roll, pitch, yaw):
    letters, which = ORDERS[order]
    R = lie.rotation_rpy(roll, pitch, yaw, order=order)
    angles = [(roll, pitch, yaw)[i] for i in which]
    np.testing.assert_allclose(R, Rotation.from_euler(letters, angles).as_matrix(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(lie.rpy(R, order=order), (roll, pitch, yaw), rtol=0, atol=1e-12)


def test_default_order_is_yaw_after_pitch_after_roll():
    R = lie.rotz(0.3) @ lie.roty(0.2) @ lie.rotx(0.1)
    np.testing.assert_allclose(lie.rotation_rpy(0.1, 0.2, 0.3), R, rtol=0, atol=1e-16)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
def test_at_a_right_angle_of_pitch_roll_is_zero_and_the_rotation_comes_back(order, pitch):
    R = lie.rotation_rpy(0.4, pitch, 1.1, order=order)
    roll, found, yaw = lie.rpy(R, order=order)
    assert roll == 0.0
    np.testing.assert_allclose(lie.rotation_rpy(roll, found, yaw, order=order), R, rtol=0, atol=1e-15)


@EXAMPLES
@given(full, st.floats(1e-6, 3.14159), full)
def test_euler_angles_are_scipys(phi, theta, psi):
    R = lie.rotation_euler(phi, theta, psi)
    np.testing.assert_allclose(
        R, Rotation.from_euler("ZYZ", (phi, theta, psi)).as_matrix(), rtol=0, atol=1e-15
    )
    np.testing.assert_allclose(lie.rotation_euler(*lie.euler(R)), R, rtol=0, atol=1e-15)
    np.testing.assert_allclose(lie.rotation_euler(*lie.euler(R, flip=True)), R, rtol=0, atol=1e-14)
    assert lie.euler(R, flip=True)[1] < 0.0


def test_euler_angles_of_a_turn_about_z_have_phi_zero():
    np.testing.assert_allclose(lie.euler(lie.rotz(0.7)), (0.0, 0.0, 0.7), atol=1e-16)


@pytest.mark.parametrize("order", ORDERS)
def test_rates_of_roll_pitch_yaw_give_the_angular_velocity(order):
    angles, rates, h = np.array([0.3, -0.8, 2.0]), np.array([0.5, 1.5, -0.7]), 1e-5
    ahead, behind = (lie.rotation_rpy(*(angles + s * h * rates), order=order) for s in (1, -1))
    omega = lie.vex((ahead - behind) / (2 * h) @ lie.rotation_rpy(*angles, order=order).T)
    np.testing.assert_allclose(lie.rpy_rates(*angles, order=order) @ rates, omega, atol=1e-9)


def test_rates_of_euler_angles_give_the_angular_velocity():
    angles, rates, h = np.array([0.3, 0.8, 2.0]), np.array([0.5, 1.5, -0.7]), 1e-5
    ahead, behind = (lie.rotation_euler(*(angles + s * h * rates)) for s in (1, -1))
    omega = lie.vex((ahead - behind) / (2 * h) @ lie.rotation_euler(*angles).T)
    np.testing.assert_allclose(lie.euler_rates(*angles) @ rates, omega, atol=1e-9)


def test_angles_wrap_into_half_open_turns():
    assert lie.wrap(np.pi) == -np.pi
    assert lie.wrap(-np.pi) == -np.pi
    np.testing.assert_allclose(
        lie.wrap([3.0, 4.0, -4.0, 100.0]), [3.0, 4 - 2 * np.pi, 2 * np.pi - 4, 100 - 32 * np.pi]
    )
    assert abs(lie.angle_difference(3.0, -3.0) - (6.0 - 2.0 * np.pi)) < 1e-15
