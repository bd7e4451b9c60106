"""MultiportSwitch, Slice, Repeat, BusAssignment, SignalSpecification: what comes out, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.compiler.report import make_report


def test_a_multiport_switch_takes_the_chosen_signal_and_changes_at_events() -> None:
    d = bd.Diagram()
    d.add("ramp", bd.Ramp(slope=1.0, initial=-1.0))
    d.add("which", bd.Constant([1.0, 3.0]))
    d.add("many", bd.MultiportSwitch(30))
    for name, count, control in (("one", 3, "ramp"), ("each", 3, "which")):
        d.add(name, bd.MultiportSwitch(count, first=1.0))
        d.connect(control, f"{name}.control")
        for k in range(count):
            d.connect(d.add(f"{name}{k}", bd.Constant([10.0 * k, 10.0 * k + 1.0])), f"{name}.u{k}")
    d.connect("ramp", "many.control")
    for k in range(30):
        d.connect(d.add(f"m{k}", bd.Constant(float(k * k))), f"many.u{k}")
    d.connect("one", d.add("area", bd.Integrator([0.0, 0.0])))
    d.connect("many", d.add("stairs", bd.Integrator()))
    r = d.simulate(stop=5.0, rtol=1e-9)
    # the control passes 1.5 at 2.5 s and 2.5 at 3.5 s
    times = [event.time for event in r.events if event.path == "one"]
    np.testing.assert_allclose(times, [2.5, 2.5, 3.5, 3.5], atol=1e-14)  # of both elements
    np.testing.assert_allclose(r.final("area"), [10.0 + 30.0, 2.5 + 11.0 + 31.5], atol=1e-12)
    assert r.final("each").tolist() == [0.0, 21.0]  # type: ignore[union-attr]
    assert r.final("stairs") == pytest.approx(0 * 1.5 + 1 + 4 + 9 + 0.5 * 16, abs=1e-12)
    far = d.simulate(stop=0.0, set={"ramp.initial": 1e9})
    assert (far.final("many"), far.final("one").tolist()) == (29.0**2, [20.0, 21.0])  # type: ignore[union-attr]


def test_parts_of_vectors_are_pythons() -> None:
    u = np.arange(7.0)
    d = bd.Diagram()
    d.add("u", bd.Constant(u))
    cases = {
        "a": (bd.Slice(1, 6, 2), u[1:6:2]), "b": (bd.Slice(start=-3), u[-3:]),
        "c": (bd.Slice(step=-1), u[::-1]),
        "d": (bd.Slice(stop=2), u[:2]), "e": (bd.Repeat(3), np.tile(u, 3)),
        "f": (bd.Repeat(2, each=True), np.repeat(u, 2)), "g": (bd.SignalSpecification(7, "m"), u),
    }  # fmt: skip
    for name, (block, _) in cases.items():
        d.connect("u", d.add(name, block))
    d.connect(d.add("one", bd.Constant(4.0)), d.add("three", bd.Repeat(3)))
    r = d.simulate(stop=0.0)
    for name, (_, expected) in cases.items():
        np.testing.assert_array_equal(r.final(name), expected)
    assert r.final("three").tolist() == [4.0, 4.0, 4.0]  # type: ignore[union-attr]
    assert r["g"].attrs["units"] == "m"


def test_a_bus_is_passed_on_with_other_values() -> None:
    d = bd.Diagram()
    d.add("inner", bd.BusCreator(["angle", "rate"]))
    d.add("bus", bd.BusCreator(["arm", "load"]))
    d.connect(d.add("angle", bd.Constant(1.0)), "inner.angle")
    d.connect(d.add("rate", bd.Constant(2.0)), "inner.rate")
    d.connect("inner", "bus.arm")
    d.connect(d.add("load", bd.Constant([3.0, 4.0])), "bus.load")
    d.add("other", bd.BusAssignment(["arm.rate", "load"]))
    d.connect("bus", "other.u")
    d.connect(d.add("new", bd.Constant(9.0)), "other.arm_rate")
    d.connect(d.add("pair", bd.Constant([7.0, 8.0])), "other.load")
    d.connect("other", d.add("read", bd.BusSelector(["arm.rate", "load", "arm.angle"])))
    r = d.simulate(stop=0.0)
    assert (r.final("read.arm_rate"), r.final("read.arm_angle")) == (9.0, 1.0)
    assert r.final("read.load").tolist() == [7.0, 8.0]  # type: ignore[union-attr]
    d.add("wrong", bd.BusAssignment(["load"]))
    d.connect("bus", "wrong.u")
    d.connect("new", "wrong.load")
    with pytest.raises(bd.BlockdynError, match=r"wrong.*scalar[\s\S]*vector 2, as the field `load`"):
        d.compile()


def test_what_does_not_go_is_refused() -> None:
    for wrong in (
        lambda: bd.MultiportSwitch(1), lambda: bd.Slice(step=0), lambda: bd.Repeat(0),
        lambda: bd.BusAssignment([]), lambda: bd.BusAssignment(["u"]), lambda: bd.SignalSpecification(0),
        lambda: bd.SignalSpecification([2, 2, 2]),
    ):  # fmt: skip
        with pytest.raises(bd.ParameterError, match="expected"):
            wrong()
    for block, shape in (
        (bd.Slice(), (2, 2)), (bd.Slice(5), (3,)), (bd.Repeat(), (2, 2)), (bd.SignalSpecification(3), (2,)),
        (bd.SignalSpecification([2, 2]), (4,)), (bd.SignalSpecification(1), (2,)),
    ):  # fmt: skip
        d = bd.Diagram()
        d.connect(d.add("u", bd.Constant(np.ones(shape))), d.add("block", block))
        with pytest.raises(bd.BlockdynError, match=r"block[\s\S]*expected"):
            d.compile()


def test_a_unit_that_is_not_the_specified_one_is_told() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0, unit="rad")), d.add("held", bd.SignalSpecification(unit="m")))
    notices = make_report(d.compile()).notices
    assert any("u.y is in rad, held.u in m" in notice for notice in notices)
