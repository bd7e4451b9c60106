"""A log that is full is thinned evenly: what is left are rows of the whole run, and all of its events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import LogFull

STEP = 2.0**-10  # s: exact in binary


def oscillator() -> bd.Diagram:
    """x'' = -x from (1, 0): cos t; a relay that switches where cos t passes 0, a hold every 1/64 s."""
    d = bd.Diagram("oscillator")
    x, v = d.add("x", bd.Integrator(1.0)), d.add("v", bd.Integrator(0.0))
    d.connect(v, x, d.add("spring", bd.Gain(-1.0)), v)
    d.connect(x, d.add("side", bd.Relay(switch_on=0.0, switch_off=0.0)))
    d.connect(x, d.add("held", bd.ZeroOrderHold(1 / 64)))
    return d


@pytest.mark.parametrize("most", [1e6, 1e5, 4e4])
def test_what_is_kept(most: float) -> None:
    given: dict[str, Any] = {"stop": 40.0, "method": "rk4", "step": STEP}
    whole, thin = oscillator().simulate(**given), oscillator().simulate(**given, max_log=most)
    assert whole.notices == ()
    x, y = whole.trace("x.y"), thin.trace("x.y")
    assert y.time.nbytes < most / 4
    assert {(t, v) for t, v in zip(y.time, y.values)} <= {(t, v) for t, v in zip(x.time, x.values)}
    assert (y.time[0], y.values[0]) == (x.time[0], x.values[0])
    assert (y.time[-1], y.values[-1]) == (x.time[-1], x.values[-1])
    assert thin.events == whole.events
    for event in thin.events:
        np.testing.assert_array_equal(y.values[y.time == event.time], x.values[x.time == event.time])
        assert np.count_nonzero(y.time == event.time) == 2
    assert "one step in" in thin.notices[0]
    factor = int(thin.notices[0].split("one step in ")[1].split()[0])
    events = {event.time for event in thin.events}
    others = np.array([t for t in np.unique(y.time)[:-1] if t not in events])
    whole_others = np.array([t for t in np.unique(x.time) if t not in events])
    np.testing.assert_array_equal(others, whole_others[::factor][: len(others)])
    side = thin.trace("side.y")
    np.testing.assert_array_equal(side.time, whole.trace("side.y").time)
    assert str(thin).count("notice") == len(thin.notices)


def test_many_chunks_and_the_last_row() -> None:
    """400 000 rows come in several chunks; the rows left lie at equal distances."""
    d = bd.Diagram()
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator()))
    stop = 400_001 * STEP
    r = d.simulate(stop=stop, method="rk4", step=STEP, log=["x"], states=False, max_log=1e6)
    x = r.trace("x")
    assert 20_000 < x.time.size <= 1e6 / 16
    assert np.unique(np.diff(x.time)[:-1]).size == 1
    assert x.time[-1] == stop
    np.testing.assert_allclose(x.values, x.time, rtol=1e-12)


def test_the_samples_of_a_clock() -> None:
    d = bd.Diagram()
    d.connect(d.add("time", bd.Clock()), d.add("held", bd.ZeroOrderHold(STEP)))
    stop = 100_000.5 * STEP
    r = d.simulate(stop=stop, log=["held"], max_log=2e5)
    held = r.trace("held")
    assert held.samples <= 2e5 / 16 + 2  # and the last two rows
    assert np.unique(np.diff(held.time)[:-1]).size == 1
    np.testing.assert_array_equal(held.values[:-1], held.time[:-1])
    assert held.time[-1] == stop
    assert "of held.y was kept" in r.notices[0]


def test_rows_asked_for_are_not_thinned() -> None:
    r = oscillator().simulate(stop=40.0, every=STEP, max_log=1e4)
    assert r.trace("x.y").samples == 40 * 1024 + 1
    assert r.notices == ()


def test_events_that_fill_a_log() -> None:
    """A wave of a thousand edges a second: nothing can be left out, and the run says so."""
    d = bd.Diagram()
    d.connect(d.add("wave", bd.Square(period=0.002)), d.add("x", bd.Integrator()))
    with pytest.raises(LogFull, match=r"(?s)expected: at most 1e\+06 \(`max_log`\).*`every`") as caught:
        d.simulate(stop=1000.0, max_log=1e6)
    partial: Any = caught.value.partial
    assert not partial.complete
    x = partial.trace("x.y")
    assert x.samples > 10_000
    assert x.time[-1] == pytest.approx(caught.value.time, abs=0.01)


def test_in_a_file_and_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from blockdyn.cli import main

    file = tmp_path / "decay.yaml"
    file.write_text(
        """blockdyn: 1
name: decay
blocks:
  x: {type: Integrator, initial: 1.0}
  k: {type: Gain, k: -1.0}
wires: ["x -> k -> x"]
simulate: {stop: 100, method: rk4, step: 0.01, max_log: 1e5}
"""
    )
    few = bd.load(file).simulate()
    assert few.trace("x.y").samples < 5000
    saved = tmp_path / "decay.csv"
    few.save(saved)
    assert bd.load_result(saved).notices == few.notices
    assert bd.load(file).simulate(max_log=1e9).trace("x.y").samples == 10_001
    for given in ((), ("--max-log", "5e4")):
        assert main(["run", str(file), *given]) == 0
        assert "notice: one step in" in capsys.readouterr().out
