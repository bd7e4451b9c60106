"""URDF trees of random shape, against pinocchio, which reads the same files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import from_urdf

pinocchio = pytest.importorskip("pinocchio")

Array = np.ndarray[Any, np.dtype[np.float64]]
LINK = """<link name="link{i}"><inertial><origin xyz="{xyz}" rpy="{rpy}"/><mass value="{mass}"/>
<inertia ixx="{I[0][0]}" iyy="{I[1][1]}" izz="{I[2][2]}" ixy="{I[0][1]}" ixz="{I[0][2]}" iyz="{I[1][2]}"/>
</inertial></link>"""
JOINT = """<joint name="joint{i:02}" type="{kind}"><parent link="link{parent}"/><child link="link{i}"/>
<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>"""


def text_of(values: Array) -> str:
    return " ".join(repr(float(x)) for x in values)


def tree(rng: np.random.Generator, count: int) -> str:
    """Links with physical inertias; about a fifth of the joints fixed, a third of the others prismatic."""
    parts = []
    for i in range(count):
        arms = rng.uniform(0.1, 0.5, 3)
        second = np.diag(arms)
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        inertia = Q @ (second.trace() * np.eye(3) - second) @ Q.T
        place = {"xyz": text_of(rng.normal(size=3)), "rpy": text_of(rng.uniform(-1.5, 1.5, 3))}
        parts.append(LINK.format(i=i, mass=rng.uniform(0.5, 2), I=inertia.tolist(), **place))
        if i:
            kind = rng.choice(["revolute", "prismatic", "fixed"], p=[0.55, 0.25, 0.2])
            place = {"xyz": text_of(rng.normal(size=3)), "rpy": text_of(rng.uniform(-1.5, 1.5, 3))}
            axis = rng.normal(size=3)
            axis = axis / np.linalg.norm(axis)
            parent = int(rng.integers(max(0, i - 3), i))
            parts.append(JOINT.format(i=i, kind=kind, parent=parent, axis=text_of(axis), **place))
    return "<robot name='tree'>\n" + "\n".join(parts) + "\n</robot>"


@pytest.mark.parametrize("seed", range(6))
def test_frames_masses_and_inertias_agree(seed: int, tmp_path: Path, mechanics: Any) -> None:
    rng = np.random.default_rng(seed)
    file = tmp_path / "tree.urdf"
    file.write_text(tree(rng, 9), encoding="utf-8")
    robot = from_urdf(file)
    model = pinocchio.buildModelFromUrdf(str(file))
    data = model.createData()
    names = [joint.name for joint in robot.moving]
    order = [model.idx_qs[model.getJointId(name)] for name in names]
    assert sorted(order) == list(range(model.nq))
    q = rng.uniform(-2, 2, robot.n)
    theirs = np.zeros(model.nq)
    theirs[order] = q
    M = pinocchio.crba(model, data, theirs)
    M = np.triu(M) + np.triu(M, 1).T
    np.testing.assert_allclose(mechanics.mass_matrix(robot.table(), q), M[np.ix_(order, order)], atol=1e-9)
    pinocchio.framesForwardKinematics(model, data, theirs)
    for i in range(9):
        placed = data.oMf[model.getFrameId(f"link{i}")].homogeneous
        np.testing.assert_allclose(mechanics.tool(robot.table(f"link{i}"), q), placed, atol=1e-12)
