"""The toolbox' blocks of arms whose angles have names of its own, native: what the toolbox computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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
