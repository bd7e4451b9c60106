"""Switch: the instant of the change, the three criteria, and buses."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.port import SCALAR, bus


def test_two_slopes_meet_at_the_instant_of_the_change() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("up", bd.Constant(value=3.0))
    d.add("down", bd.Constant(value=-1.0))
    d.add("switch", bd.Switch(criterion=">", threshold=2 / 3))
    d.add("x", bd.Integrator())
    d.connect("clock", "switch.control")
    d.connect("up", "switch.then")
    d.connect("down", "switch.otherwise")
    d.connect("switch", "x")
    r = d.simulate(stop=2.0)
    assert r.final("x") == pytest.approx(-2 / 3 + 3 * (2 - 2 / 3), abs=1e-13)
    assert r.trace("x").values.min() == pytest.approx(-2 / 3, abs=1e-13)


@pytest.mark.parametrize(("criterion", "expected"), [(">=", [2, 1, 1]), (">", [2, 2, 1]), ("!=", [1, 2, 1])])
def test_criteria_below_at_and_above_the_threshold(criterion: str, expected: list[float]) -> None:
    d = bd.Diagram()
    d.add("control", bd.Constant(value=[-1.0, 0.0, 1.0]))
    d.add("one", bd.Constant(value=1.0))
    d.add("two", bd.Constant(value=2.0))
    d.add("y", bd.Switch(criterion=criterion, threshold=0.0))
    for i, source in enumerate(("control", "one", "two")):
        d.connect(source, f"y[{i}]")
    assert np.array_equal(d.simulate(stop=1.0).final("y"), expected)


def test_a_sampled_control_changes_at_the_tick() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Clock())
    d.add("hold", bd.ZeroOrderHold(sample_time=0.3))
    d.add("y", bd.Switch(threshold=1.0))
    d.add("one", bd.Constant())
    d.add("zero", bd.Constant(value=0.0))
    d.add("x", bd.Integrator())
    d.connect("clock", "hold", "y.control")
    d.connect("one", "y.then")
    d.connect("zero", "y.otherwise")
    d.connect("y", "x")
    assert d.simulate(stop=3.0).final("x") == pytest.approx(3.0 - 1.2, abs=1e-13)


def test_buses_stay_buses() -> None:
    size = bus(a=SCALAR, b=SCALAR)
    found = bd.Switch().sizes({"control": SCALAR, "then": size, "otherwise": size})
    assert found == {"y": size}
