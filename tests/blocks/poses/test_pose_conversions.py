"""Poses from and to coordinates, compared with SciPy's rotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
XYZ = np.array([0.3, -1.2, 2.0])
ANGLES = np.array([0.4, -1.1, 2.6])


def through(block: bd.Block, compiled: bool, *values: Any) -> np.ndarray:
    """What a block makes of constants."""
    d = bd.Diagram()
    d.add("block", block)
    for i, (value, port) in enumerate(zip(values, block.input_ports(), strict=False)):
        d.connect(d.add(f"u{i}", bd.Constant(value)), f"block.{port.name}")
    return d.simulate(stop=1.0, times=[1.0], compiled=compiled).final("block")


def pose(rotation: Rotation, origin: Any = XYZ) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation.as_matrix(), origin
    return T


@BOTH
@pytest.mark.parametrize(
    ("order", "axes", "which"),
    [
        ("zyx", "ZYX", [2, 1, 0]),
        ("xyz", "XYZ", [0, 1, 2]),
        ("yxz", "YXZ", [2, 1, 0]),
        ("arm", "XYZ", [2, 1, 0]),
    ],
)
def test_roll_pitch_yaw(order: str, axes: str, which: list[int], compiled: bool) -> None:
    T = pose(Rotation.from_euler(axes, ANGLES[which]))
    np.testing.assert_allclose(through(bd.RPYToPose(order=order), compiled, ANGLES, XYZ), T, atol=1e-15)
    np.testing.assert_allclose(through(bd.PoseToRPY(order=order), compiled, T), ANGLES, atol=1e-14)


@BOTH
def test_euler_angles(compiled: bool) -> None:
    T = pose(Rotation.from_euler("ZYZ", [0.4, 1.1, -2.6]))
    np.testing.assert_allclose(through(bd.EulerToPose(), compiled, [0.4, 1.1, -2.6], XYZ), T, atol=1e-15)
    np.testing.assert_allclose(through(bd.PoseToEuler(), compiled, T), [0.4, 1.1, -2.6], atol=1e-14)


@BOTH
def test_quaternions(compiled: bool) -> None:
    q = np.array([0.3, -0.4, 0.5, 0.7])
    rotation = Rotation.from_quat(q, scalar_first=True)
    found = through(bd.QuaternionToPose(), compiled, 2.5 * q, XYZ)
    np.testing.assert_allclose(found, pose(rotation), atol=1e-15)
    back = through(bd.PoseToQuaternion(), compiled, found)
    np.testing.assert_allclose(back, rotation.as_quat(scalar_first=True), atol=1e-15)


@BOTH
def test_positions(compiled: bool) -> None:
    T = through(bd.XYZToPose(), compiled, XYZ)
    np.testing.assert_array_equal(T, pose(Rotation.identity()))
    np.testing.assert_array_equal(through(bd.PoseToXYZ(), compiled, T), XYZ)


def test_an_open_position_is_zero() -> None:
    np.testing.assert_array_equal(through(bd.RPYToPose(), True, np.zeros(3)), np.eye(4))


A = pose(Rotation.from_euler("xyz", [0.3, -0.5, 1.0]))
B = pose(Rotation.from_euler("xyz", [-1.2, 0.4, 2.5]), [1.0, 2.0, -0.5])


@BOTH
def test_products_and_inverses(compiled: bool) -> None:
    inverse = np.linalg.inv
    for signs, expected in (("**", A @ B), ("/*", inverse(A) @ B), ("*/", A @ inverse(B))):
        found = through(bd.PoseProduct(signs=signs), compiled, A, B)
        np.testing.assert_allclose(found, expected, atol=1e-14)
    np.testing.assert_allclose(through(bd.PoseInverse(), compiled, A), inverse(A), atol=1e-14)


@BOTH
def test_small_motions_go_from_the_first_to_the_second(compiled: bool) -> None:
    """tr2delta(T0, T1), not T0 - T1 as the Robotics Toolbox's block help says."""
    delta = 1e-6 * np.array([1.0, -2.0, 3.0, 0.5, 0.7, -0.3])
    step = through(bd.Delta2Tr(), compiled, delta)
    np.testing.assert_allclose(through(bd.Tr2Delta(frame="body"), compiled, A, A @ step), delta, atol=1e-15)
    moved = pose(Rotation.from_rotvec(delta[3:]) * Rotation.from_matrix(A[:3, :3]), XYZ + delta[:3])
    np.testing.assert_allclose(through(bd.Tr2Delta(), compiled, A, moved), delta, atol=1e-15)
    np.testing.assert_allclose(through(bd.PoseError(), compiled, moved, A), delta, atol=1e-15)


@BOTH
def test_pose_error_is_exact(compiled: bool) -> None:
    turn = Rotation.from_matrix(B[:3, :3]) * Rotation.from_matrix(A[:3, :3]).inv()
    error = through(bd.PoseError(), compiled, B, A)
    np.testing.assert_allclose(error, [*(B[:3, 3] - A[:3, 3]), *turn.as_rotvec()], atol=1e-14)
    body = through(bd.PoseError(frame="body"), compiled, B, A)
    np.testing.assert_allclose(body, np.kron(np.eye(2), A[:3, :3].T) @ error, atol=1e-14)


@pytest.mark.parametrize("compiled", [True, False])
def test_an_orthonormal_pose_of_a_small_motion_is_the_toolbox_s(compiled: bool) -> None:
    base = pytest.importorskip("spatialmath.base")
    delta = np.array([0.1, -0.2, 0.3, 0.4, -0.3, 0.2])
    T = through(bd.Delta2Tr(orthonormal=True), compiled, delta)
    np.testing.assert_allclose(T[:3, :3].T @ T[:3, :3], np.eye(3), atol=1e-14)
    np.testing.assert_allclose(T, base.trnorm(base.delta2tr(delta)), atol=1e-14)
