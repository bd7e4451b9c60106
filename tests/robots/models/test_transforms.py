"""Robots changed: payload, wrong masses, no friction, other gravity, base, tool, links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blockdyn.robots import InvalidRobot, Joint, Link, Robot, load
from blockdyn.robots.model import table


def test_a_payload_is_a_body_welded_on(same_robot: Callable[..., None]) -> None:
    puma = load("puma560")
    block = {"mass": 2.0, "com": (0.02, 0.0, 0.1), "inertia": (0.01, 0.012, 0.004)}
    welded = Robot(
        "welded",
        (*puma.joints, Joint("weld", "fixed", "link6")),
        (*puma.links, Link("block", **block)),
        tip="link6",
    )
    same_robot(puma.payload(2.0, (0.02, 0.0, 0.1), (0.01, 0.012, 0.004)), welded)


def test_a_payload_adds_to_the_last_link() -> None:
    """Parallel axis theorem by hand: 0.09 kg at 0.032 m and 2 kg at 0.1 m on one line."""
    link = load("puma560").payload(2.0, [0, 0, 0.1]).link("link6")
    com = (0.09 * 0.032 + 2 * 0.1) / 2.09
    across = 0.15e-3 + 0.09 * 2.0 / 2.09 * (0.1 - 0.032) ** 2
    assert link.mass == pytest.approx(2.09)
    assert link.com == pytest.approx((0, 0, com))
    assert np.diag(link.inertia) == pytest.approx([across, across, 0.04e-3])


def test_a_payload_in_the_frame_of_the_tool(same_robot: Callable[..., None]) -> None:
    puma = load("puma560").with_tool("Tz(0.2) Rx(90deg)")
    same_robot(
        puma.payload(1.0, [0, 0, 0.1], [1, 2, 3], frame="tool"), puma.payload(1.0, [0, -0.1, 0.2], [1, 3, 2])
    )


def test_payloads_add_up() -> None:
    puma = load("puma560")
    once = puma.payload(3.0, [0.1, 0, 0])
    twice = puma.payload(1.0, [0.1, 0, 0]).payload(2.0, [0.1, 0, 0])
    np.testing.assert_allclose(twice.table(), once.table(), atol=1e-15)


@pytest.mark.parametrize("name", ["stanford", "panda", "puma560"])
def test_perturbed_numbers_stay_within_the_fraction_and_physical(name: str) -> None:
    robot = load(name)
    for seed in range(20):
        for link, wrong in zip(robot.links, robot.perturb(0.3, seed).links):
            before, after = (np.linalg.eigvalsh(np.array(k.inertia)) for k in (link, wrong))
            assert abs(wrong.mass - link.mass) <= 0.3 * link.mass + 1e-15
            assert np.all(np.abs(after - before) <= 0.3 * before + 1e-12)
            assert wrong.com == link.com
            if before[2] <= before[0] + before[1]:
                assert after[2] <= after[0] + after[1] + 1e-12


def test_perturbation_is_a_function_of_the_seed() -> None:
    puma = load("puma560")
    assert puma.perturb(0.1, 7) == puma.perturb(0.1, 7)
    assert puma.perturb(0.1, 7) != puma.perturb(0.1, 8)
    assert puma.perturb(0.0, 7).table() == pytest.approx(puma.table())
    masses = [[link.mass for link in puma.perturb(0.1, 7, com=com).links] for com in (False, True)]
    assert masses[0] == masses[1]  # the centres are drawn apart from the masses
    smaller, larger = (puma.perturb(f, 7).link("link2").mass - 17.4 for f in (0.1, 0.2))
    assert larger == pytest.approx(2 * smaller)


def test_draws_are_spread_over_the_whole_range() -> None:
    ratios = [load("puma560").perturb(0.1, seed).link("link2").mass / 17.4 for seed in range(300)]
    assert min(ratios) == pytest.approx(0.9, abs=0.003)
    assert max(ratios) == pytest.approx(1.1, abs=0.003)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.01)


def test_friction_is_taken_away_by_kind() -> None:
    puma = load("puma560")
    viscous, plus = table.VISCOUS, table.COULOMB_PLUS
    for robot, kept in (
        (puma.without_friction(), ()),
        (puma.without_friction("coulomb"), (viscous,)),
        (puma.without_friction("viscous"), (plus, table.COULOMB_MINUS)),
    ):
        for column in (viscous, plus, table.COULOMB_MINUS):
            expected = puma.table()[:6, column] if column in kept else np.zeros(6)
            assert robot.table()[:6, column].tolist() == expected.tolist()
        assert robot.table()[:6, table.ARMATURE].tolist() == puma.table()[:6, table.ARMATURE].tolist()


def test_gravity_base_and_tool(mechanics: Any) -> None:
    puma = load("puma560")
    hung = puma.with_base("Tz(2) Rx(180deg)").with_tool([0, 0, 0.1]).with_gravity([0, 0, -1.62])
    assert hung.table()[-1, table.GRAVITY : table.GRAVITY + 3].tolist() == [0, 0, -1.62]
    q = puma.named["qn"]
    plain, turned = mechanics.tool(puma.table(), q), mechanics.tool(hung.table(), q)
    end = plain[:3, 3] + 0.1 * plain[:3, 2]
    assert turned[:3, 3].tolist() == pytest.approx([end[0], -end[1], 2 - end[2]])


def test_links_and_joints_are_replaced_one_by_one() -> None:
    puma = load("puma560")
    other = puma.with_link("link2", mass=10.0).with_joint("joint3", upper=1.0)
    assert other.link("link2").mass == 10.0
    assert other.link("link2").com == puma.link("link2").com
    assert other.upper[2] == 1.0
    assert puma.link("link2").mass == 17.4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.payload(-1.0), "payload, mass: found -1 kg"),
        (lambda r: r.payload(1.0, [0, 0]), "payload, at"),
        (lambda r: r.payload(1.0, frame="link2"), "tool, or the link `link6`"),
        (lambda r: r.perturb(1.0, 1), "at least 0 and below 1"),
        (lambda r: r.perturb(0.1, -1), "an integer, at least 0"),
        (lambda r: r.perturb(0.1, 1.5), "a whole number"),
        (lambda r: r.without_friction("static"), "coulomb or viscous"),
        (lambda r: r.with_gravity(9.81), "3 finite numbers"),
    ],
)
def test_wrong_changes_are_refused(change: Callable[[Robot], Robot], message: str) -> None:
    with pytest.raises(InvalidRobot, match=message):
        change(load("puma560"))
