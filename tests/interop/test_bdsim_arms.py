"""Arms of the Robotics Toolbox where it fails: singular angles, and robots that are no DHRobot."""

from __future__ import annotations

from math import cos, pi, sin
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.interop.bdsim import from_bdsim
from blockdyn.interop.bdsim.operational import AnalyticJacobianInverse

from . import toolbox

NOMINAL = np.array([0.0, pi / 4, pi, 0.0, pi / 4, 0.0])  # qn: the tool's axis is along x, pitch 90 degrees


def at(block: bd.Block, q: Any, port: str) -> np.ndarray:
    d = bd.Diagram()
    d.add("block", block)
    d.connect(d.add("q", bd.Constant(q)), "block.q")
    return np.asarray(d.simulate(stop=1.0, times=[1.0]).final(f"block.{port}"))


@pytest.mark.parametrize("angles", ["xyz", "zyx", "euler", "exp"])
@pytest.mark.parametrize(("robot", "pinv"), [("puma560", False), ("puma560", True), ("panda", True)])
def test_the_inverse_is_that_of_the_analytic_jacobian(robot: str, pinv: bool, angles: str) -> None:
    q = np.array([0.1, -0.2, 0.3, -2.1, 0.15, 2.1, 0.7])[: 7 if robot == "panda" else 6]
    Ja = at(bd.Jacobian(robot, angles=angles), q, "J")
    inverse = at(AnalyticJacobianInverse(robot, angles=angles, pinv=pinv), q, "J_inverse")
    np.testing.assert_allclose(inverse, np.linalg.pinv(Ja), rtol=1e-9, atol=1e-10)


def test_fewer_joints_than_six_take_the_least_squares_of_the_rates() -> None:
    arm, q = bd.robots.load("planar3"), [0.3, -0.4, 0.9]
    Ja = at(bd.Jacobian(arm, angles="zyx"), q, "J")
    inverse = at(AnalyticJacobianInverse(arm, angles="zyx", pinv=True), q, "J_inverse")
    np.testing.assert_allclose(inverse, np.linalg.pinv(Ja), atol=1e-12)


@pytest.mark.parametrize("pinv", [False, True])
@pytest.mark.parametrize("angles", ["xyz", "zyx"])
def test_at_singular_angles_the_inverse_is_its_limit(angles: str, pinv: bool) -> None:
    """The translational columns are those of the geometric Jacobian, whatever the angles."""
    block = AnalyticJacobianInverse("puma560", angles=angles, pinv=pinv)
    inverse = at(block, NOMINAL, "J_inverse")
    geometric = np.linalg.inv(at(bd.Jacobian("puma560"), NOMINAL, "J"))
    np.testing.assert_allclose(inverse[:, :3], geometric[:, :3], atol=1e-12)
    step = 1e-5 * np.array([0.0, 0.0, 0.0, 0.0, 1.0, 0.0])  # of pitch alone
    near = np.linalg.inv(at(bd.Jacobian("puma560", angles=angles), NOMINAL + step, "J"))
    np.testing.assert_allclose(inverse[:, 4], near[:, 4], atol=1e-3)
    assert np.linalg.matrix_rank(inverse, tol=1e-9) == 5  # one direction of the angles is lost


def puma() -> Any:
    """The Puma 560 of Corke and Armstrong-Helouvry (1994): geometry, masses and their centres."""
    right = pi / 2
    return toolbox.DHRobot(
        (0.0, right, 0.67183, 0.0, [0.0, 0.0, 0.0]),
        (0.4318, 0.0, 0.0, 17.4, [-0.3638, 0.006, 0.2275]),
        (0.0203, -right, 0.15005, 4.8, [-0.0203, -0.0141, 0.07]),
        (0.0, right, 0.4318, 0.82, [0.0, 0.019, 0.0]),
        (0.0, -right, 0.0, 0.34, [0.0, 0.0, 0.0]), (0.0, 0.0, 0.0, 0.09, [0.0, 0.0, 0.032]),
    )  # fmt: skip


@pytest.mark.parametrize("representation", ["rpy/xyz", "rpy/zyx", "eul"])
def test_gravity_of_a_tool_at_singular_angles(sim: Any, representation: str) -> None:
    """What roboticstoolbox 1.5.0 computes, in "rpy/zyx" 1e-6 rad beside, for at the pose it loses digits.

    In "eul" the pose is regular.
    """
    diagram = sim.blockdiagram()
    options = {"robot": puma(), "representation": representation, "gravity": None}
    load = toolbox.block(diagram, "Gravload_X", diagram.CONSTANT(NOMINAL), **options)
    imported = from_bdsim(diagram)
    out = imported.simulate(0.1, watch=[load])
    assert imported.opaque(0.1) == ()
    expected = [-30.12182206, 7.579667174, 53.73777474, 0.0, -0.0282528, 0.0]
    np.testing.assert_allclose(out.y[-1], expected, atol=2e-8)


