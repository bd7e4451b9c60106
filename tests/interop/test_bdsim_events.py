"""EVENT and STOP of bdsim: handlers that set states, several at one instant, on exact instants."""

from __future__ import annotations

import math
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from blockdyn import BlockdynError
from blockdyn.interop.bdsim.events import Handlers


def falling(bd: Any, name: str, height: float) -> tuple[Any, Any]:
    speed, place = bd.INTEGRATOR(name=f"{name}_speed"), bd.INTEGRATOR(x0=height, name=f"{name}_height")
    bd.connect(bd.CONSTANT(-9.81, name=f"{name}_g"), speed)
    bd.connect(speed, place)
    return speed, place


def test_two_balls_that_hit_at_one_instant_both_bounce(sim: Any) -> None:
    """bdsim keeps what one of the handlers did, and the other ball falls to -112 m."""
    bd = sim.blockdiagram()
    for name in ("a", "b"):
        speed, place = falling(bd, name, 10.0)

        def bounce(event: Any, state_map: Any, speed: Any = speed) -> None:
            state_map[speed] *= -0.8

        bd.connect(place, bd.EVENT("-", bounce, name=f"{name}_ground"))
    bd.compile()
    out = sim.run(bd, T=5.0, dt=0.01)
    # between impacts a parabola: the impacts are at t0 (1 + 2 e + 2 e^2 + ...), the speed after the k-th is
    # v e^k
    t0, v = math.sqrt(20.0 / 9.81), math.sqrt(20.0 * 9.81)
    impact, k = t0, 1
    while impact + 2.0 * 0.8**k * t0 < 5.0:
        impact += 2.0 * 0.8**k * t0
        k += 1
    since = 5.0 - impact
    expected = [0.8**k * v - 9.81 * since, 0.8**k * v * since - 9.81 / 2 * since**2] * 2
    np.testing.assert_allclose(out.x[-1], expected, atol=1e-9)
    assert out.xnames == ["a_speed:x_0", "a_height:x_0", "b_speed:x_0", "b_height:x_0"]


def test_handlers_set_linear_systems_and_sampled_states(sim: Any) -> None:
    bd = sim.blockdiagram()
    clock = bd.clock(0.25)
    lag = bd.LTI_SISO(1, [1, 1], x0=np.array([1.0]), name="lag")
    total = bd.INTEGRATOR_S(clock, name="total")
    bd.connect(bd.CONSTANT(0.0, name="zero"), lag)
    bd.connect(bd.CONSTANT(4.0, name="four"), total)

    def again(event: Any, state_map: Any) -> None:
        state_map[lag] = np.array([1.0])
        state_map[total] = np.array([10.0])

    bd.connect(lag - 0.5, bd.EVENT("v", again, name="half"))
    bd.compile()
    out = sim.run(bd, T=1.0, watch=[total])
    # it decays to a half at t = ln 2, and begins again; the sum, at 2 by then, goes on from 10
    np.testing.assert_allclose(out.x[-1], [math.exp(math.log(2.0) - 1.0)], rtol=1e-6)
    assert out.clock0.X.ravel().tolist() == [1.0, 2.0, 11.0, 12.0]
    halved = [event.time for event in out.result.events if event.path == "handlers"]
    np.testing.assert_allclose(halved, [math.log(2.0)], rtol=1e-6)


def test_stop_ends_the_run_where_its_number_or_truth_rises(sim: Any) -> None:
    for condition, expected in ((lambda u: u > 0.7, 0.7), (lambda u: u - 0.3, 0.3), (None, 0.5)):
        bd = sim.blockdiagram()
        x = bd.INTEGRATOR(name="x")
        bd.connect(bd.CONSTANT(1.0), x)
        bd.connect(x if condition else x - 0.5, bd.STOP(condition, name="enough"))
        bd.compile()
        assert abs(sim.run(bd, T=2.0).t[-1] - expected) < 1e-12


def rising(bd: Any) -> tuple[Any, Any]:
    """x' = 1 from 0, and a STOP at 0.2."""
    x = bd.INTEGRATOR(x0=0.0, name="x")
    bd.connect(bd.CONSTANT(1.0), x)
    stop = bd.STOP(lambda u: u - 0.2, name="enough")
    bd.connect(x, stop)
    return x, stop


def test_the_handler_of_a_stop_leaves_its_state_at_the_end(sim: Any) -> None:
    """As in bdsim's test_stop_handler_state_mutation_persists."""
    bd = sim.blockdiagram()
    x, stop = rising(bd)

    def reset(t: float, y: Any, state_map: Any, simstate: Any) -> None:
        assert abs(t - 0.2) < 1e-12
        np.testing.assert_allclose(y, [0.2])
        state_map[x][:] = 0.0
        simstate.stop = stop

    stop.event_handler = reset
    out = sim.run(bd, T=0.5)
    assert abs(out.t[-1] - 0.2) < 1e-12
    assert out.x[-1].tolist() == [0.0]


