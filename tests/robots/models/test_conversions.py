"""The forms of a robot are one robot: Denavit-Hartenberg, modified, screws, elementary transforms."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import (
    ConversionError,
    InvalidRobot,
    RobotWarning,
    UnknownRobot,
    frames,
    from_elementary,
    from_screws,
    from_tree,
    join,
    load,
    to_dh,
    to_elementary,
    to_mdh,
    to_screws,
)
from blockdyn.robots.convert.dh import dh_rows
from blockdyn.robots.functions import fkine
from blockdyn.robots.library.catalogue import catalogue

DYNAMIC = ["puma560", "puma560akb", "stanford", "panda", "p8", "ur5", "modern_robotics_3r"]
ELEMENTARY_PUMA = (
    "Rz(q1) Rx(90deg) Rz(q2) Tx(0.4318) Rz(q3) Tz(0.15005) Tx(0.0203) Rx(-90deg) Rz(q4) Tz(0.4318)"
    " Rx(90deg) Rz(q5) Rx(-90deg) Rz(q6)"
)


def screws_again(robot: Any) -> Any:
    data = to_screws(robot)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)  # inertias that are published so
        return from_screws(data.M, data.S, Mlist=data.Mlist, Glist=data.Glist, gravity=robot.gravity)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_round_the_circle(name: str, same_robot: Callable[..., None]) -> None:
    """DH -> MDH -> screws -> DH, tool, masses and gravity the same (friction has no place in screws)."""
    robot = load(name)
    modified = to_mdh(to_dh(robot))
    dynamics = name in DYNAMIC
    same_robot(robot, modified, dynamics=dynamics)
    if robot.n <= 10:
        plain = robot
        for joint in robot.joints:
            plain = plain.with_joint(joint.name, motor_inertia=0.0)
        same_robot(plain, to_dh(screws_again(plain)), dynamics=dynamics)


@pytest.mark.parametrize("name", DYNAMIC)
def test_rows_of_a_conversion_are_rows(name: str) -> None:
    for convert, convention in ((to_dh, "standard"), (to_mdh, "modified")):
        found = dh_rows(convert(load(name)))
        assert found is not None
        assert convention in found


def test_the_puma_of_armstrong_in_standard_rows() -> None:
    """Its d2 + d3 is the shoulder offset of the standard rows, its d4 and a3 their forearm."""
    found = dh_rows(to_dh(load("puma560akb")))
    assert found is not None
    a = [row["a"] for row in found[1]]
    d = [row["d"] for row in found[1]]
    alpha = np.degrees([row["alpha"] for row in found[1]])
    assert a == pytest.approx([0, 0.4318, -0.0203, 0, 0, 0])
    assert d == pytest.approx([0, 0, 0.2435 - 0.0934, 0.4331, 0, 0])
    assert alpha == pytest.approx([-90, 0, 90, -90, 90, 0])


def test_limits_friction_and_poses_survive() -> None:
    puma = load("puma560")
    for other in (to_dh(puma), to_mdh(puma)):
        assert other.lower.tolist() == puma.lower.tolist()
        assert [j.coulomb for j in other.joints] == [j.coulomb for j in puma.joints]
        assert other.poses == puma.poses


def test_elementary_transforms_of_the_puma(mechanics: Any) -> None:
    """The transform chain that the toolbox prints for its Puma."""
    q = np.linspace(-1, 1.5, 6)
    T = mechanics.tool(load("puma560").table(), q)
    np.testing.assert_allclose(mechanics.tool(from_elementary(ELEMENTARY_PUMA).table(), q), T, atol=1e-14)


@pytest.mark.parametrize("name", ["puma560", "stanford", "jaco", "nao_left_leg", "modern_robotics_3r"])
def test_elementary_transforms_and_back(name: str, same_robot: Callable[..., None]) -> None:
    robot = load(name)
    same_robot(robot, from_elementary(to_elementary(robot)), dynamics=False)


def test_coordinates_of_elementary_transforms_may_be_negated_and_shifted(mechanics: Any) -> None:
    text = "Tz(h) Ry(90deg - q1) Tx(-q2 + a/2).Rx(q3)*Tz(2e-1)"
    robot = from_elementary(text, {"h": 0.5, "a": 0.3})
    plain = from_elementary("Tz(0.5) Ry(q1) Tx(q2) Rx(q3) Tz(0.2)")
    q = np.array([0.4, -0.2, 0.9])
    moved = np.array([np.pi / 2 - 0.4, 0.2 + 0.15, 0.9])
    np.testing.assert_allclose(
        mechanics.tool(robot.table(), q), mechanics.tool(plain.table(), moved), atol=1e-14
    )
    assert robot.structure == "RPR"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Rz(q1) Ra(q2)", "`Ra"),
        ("Rz(q2)", "q2 instead of q1"),
        ("Rz(q1) Tx(q1)", "q1 instead of q2"),
        ("Rz(2*q1)", "multiplied by 2"),
        ("Rz(q1*q1)", "two joint coordinates"),
        ("Rz(sin(q1))", "moves linearly"),
        ("Rz(q1", "not closed"),
        ("Tx(L1)", "there is no `L1`"),
        ("Tx(__import__('os'))", "a formula is made of"),
        ("Tx(1/0)", "has no value"),
    ],
)
def test_wrong_elementary_transforms(text: str, message: str) -> None:
    with pytest.raises(InvalidRobot, match=message.replace("(", r"\(").replace("*", r"\*")):
        from_elementary(text)


def test_a_tree_has_no_rows() -> None:
    tree = from_tree([{"name": "a"}, {"name": "b", "place": [1, 0, 0]}, {"name": "c", "parent": "a"}])
    for convert in (to_dh, to_mdh, to_screws, to_elementary):
        with pytest.raises(ConversionError, match="do not form a single chain from the base to the tool"):
            convert(tree)


def test_random_chains(same_robot: Callable[..., None]) -> None:
    """Skew, crossing and parallel axes, slides and turns, in any order."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        rows: list[dict[str, Any]] = []
        for i in range(5):
            place = np.eye(4)
            place[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            place[:3, :3] *= np.sign(np.linalg.det(place[:3, :3]))
            place[:3, 3] = rng.normal(size=3) * rng.integers(0, 2)
            if rng.random() < 0.3:
                place[:3, :3] = np.eye(3)
            rows.append(
                {
                    "name": f"l{i}", "place": place,
                    "kind": str(rng.choice(["revolute", "prismatic", "fixed"])),
                    "axis": np.eye(3)[rng.integers(0, 3)], "offset": float(rng.normal()),
                    "mass": 1.0, "com": rng.normal(size=3), "inertia": [0.5, 0.6, 0.7],
                }
            )  # fmt: skip
        rows.append({"name": "hand", "place": [0.1, 0.2, 0.3], "mass": 0.5})
        robot = from_tree(rows, base="Ty(1) Rx(0.3)", tool="Tx(0.1) Ry(0.7)")
        same_robot(robot, to_dh(robot))
        same_robot(robot, to_mdh(robot))
        same_robot(robot, screws_again(robot))


def test_a_robot_may_be_named() -> None:
    """As everywhere else: the name stands for the robot of the library."""
    for convert in (to_dh, to_mdh, to_elementary):
        assert convert("twolink") == convert(load("twolink"))
    np.testing.assert_array_equal(to_screws("twolink").S, to_screws(load("twolink")).S)
    np.testing.assert_array_equal(frames("twolink", [0.3, 0.4])["tool"], fkine("twolink", [0.3, 0.4]))
    assert join("planar1", "planar2") == join(load("planar1"), load("planar2"))
    with pytest.raises(UnknownRobot, match="twolink"):
        to_dh("twolinks")
