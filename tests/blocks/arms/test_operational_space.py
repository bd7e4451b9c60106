"""OperationalSpace: motion and force of the tool, against the closed forms of the law."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots import load

SMOOTH = {"name": "puma560", "without_friction": True}
QN = load("puma560").named["qn"]


def hybrid(start: np.ndarray, target: np.ndarray, **parameters: object) -> bd.Diagram:
    d = bd.Diagram("hybrid")
    control = d.add("control", bd.OperationalSpace(SMOOTH, **parameters))  # type: ignore[arg-type]
    arm, pose = d.add("arm", bd.FDyn(SMOOTH, q0=start)), d.add("pose", bd.FKine(SMOOTH))
    for name in ("q", "qd"):
        d.connect(arm[name], control[name])
    d.connect(d.add("target", bd.Constant(target)), control["T_ref"])
    d.connect(control, arm["tau"])
    d.connect(arm["q"], pose)
    return d


def start_pose() -> np.ndarray:
    d = bd.Diagram("start")
    d.connect(d.add("q", bd.Constant(QN)), d.add("pose", bd.FKine(SMOOTH)))
    return np.asarray(d.simulate(stop=1.0).final("pose"))


def test_the_tool_moves_along_a_line_as_a_damped_mass() -> None:
    """d'' + 2 p d' + p2 d = 0 from rest: d = d0 (1 + p t) exp(-p t), and nothing turns."""
    home, p, d0 = start_pose(), 4.0, np.array([0.1, 0.2, 0.05])
    target = home.copy()
    target[:3, 3] += d0
    times = np.linspace(0.0, 2.0, 9)
    r = hybrid(QN, target, Kp=p**2, Kv=2 * p).simulate(stop=2.0, times=times, rtol=1e-9, atol=1e-11)
    left = target[:3, 3] - r["pose"].values[:, :3, 3]
    np.testing.assert_allclose(left, np.outer((1 + p * times) * np.exp(-p * times), d0), atol=1e-7)
    np.testing.assert_allclose(r["pose"].values[:, :3, :3] - home[:3, :3], 0.0, atol=1e-7)


def test_the_tool_turns_to_its_target() -> None:
    """A turn of 0.6 rad about the world's z, from rest: the whole angle is the error, and it vanishes."""
    home = start_pose()
    c, s = np.cos(0.6), np.sin(0.6)
    target = home.copy()
    target[:3, :3] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ home[:3, :3]
    r = hybrid(QN, target, Kp=25.0, Kv=10.0).simulate(stop=4.0, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(r.final("pose"), target, atol=1e-6)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_force_on_a_wall(compiled: bool) -> None:
    """Down onto a springy floor of 1 kN/m under the tool: the floor feels what it is to feel."""
    home = start_pose()
    d = hybrid(QN, home, Kp=100.0, Kv=20.0, Kf=2.0, Kvf=40.0, motion=[1, 1, 0, 1, 1, 1])
    floor = home[2, 3]
    up = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    place = d.add("place", bd.PoseToXYZ())
    depth = d.add("depth", bd.MatrixGain(np.outer(up, [0.0, 0.0, 1.0])))
    d.connect("pose", place, depth)
    push = d.add("push", bd.Gain(-1000.0))
    d.connect(depth - floor * up, push, "arm.wrench")
    d.connect(d.add("force", bd.Gain(-1.0)), "control.force")
    d.connect("push", "force")
    d.connect(d.add("wanted", bd.Constant(-5.0 * up)), "control.force_ref")
    stop = 3.0 if compiled else 0.05
    r = d.simulate(stop=stop, rtol=1e-8, atol=1e-10, compiled=compiled)
    if compiled:
        np.testing.assert_allclose(r.final("force"), -5.0 * up, atol=1e-4)
        np.testing.assert_allclose(r.final("pose")[:2, 3], home[:2, 3], atol=1e-6)
    else:
        native = d.simulate(stop=stop, rtol=1e-8, atol=1e-10)
        np.testing.assert_array_equal(r.final("arm.q"), native.final("arm.q"))


def test_directions_are_checked() -> None:
    with pytest.raises(bd.ParameterError, match="six numbers, 0 or 1"):
        bd.OperationalSpace("puma560", Kp=1.0, Kv=1.0, motion=[1, 1, 1])
    with pytest.raises(bd.ParameterError, match="a 3 x 3 rotation matrix"):
        bd.OperationalSpace("puma560", Kp=1.0, Kv=1.0, axes=[[1, 0, 0], [0, 1, 0], [0, 0, 2]])
