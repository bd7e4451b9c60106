"""`set` reaches from Python whatever an axis of a sweep reaches, and is the same run, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.yaml import loads

TEXT = """\
blockdyn: 1
parameters: {g: [1.0, 2.0], slope: 0.5}
blocks:
  u: {type: Constant, value: [0, 0, 0, 0, 0, 0]}
  arm: {type: FDyn, robot: puma560}
  c: {type: Ramp, slope: =slope}
  k: {type: Gain, k: =g}
  x: {type: Integrator, initial: [1.0, 1.0]}
wires: [u -> arm, c -> k -> x]
log: [x, arm.q]
simulate: {stop: 0.1}
"""
PLACES: list[dict[str, Any]] = [
    {"arm.robot.payload.mass": 2.0},
    {"arm.robot.gravity[2]": -3.7, "arm.robot.links.link3.mass": 9.0},
    {"arm.robot": "puma560", "arm.robot.payload.mass": 1.0},
    {"k.k[0]": -3.0},
    {"g[1]": 4.0, "k.k[0]": -3.0, "slope": 2.0},
    {"g": [4.0, 5.0], "g[1]": 6.0},
    {"x.x": [3.0, 4.0]},
    {"x.x[1]": 3.0},
    {"simulate.rtol": 1e-3, "simulate.stop": 0.2, "k.k": [1.0, 1.0]},
    {"simulate.method": "rk4", "simulate.step": 0.01},
    {"arm.pose": "qr"},
    {"x.initial": [5.0, 6.0]},
]


def diagram() -> Diagram:
    made = loads(TEXT)
    made.settings(initial={"x.x": [7.0, 8.0]})
    return made


@pytest.mark.parametrize("places", PLACES, ids=lambda places: ", ".join(places))
def test_a_run_is_that_of_the_sweep_of_one_scenario(places: dict[str, Any]) -> None:
    run = diagram().simulate(set=places)
    sweep = bd.Sweep(diagram(), {path: [value] for path, value in places.items()}, {"x": {"final": "x[1]"}})
    alone = sweep.simulate(0)
    for name in ("x", "arm.q"):
        np.testing.assert_array_equal(run.trace(name).time, alone.trace(name).time)
        np.testing.assert_array_equal(run.trace(name).values, alone.trace(name).values)
    assert run.final("x")[1] == sweep.run(progress=False)["x"].item()


def test_what_it_means() -> None:
    # x_i(t) = x_i(0) + g_i slope t^2 / 2
    run = diagram().compile(set={"g[0]": 3.0, "x.x[1]": 5.0, "simulate.stop": 0.2}).simulate()
    np.testing.assert_allclose(run.final("x"), [7.0 + 3.0 * 0.5 * 0.02, 5.0 + 2.0 * 0.5 * 0.02], rtol=1e-9)
    program = diagram().compile(set={"x.x": [5.0, 6.0]})
    run = program.simulate(initial={"arm.position": np.full(6, 0.1)}, stop=0.0)
    np.testing.assert_array_equal(run.final("x"), [5.0, 6.0])  # what is not named stays
    np.testing.assert_array_equal(run.final("arm.q"), np.full(6, 0.1))


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ({"arm.robot.payload.mas": 2.0}, "did you mean `mass`"),
        ({"arm.robot.links[0].mass": 3.0}, r"links have names, not numbers\n.*`links\.link1`"),
        ({"arm.robot.links.link1.m": 3.0}, "did you mean `mass`"),
        ({"g[2]": 1.0}, r"no element \[2\]"),
        ({"g": [1.0], "g[1]": 1.0}, "element of a value that it also replaces"),
        ({"k.k[0]": "fast"}, "fast"),
        ({"k.k[0]": [1.0, 2.0]}, "number"),
        ({"x.x": "fast"}, "fast"),
        ({"x.x[0]": None}, "None"),
        ({"arm.robot.links.link3.inertia.xx": "much"}, "much"),
        ({"arm.robot.payload.mass": "much"}, "much"),
        ({"simulate.rtl": 1e-3}, "did you mean `rtol`"),
        ({"simulate.rtol": "fine"}, "rtol"),
        ({"x.u": 1.0}, "x"),
        ({"k..k": 1.0}, "not a path"),
    ],
)
def test_what_is_not_there_is_said(places: dict[str, Any], said: str) -> None:
    with pytest.raises(BlockdynError, match=said):
        diagram().simulate(set=places)


@pytest.mark.parametrize("path", ["p/g.k[0]", "p.k[0]", "w[0]", "p/lag.x", "p/lag.x[0]"])
def test_an_error_names_the_place_once(path: str) -> None:
    inner = bd.Diagram("inner", parameters={"k": [1.0, 2.0]})
    inner.connect(inner.add("u", bd.Inport()), inner.add("g", bd.Gain(bd.expression("k"))))
    inner.connect("g", inner.add("lag", bd.Integrator([0.0, 0.0])), inner.add("y", bd.Outport()))
    d = bd.Diagram("d", parameters={"w": [1.0, 2.0]})
    d.connect(d.add("c", bd.Constant(bd.expression("w"))), d.add("p", inner))
    owner, _, name = path.rpartition(".")
    with pytest.raises(bd.DiagramError) as caught:
        d.simulate(stop=1.0, set={path: "3"})
    first = str(caught.value).partition("\n")[0]
    assert first.startswith(f"{owner or 'the diagram'}: ")
    assert first.count("p/") == owner.count("/")
    assert first.count(name) == 1