def test_inertia_of_a_tool_whose_orientation_is_that_of_the_world(sim: Any) -> None:
    """The rates of a rotation vector of 0 are the angular velocity; the toolbox divides by 0."""
    q = np.array([0.0, pi / 2, -pi / 2, 0.0, 0.4, -0.1])
    turned = puma()
    pose = at(bd.FKine("puma560"), q, "T")
    from spatialmath import SE3

    turned.base = SE3(pose).inv()
    diagram = sim.blockdiagram()
    felt = [
        toolbox.block(diagram, "Inertia_X", diagram.CONSTANT(q), robot=turned, representation=name, pinv=True)
        for name in ("exp", None)
    ]
    out = from_bdsim(diagram).simulate(0.1, watch=felt)
    rotation_vector, geometric = out.data[".ywatch"]
    np.testing.assert_allclose(rotation_vector[-1], geometric[-1], rtol=1e-9, atol=1e-9)


def reached(a: float, b: float) -> Any:
    """The pose of a planar arm of two links of 1 m, 0.5 m above its base at x = 2."""
    from spatialmath import SE3

    return SE3(2.0 + cos(a) + cos(a - b), sin(a) + sin(a - b), 0.5) * SE3.Rz(a - b)


def planar() -> Any:
    from spatialmath import SE3

    terms = ("tz", 0.5), ("Rz", "q1"), ("tx", 1.0), ("Rz", "-q2"), ("tx", 1.0)
    return toolbox.Chain(*terms, base=SE3(2.0, 0.0, 0.0))


def test_a_robot_of_elementary_transforms_is_searched_here(sim: Any) -> None:
    robot = planar()
    diagram = sim.blockdiagram()
    options = {"robot": robot, "q0": [0.1, 0.5], "ik": robot.ikine_LM, "args": {}, "seed": 0}
    found = toolbox.block(diagram, "IKine", diagram.CONSTANT(reached(0.3, 0.8)), **options)
    shown = toolbox.block(diagram, "FKine", diagram.CONSTANT(np.array([0.3, 0.8])), robot=robot, args={})
    imported = from_bdsim(diagram)
    q, T = imported.simulate(0.1, watch=[found, shown]).data[".ywatch"]
    assert imported.opaque(0.1) == ()
    np.testing.assert_allclose(q[-1], [0.3, 0.8], atol=1e-9)
    np.testing.assert_allclose(T[-1].reshape(4, 4), reached(0.3, 0.8).A, atol=1e-14)


def test_a_search_of_ones_own_begins_at_q0_every_time(sim: Any) -> None:
    """Its `start` takes no state, as IKINE's of roboticstoolbox 1.5.0, and is not called."""
    starts = []

    def search(T: Any, q0: Any = None, seed: Any = None, turns: int = 0) -> Any:
        starts.append(list(q0))
        q = np.array([2.0 * pi * turns, T.t[0]])
        return SimpleNamespace(q=q, success=True, reason="")

    diagram = sim.blockdiagram()
    options = {"robot": planar(), "q0": [0.1, 0.5], "ik": search, "args": {"turns": 1}, "seed": 0}
    found = toolbox.block(diagram, "IKine", diagram.CONSTANT(reached(0.3, 0.8)), **options)
    type(found).start = lambda self: None
    imported = from_bdsim(diagram)
    out = imported.simulate(0.1, watch=[found])
    assert imported.opaque(0.1) == (found.name,)
    np.testing.assert_allclose(out.y[-1], [2.0 * pi, reached(0.3, 0.8).t[0]])
    assert all(start == [0.1, 0.5] for start in starts)


def test_a_robot_with_branches_is_left_to_its_own_search(sim: Any) -> None:
    robot = toolbox.Chain(("Rz", "q1"), ("tx", 1.0), ("Rz", "q3"))  # its second joint is on another branch

    def search(T: Any, **_: Any) -> Any:
        return SimpleNamespace(q=np.zeros(2), success=False, reason="out of reach")

    diagram = sim.blockdiagram()
    options = {"robot": robot, "q0": None, "ik": search, "args": {}, "seed": 0}
    found = toolbox.block(diagram, "IKine", diagram.CONSTANT(reached(0.3, 0.8)), **options)
    with pytest.raises(bd.BlockdynError, match="out of reach"):
        from_bdsim(diagram).simulate(0.1, watch=[found])
