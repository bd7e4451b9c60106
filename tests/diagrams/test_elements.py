"""Signals that are put together and taken apart again: one element may be made from another one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.cli import main
from blockdyn.diagrams.model.errors import AlgebraicLoop

BOTH = pytest.mark.parametrize("compiled", [True, False])
ORDERS = [*itertools.permutations("pqr")]  # the plan follows the paths: whoever comes first, nothing changes


def fields(*names: str) -> tuple[bd.Block, bd.Block, list[str], list[str]]:
    return bd.BusCreator(names), bd.BusSelector(names), [*names], [*names]


def vector(count: int) -> tuple[bd.Block, bd.Block, list[str], list[str]]:
    return bd.Mux(count), bd.Demux(count), [f"u{i}" for i in range(count)], [f"y{i}" for i in range(count)]


PAIRS = [vector(3), fields("one", "two", "three")]


@BOTH
@pytest.mark.parametrize("names", ORDERS)
@pytest.mark.parametrize("pair", PAIRS, ids=["vector", "bus"])
@pytest.mark.parametrize("value", [1.5, [1.0, -2.0, 0.25]], ids=["numbers", "vectors"])
def test_a_chain_runs_twice_through_the_same_wire(pair, names, value, compiled):
    """[u, 3 u, (3 u)^2], each made from the one before, as it comes out of the whole."""
    join, split, entries, exits = pair
    whole, parts, triple = names
    d = bd.Diagram()
    d.add("u", bd.Constant(value))
    d.add(whole, join)
    d.add(parts, split)
    d.add(triple, bd.Gain(3.0))
    d.add("square", bd.Expression("u ** 2"))
    d.add("x", bd.Integrator(np.zeros(np.shape(value))))
    d.connect("u", f"{whole}.{entries[0]}")
    d.connect(whole, parts)
    d.connect(f"{parts}.{exits[0]}", triple, f"{whole}.{entries[1]}")
    d.connect(f"{parts}.{exits[1]}", "square", f"{whole}.{entries[2]}")
    d.connect(f"{parts}.{exits[2]}", "x")
    d.check()
    r = d.simulate(stop=2.0, compiled=compiled)
    np.testing.assert_allclose(r.final("x"), 2.0 * (3.0 * np.array(value)) ** 2, rtol=1e-14)


@BOTH
@pytest.mark.parametrize("inner", [bd.Inport(), None], ids=["across", "inside"])
def test_the_border_of_a_subsystem_is_no_loop(inner, compiled):
    """The subsystem gives 2 y0 of the vector [t, y] that its own output is a part of: y = 2 t."""
    inside = bd.Diagram("inside")
    inside.connect(inside.add("vector", bd.Inport()), inside.add("parts", bd.Demux(2)))
    inside.connect("parts.y0", inside.add("twice", bd.Gain(2.0)), inside.add("y", bd.Outport()))
    inside.connect("parts.y1", inside.add("seen", bd.Outport()))
    d = bd.Diagram()
    d.add("whole", bd.Mux(2))
    d.add("inside", inside)
    d.connect(d.add("t", bd.Clock()), "whole.u0")
    d.connect("whole", "inside.vector")
    d.connect("inside.y", "whole.u1")
    d.connect("inside.seen", d.add("x", bd.Integrator()))
    if inner is None:  # the same one level deeper
        outer = bd.Diagram()
        outer.add("d", d)
        d, path = outer, "d/x.x"
    else:
        path = "x"
    assert d.simulate(stop=3.0, compiled=compiled).final(path) == pytest.approx(9.0, rel=1e-9)


@BOTH
def test_a_bus_in_a_bus_with_another_field_assigned(compiled):
    """{motor: {angle, rate}, load}: load = 10 rate, and the rate is later replaced by load + angle."""
    d = bd.Diagram()
    d.add("all", bd.BusCreator(["motor", "load"]))
    d.add("motor", bd.BusCreator(["angle", "rate"]))
    d.add("rate", bd.BusSelector(["motor.rate"]))
    d.add("same", bd.BusAssignment(["motor.rate"]))
    d.add("seen", bd.BusSelector(["load", "motor"]))
    d.add("angle", bd.BusSelector(["angle", "rate"]))
    d.connect(d.add("two", bd.Constant(2.0)), "motor.angle")
    d.connect(d.add("t", bd.Clock()), "motor.rate")
    d.connect("motor", "all.motor")
    d.connect("all", "rate")
    d.connect("rate", d.add("ten", bd.Gain(10.0)), "all.load")
    d.connect("all", "same.u")
    d.connect("same", "seen")
    d.connect("seen.motor", "angle")
    d.connect("seen.load", d.add("sum", bd.Sum("++"))[0])
    d.connect("angle.angle", "sum[1]")
    d.connect("sum", "same.motor_rate")
    d.connect("angle.rate", d.add("x", bd.Integrator()))
    assert d.simulate(stop=1.0, compiled=compiled).final("x") == pytest.approx(5.0 + 2.0, rel=1e-9)


REARRANGED: dict[str, tuple[list[bd.Block], int, int]] = {
    "Selector": ([bd.Selector(indices=[2, 1, 0])], 2, 1),
    "Slice": ([bd.Slice(step=-1)], 2, 1),
    "Reshape": ([bd.Reshape([3, 1]), bd.Transpose(), bd.Reshape([3])], 0, 1),
    "Repeat": ([bd.Repeat(2, each=True)], 1, 2),
    "Concatenate": ([bd.Concatenate(1), bd.Selector(rows=0)], 0, 1),
    "SignalSpecification": ([bd.SignalSpecification(size=3)], 0, 1),
}


@BOTH
@pytest.mark.parametrize("kind", REARRANGED)
def test_every_block_that_rearranges_is_seen_through(kind, compiled):
    """[t, y, 7] rearranged, and y = 5 times the element that is t."""
    blocks, first, second = REARRANGED[kind]
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("whole", bd.Mux(3))[0])
    d.connect(d.add("seven", bd.Constant(7.0)), "whole[2]")
    chain = [d.add(f"z{i}", block) for i, block in enumerate(blocks)]
    for before, after in itertools.pairwise(["whole", *chain]):
        d.connect(before, after)
    d.connect(
        chain[-1], d.add("t_again", bd.Selector(indices=first)), d.add("five", bd.Gain(5.0)), "whole[1]"
    )
    d.connect(chain[-1], d.add("y", bd.Selector(indices=second)), d.add("x", bd.Integrator()))
    assert d.simulate(stop=2.0, compiled=compiled).final("x") == pytest.approx(10.0, rel=1e-9)


def through(block: bd.Block, *, split: bd.Block | None = None) -> bd.Diagram:
    """A block whose input and output are elements 0 and 1 of the same vector; `y` is what comes out."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("whole", bd.Mux(2))[0])
    d.connect("whole", d.add("parts", split or bd.Demux(2)))
    d.connect("parts[0]", d.add("block", block), "whole[1]")
    d.connect("parts[1]", d.add("y", bd.Gain(1.0)))
    return d


