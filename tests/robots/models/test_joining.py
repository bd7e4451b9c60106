"""One robot on the end of another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from blockdyn.robots import InvalidRobot, Joint, Link, Robot, frames, from_dh, join, load


def test_a_puma_on_an_xy_base_is_the_p8(same_robot: Callable[..., None]) -> None:
    """Corke, Robotics, Vision and Control (2011), section 7.3.4: the arm on a base of two slides."""
    half = np.pi / 2
    slides = from_dh(
        [{"kind": "prismatic", "alpha": -half}, {"kind": "prismatic", "theta": -half, "alpha": half}],
        base="Ry(90deg)",
    )
    built = join(slides, load("puma560").with_base("Tz(0.762)"), name="p8")
    assert [joint.name for joint in built.joints] == [f"joint{k}" for k in range(1, 9)]
    assert built.structure == "2P6R"
    same_robot(built, load("p8"))


def test_tools_and_bases_between_are_kept() -> None:
    first = load("planar2").with_tool("Tz(0.2) Rx(30deg)").with_base("Ty(1)")
    second = load("3link3d").with_base("Tx(-0.3)").with_tool("Rz(20deg)")
    both = join(first, second)
    q = np.array([0.3, -0.8, 1.2, 0.4, -0.7])
    expected = frames(first, q[:2])["tool"] @ frames(second, q[2:])["tool"]
    np.testing.assert_allclose(frames(both, q)["tool"], expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(frames(both, q)["link1"], frames(first, q[:2])["link1"], rtol=0, atol=0)


def test_names_stay_apart() -> None:
    hand = Robot("hand", (Joint("grip", "prismatic"),), (Link("finger", 0.1),))
    once = join(hand, hand)
    assert [link.name for link in once.links] == ["finger", "hand.finger"]
    with pytest.raises(InvalidRobot, match=r"hand\.finger"):
        join(once, hand)


def test_a_robot_without_joints_is_a_tool() -> None:
    plate = Robot("plate", (), (), base="Tx(0.1)", tool="Tz(0.5)")
    assert join(load("planar2"), plate).n == 2
    T = frames(join(load("planar2"), plate), [0.0, 0.0])["tool"]
    np.testing.assert_allclose(T[:3, 3], [2.1, 0, 0.5], rtol=0, atol=1e-15)
