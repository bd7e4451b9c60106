"""Notices of a run about signals that may not be meant: an edge that was before the start, a pulse unseen."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def triggered(kind, u):
    """A block with a trigger that this source drives."""
    d = bd.Diagram()
    source = d.add("source", u)
    if kind == "trigger":
        inner = bd.Diagram()
        inner.add("trigger", bd.Trigger())
        inner.connect(inner.add("one", bd.Constant(1.0)), inner.add("y", bd.Outport()))
        d.connect(source, d.add("block", inner)["trigger"])
        return d
    block = bd.Counter() if kind == "counter" else bd.Integrator(reset="rising", level=0.5)
    d.connect(source, d.add("block", block)["up" if kind == "counter" else "trigger"])
    if kind == "integrator":
        d.connect(source, d["block"]["u"])
    return d


@pytest.mark.parametrize("kind", ["integrator", "trigger", "counter"])
def test_a_trigger_that_is_high_at_the_start(kind):
    (notice,) = triggered(kind, bd.Pulse(period=1.0)).simulate(stop=2.2).notices
    assert notice.startswith("block")
    assert triggered(kind, bd.Pulse(period=1.0, delay=0.2)).simulate(stop=2.2).notices == ()
    assert triggered(kind, bd.Constant(0.0)).simulate(stop=2.2).notices == ()


@pytest.mark.parametrize(
    ("block", "port", "others"),
    [
        (bd.PID(reset="rising"), "trigger", ["u"]),
        (bd.PID2DOF(reset="rising"), "trigger", ["r", "m"]),
        (bd.Counter(), "down", ["up"]),
        (bd.DFlipFlop(), "clock", ["d"]),
        (bd.JKFlipFlop(), "clock", ["j", "k"]),
    ],
)
def test_all_inputs_whose_rising_edges_act(block, port, others):
    def notices(source):
        d = bd.Diagram()
        b = d.add("block", block)
        d.connect(d.add("source", source), b[port])
        for name in others:
            d.connect(d.add(f"zero_{name}", bd.Constant(0.0)), b[name])
        return d.simulate(stop=2.2).notices

    (notice,) = notices(bd.Pulse(period=1.0))
    assert notice.startswith("block")
    assert f"`{port}`" in notice
    assert notices(bd.Pulse(period=1.0, delay=0.2)) == ()


def test_the_element_and_its_level_are_named():
    """Of up = (1, 1) and threshold = (0.5, 2) only the first is high."""
    d = bd.Diagram()
    d.connect(d.add("source", bd.Constant([1.0, 1.0])), d.add("n", bd.Counter(threshold=[0.5, 2.0]))["up"])
    (notice,) = d.simulate(stop=1.0).notices
    assert "up[0]" in notice
    assert "0.5" in notice
    assert "2" not in notice


def test_a_trigger_at_its_level_may_still_rise():
    r = triggered("integrator", bd.Ramp(initial=0.5)).simulate(stop=1.0)
    assert r.notices == ()


WIDTH = 1e-3


def of_time(t, begin=0.5):
    return 1.0 if begin < t < begin + WIDTH else 0.0


def of_signal(u):
    return 1.0 if abs(u - 0.5) < 1e-3 else 0.0


def of_names(t):
    center = 0.5
    begin, end = center - 0.5 * WIDTH, center + 0.5 * WIDTH
    return 1.0 if begin < t < end else 0.0


def between(t, begin, end):
    return 1.0 if begin < t < end else 0.0


def of_another(t):
    return between(t, 0.5, 0.5 + WIDTH)


def bell(t):
    """Smooth, and its branch never taken."""
    return 0.0 if t < 0.0 else np.exp(-(((t - 2.0) / 0.3) ** 2))


def resolved(t):
    return 1.0 if t < 0.5 else 0.0


def kinked(u):
    return abs(u)


def integrated(function, source=None):
    d = bd.Diagram()
    law = d.add("law", bd.Function(function))
    if source is not None:
        d.connect(d.add("source", source), law)
    d.connect(law, d.add("x", bd.Integrator()))
    return d


@pytest.mark.parametrize(
    ("function", "source"),
    [(of_time, None), (of_signal, bd.Clock()), (of_names, None), (of_another, None)],
)
def test_a_pulse_between_the_ends_of_a_step(function, source):
    """The integral of a pulse of 1e-3 s, or of 2e-3 s; 0 where no step sees it."""
    d = integrated(function, source)
    missed = d.simulate(stop=10.0)
    assert missed.final("x") == 0.0
    assert [notice.split()[0] for notice in missed.notices] == ["law"]
    seen = d.simulate(stop=10.0, max_step=1e-4)
    assert seen.final("x") > 9e-4
    assert seen.notices == ()


@pytest.mark.parametrize(("function", "source"), [(resolved, None), (kinked, bd.Sine())])
def test_a_jump_or_a_kink_that_steps_resolve(function, source):
    assert integrated(function, source).simulate(stop=10.0).notices == ()


table = np.ones(4)


def outside_a_table(t):
    return table[7] if 0.5 < t < 0.50001 else 1.0


def logarithm(t):
    return 0.0 if t < 0.2 else np.log(np.abs(t - 0.5))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("function", [outside_a_table, logarithm])
def test_a_function_that_fails_where_no_step_went(function):
    """The notices call it there; what it raises and warns of concerns nobody."""
    assert integrated(function).simulate(stop=3.0).notices == ()


def test_a_smooth_function_with_a_branch_elsewhere():
    """The integral of exp(-((t - 2) / 0.3)^2) is 0.3 sqrt(pi)."""
    r = integrated(bell).simulate(stop=10.0, rtol=1e-2, method="dop853")
    assert r.final("x") == pytest.approx(0.3 * np.sqrt(np.pi), rel=1e-3)
    assert r.notices == ()
