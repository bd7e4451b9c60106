"""Logic, intervals, edges, flip-flops, timers, counters and bits: truth tables and exact instants."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import blockdyn as bd

CASES = list(product((0.0, 1.0), repeat=3))


def at(result: bd.Result, name: str, times: Any) -> np.ndarray:
    trace = result.trace(name if "." in name else f"{name}.y")
    return np.asarray(trace.values[np.searchsorted(trace.time, times, "right") - 1])


def test_truth_tables_of_constants_and_of_signals_that_change() -> None:
    """Three square waves of periods 1, 2 and 4 s go through all eight cases; vectors hold them at once."""
    d = bd.Diagram()
    columns = list(zip(*CASES))
    for i in range(3):
        d.add(f"c{i}", bd.Constant(columns[i]))
        d.add(f"w{i}", bd.Square(period=2.0 ** (i + 1), amplitude=0.5, bias=0.5, offset=2.0**i))
    truth = {
        "and": [all(c) for c in CASES], "or": [any(c) for c in CASES], "nand": [not all(c) for c in CASES],
        "nor": [not any(c) for c in CASES], "xor": [sum(c) % 2 == 1 for c in CASES],
        "xnor": [sum(c) % 2 == 0 for c in CASES],
    }  # fmt: skip
    for function in truth:
        for kind in "cw":
            d.add(f"{kind}_{function}", bd.Logic(function, 3))
            for i in range(3):
                d.connect(f"{kind}{i}", f"{kind}_{function}[{i}]")
    d.connect("c0", d.add("none", bd.Logic("not")))
    times = np.arange(8) + 0.5
    r = d.simulate(stop=8.0)
    waves = np.column_stack([at(r, f"w{i}", times) for i in range(3)])
    order = [CASES.index(tuple(row)) for row in waves.tolist()]
    assert sorted(order) == list(range(8))
    for function, expected in truth.items():
        assert r.final(f"c_{function}").tolist() == expected  # type: ignore[union-attr]
        assert at(r, f"w_{function}", times).tolist() == [float(expected[k]) for k in order]
    assert r.final("none").tolist() == [1.0 - c for c in columns[0]]  # type: ignore[union-attr]


def test_an_interval_begins_and_ends_at_located_instants() -> None:
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Ramp()),
        d.add("in", bd.IntervalTest([0.5, 1.0], [1.5, 2.0])),
        d.add("x", bd.Integrator([0.0, 0.0])),
    )
    d.connect(d.add("ends", bd.Constant([1.0, 2.0, 3.0])), d.add("both", bd.IntervalTest(1.0, 3.0)))
    for closed in ("lower", "upper", "neither"):
        d.connect("ends", d.add(closed, bd.IntervalTest(1.0, 3.0, closed=closed)))
    r = d.simulate(stop=3.0)
    np.testing.assert_allclose(r.final("x"), [1.0, 1.0], atol=1e-14)
    assert [r.final(n).tolist() for n in ("both", "lower", "upper", "neither")] == [  # type: ignore[union-attr]
        [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0]
    ]  # fmt: skip


def test_flip_flops() -> None:
    d = bd.Diagram()
    d.add("clock", bd.Pulse(period=1.0, width=0.5, delay=1.0))
    d.add("data", bd.PiecewiseConstant([0.5, 2.5, 4.5], [1.0, 0.0, 1.0]))
    for i, name in enumerate(("first", "second", "third")):  # a shift register
        d.add(name, bd.DFlipFlop())
        d.connect("clock", f"{name}.clock")
        d.connect("data" if i == 0 else ("first.y", "second.y")[i - 1], f"{name}.d")
    one = d.add("one", bd.Constant(1.0))
    d.add("half", bd.JKFlipFlop())
    for port in ("j", "k"):
        d.connect(one, f"half.{port}")
    d.connect("clock", "half.clock")
    d.add("jk", bd.JKFlipFlop(initial=1.0))
    d.connect(d.add("j", bd.PiecewiseConstant([3.5, 4.5], [1.0, 0.0])), "jk.j")
    d.connect(d.add("k", bd.PiecewiseConstant([1.5, 2.5], [1.0, 0.0])), "jk.k")
    d.connect("clock", "jk.clock")
    d.add("cleared", bd.DFlipFlop())
    d.connect(one, "cleared.d")
    d.connect("clock", "cleared.clock")
    d.connect(d.add("clear", bd.PiecewiseConstant([2.25, 3.75], [1.0, 0.0])), "cleared.clear")
    for both in ("reset", "set", "hold"):
        d.add(f"sr_{both}", bd.SRFlipFlop(both))
        d.connect(
            d.add(f"s_{both}", bd.PiecewiseConstant([1.0, 1.2, 3.0], [1.0, 0.0, 1.0])), f"sr_{both}.set"
        )
        d.connect(
            d.add(f"r_{both}", bd.PiecewiseConstant([2.0, 2.2, 3.0], [1.0, 0.0, 1.0])), f"sr_{both}.reset"
        )
    r = d.simulate(stop=6.5)
    whole = np.arange(7) + 0.1  # just after each edge: data is 0 1 1 0 0 1 1 at 0, 1, ... 6
    assert at(r, "first.y", whole).tolist() == [0, 1, 1, 0, 0, 1, 1]
    assert at(r, "second.y", whole).tolist() == [0, 0, 1, 1, 0, 0, 1]
    assert at(r, "third.y", whole).tolist() == [0, 0, 0, 1, 1, 0, 0]
    assert at(r, "third.not_y", whole).tolist() == [1, 1, 1, 0, 0, 1, 1]
    assert at(r, "half.y", whole).tolist() == [0, 1, 0, 1, 0, 1, 0]
    assert at(r, "jk.y", whole).tolist() == [1, 1, 0, 0, 1, 1, 1]
    assert at(r, "cleared.y", [1.1, 2.2, 2.3, 3.1, 3.9, 4.1]).tolist() == [1, 1, 0, 0, 0, 1]
    for both, end in (("reset", 0.0), ("set", 1.0), ("hold", 0.0)):
        assert at(r, f"sr_{both}.y", [0.5, 1.1, 1.9, 2.1, 2.9, 3.5]).tolist() == [0, 1, 1, 0, 0, end]


def test_timers_are_exact() -> None:
    """Edges of a sine through 0.5 are located; what is due is due at their sum with the delay, in doubles."""
    d = bd.Diagram()
    wave = d.add("wave", bd.Sine())
    for name, function, delay in (
        ("on", "on", 1.0), ("never", "on", 2.5), ("off", "off", 1.0), ("long", "off", 5.0),
        ("pulse", "pulse", 0.25), ("over", "pulse", 3.0),
    ):  # fmt: skip
        d.connect(wave, d.add(name, bd.DelayTimer(function, delay=delay)))
    d.connect(d.add("high", bd.Constant(1.0)), d.add("begun", bd.DelayTimer("on", delay=0.5)))
    r = d.simulate(stop=10.0)
    up, down, turn = np.pi / 6, 5 * np.pi / 6, 2 * np.pi

    def changes(name: str) -> tuple[list[float], list[float]]:
        trace = r.trace(f"{name}.y")
        return trace.time[:-1].tolist(), trace.values[:-1].tolist()

    for name, expected in {
        "on": [up + 1.0, down, up + turn + 1.0, down + turn], "never": [],
        "off": [up, down + 1.0, up + turn, down + turn + 1.0], "long": [up],
        "pulse": [up, up + 0.25, up + turn, up + turn + 0.25],
        "over": [up, up + 3.0, up + turn, up + turn + 3.0], "begun": [0.5],
    }.items():  # fmt: skip
        expected = [t for t in expected if t < 10.0]
        times, values = changes(name)
        np.testing.assert_allclose(times[1:], expected, atol=1e-12, err_msg=name)
        assert values == [k % 2 for k in range(len(values))], name
    rise = next(event.time for event in r.events if event.path == "pulse")
    assert rise + 0.25 in {event.time for event in r.events if event.path == "pulse"}
    every = d.simulate(times=[up + 0.4, up + 1.5, down + 0.1])
    np.testing.assert_allclose(every["on.elapsed"].values, [0.4, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(every["off.elapsed"].values, [0.0, 0.0, 0.1], atol=1e-12)


def test_counters_count_up_and_down_and_go_round() -> None:
    d = bd.Diagram()
    up, down = d.add("up", bd.Pulse(period=0.5, width=0.1, delay=0.25)), d.add("down", bd.Pulse(delay=0.6))
    d.add("net", bd.Counter(initial=10.0))
    d.connect(up, "net.up")
    d.connect(down, "net.down")
    d.connect(up, d.add("round", bd.Counter(modulus=3))["up"])
    d.add("reset", bd.Counter())
    d.connect(up, "reset.up")
    d.connect(d.add("at", bd.Pulse(period=9.0, width=0.5, delay=2.0)), "reset.reset")
    d.connect(d.add("waves", bd.Sine(frequency=[3.0, 7.0])), d.add("both", bd.Counter())["up"])
    r = d.simulate(stop=5.1)
    assert r.final("net") == 10.0 + 10 - 5
    assert r.final("round") == 10 % 3
    assert r.final("reset") == sum(0.25 + 0.5 * k > 2.5 for k in range(10))
    assert r.final("both").tolist() == [3.0, 6.0]  # type: ignore[union-attr]


def test_sampled_edges_last_one_sample() -> None:
    d = bd.Diagram()
    d.add("u", bd.Pulse(period=1.0, width=0.45, delay=0.3))
    for direction in ("rising", "falling", "either"):
        d.connect("u", d.add(direction, bd.EdgeDetector(direction, sample_time=0.1)))
    r = d.simulate(stop=2.05)
    ticks = np.arange(21) * 0.1
    level = ((ticks - 0.3) % 1.0 < 0.449999) & (ticks > 0.29)
    step = np.diff(level.astype(int), prepend=0)
    for direction, expected in (("rising", step == 1), ("falling", step == -1), ("either", step != 0)):
        assert at(r, direction, ticks + 0.05).tolist() == expected.astype(float).tolist()


def test_bits_are_those_of_whole_numbers() -> None:
    a, b = np.array([0, 1, 12, 255, 2**31 + 5, 2**32 - 1]), np.array([7, 1, 10, 15, 2**31, 3])
    d = bd.Diagram()
    d.add("a", bd.Constant(a.astype(float)))
    d.add("b", bd.Constant(b.astype(float)))
    for name, block in {
        "and": bd.BitOperation("and"), "or": bd.BitOperation("or"), "xor": bd.BitOperation("xor"),
    }.items():  # fmt: skip
        d.add(name, block)
        d.connect("a", f"{name}[0]")
        d.connect("b", f"{name}[1]")
    d.connect("a", d.add("not", bd.BitOperation("not")))
    d.connect("a", d.add("left", bd.BitOperation("shift_left", operand=3)))
    d.connect("a", d.add("right", bd.BitOperation("shift_right", operand=3)))
    d.connect("a", d.add("low", bd.BitOperation("and", operand=15)))
    r = d.simulate(stop=0.0)
    for name, expected in {
        "and": a & b, "or": a | b, "xor": a ^ b, "not": a ^ (2**32 - 1), "left": (a << 3) % 2**32,
        "right": a >> 3, "low": a & 15,
    }.items():  # fmt: skip
        assert r.final(name).tolist() == expected.tolist(), name  # type: ignore[union-attr]
    for compiled in (True, False):
        with pytest.raises(bd.RunError, match=r"and failed .* more than `bits` bits"):
            d.simulate(stop=0.0, set={"a.value": (-a).tolist()}, compiled=compiled)


def test_wrong_parameters_are_told() -> None:
    for wrong in (
        lambda: bd.Logic("but"), lambda: bd.Logic(count=0), lambda: bd.IntervalTest(2.0, 1.0),
        lambda: bd.DelayTimer(delay=0.0), lambda: bd.DelayTimer("late"), lambda: bd.Counter(modulus=0),
        lambda: bd.BitOperation(bits=53), lambda: bd.BitOperation(operand=0.5),
        lambda: bd.SRFlipFlop("neither"),
        lambda: bd.BitOperation(bits=4, operand=16), lambda: bd.EdgeDetector("up"),
    ):  # fmt: skip
        with pytest.raises(bd.ParameterError, match="expected"):
            wrong()
