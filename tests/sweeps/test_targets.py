"""What the value of an axis means: which number of the diagram it takes the place of."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.blocks.contract.block import Block
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.values.overrides import overrides
from blockdyn.diagrams.values.target import Overrides
from blockdyn.diagrams.values.view import View
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.declare.acceptance import resolve

TEXT = """\
blockdyn: 1
parameters: {kp: 2.0, gains: [1, 2, 3], twice: =2*kp, g: 9.81}
blocks:
  a:     {type: Constant, value: "=[kp, 10, twice]"}
  b:     {type: Constant, value: "=kp*[1,1,1]"}
  c:     {type: Gain, k: =gains}
  x:     {type: Integrator, initial: [1, 2, 3]}
  sub:
    type: Subsystem
    parameters: {inertia: =kp}
    diagram:
      parameters: {inertia: 1.0, weights: "=inertia*[1, 2]", bare: 5}
      blocks:
        u: {type: Inport}
        m: {type: Constant, value: =weights}
        n: {type: Constant, value: =bare}
  still: {type: Constant, value: [0, 0]}
  arm:
    type: FDyn
    robot: {name: puma560, payload: {mass: =kp, at: [0, 0, 0.1]}, gravity: "=[0, 0, -g]"}
    pose: qn
  model: {type: Gravload, robot: puma560}
  loop:  {type: Constant, value: [0, 0, 0, 0, 0, 0]}
wires:
  - a -> c -> x
  - loop -> [arm.tau, model]
  - still -> sub.u
