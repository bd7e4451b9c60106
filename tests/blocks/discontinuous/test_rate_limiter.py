"""RateLimiter: what follows exactly, and where it cannot, moves at the limit: instants in closed form."""

from __future__ import annotations

from itertools import pairwise
from math import acos, pi, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])


def times(r: bd.Result, path: str) -> list[float]:
    return [e.time for e in r.events if e.path == path]


@pytest.fixture(scope="module", params=["bs32", "dopri5", "dop853", "radau5"])
def run(request: pytest.FixtureRequest) -> bd.Result:
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Sine()), d.add("both", bd.RateLimiter(rising=0.8, falling=-0.8)))
    d.connect("wave", d.add("up", bd.RateLimiter(rising=[0.5, np.inf], falling=-np.inf)))
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator())
    d.connect(v, x, d.add("minus", bd.Gain(-1.0)), v)
    d.connect(x, d.add("state", bd.RateLimiter(rising=0.5, falling=-0.5, initial=1.0)))
    return d.simulate(stop=7.0, method=request.param, rtol=1e-10, atol=1e-12)


def test_leaves_a_sine_where_it_gets_too_steep_and_meets_it_again(run: bd.Result) -> None:
    """0.8 t from the start; met by sin t; left where cos t = -0.8; met again; left where cos t = 0.8."""
    meets = brentq(lambda t: np.sin(t) - 0.8 * t, 0.5, 2.5)
    leaves = acos(-0.8)
    again = brentq(lambda t: np.sin(t) - 0.6 + 0.8 * (t - leaves), 4.0, 5.0)
    last = 2 * pi - acos(0.8)
    assert times(run, "both")[1:] == pytest.approx([meets, leaves, again, last], abs=1e-11)
    assert times(run, "both")[0] < 1e-12
    assert run.final("both") == pytest.approx(np.sin(last) + 0.8 * (7.0 - last), abs=1e-11)
    trace = run["both"]
    follows = (trace.time > again + 1e-9) & (trace.time < last)
    np.testing.assert_array_equal(trace.values[follows], run["wave"].values[follows])


def test_follows_a_state_within_what_the_solver_knows(run: bd.Result) -> None:
    """cos t is left where sin t = 1/2, at pi/6."""
    assert times(run, "state")[0] == pytest.approx(pi / 6, abs=1e-7)


def test_an_infinite_rate_does_not_limit(run: bd.Result) -> None:
    np.testing.assert_array_equal(run["up"].values[:, 1], run["wave"].values)
    meets = brentq(lambda t: np.sin(t) - 0.5 * t, 1.0, 2.5)
    late = (run["up"].time > meets + 1e-9) & (run["up"].time < 5 * pi / 3)
    np.testing.assert_array_equal(run["up"].values[late, 0], run["wave"].values[late])


@BOTH
def test_a_jump_becomes_a_ramp_and_a_corner_is_left_at_once(compiled: bool) -> None:
    """Up 3 at rate 2 from t = 1, turned back at 2 by a jump to -1; a ramp of slope 1 into one of slope 4."""
    d = bd.Diagram()
    d.connect(
        d.add("steps", bd.PiecewiseConstant(times=[0.0, 1.0, 2.0], values=[0.0, 3.0, -1.0])),
        d.add("jumps", bd.RateLimiter(rising=2.0, falling=-1.0)),
    )
    d.connect(
        d.add("line", bd.PiecewiseLinear(times=[0.0, 1.0, 2.0, 9.0], values=[0.0, 1.0, 5.0, 5.0])),
        d.add("corner", bd.RateLimiter(rising=2.0, falling=-1.0)),
    )
    d.connect(
        d.add("constant", bd.Constant([4.0, -2.0])), d.add("start", bd.RateLimiter(2.0, -1.0, initial=1.0))
    )
    at = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0]
    r = d.simulate(times=at, compiled=compiled)
    np.testing.assert_allclose(r["jumps"].values, [0, 0, 1, 2, 1.5, 1, 0, -1], atol=1e-12)
    np.testing.assert_allclose(r["corner"].values, [0.5, 1, 2, 3, 4, 5, 5, 5], atol=1e-12)
    np.testing.assert_allclose(r["start"].values[:4], [[2, 0.5], [3, 0], [4, -0.5], [4, -1]], atol=1e-12)
    assert times(r, "start") == pytest.approx([1.5, 3.0], abs=1e-12)