def alone(block: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Sine()), d.add("block", block), d.add("y", bd.Gain(1.0)))
    return d


@BOTH
@pytest.mark.parametrize(
    "block",
    [
        bd.Saturation(lower=-0.5, upper=0.5),
        bd.Relay(switch_on=0.5, switch_off=-0.5),
        bd.Integrator(0.0, lower=0.0, upper=1.0),
        bd.TransferFunction([1.0, 2.0], [1.0, 1.0]),
        bd.UnitDelay(0.1),
        bd.ZeroOrderHold(0.1),
        bd.DiscretePID(kp=2.0, ki=1.0, sample_time=0.1),
        bd.Function(lambda u: u + 1.0),
    ],
    ids=lambda block: block.kind(),
)  # fmt: skip
def test_a_block_does_the_same_in_a_vector_as_alone(block, compiled):
    r, expected = (make(block).simulate(stop=5.0, every=0.01, compiled=compiled) for make in (through, alone))
    np.testing.assert_allclose(r["y"].values, expected["y"].values, rtol=1e-14, atol=1e-15)
    assert [event.time for event in r.events] == [event.time for event in expected.events]


def works(kind: str) -> bd.Diagram:
    """A subsystem of some kind, in which 3 u is made from a vector that it is an element of."""
    inside = bd.Diagram("inside")
    inside.connect(inside.add("u", bd.Inport()), inside.add("whole", bd.Mux(2))[0])
    inside.connect("whole", inside.add("parts", bd.Demux(2)))
    inside.connect("parts[0]", inside.add("triple", bd.Gain(3.0)), "whole[1]")
    inside.connect("parts[1]", inside.add("y", bd.Outport()))
    blocks: dict[str, bd.Block] = {
        "Enable": bd.Enable(), "Trigger": bd.Trigger(), "ForEach": bd.ForEach(count=2),
        "While": bd.While(limit=2, sample_time=0.1),
    }  # fmt: skip
    if kind:
        inside.add("works", blocks[kind])
    if kind == "While":
        inside.connect(inside.add("on", bd.Constant(1.0)), "works")
    return inside