simulate: {stop: 0.1, method: rk4, step: 0.01}
"""


def meant(values: dict[str, Any], diagram: Diagram | None = None) -> tuple[dict[str, Block], Overrides]:
    """The blocks of the diagram with these values by path, and what was overridden."""
    diagram = diagram or loads(TEXT)
    view = View(diagram)
    targets = {path: resolve(view, path) for path in values}
    given = overrides(targets, values)
    flat = flatten(diagram, given.parameters, given.set)
    return {block.path: block.block for block in flat.blocks}, given


def value(values: dict[str, Any], block: str, name: str = "value") -> Any:
    return np.asarray(getattr(meant(values)[0][block], name)).tolist()


def model(values: dict[str, Any], block: str = "arm", diagram: Diagram | None = None) -> Any:
    return meant(values, diagram)[0][block].model  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("values", "block", "name", "expected"),
    [
        ({"kp": 7.0}, "a", "value", [7, 10, 14]),
        ({"gains[1]": 7.0}, "c", "k", [1, 7, 3]),
        ({"gains": [4, 5, 6], "gains[1]": 7.0}, "c", "k", [4, 7, 6]),
        ({"a.value[1]": 5.0}, "a", "value", [2, 5, 4]),
        ({"a.value[1]": 5.0, "kp": 3.0}, "a", "value", [3, 5, 6]),
        ({"b.value[0]": 5.0, "kp": 3.0}, "b", "value", [5, 3, 3]),
        ({"a.value": "=[kp, 0, 0]", "a.value[2]": 8.0}, "a", "value", [2, 0, 8]),
        ({"c.k[0]": -1.0, "c.k[2]": -3.0}, "c", "k", [-1, 2, -3]),
        ({"sub.inertia": 4.0}, "sub/m", "value", [4, 8]),
        ({"kp": 4.0}, "sub/m", "value", [4, 8]),
        ({"sub.weights[1]": 1.0, "kp": 4.0}, "sub/m", "value", [4, 1]),
        ({"sub/m.value[0]": 9.0, "sub.inertia": 3.0}, "sub/m", "value", [9, 6]),
        ({"sub.bare": 6.0}, "sub/n", "value", 6),
        ({"x.initial[2]": 0.5}, "x", "initial", [1, 2, 0.5]),
    ],
)
def test_numbers_take_the_place_of_numbers(
    values: dict[str, Any], block: str, name: str, expected: Any
) -> None:
    assert value(values, block, name) == expected


def test_an_initial_state_is_given_whole_with_its_element_replaced() -> None:
    assert meant({"x.x[1]": 9.0})[1].initial == {"x.x": [1, 9, 3]}
    assert meant({"x.x[1]": 9.0, "x.initial[0]": 5.0})[1].initial == {"x.x": [5, 9, 3]}
    assert meant({"x.x": [7, 8, 9]})[1].initial == {"x.x": [7, 8, 9]}
    qn = robots.load("puma560").named["qn"].tolist()
    assert meant({"arm.position[0]": 0.25})[1].initial["arm.position"] == [0.25, *qn[1:]]


def test_settings_of_the_run_keep_their_kinds() -> None:
    found = meant({"simulate.seed": 3.0, "simulate.step": 0.02, "simulate.method": "heun"})[1].simulate
    assert found == {"seed": 3, "step": 0.02, "method": "heun"}
    assert type(found["seed"]) is int


def test_options_that_count_get_whole_numbers() -> None:
    diagram = loads(
        "blockdyn: 1\nblocks:\n  c: {type: Constant, value: [1, 2]}\n  s: {type: Selector, indices: [0]}\n"
        "  k: {type: Sum, signs: '+'}\nwires: [c -> s -> k]\n"
    )
    blocks, _ = meant({"s.indices": [1.0, 0.0], "k.signs": "-"}, diagram)
    assert blocks["s"].indices == (1, 0)  # type: ignore[attr-defined]
    assert blocks["k"].signs == "-"  # type: ignore[attr-defined]


# ---- robots ----

PUMA = robots.load("puma560")
LADEN = PUMA.payload(2.0, (0, 0, 0.1))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, LADEN),
        ({"kp": 3.0}, PUMA.payload(3.0, (0, 0, 0.1))),
        ({"arm.robot.payload.mass": 1.5}, PUMA.payload(1.5, (0, 0, 0.1))),
        ({"arm.robot.payload.at[0]": 0.3}, PUMA.payload(2.0, (0.3, 0, 0.1))),
        (
            {"arm.robot.payload.at[1]": 0.3, "arm.robot.payload.mass": 1.0},
            PUMA.payload(1.0, (0, 0.3, 0.1)),
        ),
        ({"arm.robot.gravity[0]": 1.0}, PUMA.with_gravity((1, 0, -9.81)).payload(2, (0, 0, 0.1))),
        ({"arm.robot.gravity[0]": 1.0, "g": 1.62}, PUMA.with_gravity((1, 0, -1.62)).payload(2, (0, 0, 0.1))),
        ({"arm.robot.links.link2.mass": 5.0}, PUMA.with_link("link2", mass=5).payload(2, (0, 0, 0.1))),
        (
            {"arm.robot.links.link2.com[1]": 0.5},
            PUMA.with_link("link2", com=[PUMA.link("link2").com[0], 0.5, PUMA.link("link2").com[2]]).payload(
                2, (0, 0, 0.1)
            ),
        ),
        (
            {"arm.robot.joints.joint1.viscous": 0.0},
            PUMA.with_joint("joint1", viscous=0).payload(2, (0, 0, 0.1)),
        ),
        (
            {
                "arm.robot": {"name": "puma560"},
                "arm.robot.perturb.fraction": 0.2,
                "arm.robot.perturb.seed": 4.0,
            },
            PUMA.perturb(0.2, 4),
        ),
        ({"arm.robot": "puma560"}, PUMA),
    ],
)
def test_robots_are_those_that_the_transforms_make(values: dict[str, Any], expected: Any) -> None:
    assert model(values) == expected


def test_a_robot_given_by_name_takes_transforms() -> None:
    assert model({"model.robot.payload.mass": 2.5}, "model") == PUMA.payload(2.5)
    assert model({"model.robot.gravity[2]": -1.62}, "model") == PUMA.with_gravity((0, 0, -1.62))
    assert model({"model.robot": "ur5"}, "model") == robots.load("ur5")


def test_a_product_of_inertia_changes_on_both_sides_of_the_diagonal() -> None:
    for path in ("inertia.xy", "inertia[0,1]", "inertia[1, 0]"):
        tensor = np.array(model({f"model.robot.links.link2.{path}": 0.02}, "model").link("link2").inertia)
        expected = np.array(PUMA.link("link2").inertia)
        expected[0, 1] = expected[1, 0] = 0.02
        assert np.array_equal(tensor, expected)


def test_a_link_frame_moves_by_one_element() -> None:
    T = np.array(PUMA.link("link3").frame)
    T[0, 3] += 0.01
    moved = model({"model.robot.links.link3.frame[0,3]": T[0, 3]}, "model")
    assert moved == PUMA.with_link("link3", frame=T)


def test_a_robot_made_in_python_is_given_the_same_changes() -> None:
    mine = bd.robots.load("puma560").with_link("link4", mass=1.25)
    diagram = Diagram("python")
    arm = diagram.add("arm", bd.FDyn(robot=mine))
    diagram.connect(diagram.add("tau", bd.Constant([0.0] * 6)), arm["tau"])
    values = {"arm.robot.payload.mass": 2.0, "arm.robot.payload.at[2]": 0.1, "arm.robot.gravity[2]": -3.0}
    assert model(values, "arm", diagram) == mine.with_gravity((0, 0, -3)).payload(2, (0, 0, 0.1))
    other = {"arm.robot": mine.with_link("link5", mass=9.0), "arm.robot.payload.mass": 1.0}
    assert model(other, "arm", diagram) == mine.with_link("link5", mass=9.0).payload(1.0)


def test_expressions_elsewhere_in_a_robot_stay_expressions() -> None:
    robot = model({"kp": 5.0, "arm.robot.links.link2.mass": 3.0, "g": 2.0})
    assert robot == PUMA.with_link("link2", mass=3).with_gravity((0, 0, -2)).payload(5, (0, 0, 0.1))


def test_values_alone_mean_what_they_mean_together() -> None:
    """Targets of different blocks do not touch one another."""
    one, other = {"arm.robot.gravity[1]": 1.0}, {"model.robot.payload.mass": 2.0}
    together = meant({**one, **other})[1].set
    assert together == meant(one)[1].set | meant(other)[1].set


def test_targets_travel_between_processes() -> None:
    view = View(loads(TEXT))
    values = {"arm.robot.payload.mass": 3.0, "x.x[0]": 2.0, "sub.weights[0]": 1.0, "kp": 2.5}
    targets = {path: resolve(view, path) for path in values}
    again = pickle.loads(pickle.dumps(targets))
    assert overrides(again, values) == overrides(targets, values)
    assert again == targets


@pytest.mark.parametrize(
    ("path", "kind", "structural"),
    [
        ("kp", "parameter", False),
        ("gains[1]", "parameter", False),
        ("sub.inertia", "block", False),
        ("sub/m.value[1]", "block", False),
        ("x.initial", "block", False),
        ("x.x", "state", False),
        ("arm.q0", "block", False),
        ("arm.position[5]", "state", False),
        ("arm.robot", "block", True),
        ("arm.robot.name", "block", True),
        ("arm.robot.without_friction", "block", True),
        ("arm.robot.perturb.fraction", "block", False),
        ("arm.robot.joints.joint1.gear", "block", False),
        ("arm.pose", "block", True),
        ("simulate.rtol", "setting", False),
        ("simulate.method", "setting", True),
    ],
)
def test_paths_say_what_they_are_about(path: str, kind: str, structural: bool) -> None:
    target = resolve(View(loads(TEXT)), path)
    assert (target.kind, target.structural) == (kind, structural)


def test_a_block_called_simulate_hides_the_settings() -> None:
    text = "blockdyn: 1\nblocks: {simulate: {type: Constant, value: 1}}\n"
    assert resolve(View(loads(text)), "simulate.value").kind == "block"
