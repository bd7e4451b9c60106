"""EVENT and STOP of bdsim: handlers that set states, several at one instant, on exact instants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from blockdyn.interop.bdsim.events import StateNotSettable


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


def test_states_without_an_integral_of_their_own_cannot_be_set() -> None:
    assert "block arm" in str(StateNotSettable("arm"))