@BOTH
@pytest.mark.parametrize("kind", ["", "Enable", "Trigger", "ForEach", "While"])
def test_subsystems_that_switch_and_repeat(kind, compiled):
    d = bd.Diagram()
    d.add("inside", works(kind))
    source = bd.Constant([2.0, 2.0]) if kind == "ForEach" else bd.Constant(2.0)
    d.connect(d.add("u", source), "inside.u")
    if kind in ("Enable", "Trigger"):
        d.connect(d.add("on", bd.Step(time=0.5)), "inside.works")
    d.connect("inside.y", d.add("y", bd.Gain(1.0)))
    r = d.simulate(stop=1.0, compiled=compiled)
    np.testing.assert_array_equal(np.unique(r.trace("y").at(0.75)), [6.0])
    if kind in ("Enable", "Trigger"):
        assert r.trace("y").at(0.25) == 0.0


# ---- loops that are some ----


@pytest.mark.parametrize("names", ORDERS)
@pytest.mark.parametrize("pair", PAIRS, ids=["vector", "bus"])
def test_a_loop_of_elements_is_named_with_the_ports_that_they_pass(pair, names):
    join, split, entries, exits = pair
    whole, parts, triple = names
    d = bd.Diagram()
    d.add(whole, join)
    d.add(parts, split)
    d.add(triple, bd.Gain(3.0))
    d.add("half", bd.Gain(0.5))
    d.connect(d.add("u", bd.Constant(1.0)), f"{whole}.{entries[0]}")
    d.connect(whole, parts)
    d.connect(f"{parts}.{exits[2]}", triple, f"{whole}.{entries[1]}")
    d.connect(f"{parts}.{exits[1]}", "half", f"{whole}.{entries[2]}")
    with pytest.raises(AlgebraicLoop) as caught:
        d.check()
    ports = caught.value.cycle
    start = ports.index(f"{triple}.y")
    assert [*ports[start:], *ports[:start]] == [
        f"{triple}.y", f"{whole}.{entries[1]}", f"{whole}.y", f"{parts}.u", f"{parts}.{exits[1]}",
        "half.u", "half.y", f"{whole}.{entries[2]}", f"{whole}.y", f"{parts}.u", f"{parts}.{exits[2]}",
        f"{triple}.u",
    ]  # fmt: skip


@BOTH
@pytest.mark.parametrize("pair", PAIRS, ids=["vector", "bus"])
def test_only_the_element_that_depends_on_itself_is_solved_for(pair, compiled):
    """[u, y, z]: y = u - 2 y is u / 3, z = 6 y is no part of the loop."""
    join, split, entries, exits = pair
    d = bd.Diagram()
    d.add("whole", join)
    d.add("parts", split)
    d.connect(d.add("u", bd.Constant(1.5)), f"whole.{entries[0]}")
    d.connect("whole", "parts")
    d.connect(f"parts.{exits[0]}", d.add("difference", bd.Sum("+-"))[0])
    d.connect(f"parts.{exits[1]}", d.add("two", bd.Gain(2.0)), "difference[1]")
    d.connect("difference", f"whole.{entries[1]}")
    d.connect(f"parts.{exits[1]}", d.add("six", bd.Gain(6.0)), f"whole.{entries[2]}")
    d.connect(f"parts.{exits[2]}", d.add("z", bd.Gain(1.0)))
    with pytest.raises(AlgebraicLoop):
        d.check()
    program = d.compile(loops="solve")
    assert [loop.count(program.plan.units) for loop in program.plan.loops] == [1]
    assert d.simulate(stop=1.0, loops="solve", compiled=compiled).final("z") == pytest.approx(3.0, rel=1e-14)


