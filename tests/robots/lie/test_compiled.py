"""The kernels as machine code: the same numbers as in Python."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.native.callable import Native
from blockdyn.native.fingerprint import fingerprint
from blockdyn.robots.lie.kernels.angles import ARM, rotation_rpy, rpy_of, rpy_rates
from blockdyn.robots.lie.kernels.motion import interpolate, interpolate_screw, pose_error
from blockdyn.robots.lie.kernels.pose import adjoint, compose, exp6, invert, left_jacobian6_inverse, log6
from blockdyn.robots.lie.kernels.quaternion import quaternion_of, slerp


def tour(V, U, A, B, C, D, W, p, q, big, out):  # type: ignore[no-untyped-def]
    """Through the kernels and back; what each gives is added to `out`."""
    exp6(V, A)
    exp6(U, B)
    invert(A, C)
    compose(C, B, D)
    log6(D, W)
    for i in range(6):
        out[i] = W[i]
    pose_error(A, B, W)
    for i in range(6):
        out[6 + i] = W[i]
    interpolate_screw(A, B, 0.3, C, W, D)
    interpolate(A, C, 0.6, D)
    quaternion_of(D, p)
    quaternion_of(B, q)
    slerp(p, q, 0.25, p)
    left_jacobian6_inverse(V, big)
    for i in range(6):
        W[i] = 0.0
        for j in range(6):
            W[i] += big[i, j] * U[j]
    for i in range(4):
        out[12 + i] = p[i]
    for i in range(6):
        out[16 + i] = W[i]
    adjoint(D, big)
    out[22] = big[0, 4]
    a, b, c = rpy_of(D, ARM)
    rotation_rpy(a, b, c, ARM, A)
    rpy_rates(a, b, c, ARM, C)
    out[23] = a + b + c + A[0, 1] + C[0, 1]
    return 0


@pytest.mark.parametrize("turn", [1e-9, 0.4, 3.0])
def test_machine_code_and_python_agree(turn):
    types = ("d1", "d1", *["d2"] * 4, *["d1"] * 3, "d2", "d1")
    compiled = Native(lambda pieces: pieces.linked(tour), fingerprint(tour, types), types)
    V, U = (
        np.array([1.0, -2.0, 0.5, 0.36 * turn, -0.48 * turn, 0.8 * turn]),
        np.array([0.3, 1, 2, -1, 0.2, 0.7]),
    )
    results = []
    for run in (tour, compiled):
        poses, vectors = [np.zeros((4, 4)) for _ in range(4)], [np.zeros(size) for size in (6, 4, 4)]
        out = np.zeros(24)
        run(V, U, *poses, *vectors, np.zeros((6, 6)), out)
        results.append(out)
    assert results[0].all()
    np.testing.assert_allclose(results[1], results[0], rtol=1e-13, atol=1e-15)
