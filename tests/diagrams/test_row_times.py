"""Rows on a grid reach the end of the run, whoever ends it; times and touches there are part of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DiagramError, RunArgumentError

COMPILED = pytest.mark.parametrize("compiled", [True, False])


def clock(stop_at: float | None = None) -> bd.Diagram:
    """dx/dt = rate = 1; a Stop acts where x reaches `stop_at`."""
    d = bd.Diagram("clock")
    x = d.add("x", bd.Integrator())
    d.connect(d.add("rate", bd.Constant(1.0)), x)
    if stop_at is not None:
        d.connect(x, d.add("there", bd.Compare(">=", stop_at)), d.add("stop", bd.Stop()))
    return d


@COMPILED
def test_rows_at_a_distance_end_with_the_run(compiled: bool) -> None:
    r = clock().simulate(stop=1.0, every=0.3, compiled=compiled)
    assert r.time == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0])
    assert r.final("x.y") == pytest.approx(1.0)


def test_a_whole_number_of_distances_has_no_row_more() -> None:
    for count in range(1, 60):
        assert len(clock().simulate(stop=0.1 * count, every=0.1).time) == count + 1


@COMPILED
@pytest.mark.parametrize("rows", [{"every": 0.25}, {"times": [0.1, 0.7, 1.5, 3.0]}, {"times": [0.72, 2.0]}])
def test_a_run_that_a_stop_block_ends_has_a_row_there(rows: dict[str, Any], compiled: bool) -> None:
    r = clock(stop_at=0.72).simulate(stop=4.0, compiled=compiled, **rows)
    assert r.trace("x.y").time[-1] == pytest.approx(0.72)
    assert r.final("x.y") == pytest.approx(0.72)
    assert bool(r.notices) == ("times" in rows)


def test_times_after_the_end_of_a_run_have_no_rows() -> None:
    r = clock().simulate(stop=1.0, times=[0.0, 0.5, 1.0 + 1e-15, 7.0])
    assert r.time == pytest.approx([0.0, 0.5, 1.0])
    assert any("times" in notice for notice in r.notices)
    with pytest.raises(RunArgumentError, match="times"):
        clock().simulate(stop=1.0, times=[2.0, 3.0])


@COMPILED
@pytest.mark.parametrize("method", ["auto", "rk4"])
def test_a_touch_at_the_end_shows_both_limits(method: str, compiled: bool) -> None:
    step = {"step": 0.3} if method == "rk4" else {}
    touches = [(1.0, {"rate.value": 5.0, "x.x": 9.0})]
    r = clock().simulate(stop=1.0, touches=touches, method=method, compiled=compiled, **step)
    x = r.trace("x.y")
    assert (x.time[-2], x.values[-2]) == pytest.approx((1.0, 1.0))
    assert (x.time[-1], x.values[-1], r.final("rate.y")) == (1.0, 9.0, 5.0)


def test_a_time_that_is_not_a_number_has_no_value() -> None:
    r = clock().simulate(stop=1.0)
    for path in ("x.y", "rate.y"):
        assert np.isnan(r.trace(path).at(math.nan))
        assert r.trace(path).at([math.nan, 0.5])[1] == pytest.approx(0.5 if path == "x.y" else 1.0)


@pytest.mark.parametrize("stop", [5e-324, 1e-310])
def test_the_shortest_runs_advance(stop: float) -> None:
    assert clock().simulate(stop=stop).final("x.y") == stop


def test_a_tolerance_below_rounding_is_refused_as_such() -> None:
    with pytest.raises(RunArgumentError, match="rtol"):
        clock().simulate(stop=1.0, rtol=1e-300)


@pytest.mark.parametrize("delay", [bd.TransportDelay, bd.VariableTransportDelay])
def test_a_history_beyond_memory_is_refused(delay: Any) -> None:
    d = bd.Diagram()
    limits = {"delay": 0.1} if delay is bd.TransportDelay else {"minimum": 0.01, "maximum": 0.1}
    late = d.add("late", delay(buffer=10**12, **limits))
    d.connect(d.add("u", bd.Sine()), late["u"])
    if delay is bd.VariableTransportDelay:
        d.connect(d.add("lag", bd.Constant(0.05)), late["delay"])
    with pytest.raises(DiagramError, match="late"):
        d.simulate(stop=1.0)


def test_repetitions_beyond_memory_are_refused() -> None:
    d = bd.Diagram()
    signal = d.add("u", bd.Constant(1.0))
    for k in range(4):
        longer = d.add(f"r{k}", bd.Repeat(10000))
        d.connect(signal, longer)
        signal = longer
    with pytest.raises(DiagramError, match="r3"):
        d.compile()