def test_an_element_that_is_itself():
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0)), d.add("whole", bd.Mux(2))[0])
    d.connect("whole", d.add("own", bd.Selector(indices=1)), "whole[1]")
    with pytest.raises(AlgebraicLoop) as caught:
        d.check()
    assert {*caught.value.cycle} == {"whole.y", "own.u", "own.y", "whole.u1"}


# ---- what is done with diagrams ----


def model() -> bd.Diagram:
    """x' = k (u - x), the error being made of and put into the vector [u, x, error]."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("whole", bd.Mux(3))[0])
    d.connect("whole", d.add("parts", bd.Demux(3)))
    d.connect("parts[0]", d.add("difference", bd.Sum("+-"))[0])
    d.connect("parts[1]", "difference[1]")
    d.connect("difference", "whole[2]")
    d.connect("parts[2]", d.add("k", bd.Gain(2.0)), d.add("x", bd.Integrator()), "whole[1]")
    d.connect("x", d.add("y", bd.Outport()))
    return d


def test_linear_models():
    m = model().linearize()
    np.testing.assert_array_equal([m.A[0, 0], m.B[0, 0], m.C[0, 0], m.D[0, 0]], [-2.0, 2.0, 1.0, 0.0])


def test_gradients_and_sweeps():
    """x(1) = 1 - exp(-k) of a unit step; its derivative by k is exp(-k)."""
    d = model()
    g = d.gradient({"end": {"final": "x"}}, "k.k", inputs={"u": 1.0}, stop=1.0, rtol=1e-10, atol=1e-12)
    assert g["end", "k.k"] == pytest.approx(np.exp(-2.0), rel=1e-7)
    d.settings(inputs={"u": 1.0}, stop=1.0)
    sweep = bd.Sweep(d, axes={"k.k": [0.5, 1.0, 2.0]}, measures={"end": {"final": "x"}})
    ensemble = sweep.run(progress=False)
    np.testing.assert_allclose(ensemble["end"], 1.0 - np.exp(-np.array([0.5, 1.0, 2.0])), rtol=1e-5)


TEXT = """\
blockdyn: 1
blocks:
  t: {type: Clock}
  bus: {type: BusCreator, names: [t, twice]}
  fields: {type: BusSelector, fields: [t, twice]}
  two: {type: Gain, k: 2.0}
  x: {type: Integrator}
wires:
  - t -> bus.t
  - bus -> fields
  - fields.t -> two -> bus.twice
  - fields.twice -> x
simulate: {stop: 3.0}
"""


def test_files_and_the_command_line(tmp_path, capsys):
    assert bd.load(TEXT).simulate().final("x") == pytest.approx(9.0, rel=1e-9)
    (tmp_path / "bus.yaml").write_text(TEXT)
    assert main(["check", str(tmp_path / "bus.yaml")]) == 0
    assert "fields.twice" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(12))
def test_what_no_loop_is_runs_to_the_same_bits_through_one_vector(seed):
    """Random functions of earlier signals, wired from block to block, and all by way of one vector."""
    random = np.random.default_rng(seed)
    count = int(random.integers(3, 12))
    feeds = [random.choice(i + 1, size=2) for i in range(count)]
    order = random.permutation(count)
    names = [f"n{order[i]}" for i in range(count)]

    def blocks() -> bd.Diagram:
        d = bd.Diagram()
        d.add("u", bd.Sine())
        for i, name in enumerate(names):
            d.add(name, bd.Expression("a + k * sin(b)", coefficients={"k": 0.5 + i}))
        return d

    direct, routed = blocks(), blocks()
    sources = ["u", *names]
    for name, feed in zip(names, feeds):
        direct.connect(sources[feed[0]], f"{name}.a")
        direct.connect(sources[feed[1]], f"{name}.b")
    routed.add("m", bd.Mux(count + 1))
    split = routed.add("d", bd.Demux(count + 1))
    routed.connect("m", split)
    for i, source in enumerate(sources):
        routed.connect(source, f"m.u{i}")
    for name, feed in zip(names, feeds):
        routed.connect(split[int(feed[0])], f"{name}.a")
        pick = routed.add(f"pick_{name}", bd.Selector(indices=int(feed[1])))
        routed.connect("m", pick, f"{name}.b")
    runs = [d.simulate(stop=1.0, every=0.1, log=[names[-1]]) for d in (direct, routed)]
    np.testing.assert_array_equal(runs[0][names[-1]].values, runs[1][names[-1]].values)
