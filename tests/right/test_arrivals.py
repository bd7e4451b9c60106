"""What arrives at a tick is read there: instants that only rounding keeps from a tick are the tick's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import blockdyn as bd

PULSES = {"period": 1.0, "width": 0.5, "delay": 0.1}  # at 0.1, 0.6, 1.1, ...


def counted(d, stop, tick):
    """The value of `read` within each sample."""
    trace = d.simulate(stop=stop).trace("read")
    return [float(trace.at((k + 0.5) * tick)) for k in range(round(stop / tick))]


def sampled_clock(between, tick=0.1, reading=None):
    """The time, sampled, delayed by blocks between, and sampled again."""
    d = bd.Diagram()
    chain = [d.add("t", bd.Clock()), d.add("sent", bd.ZeroOrderHold(tick))]
    chain += [d.add(f"between{i}", block) for i, block in enumerate(between)]
    d.connect(*chain, d.add("read", bd.ZeroOrderHold(reading or tick)))
    return d


@pytest.mark.parametrize(
    ("tick", "delays"),
    [
        (0.1, (0.3,)),
        (0.1, (0.1,)),
        (0.01, (0.05,)),
        (0.001, (0.005,)),
        (0.1, (0.1, 0.2)),
        (0.1, (0.03, 0.07)),
        (0.1, (0.1, 0.1, 0.1)),
        (1 / 3, (1 / 3,)),
    ],
)
def test_delays_that_end_at_ticks(tick, delays):
    d = sampled_clock([bd.TransportDelay(delay) for delay in delays], tick)
    late = round(sum(delays) / tick)
    read = counted(d, 200 * tick, tick)
    np.testing.assert_allclose(read[late + 1 :], tick * np.arange(1, 200 - late), atol=1e-9)


def test_a_clock_that_only_reads_reads_what_arrives():
    """An integrator makes the steps; the clock of 0.1 s ends none of them."""
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Sine()), d.add("x", bd.Integrator()))
    table = bd.PiecewiseConstant(times=[0.1 * k for k in range(100)], values=list(range(100)))
    d.connect(d.add("table", table), d.add("late", bd.TransportDelay(0.3)))
    d.connect(d["late"], d.add("read", bd.ZeroOrderHold(0.1)))
    assert counted(d, 9.0, 0.1)[3:] == list(range(87))


def test_a_table_at_multiples_of_a_sample_time():
    """0.05 * 3 is a rounding later than the tick at 3/20."""
    d = bd.Diagram()
    table = bd.PiecewiseConstant(times=0.05 * np.arange(60), values=np.arange(60.0))
    d.connect(d.add("table", table), d.add("read", bd.ZeroOrderHold(0.05)))
    assert counted(d, 3.0, 0.05) == list(range(60))


def test_timers_that_end_at_ticks():
    d = bd.Diagram()
    timer = d.add("timer", bd.DelayTimer(delay=0.2))
    d.connect(d.add("pulse", bd.Pulse(**PULSES)), d.add("sent", bd.ZeroOrderHold(0.1)), timer)
    d.connect(timer["y"], d.add("read", bd.ZeroOrderHold(0.1)))
    assert counted(d, 20.0, 0.1) == [float(k % 10 in (3, 4, 5)) for k in range(200)]


@pytest.mark.parametrize(
    ("guard", "late"),
    [
        ("after >= 0.2", 0),
        ("0.2 <= after", 0),
        ("not after < 0.2", 0),
        ("after > 0.2", 1),
        ("0.2 < after", 1),
    ],
)
def test_machines_that_wait_until_a_tick(guard, late):
    """`after >= 0.2` holds at the tick 0.2 s later, `after > 0.2` does not hold there yet."""
    transitions = ["a -> b: u > 0.5", f"b -> c: {guard}", "c -> a: u < 0.5"]
    machine = bd.StateMachine(chart={"states": {"a": {}, "b": {}, "c": {}}, "transitions": transitions})
    d = bd.Diagram()
    m = d.add("m", machine)
    d.connect(d.add("pulse", bd.Pulse(**PULSES)), d.add("sent", bd.ZeroOrderHold(0.1)), m["u"])
    d.connect(m["state"], d.add("read", bd.ZeroOrderHold(0.1)))
    states = [1, 1, 1 if late else 2, 2, 2, 0, 0, 0, 0, 0]  # from 0.1 s on
    assert counted(d, 20.0, 0.1) == [float(states[(k - 1) % 10]) if k else 0.0 for k in range(200)]


WAYS = [
    ("t - 0.1 >= k", 0), ("t - 0.1 > k", 1), ("k <= t - 0.1", 0), ("not t - 0.1 < k", 0),
    ("t >= k + 0.1", 0), ("3 * t >= 3 * k + 0.3", 0), ("10 * (t - 100) >= 10 * (k - 99.9)", 0),
    ("abs(t - 7.1) <= 7 - k", 0), ("min(t - 0.1, 50) >= k", 0), ("where(t - 0.1 >= k, 1, 0) > 0.5", 0),
]  # fmt: skip


@pytest.mark.parametrize("place", ["machine", "expression", "if"])
@pytest.mark.parametrize(("condition", "late"), WAYS)
def test_computed_times_that_are_compared_at_ticks(condition, late, place):
    """t - 0.1 >= 0.2 holds at the tick at 0.3 s, where t - 0.1 is 0.19999999999999998."""
    if place == "machine":
        chart = {"states": {"a": {}, "b": {}}, "transitions": [f"a -> b: {condition}"]}
        block, port = bd.StateMachine(chart=chart), "state"
    elif place == "expression":
        block, port = bd.Expression(f"1 if {condition} else 0"), "y"
    else:
        block, port = bd.If(conditions={"holds": condition}), "holds"
    d = bd.Diagram()
    d.connect(d.add("k", bd.Constant(0.0)), d.add("block", block)["k"])
    d.connect(d["block"][port], d.add("read", bd.ZeroOrderHold(0.1)))
    for n in range(1, 70):
        trace = d.simulate(stop=7.5, set={"k.value": n / 10}).trace("read")
        first = trace.time[np.argmax(trace.values.ravel() > 0.5)]
        assert round(10 * first) == n + 1 + late


@pytest.mark.parametrize("condition", ["t - 0.1 < inf", "min(t + 1, inf) >= 1", "inf > 2 * t"])
def test_a_computed_time_is_less_than_infinity(condition):
    d = bd.Diagram()
    d.add("y", bd.Expression(f"1 if {condition} else 0"))
    assert d.simulate(stop=2.0)["y"].values.min() == 1.0


def test_a_root_that_begins_where_its_condition_does_is_a_number():
    """The integral of sqrt(t - 0.1) from 0.1 to 1.1 is 2/3."""
    d = bd.Diagram()
    root = d.add("root", bd.Expression("sqrt(t - 0.1) if t - 0.1 >= 0 else 0"))
    d.connect(root, d.add("x", bd.Integrator()))
    assert d.simulate(stop=1.1, rtol=1e-9).final("x") == pytest.approx(2 / 3, rel=1e-7)


def varied(delay):
    """VariableTransportDelay within a subsystem, with a constant delay."""
    inner = bd.Diagram()
    late = inner.add("late", bd.VariableTransportDelay(minimum=delay / 2, maximum=2 * delay))
    inner.connect(inner.add("u", bd.Inport()), late["u"])
    inner.connect(inner.add("delay", bd.Constant(delay)), late["delay"])
    inner.connect(late, inner.add("y", bd.Outport()))
    return inner


@pytest.mark.parametrize(("tick", "delay"), [(0.1, 0.3), (0.01, 0.05), (0.001, 0.007), (1 / 3, 1 / 3)])
def test_delays_that_may_vary_and_end_at_ticks(tick, delay):
    late = round(delay / tick)
    read = counted(sampled_clock([varied(delay)], tick), 200 * tick, tick)
    np.testing.assert_allclose(read[late + 1 :], tick * np.arange(1, 200 - late), atol=1e-9)


END = 0.3  # 0.1 + 0.2 is a rounding after it


@pytest.mark.parametrize(
    ("block", "arrived"),
    [
        (bd.TransportDelay(0.2), 1.0),
        (bd.DelayTimer(delay=0.2), 1.0),
        (varied(0.2), 1.0),
        (bd.ZeroOrderHold(END), 1.0),
        (bd.StateMachine(chart={"states": {"a": {}, "b": {}}, "transitions": ["a -> b: u > 0.5"]}), 1.0),
    ],
)
def test_what_arrives_at_the_end_of_a_run_arrives(block, arrived):
    d = bd.Diagram()
    d.connect(d.add("step", bd.Step(time=0.1)), (late := d.add("late", block))["u"])
    out = late["state" if isinstance(block, bd.StateMachine) else "y"]
    d.connect(out, d.add("seen", bd.Gain(1.0)))
    assert d.simulate(stop=END).final("seen") == arrived


@pytest.mark.parametrize(("comparison", "moved"), [(">=", 1.0), (">", 0.0)])
@pytest.mark.parametrize("begin", [0.0, 0.1, 0.5, 0.7])
def test_a_machine_at_the_end_of_a_run(comparison, moved, begin):
    """What has lasted 0.2 s at the end has not lasted longer."""
    chart = {"states": {"w": {}, "a": {}, "b": {}}, "initial": "w"}
    transitions = ["w -> a: u > 0.5", f"a -> b: after {comparison} 0.2"]
    d = bd.Diagram()
    m = d.add("m", bd.StateMachine(chart={**chart, "transitions": transitions}))
    d.connect(d.add("step", bd.Step(time=begin)), m["u"])
    assert d.simulate(stop=begin + 0.2).final("m.state") == 1.0 + moved


def test_linear_models_and_runs_agree():
    """Three samples of delay: the fourth sample of a unit step is the first to show it."""
    d = bd.Diagram()
    u, y = d.add("u", bd.Inport(default=0.0)), d.add("y", bd.Outport())
    d.connect(u, d.add("sent", bd.ZeroOrderHold(0.1)), d.add("late", bd.TransportDelay(0.3)))
    d.connect(d["late"], d.add("read", bd.ZeroOrderHold(0.1)), y)
    np.testing.assert_allclose(d.linearize().poles(), 0.0, atol=1e-12)
    r = d.simulate(stop=2.0, inputs={"u": 1.0})
    assert [float(r.trace("read").at(0.1 * k + 0.05)) for k in range(19)] == [0.0] * 3 + [1.0] * 16


@pytest.mark.parametrize("seed", range(12))
def test_random_chains(seed):
    """Delays of random fractions, by exact fractions: sample k shows the last jump at or before it."""
    rng = np.random.default_rng(seed)
    tick = Fraction(int(rng.integers(1, 20)), int(rng.choice([10, 20, 30, 100, 7])))
    reading = tick * Fraction(int(rng.integers(1, 4)), int(rng.integers(1, 4)))
    delays = [
        tick * Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 4))) for _ in range(rng.integers(1, 4))
    ]
    d = sampled_clock([bd.TransportDelay(float(x)) for x in delays], float(tick), float(reading))
    total, stop = sum(delays), 60 * max(tick, reading)
    trace = d.simulate(stop=float(stop)).trace("read")
    for k in range(int(stop / reading)):
        expected = max(0, (k * reading - total) // tick) * tick
        assert float(trace.at(float((k + Fraction(1, 2)) * reading))) == pytest.approx(
            float(expected), abs=1e-9
        )


@pytest.mark.parametrize("method", ["dopri5", "tsit5", "bdf", "radau5"])
def test_steps_that_end_at_ticks_near_a_level_are_not_events(method: str) -> None:
    """x = cos t comes as near to the limit 1.0001 as 1e-4, and never reaches it."""
    d = bd.Diagram()
    a, v, x = d.add("a", bd.Gain(-1.0)), d.add("v", bd.Integrator(0.0)), d.add("x", bd.Integrator(1.0))
    d.connect(a, v, x, a)
    limited = d.add("limited", bd.Saturation(-1.0001, 1.0001))
    d.connect(x, limited, d.add("held", bd.ZeroOrderHold(0.1)), d.add("sum", bd.Integrator(0.0)))
    assert d.simulate(stop=20.0, method=method, rtol=1e-6).statistics["state events"] == 0
