"""The library: the robots of the toolbox manual and of the studies, as data that says where it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import UnknownRobot, from_file, load
from blockdyn.robots.library.catalogue import catalogue, document

# the arms and limbs of the manual (9.10), and those that 10.4 added
MANUAL = {
    "3link3d", "ball", "baxter_left", "baxter_right", "coil", "fanuc10l", "hyper2d", "hyper3d", "irb140",
    "irb140_mdh", "jaco", "kr5", "m16", "mico", "motomanhp6", "nao_left_arm", "nao_left_leg", "nao_right_arm",
    "nao_right_leg", "offset3", "offset6", "onelink", "p8", "phantomx", "planar1", "planar2", "planar3",
    "puma560", "puma560akb", "s4abb2p8", "simple6", "stanford", "stanford_mdh", "twolink", "twolink_mdh",
}  # fmt: skip
LATER = {"lwr4", "cobra600", "panda", "sawyer", "ur3", "ur5", "ur10"}


def test_it_holds_the_arms_of_the_manual_and_those_of_its_later_edition() -> None:
    assert set(catalogue()) >= MANUAL | LATER


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_file_is_a_robot_with_a_source(name: str) -> None:
    robot = load(name)  # warnings are errors here
    values = document(name).values
    assert robot.name == name
    assert robot.source
    assert robot.title
    assert values.get("keywords")
    assert all(q.shape == (robot.n,) for q in robot.named.values())
    assert "qz" in robot.named
    assert robot.table().shape[0] == robot.n + 1
    if robot.has_dynamics:
        assert all(link.mass > 0 or np.any(link.inertia) for link in robot.links if name != "p8")
    else:
        assert "Kinematics only" in robot.notes


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_named_poses_lie_within_the_limits(name: str) -> None:
    """But for whole turns (joint 3 of the Puma at qn: 180 degrees stands for -180), and for the zero pose."""
    robot = load(name)
    turn = np.array([2 * np.pi if joint.kind == "revolute" else 0.0 for joint in robot.moving])
    for pose, q in robot.named.items():
        inside = [(x >= robot.lower - 1e-12) & (x <= robot.upper + 1e-12) for x in (q, q - turn, q + turn)]
        assert pose == "qz" or np.any(inside, axis=0).all(), pose


def test_parameters_of_a_family() -> None:
    assert load("hyper3d", n=25).n == 25
    assert load("ball", n=4).named["q"].tolist() == pytest.approx([1, -2 / 3, 1, 1])
    assert load("ball").named["q"][[8, 26, 5]].tolist() == pytest.approx(
        [1, 1, -2 / 3]
    )  # 9, 27: as 1; 6: as 2
    assert load("coil", n=20).named["q"][3] == pytest.approx(np.pi / 2)


def test_a_hyper_redundant_chain_is_one_metre_long(mechanics: Any) -> None:
    for n in (3, 10, 40):
        tool = mechanics.tool(load("hyper2d", n=n).table(), np.zeros(n))
        assert tool[:3, 3].tolist() == pytest.approx([1, 0, 0])


def test_a_wrong_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownRobot, match="there is no robot `Puma650`, did you mean `puma560`") as caught:
        load("Puma650")
    assert "planar3" in str(caught.value)


def test_a_copied_file_is_the_same_robot(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(catalogue()["puma560"].read_text(encoding="utf-8"), encoding="utf-8")
    assert from_file(path) == load("puma560")
