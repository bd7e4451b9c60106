"""The toolbox' blocks of arms whose angles have names of its own, native: what the toolbox computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from blockdyn.interop.bdsim import from_bdsim


def test_jacobians_inertia_and_gravity_in_every_representation(sim: Any) -> None:
    models = pytest.importorskip(
        "roboticstoolbox", reason="needs roboticstoolbox: pip install roboticstoolbox-python"
    ).models
    six, seven = models.DH.Puma560(), models.DH.Panda()
    bd = sim.blockdiagram()
    blocks = []
    for arm, q, names in ((six, six.qn + 0.1, ("rpy/xyz", "rpy/zyx", "eul", "exp")),
                          (seven, np.asarray(seven.qr) + 0.05, ("rpy/xyz",))):  # fmt: skip
        given = bd.CONSTANT(q)
        for name in names:
            blocks += [(bd.INERTIA_X(arm, representation=name, inputs=[given]), q)]
            blocks += [(bd.GRAVLOAD_X(arm, representation=name, inputs=[given]), q)]
            blocks += [(bd.JACOBIAN(arm, representation=name, inputs=[given]), q)]
    bd.compile()
    imported = from_bdsim(bd)
    out = imported.simulate(0.1, watch=[block for block, _ in blocks])
    assert imported.opaque(0.1) == ()
    for (block, q), rows in zip(blocks, out.data[".ywatch"], strict=True):
        np.testing.assert_allclose(rows[-1], block.output(0.0, [q], None)[0], atol=1e-11)


@pytest.mark.parametrize("compensation", [{}, {"gravcomp": True}, {"gravcomp": True, "velcomp": True}])
def test_a_wrench_moves_an_arm(sim: Any, compensation: dict[str, bool]) -> None:
    models = pytest.importorskip(
        "roboticstoolbox", reason="needs roboticstoolbox: pip install roboticstoolbox-python"
    ).models
    arm = models.DH.Puma560().nofriction()
    bd = sim.blockdiagram()
    block = bd.FDYN_X(arm, q0=arm.qn + 0.1, **compensation, name="arm")
    wrench = np.array([3.0, -2.0, 5.0, 1.0, 0.5, -0.8])
    block[0] = bd.CONSTANT(wrench)
    bd.compile()
    imported = from_bdsim(bd)
    watch = [block[k] for k in range(5)]
    out = imported.simulate(0.3, 5e-4, watch=watch, solver_args={"rtol": 1e-10, "atol": 1e-12})
    assert imported.opaque(0.3) == ()
    q, qd, x, xd, xdd = out.data[".ywatch"]
    for row in (0, len(q) // 2, -1):
        state = np.concatenate([q[row], qd[row]])
        shown = block.output(0.0, [wrench], state)
        np.testing.assert_allclose(x[row], shown[2], atol=1e-10)
        np.testing.assert_allclose(xd[row], shown[3], atol=1e-9)
    solved = solve_ivp(
        lambda t, state: block.deriv(t, [wrench], state), (0.0, 0.3), block.getstate0(), "DOP853",
        rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(out.x[-1], solved.y[:, -1], rtol=1e-8, atol=1e-8)
    # xdd is what the velocity of the tool grows by: the integral of its spline.
    grown = CubicSpline(out.t, xdd).integrate(0.0, 0.3)
    np.testing.assert_allclose(grown, xd[-1] - xd[0], atol=1e-8)


@pytest.mark.parametrize("model", ["Panda", "Puma560", "GenericSeven"])
def test_a_robot_of_elementary_transforms(sim: Any, model: str) -> None:
    models = pytest.importorskip(
        "roboticstoolbox", reason="needs roboticstoolbox: pip install roboticstoolbox-python"
    ).models
    arm = getattr(models.ETS, model)()
    q = np.linspace(-0.4, 0.7, arm.n)
    pose = arm.fkine(q)
    bd = sim.blockdiagram()
    given = bd.CONSTANT(q)
    blocks = [bd.FKINE(arm, inputs=[given]), bd.JACOBIAN(arm, inputs=[given])]
    for name in ("rpy/xyz", "rpy/zyx", "eul", "exp"):
        blocks.append(bd.JACOBIAN(arm, representation=name, inputs=[given]))
        blocks.append(bd.JACOBIAN(arm, representation=name, pinv=True, inputs=[given]))
    search = bd.IKINE(arm, q0=q + 0.1, inputs=[bd.CONSTANT(pose)])
    imported = from_bdsim(bd)
    out = imported.simulate(0.1, watch=[*blocks, search])
    assert imported.opaque(0.1) == ()
    *shown, found = out.data[".ywatch"]
    for block, rows in zip(blocks, shown, strict=True):
        expected = block.output(0.0, [q], None)[0]
        np.testing.assert_allclose(rows[-1], getattr(expected, "A", expected), atol=1e-10)
    np.testing.assert_allclose(arm.fkine(found[-1]).A, pose.A, atol=1e-8)
