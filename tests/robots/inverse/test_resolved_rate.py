"""Joint rates that move the tool as wanted, and arms given by their names."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import UnknownRobot, functions, load
from blockdyn.robots.inverse import (
    InvalidTask,
    form_of,
    ikine,
    ikine_all,
    ikine_closed,
    ikine_path,
    resolved_rate,
)
from blockdyn.robots.mechanics.errors import MechanicsError, WrongSize

V = np.array([0.1, -0.2, 0.05, 0.3, 0.1, -0.4])


@pytest.mark.parametrize("frame", ["world", "body", "space"])
def test_the_tool_moves_as_wanted_by_the_shortest_rates(frame: str) -> None:
    for name, q in (("puma560", "qn"), ("panda", "qr")):
        robot = load(name)
        J = functions.jacobian(robot, robot.named[q], frame=frame)  # type: ignore[arg-type]
        qd = resolved_rate(robot, robot.named[q], V, frame=frame)  # type: ignore[arg-type]
        np.testing.assert_allclose(J @ qd, V, rtol=0, atol=1e-13)
        rest = np.linalg.svd(J)[2][6:]
        np.testing.assert_allclose(rest @ qd, 0, atol=1e-13)  # nothing along the self-motion


def test_two_links_in_closed_form() -> None:
    """v = (-sin q1 - sin q12, -sin q12; cos q1 + cos q12, cos q12) qd for unit links."""
    q1, q2 = 0.3, 1.1
    s, c, s12, c12 = np.sin(q1), np.cos(q1), np.sin(q1 + q2), np.cos(q1 + q2)
    qd = resolved_rate("planar2", [q1, q2], [0.3, -0.1, 0, 0, 0, 0], mask=(1, 1, 0, 0, 0, 0))
    np.testing.assert_allclose([[-s - s12, -s12], [c + c12, c12]] @ qd, [0.3, -0.1], rtol=0, atol=1e-15)


def test_a_part_leaves_the_other_free() -> None:
    puma = load("puma560")
    q = puma.named["qn"]
    J = functions.jacobian(puma, q, frame="body")
    for part, rows in (("trans", slice(3)), ("rot", slice(3, 6))):
        qd = resolved_rate(puma, q, V[rows], part=part, frame="body")  # type: ignore[arg-type]
        np.testing.assert_allclose(qd, np.linalg.pinv(J[rows]) @ V[rows], rtol=0, atol=1e-13)
    with pytest.raises(MechanicsError, match=r"0\.0, 0\.0, 0\.0, 1\.0, 0\.0, 0\.0"):  # its axes are along y
        resolved_rate("twolink", [0.3, 0.4], [1, 0, 0], part="rot", mask=[1, 0, 0])
    with pytest.raises(WrongSize, match="one of all, trans, rot"):
        resolved_rate(puma, q, V, part="linear")  # type: ignore[arg-type]


def test_singular_poses_need_damping() -> None:
    puma, radial = load("puma560"), np.array([1.0, 0, 0, 0, 0, 0])
    with pytest.raises(MechanicsError, match="or some damping"):
        resolved_rate(puma, puma.named["qs"], radial)
    for damping in (0.1, 0.01):
        qd = resolved_rate(puma, puma.named["qs"], radial, damping=damping)
        assert np.linalg.norm(qd) <= 1 / (2 * damping)
    with pytest.raises(InvalidTask, match="damping"):
        resolved_rate(puma, puma.named["qn"], V, damping=-1.0)


def test_arms_are_known_by_their_names() -> None:
    puma = load("puma560")
    q = np.array([0.1, 0.7, -0.5, 0.4, 0.8, -0.2])
    T = functions.fkine("puma560", q)
    np.testing.assert_array_equal(form_of("puma560").numbers, form_of(puma).numbers)
    np.testing.assert_array_equal(ikine("puma560", T, q).q, ikine(puma, T, q).q)
    np.testing.assert_array_equal(ikine_path("puma560", [T, T])[1].q, ikine_path(puma, [T, T])[1].q)
    np.testing.assert_array_equal(ikine_closed("puma560", T).q, ikine_closed(puma, T).q)
    assert len(ikine_all("puma560", T)) == 8
    with pytest.raises(UnknownRobot, match="did you mean `puma560`"):
        ikine("puma56", T)
