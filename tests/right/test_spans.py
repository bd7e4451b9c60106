"""The length of a run and where it begins change nothing of what the diagram does within it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd


def decay(rate: float = 1.0) -> bd.Diagram:
    """x' = -rate x from 1: exp(-rate t)."""
    d = bd.Diagram("decay")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(-rate * x, x)
    return d


def ends_with_a_wave(states: int) -> bd.Diagram:
    """Ends where sin(2 pi t) falls to -1/2: at 7/12 s."""
    d = bd.Diagram()
    d.add("wave", bd.Function(lambda t: np.sin(2.0 * np.pi * t)))
    d.connect("wave", d.add("below", bd.Compare("<=", -0.5)), d.add("end", bd.Stop()))
    for i in range(states):
        d.connect("wave", d.add(f"x{i}", bd.Integrator()))
    return d


@pytest.mark.parametrize("stop", [1e9, 1e300])
@pytest.mark.parametrize("rate", [1.0, 1e6, 1e12])
def test_a_fast_decay_in_a_long_run(stop: float, rate: float) -> None:
    with pytest.raises(bd.RunError) as caught:
        decay(rate).simulate(stop=stop, method="dopri5", max_steps=2000)
    assert type(caught.value).__name__ == "TooManySteps"
    x: Any = caught.value.partial.trace("x.y")
    early = x.time * rate < 5.0
    assert np.count_nonzero(early) > 10
    np.testing.assert_allclose(x.values[early], np.exp(-rate * x.time[early]), atol=1e-5)


@pytest.mark.parametrize("stop", [1e9, 1e300])
@pytest.mark.parametrize("rate", [1.0, 1e6, 1e12])
def test_a_fast_decay_ends_soon_by_default(stop: float, rate: float) -> None:
    r = decay(rate).simulate(stop=stop, max_steps=2000)
    assert abs(r.final("x")) < 1e-9
    early = r["x"].time * rate < 5.0
    assert np.count_nonzero(early) > 10
    np.testing.assert_allclose(r["x"].values[early], np.exp(-rate * r["x"].time[early]), atol=1e-5)


def test_a_ramp_through_all_of_time() -> None:
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    assert d.simulate(stop=1e300).final("x") == pytest.approx(1e300, rel=1e-12)
    assert d.simulate(start=-1e300, stop=1e300).final("x") == pytest.approx(2e300, rel=1e-12)


@pytest.mark.parametrize("stop", [10.0, 1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("states", [0, 1])
def test_a_late_stop_hides_no_event(stop: float, states: int) -> None:
    r = ends_with_a_wave(states).simulate(stop=stop, max_steps=10_000)
    assert r.statistics["end"] == pytest.approx(7.0 / 12.0, abs=1e-12)


def test_a_start_far_from_zero() -> None:
    near, far = decay().simulate(stop=1.0), decay().simulate(start=1e9, stop=1e9 + 1.0)
    assert far.final("x") == pytest.approx(near.final("x"), rel=1e-6)
    with pytest.raises(bd.RunError, match=r"start nearer to 0 s: here, times lie 1\.19e-07 s apart"):
        decay(1e7).simulate(start=1e9, stop=1e9 + 1.0)


def test_ticks_that_a_start_cannot_tell_apart() -> None:
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("held", bd.ZeroOrderHold(0.1)))
    with pytest.raises(bd.BlockdynError, match=r"start is 1e\+18\n.*times lie 128 s apart.*ticks 0.1 s"):
        d.simulate(start=1e18, stop=2e18)


GIVEN = [{"stop": 0.0}, {"start": 3.0, "stop": 3.0}, {"times": [0.0]}, {"stop": 0.0, "every": 0.1}]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "radau5"])
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_a_run_of_no_length_is_its_start(given: dict[str, Any], method: str, compiled: bool) -> None:
    d = decay()
    d.connect("x", d.add("twice", bd.Gain(2.0)), d.add("held", bd.ZeroOrderHold(0.1)))
    step: dict[str, Any] = {"step": 0.1} if method == "rk4" else {}
    r = d.simulate(method=method, compiled=compiled, **step, **given)
    assert r.complete
    for path, value in (("x", 1.0), ("twice", 2.0), ("held", 2.0)):
        assert r.trace(f"{path}.y").values.tolist() == [value]
        assert r.trace(f"{path}.y").time.tolist() == [given.get("start", 0.0)]
    assert r.statistics["steps"] == 0


@pytest.mark.parametrize("times", [[0.0, 0.5, 1.0], (0.25, 2.0), np.array([1.0])])
def test_times_alone_end_with_the_last(times: Any) -> None:
    r = decay().simulate(times=times)
    np.testing.assert_array_equal(r.trace("x.y").time, times)
    np.testing.assert_allclose(r.trace("x.y").values, np.exp(-np.asarray(times)), rtol=1e-5)
    assert r.statistics["end"] == times[-1]


def test_times_alone_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "decay.yaml"
    file.write_text(
        """blockdyn: 1
name: decay
blocks:
  x: {type: Integrator, initial: 1.0}
  k: {type: Gain, k: -1.0}
wires: ["x -> k -> x"]
simulate: {times: [0, 0.5, 1]}
"""
    )
    d = bd.load(file)
    assert d.simulate().trace("x.y").time.tolist() == [0.0, 0.5, 1.0]
    assert d.simulate(stop=2.0).statistics["end"] == 2.0
    assert d.simulate(stop=0.0, times=[0.0]).final("x") == 1.0