def test_a_run_goes_on_where_the_handler_of_a_stop_only_changes_the_state(sim: Any) -> None:
    """bdsim's ends at 0.1 too: a sawtooth with teeth of 0.2 s."""
    bd = sim.blockdiagram()
    x, stop = rising(bd)

    def reset(t: float, y: Any, state_map: Any, simstate: Any) -> None:
        state_map[x][:] = 0.0

    stop.event_handler = reset
    out = sim.run(bd, T=0.5)
    np.testing.assert_allclose([out.t[-1], out.x[-1, 0]], [0.5, 0.1], rtol=1e-9)


def test_the_handler_of_a_stop_takes_what_it_wants(sim: Any) -> None:
    bd = sim.blockdiagram()
    _, stop = rising(bd)
    seen: list[Any] = []
    stop.event_handler = lambda t, y: seen.append((t, *y))
    out = sim.run(bd, T=0.5)
    assert abs(out.t[-1] - 0.2) < 1e-12
    np.testing.assert_allclose(seen, [(0.2, 0.2)], rtol=1e-9)


@pytest.mark.parametrize("form", ["t, y", "t, y, simstate", "t, y, state_map, simstate"])
def test_a_handler_sets_states_in_their_vector(sim: Any, form: str) -> None:
    """In bdsim the states in the map are views of the vector y."""
    bd = sim.blockdiagram()
    x, stop = rising(bd)
    bd.connect(bd.CONSTANT(2.0), (other := bd.INTEGRATOR(x0=3.0, name="other")))

    def rewrite(y: Any, state_map: Any = None) -> None:
        np.testing.assert_allclose(y, [0.2, 3.4], rtol=1e-9)
        y[:] = [-1.0, 7.0]
        if state_map is not None:
            assert (state_map[x].tolist(), state_map[other].tolist()) == ([-1.0], [7.0])

    inside = "y, state_map" if "state_map" in form else "y"
    stop.event_handler = eval(f"lambda {form}: rewrite({inside})", {"rewrite": rewrite})
    out = sim.run(bd, T=0.5)
    np.testing.assert_allclose([out.t[-1], *out.x[-1]], [0.5, -0.7, 7.6], rtol=1e-9)


def test_handlers_of_one_instant_see_each_others_states(sim: Any) -> None:
    bd = sim.blockdiagram()
    x, stop = rising(bd)
    second = bd.STOP(lambda u: u - 0.2, name="second")
    bd.connect(x, second)

    def replace(t: float, y: Any, state_map: Any, simstate: Any) -> None:
        state_map[x] = 5.0

    def add(t: float, y: Any) -> None:
        y += 1.0

    stop.event_handler, second.event_handler = replace, add
    out = sim.run(bd, T=0.5)
    np.testing.assert_allclose([out.t[-1], out.x[-1, 0]], [0.5, 6.3], rtol=1e-9)


def test_a_stop_that_is_true_at_the_start_ends_there_without_its_handler(sim: Any) -> None:
    bd = sim.blockdiagram()
    x = bd.INTEGRATOR(x0=3.0, name="x")
    bd.connect(bd.CONSTANT(1.0), x)
    stop = bd.STOP(lambda u: u > 1.0, name="enough")
    bd.connect(x, stop)
    stop.event_handler = lambda t, y: pytest.fail("it is no crossing")
    out = sim.run(bd, T=0.5)
    assert (out.t[-1], out.x[-1, 0]) == (0.0, 3.0)


def test_classes_derived_from_stop_and_event_act(sim: Any) -> None:
    from bdsim.blocks.sinks import Event, Stop

    class Thud(Stop):  # type: ignore[misc]
        def event_handler(self, t: float, y: Any, state_map: Any, simstate: Any = None) -> None:
            state_map[x][:] = -1.0
            super().event_handler(t, y, state_map, simstate)

    class Tooth(Event):  # type: ignore[misc]
        pass

    bd = sim.blockdiagram()
    x = bd.INTEGRATOR(x0=0.0, name="x")
    bd.connect(bd.CONSTANT(1.0), x)
    bd.connect(x, Thud(lambda u: u - 0.5, bd=bd, name="thud"))

    def back(event: Any, state_map: Any) -> None:
        state_map[x] -= 0.2

    bd.connect(x - 0.3, Tooth("+", back, bd=bd, name="tooth"))
    out = sim.run(bd, T=5.0)
    np.testing.assert_allclose([out.t[-1], out.x.max()], [5.0, 0.3], rtol=1e-9)  # it never gets to 0.5

    again = sim.blockdiagram()
    x = again.INTEGRATOR(x0=0.0, name="x")
    again.connect(again.CONSTANT(1.0), x)
    again.connect(x, Thud(lambda u: u > 0.5, bd=again, name="thud"))
    out = sim.run(again, T=5.0)
    np.testing.assert_allclose([out.t[-1], out.x[-1, 0]], [0.5, -1.0], rtol=1e-9)


def test_states_without_an_integral_of_their_own_cannot_be_set() -> None:
    arm = Mock()
    arm.name = "arm"
    handlers = Mock(owners=[arm], settable=[False])
    with pytest.raises(BlockdynError, match="block arm"):
        Handlers._parts(handlers, {arm: [1.0]}, [np.zeros(1)])
