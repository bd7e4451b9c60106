"""PoseIntegral: constant twists give screws, by SciPy's matrix exponential; the pose stays a pose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import blockdyn as bd

START = np.eye(4)
START[:3, :3], START[:3, 3] = Rotation.from_euler("xyz", [0.3, -0.5, 1.0]).as_matrix(), (1.0, 2.0, -0.5)
TWIST = np.array([0.4, -0.3, 0.2, 1.0, 2.0, -1.5])


def matrix(V: np.ndarray) -> np.ndarray:
    v0, v1, v2, w0, w1, w2 = V
    return np.array([[0, -w2, w1, v0], [w2, 0, -w0, v1], [-w1, w0, 0, v2], [0, 0, 0, 0]])


def moved(frame: str, **settings: object) -> bd.Result:
    d = bd.Diagram()
    d.connect(d.add("twist", bd.Constant(TWIST)), d.add("pose", bd.PoseIntegral(START, frame=frame)))
    return d.simulate(**{"stop": 3.0, "rtol": 1e-10, "atol": 1e-12, **settings})


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_constant_twists(compiled: bool) -> None:
    body = moved("body", compiled=compiled).final("pose")
    np.testing.assert_allclose(body, START @ expm(3 * matrix(TWIST)), rtol=0, atol=1e-8)
    space = moved("space", compiled=compiled).final("pose")
    np.testing.assert_allclose(space, expm(3 * matrix(TWIST)) @ START, rtol=0, atol=1e-8)
    world = moved("world", compiled=compiled).final("pose")
    np.testing.assert_allclose(world[:3, 3], START[:3, 3] + 3 * TWIST[:3], rtol=0, atol=1e-12)
    turn = Rotation.from_rotvec(3 * TWIST[3:]).as_matrix()
    np.testing.assert_allclose(world[:3, :3], turn @ START[:3, :3], rtol=0, atol=1e-8)


def test_orthonormal_however_coarse_the_steps() -> None:
    T = moved("body", method="euler", step=0.1, stop=100.0)["pose"].values
    R = T[:, :3, :3]
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.broadcast_to(np.eye(3), R.shape), atol=1e-13)
    np.testing.assert_array_equal(T[:, 3], np.broadcast_to([0, 0, 0, 1], (len(T), 4)))


def test_a_start_that_is_no_pose_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match="initial is not a pose"):
        bd.PoseIntegral(initial=np.diag([1.0, 1.0, -1.0, 1.0]))
