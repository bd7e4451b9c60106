"""Derivatives by the numbers of arms and multirotors, which are those that they have."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

ARM = """
blockdyn: 1
parameters: {load: 0.7}
blocks:
  q: {type: Constant, value: [0.3, 0.5]}
  weight:
    type: Gravload
    robot: {name: twolink, links: {link1: {inertia: [2, 2, 3]}}, payload: {mass: =load, at: [0.1, 0, 0]}}
wires: [q -> weight]
"""


@pytest.mark.parametrize("path", ["load", "weight.robot.payload.mass"])
def test_a_load_that_an_arm_carries_by_its_mass(path):
    """tau1 = ... + m g (l1 cos q1 + (l2 + a) cos(q1 + q2)), linear in m."""
    s = loads(ARM).sensitivities(path, "weight", [0.1])
    arms = np.cos(0.3) + 1.1 * np.cos(0.8), 1.1 * np.cos(0.8)
    assert s.values == {path: 0.7}
    np.testing.assert_allclose(s["weight", path][0], 9.81 * np.array(arms), rtol=1e-10)


def set_again(diagram, signal, paths):
    diagram.log(signal)
    numbers = diagram.sensitivities(paths, signal, [0.1]).values
    before, after = (diagram.simulate(stop=0.1, set=by_path) for by_path in ({}, numbers))
    np.testing.assert_allclose(after.final(signal), before.final(signal), rtol=1e-12)


def test_the_numbers_of_an_arm_are_those_that_it_has():
    """Set once more, they change nothing."""
    keys = [
        "payload.at[0]", "payload.inertia.xx", "links.link2.mass", "links.link1.inertia.yy",
        "links.link1.inertia[0,1]", "gravity[2]", "joints.joint2.viscous",
    ]  # fmt: skip
    set_again(loads(ARM), "weight", [f"weight.robot.{key}" for key in keys])


def test_the_numbers_of_a_multirotor_are_those_that_it_has():
    keys = [
        "rotor.thrust", "rotor.time_up", "mass", "inertia.xx", "inertia[1,1]", "linear_drag[0]", "arms",
        "air_density", "payload.mass",
    ]  # fmt: skip
    set_again(bd.load("quadrotor"), "quadrotor.position", [f"quadrotor.vehicle.{key}" for key in keys])
