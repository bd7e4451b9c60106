"""Limits, wrists and dependent joints; poses between frames, and of robots written as text."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import UnknownFrame, UnknownRobot, from_elementary, functions as of, load
from blockdyn.robots.mechanics.errors import WrongSize

PI = np.pi
PUMA = (
    "Rz(q1) Rx(90deg) Rz(q2) Tx(0.4318) Rz(q3) Tz(0.15005) Tx(0.0203) Rx(-90deg)"
    " Rz(q4) Tz(0.4318) Rx(90deg) Rz(q5) Rx(-90deg) Rz(q6)"
)


def test_limits_of_the_puma() -> None:
    low, high = np.radians([-160, -45, -225, -110, -100, -266]), np.radians([160, 225, 45, 170, 100, 266])
    np.testing.assert_array_equal(of.islimit("puma560", (low + high) / 2), 0)
    np.testing.assert_array_equal(of.islimit("puma560", [low - 0.01, high + 0.01]), [[-1] * 6, [1] * 6])
    np.testing.assert_array_equal(
        of.islimit("puma560", np.radians([0, -46, 0, 171, 0, 0])), [0, -1, 0, 1, 0, 0]
    )
    np.testing.assert_array_equal(of.islimit("planar2", [1e9, -1e9]), 0)
    with pytest.raises(WrongSize, match=r"\(6,\)"):
        of.islimit("puma560", [0, 0])
    with pytest.raises(WrongSize, match="nan"):
        of.islimit("puma560", [0, 0, 0, 0, 0, np.nan])


@pytest.mark.parametrize(
    ("name", "spherical"),
    [("puma560", True), ("stanford", True), ("kr5", True), ("irb140_mdh", True), ("p8", True),
     ("ur5", False), ("panda", False), ("jaco", False), ("planar3", False), ("planar2", False)],
)  # fmt: skip
def test_spherical_wrists(name: str, spherical: bool) -> None:
    assert of.isspherical(name) is spherical


def test_axes_that_meet_need_not_be_at_right_angles() -> None:
    hollow = from_elementary("Rz(q1) Tx(1) Rz(q2) Rx(0.3) Rz(q3) Ry(-0.4) Rz(q4) Tz(0.2)")
    assert of.isspherical(hollow)
    assert not of.isspherical(from_elementary("Rz(q1) Tx(1) Rz(q2) Rx(0.3) Rz(q3) Tx(0.01) Ry(0.4) Rz(q4)"))
    assert not of.isspherical(from_elementary("Tx(1) Rz(q1) Rz(q2) Rz(q3)"))


def test_joint_six_of_the_puma_repeats_joint_four() -> None:
    """Corke, Robotics, Vision and Control (2011), section 8.1.4: in the pose qr, q6 depends on q4."""
    puma = load("puma560")
    dependent = of.jsingu(of.jacobian(puma, puma.named["qr"]))
    assert dependent.keys() == {5}
    assert dependent[5] == {3: pytest.approx(1.0)}
    assert of.jsingu(of.jacobian(puma, puma.named["qn"])) == {}


def test_dependent_columns_of_a_plain_matrix() -> None:
    J = np.array([[1.0, 2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1e-3, 2e-3, 0.0]])
    found = of.jsingu(J)
    assert found[1] == {0: pytest.approx(2.0)}
    assert found[3] == {0: pytest.approx(1.0), 2: pytest.approx(2.0)}
    assert found[4] == {}  # a joint that moves nothing
    assert found.keys() == {1, 3, 4}


def test_one_row_of_a_denavit_hartenberg_table() -> None:
    """A = Rz(theta) Tz(d) Tx(a) Rx(alpha), row 3 of the Puma: d 0.15005, a 0.0203, alpha -90 degrees."""
    theta = 0.7
    c, s = np.cos(theta), np.sin(theta)
    expected = [[c, 0, -s, 0.0203 * c], [s, 0, c, 0.0203 * s], [0, -1, 0, 0.15005], [0, 0, 0, 1]]
    q = np.array([0.4, -1.1, theta, 2.0, 0.5, 1.0])
    np.testing.assert_allclose(of.relative_pose("puma560", q, of="link3", to="link2"), expected, atol=1e-15)
    moved = load("puma560").with_base("Tx(2) Ry(40deg)")
    np.testing.assert_allclose(of.relative_pose(moved, q, of="link3", to="link2"), expected, atol=1e-14)
    np.testing.assert_allclose(of.relative_pose(moved, q), of.fkine("puma560", q), atol=1e-14)
    rows = of.relative_pose(moved, [q, 0 * q], of="link3", to="link2")
    np.testing.assert_allclose(rows[0], expected, atol=1e-14)
    with pytest.raises(UnknownFrame, match="link7"):
        of.relative_pose("puma560", q, of="link7")
    with pytest.raises(UnknownRobot, match="puma560"):
        of.relative_pose("puma561", q)


def test_a_chain_of_elementary_transforms() -> None:
    q = np.array([0.4, -1.1, 0.7, 2.0, 0.5, 1.0])
    np.testing.assert_allclose(of.trchain(PUMA, q), of.fkine("puma560", q), rtol=0, atol=1e-14)
    expected = [[0, 0, 1, 3], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(of.trchain("Tx(a) Ry(90deg)", a=3.0), expected, rtol=0, atol=0)
