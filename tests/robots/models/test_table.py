"""The table of numbers: friction and motors at the joint, fixed joints lumped, axes turned to z."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import Joint, Link, Robot, UnknownFrame, load
from blockdyn.robots.construct.dh import from_tree
from blockdyn.robots.model import table


def test_friction_and_armature_of_the_puma_at_its_joints() -> None:
    """The values that Corke and Armstrong-Helouvry print motor-referred, times the ratio once or twice."""
    arm = load("puma560").table()
    G = 62.6111
    assert arm[0, table.VISCOUS] == pytest.approx(1.48e-3 * G**2)
    assert arm[0, table.COULOMB_PLUS] == pytest.approx(0.395 * G)
    assert arm[0, table.COULOMB_MINUS] == pytest.approx(0.435 * G)
    assert arm[0, table.ARMATURE] == pytest.approx(200e-6 * G**2)
    assert arm[1, table.LOWER] == pytest.approx(-np.pi / 4)


def test_the_table_cannot_be_written_and_is_made_once() -> None:
    puma = load("puma560")
    assert puma.table() is puma.table()
    with pytest.raises(ValueError, match="read-only"):
        puma.table()[0, 0] = 1.0


def test_inertia_is_shifted_to_the_origin_of_the_body() -> None:
    """A rod of length 2 about its end: m L^2 / 3."""
    rod = from_tree([{"name": "rod", "mass": 3.0, "com": [1, 0, 0], "inertia": [0, 1.0, 1.0]}])
    arm = rod.table()
    assert arm[0, table.MOMENT] == 3.0
    assert arm[0, table.INERTIA : table.INERTIA + 6].tolist() == [0, 4, 4, 0, 0, 0]


@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0), (0, 0, -1), (1, 2, -2), (-0.1, 0, -3)])
def test_any_axis_is_a_z_axis_turned(axis: Any, same_robot: Callable[..., None]) -> None:
    """Writing a joint's frame turned, and everything in it with it, changes nothing."""
    z = np.array(axis) / np.linalg.norm(axis)
    x = np.cross(z, [0.3, 0.5, 0.9])
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    place = "Tx(0.3) Ty(0.1) Rx(0.4)"
    body: dict[str, Any] = {"name": "a", "mass": 2.0, "com": [0.1, -0.2, 0.3], "inertia": [0.3, 0.4, 0.5]}
    tilted = from_tree([{**body, "place": place, "axis": axis}], tool=[0.5, 0, 0])
    first = np.array(tilted.joints[0].place)
    upright = from_tree([{**body, "place": first @ turn, "frame": turn.T}], tool=[0.5, 0, 0])
    same_robot(tilted, upright)


def test_fixed_joints_are_lumped(same_robot: Callable[..., None]) -> None:
    """A body made of two plates is the body that the textbook adds up."""
    plates = from_tree(
        [
            {"name": "arm", "mass": 1.0, "com": [0.5, 0, 0], "inertia": [0.0, 0.1, 0.1]},
            {"name": "plate", "kind": "fixed", "place": "Tx(1) Rz(90deg)", "mass": 3.0, "com": [0, -0.2, 0]},
            {"name": "end", "kind": "fixed", "place": [0, 0.1, 0]},
        ]
    )
    com = (1.0 * 0.5 + 3.0 * 1.2) / 4
    about = 0.1 + 1.0 * (com - 0.5) ** 2 + 3.0 * (1.2 - com) ** 2
    one = from_tree(
        [{"name": "arm", "mass": 4.0, "com": [com, 0, 0], "inertia": [0, about, about]}],
        tool="Tx(1) Rz(90deg) Ty(0.1)",
    )
    assert plates.n == 1
    same_robot(plates, one)


def test_mass_that_is_fixed_to_the_base_moves_nothing() -> None:
    robot = from_tree(
        [
            {"name": "stand", "kind": "fixed", "place": "Tz(1)", "mass": 100.0},
            {"name": "arm", "mass": 1.0, "com": [0.5, 0, 0]},
        ]
    )
    arm = robot.table()
    assert arm[0, table.MASS] == 1.0
    assert arm[0, table.PLACE_P : table.PLACE_P + 3].tolist() == [0, 0, 1]
    assert robot.table("stand")[-1, table.TIP] == -1


def test_branches_know_their_parents() -> None:
    robot = from_tree(
        [
            {"name": "torso"},
            {"name": "left", "place": "Ty(0.2)"},
            {"name": "left_hand", "kind": "fixed", "place": "Tx(0.5)"},
            {"name": "right", "parent": "torso", "place": "Ty(-0.2)", "kind": "prismatic", "axis": [1, 0, 0]},
        ],
        tip="left_hand",
    )
    assert robot.table()[:, table.PARENT].tolist() == [-1, 0, 0, 1]
    assert robot.structure == "2RP"
    assert robot.frames == ("base", "torso", "left", "left_hand", "right", "tool")


def test_an_unknown_frame_gets_the_nearest() -> None:
    with pytest.raises(UnknownFrame, match="puma560 has no frame `link 3`, did you mean `link3`"):
        load("puma560").table("link 3")


def test_robots_are_values() -> None:
    import pickle

    puma = load("puma560")
    copy = pickle.loads(pickle.dumps(puma))
    assert copy == puma
    assert hash(copy) == hash(puma)
    assert puma.with_gravity([0, 0, 0]) != puma
    assert repr(puma) == "Robot('puma560', 6R)"


def test_without_joints_a_robot_is_a_frame() -> None:
    post = Robot("post", (Joint("j", "fixed"),), (Link("top"),), tool=[0, 0, 1])
    assert post.n == 0
    assert post.table().shape == (1, table.WIDTH)


def test_flip_reverses_the_coordinate_of_a_dh_row() -> None:
    """As Link.A of the Robotics Toolbox: theta = -q + offset, or d = -q + offset."""
    from blockdyn.robots import from_dh, from_mdh, functions

    rows: list[dict[str, Any]] = [
        {"a": 0.4, "alpha": 0.7, "d": 0.1, "offset": 0.3},
        {"theta": 0.2, "offset": 0.5},
    ]
    q = np.array([0.9, -0.2])
    for make in (from_dh, from_mdh):
        plain, flipped = (make([{**row, "flip": flip} for row in rows]) for flip in (False, True))
        np.testing.assert_allclose(functions.fkine(flipped, q), functions.fkine(plain, -q), atol=1e-15)