def test_goes_on_where_another_run_ended() -> None:
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Sine()), d.add("y", bd.RateLimiter(rising=0.5, falling=-0.5)))
    whole = d.simulate(stop=7.0, rtol=1e-10)
    for split in (1.0, 2.0, 3.0):  # behind u, on it, and behind it the other way
        first = d.simulate(stop=split, rtol=1e-10)
        second = d.simulate(start=split, stop=7.0, initial=first.final_states(), rtol=1e-10)
        assert second.final("y") == pytest.approx(whole.final("y"), abs=1e-11)
        assert second["y"].values[0] == pytest.approx(first.final("y"), abs=1e-15)


def test_who_means_the_block_with_a_lag_is_told_its_name() -> None:
    with pytest.raises(bd.BlockError, match="did you mean the block `RateLimitedLag`"):
        bd.RateLimiter(time_constant=0.1)  # type: ignore[call-arg]
    with pytest.raises(bd.BlockdynError, match=r":2:\d+: .*did you mean the block `RateLimitedLag`"):
        loads("blockdyn: 1\nblocks: {u: {type: RateLimiter, time_constant: 3}}\n")


def test_in_a_loop_it_limits_how_fast_a_plant_is_driven() -> None:
    """x' = y, y limited u = 1 - x to rate 1 from 0: y = t until t = 1 - t^2/2; then x' = 1 - x."""
    d = bd.Diagram()
    x, e = d.add("x", bd.Integrator()), d.add("e", bd.Sum("+-"))
    d.connect(d.add("one", bd.Constant(1.0)), e[0])
    d.connect(e, d.add("y", bd.RateLimiter(rising=1.0, falling=-1.0)), x, e[1])
    r = d.simulate(stop=3.0, rtol=1e-11, atol=1e-13)
    meets = sqrt(3.0) - 1.0
    assert times(r, "y")[-1] == pytest.approx(meets, abs=1e-11)
    assert r.final("x") == pytest.approx(1.0 - meets * np.exp(meets - 3.0), abs=1e-10)


@pytest.mark.parametrize("rate", [1e3, 1e6, 1e9, 1e12])
def test_however_steep_a_ramp_is_it_ends_once(rate: float) -> None:
    """A jump by 1 at 300 s: its end is known to 6e-14 s, in which a ramp goes beyond the rounding of 1."""
    d = bd.Diagram()
    d.connect(d.add("u", bd.Step(time=300.0)), d.add("y", bd.RateLimiter(rising=rate, falling=-rate)))
    r = d.simulate(stop=310.0)
    assert times(r, "y") == pytest.approx([300.0 + 1.0 / rate], abs=2e-13)
    assert r.final("y") == 1.0


@pytest.mark.parametrize("start", [0.0, 1e4])
@pytest.mark.parametrize("frequency", [0.7, 1.0, 1.3, 1.9, 2.3])
def test_rounding_does_not_end_a_ramp_just_begun(start: float, frequency: float) -> None:
    """sin w t is left where it is too steep, and met again by none of its ramps within 1/2 rad."""
    d, rate = bd.Diagram(), 0.9 * frequency
    wave = d.add("wave", bd.Sine(frequency=frequency))
    d.connect(wave, d.add("y", bd.RateLimiter(rising=rate, falling=-rate)))
    car = d.add("car", bd.Unicycle(acceleration=rate))
    d.connect(wave, car[0])
    d.connect(d.add("straight", bd.Constant(0.0)), car[1])
    r = d.simulate(start=start, stop=start + 20.0 / frequency)
    for path, met in (("y", "meets"), ("car", "speed_met")):
        events = [e for e in r.events if e.path == path and e.detail != "speed_zero"]
        ramps = [b.time - a.time for a, b in pairwise(events) if b.detail == met]
        assert len(ramps) >= 5
        assert min(ramps) > 0.5 / frequency
