"""Buses along wires: who passes one on keeps its fields, who takes none says so."""

from __future__ import annotations

import re

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.location import Location
from blockdyn.blocks.contract.port import SCALAR, bus
from blockdyn.diagrams.model.errors import SizeMismatch

HERE = Location("arm.yaml", 7, 3)


def arm() -> bd.Diagram:
    """A bus {angle: scalar, rate: vector 2} from block `pack`."""
    d = bd.Diagram("arm")
    d.add("angle", bd.Constant(0.5))
    d.add("rate", bd.Constant([1.0, -2.0]))
    d.add("pack", bd.BusCreator(names=["angle", "rate"]))
    d.connect("angle", "pack.angle")
    d.connect("rate", "pack.rate")
    return d


@pytest.mark.parametrize(
    "block",
    [
        bd.Gain(2.0),
        bd.Sum("+"),
        bd.Product("*"),
        bd.Abs(),
        bd.Integrator([0.0, 0.0, 0.0]),
        bd.Saturation(lower=-1.0, upper=1.0),
        bd.Relay(on=1.0, off=0.0),
        bd.Expression("2 * u"),
        bd.Compare(),
        bd.HitCrossing(),
        bd.DiscreteIntegrator(0.1, initial=[0.0, 0.0, 0.0]),
        bd.MatrixGain(np.eye(3)),
        bd.StateSpace(A=-np.eye(3), B=np.eye(3), C=np.eye(3)),
        bd.Mux(1),
        bd.Demux(3),
        bd.Concatenate(1),
        bd.Function(lambda u: u),
        bd.Stop(),
        bd.Assert(),
    ],
    ids=lambda block: block.kind(),
)
def test_a_block_that_computes_takes_no_bus(block: bd.Block) -> None:
    d = arm()
    d.add("f", block)
    port = block.input_ports()[0].name
    d.connect("pack", f"f.{port}", at=HERE)
    with pytest.raises(SizeMismatch) as caught:
        d.check()
    error, text = caught.value, str(caught.value)
    assert (error.path, error.port, error.line, error.source) == ("f", port, 7, "pack.y")
    assert text.startswith(
        f"arm.yaml:7:3: input f.{port} gets bus {{angle: scalar, rate: vector 2}} from pack.y"
    )
    assert re.search(rf"f, an? {block.kind()}", text)
    assert "BusSelector" in text


def test_arithmetic_takes_no_bus() -> None:
    d = arm()
    assert (2.0 * d["pack"]) is not None
    with pytest.raises(SizeMismatch, match="BusSelector"):
        d.check()


@pytest.mark.parametrize(
    "block",
    [bd.ZeroOrderHold(0.1), bd.UnitDelay(0.1), bd.Outport()],
    ids=lambda block: block.kind(),
)
def test_a_block_that_passes_signals_on_keeps_the_fields(block: bd.Block) -> None:
    d = arm()
    d.connect("pack", d.add("f", block), d.add("take", bd.BusSelector(fields=["rate"])))
    assert np.array_equal(d.simulate(stop=1.0).final("take"), [1.0, -2.0])
    whole = bus(angle=SCALAR, arm=bus(rate=SCALAR))
    assert block.sizes({"u": whole}) == {"y": whole}


def test_through_subsystems_and_named_signals() -> None:
    inner = bd.Diagram("inner")
    inner.connect(inner.add("state", bd.Inport()), inner.add("again", bd.Outport()))
    reader = bd.Diagram("reader")
    reader.connect(
        "everywhere", reader.add("take", bd.BusSelector(fields=["angle"])), reader.add("y", bd.Outport())
    )
    d = arm()
    d.add("inner", inner)
    d.add("reader", reader)
    d.connect("pack", "inner")
    d.signal("everywhere", "inner.again")
    assert d.simulate(stop=1.0).final("reader.y") == 0.5


def test_sinks_and_selections_take_a_bus() -> None:
    d = arm()
    sinks = [bd.Scope(), bd.Record(name="kept"), bd.Terminator()]
    d.connect("pack", [d.add(f"sink{i}", sink) for i, sink in enumerate(sinks)])
    d.connect("pack", d.add("second", bd.Selector(indices=1)))
    d.connect("pack", d.add("flat", bd.Reshape([3])), d.add("twice", bd.Gain(2.0)))
    r = d.simulate(stop=1.0)
    assert r.final("second") == 1.0
    assert np.array_equal(r.final("twice"), [1.0, 2.0, -4.0])
    assert r.trace("kept").labels == ("angle", "rate[0]", "rate[1]")


