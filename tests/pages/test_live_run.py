"""Live runs: however a run was watched, gone back in and touched, its bits are those of `simulate`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.pages.live.description import Description
from blockdyn.pages.serving import LiveError

# events and modes; ticks that drive; jumps and touch-downs; a flight
TOUCHED = {
    "cruise-gears": [{"mass": 1500.0}, {"reference": 20.0}],
    "sampled-joint": [{"reference.final": 2.0}, {"speed.x": -1.0}],
    "touch-down": [{"rise": 100.0}, {"pull.slope": 80.0}],
    "quadrotor": [{"payload": 0.2}, {"breeze": 2.0}],
}


def same(one: Any, other: Any) -> None:
    """The same traces to the bit, and the same events."""
    assert one.signals.keys() == other.signals.keys()
    for path, trace in one.signals.items():
        np.testing.assert_array_equal(trace.time, other.signals[path].time, err_msg=path)
        np.testing.assert_array_equal(trace.values, other.signals[path].values, err_msg=path)
    assert one.events == other.events


@pytest.mark.parametrize("name", TOUCHED)
def test_a_run_gone_back_in_and_touched_is_the_one_simulated_with_its_touches(name: str) -> None:
    program = bd.load(name).compile()
    stop = min(float(program.flat.simulation["stop"]), 4.0)
    live = bd.LiveRun(program, stop=stop, pace=math.inf)
    live.playing = True
    while live.playing:
        live.advance(1 / 60)
    same(live.result(), program.simulate(stop=stop, refine=live.request.refine))
    for at, changes in zip((0.35 * stop, 0.6 * stop), TOUCHED[name], strict=True):
        live.go_to(at)
        live.touch(changes)
        live.next_event()
    live.go_to(stop)
    once = live.result()
    again = program.simulate(stop=stop, refine=live.request.refine, touches=once.touched)
    assert len(live.touches) == 2
    same(once, again)
    live.go_to(0.5 * stop)
    live.touch(TOUCHED[name][1])
    live.touch(TOUCHED[name][0], at=0.2 * stop)
    assert len(live.touches) == 1
    live.go_to(stop)
    same(live.result(), program.simulate(stop=stop, refine=live.request.refine, touches=live.touches))


def decay() -> Any:
    d = bd.Diagram("decay", parameters={"rate": 1.0})
    x, slope = d.add("x", bd.Integrator(1.0)), d.add("slope", bd.Gain(bd.expression("-rate")))
    d.connect(x, slope, x)
    d.add("stop", bd.Stop())
    d.connect(x, d.add("low", bd.Compare(operator="<", value=0.01)), d["stop"])
    return d


@pytest.fixture(scope="module")
def decaying() -> Any:
    return decay().compile()


def test_time_passes_at_the_pace_and_stands_while_paused(decaying: Any) -> None:
    live = bd.LiveRun(decaying, stop=10.0, pace=2.0)
    live.advance(1.0)
    assert live.time == 0.0
    live.playing = True
    for _ in range(10):
        live.advance(0.1)
    assert live.time == pytest.approx(2.0)
    assert live.computed >= live.time


def test_the_next_event_is_where_the_run_ends_and_a_touch_before_it_lets_it_go_on(decaying: Any) -> None:
    live = bd.LiveRun(decaying, stop=10.0)
    assert live.next_event()
    assert live.time == pytest.approx(math.log(100.0), rel=1e-5)
    assert live.at_end
    assert live.result().provenance.stopped_by == "stop"
    live.go_to(1.0)
    live.touch({"rate": 0.1})
    live.go_to(10.0)
    assert live.time == 10.0
    assert live.result().final("x") == pytest.approx(math.exp(-1.9), rel=1e-5)


def test_a_slider_that_is_dragged_for_long_is_told_with_every_touch(decaying: Any) -> None:
    live = bd.LiveRun(decaying, stop=3.0)
    times = np.arange(1, 200) / 100.0
    for time in times:
        live.go_to(time)
        live.touch({"rate": 1.0 + time})
    live.go_to(1.005)
    assert live.passed == 100
    assert live.values() == {"rate": 2.0}
    live.go_to(3.0)
    result = live.result()
    assert [event.time for event in result.events if event.kind == "touch"] == list(times)
    told = live.named(live.timeline.events.all[50:60])
    assert told == result.events[50:60]
    same(result, decaying.simulate(stop=3.0, refine=live.request.refine, touches=live.touches))


def test_the_result_ends_where_the_run_is_shown_and_the_run_goes_on(decaying: Any) -> None:
    live = bd.LiveRun(decaying, stop=3.0)
    live.go_to(3.0)
    live.go_to(1.5)
    part = live.result()
    assert not part.complete
    assert part["x"].time[-1] == 1.5
    assert part.final("x") == pytest.approx(math.exp(-1.5), rel=1e-6)
    live.go_to(3.0)
    same(live.result(), decaying.simulate(stop=3.0, refine=live.request.refine))


def test_a_run_that_fails_is_shown_as_far_as_it_came_and_can_be_saved_before() -> None:
    d = bd.Diagram(parameters={"rate": 1.0})
    x = d.add("x", bd.Integrator(1.0))
    d.connect(
        x, d.add("square", bd.Expression("rate * u * u", coefficients={"rate": bd.expression("rate")})), x
    )
    live = bd.LiveRun(d.compile(), stop=3.0)  # x' = x^2 runs away at t = 1
    live.go_to(3.0)
    assert live.time < 1.0 + 1e-6
    assert live.error is not None
    assert not live.result().complete
    live.go_to(0.5)
    live.touch({"rate": -1.0})
    live.go_to(3.0)
    assert live.error is None
    assert live.result().final("x") == pytest.approx(1.0 / (0.5 + 2.5), rel=1e-5)


def test_a_touch_that_is_refused_leaves_the_run_as_it_was(decaying: Any) -> None:
    live = bd.LiveRun(decaying, stop=2.0)
    live.go_to(1.0)
    for wrong in ({"rote": 1.0}, {"rate": "fast"}):
        with pytest.raises(bd.BlockdynError):
            live.touch(wrong)
    with pytest.raises(LiveError, match="go back first"):
        live.touch({"rate": 2.0}, at=2.0)
    live.go_to(2.0)
    same(live.result(), decaying.simulate(stop=2.0, refine=live.request.refine))


@pytest.mark.parametrize("how", [{"max_time": 1.0}, {"stream": "run.csv"}, {"pace": 0.0}], ids=str)
def test_what_cannot_go_back_is_refused(decaying: Any, how: dict[str, Any]) -> None:
    with pytest.raises(LiveError, match="expected: "):
        bd.LiveRun(decaying, stop=1.0, **how)


def test_a_page_is_told_the_drawn_diagram() -> None:
    diagram = bd.Diagram("drawn")
    diagram.add("ramp", bd.Integrator())
    diagram.connect(diagram.add("one", bd.Constant(1.0)), "ramp")
    assert Description(bd.LiveRun(diagram, stop=1.0)).drawing == diagram.draw().svg