def switched(then: str, otherwise: str) -> bd.Diagram:
    d = arm()
    d.add("high", bd.Constant(1.0))
    d.add("turned", bd.BusCreator(names=["rate", "angle"]))
    d.connect("rate", "turned.rate")
    d.connect("angle", "turned.angle")
    d.add("three", bd.Constant([1.0, 2.0, 3.0]))
    d.add("switch", bd.Switch())
    d.connect("high", "switch.control")
    d.connect(then, "switch.then")
    d.connect(otherwise, "switch.otherwise", at=HERE)
    return d


def test_a_switch_between_equal_buses_is_a_bus() -> None:
    d = switched("pack", "pack")
    d.connect("switch", d.add("take", bd.BusSelector(fields=["angle"])))
    assert d.simulate(stop=1.0).final("take") == 0.5


@pytest.mark.parametrize("other", ["turned", "three", "rate", "angle"])
def test_a_switch_between_a_bus_and_something_else(other: str) -> None:
    with pytest.raises(SizeMismatch) as caught:
        switched("pack", other).check()
    assert (caught.value.path, caught.value.port, caught.value.line) == ("switch", "otherwise", 7)
    assert "the bus {angle: scalar, rate: vector 2} of input `then`" in str(caught.value)


def test_a_switch_is_not_controlled_by_a_bus() -> None:
    d = switched("rate", "rate")
    d.add("other", bd.Switch())
    d.connect("pack", "other.control", at=HERE)
    d.connect("rate", ["other.then", "other.otherwise"])
    with pytest.raises(SizeMismatch, match=r"input other\.control gets bus"):
        d.check()


def test_a_bus_held_in_a_loop_keeps_its_fields() -> None:
    """The switch shows the bus for half a second, then what it showed a sample before."""
    d = arm()
    d.add("early", bd.Step(time=0.5, initial=1.0, final=0.0))
    d.add("switch", bd.Switch())
    d.add("before", bd.UnitDelay(0.1))
    d.connect("early", "switch.control")
    d.connect("pack", "switch.then")
    d.connect("switch", "before", "switch.otherwise")
    d.connect("switch", d.add("take", bd.BusSelector(fields=["rate"])))
    assert np.array_equal(d.simulate(stop=1.0).final("take"), [1.0, -2.0])


def test_a_selector_of_fields_that_the_bus_has_not() -> None:
    d = arm()
    d.add("take", bd.BusSelector(fields=["angel"]))
    d.connect("pack", d.add("hold", bd.ZeroOrderHold(0.1)))
    d.connect("hold", "take", at=HERE)
    with pytest.raises(SizeMismatch, match=r"(?s)arm.yaml:7:3.*from hold.y.*`angel`, did you mean `angle`"):
        d.check()


class Reader(bd.Block):
    """A block of one's own that reads a bus {angle, rate}."""

    inputs = (bd.Port("u", bus(angle=SCALAR, rate=SCALAR)),)

    @staticmethod
    def output(u: np.ndarray) -> float:
        return float(u[0] - u[1])


@pytest.mark.parametrize(("names", "right"), [(["angle", "rate"], True), (["rate", "angle"], False)])
def test_a_port_of_a_bus_takes_these_fields_only(names: list[str], right: bool) -> None:
    d = bd.Diagram()
    values = {"angle": 5.0, "rate": 3.0}
    d.add("pack", bd.BusCreator(names=names))
    for name in names:
        d.connect(d.add(name, bd.Constant(values[name])), f"pack.{name}")
    d.connect("pack", d.add("reader", Reader()))
    if right:
        assert d.simulate(stop=1.0).final("reader") == 2.0
    else:
        with pytest.raises(SizeMismatch, match=r"expected: bus \{angle: scalar, rate: scalar\}"):
            d.check()


def test_a_vector_is_no_bus_for_a_port_of_one() -> None:
    d = bd.Diagram()
    d.connect(d.add("two", bd.Constant([1.0, 2.0])), d.add("reader", Reader()))
    with pytest.raises(SizeMismatch, match=r"expected: bus \{angle: scalar, rate: scalar\}"):
        d.check()
