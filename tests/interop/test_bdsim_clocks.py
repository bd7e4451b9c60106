"""Clocks of bdsim: ticks from one period on, all of a clock read before any of it changes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn
from blockdyn.interop.bdsim import from_bdsim

pytestmark = pytest.mark.xdist_group("bdsim clocks")  # one worker compiles them


@pytest.fixture
def out(sim: Any) -> Any:
    """One run of everything that is sampled: t into blocks on clocks of 0.25 s and, later, 0.5 s."""
    bd = sim.blockdiagram()
    fast, slow = bd.clock(0.25), bd.clock(0.5, offset=0.1)
    t = bd.TIME(name="t")
    first = bd.ZOH(fast, name="first")
    second = bd.ZOH(fast, name="second")
    late = bd.ZOH(slow, name="late")
    total = bd.INTEGRATOR_S(fast, gain=2.0, max=1.0, name="total")
    slope = bd.DERIV_S(fast, gain=3.0, name="slope")
    lag = bd.LTI_SISO_S(fast, 1, [1, -0.5], name="lag")
    direct = bd.LTI_SISO_S(fast, [1, 1], [1, -0.5], name="direct")
    after = bd.ZOH(fast, name="after")
    enabled = bd.INTEGRATOR_S(fast, enable=lambda t, u, x: t > 0.6, name="enabled")
    pair = bd.MUX(2, name="pair")
    both = bd.ZOH(fast, x0=[0.0, 0.0], name="both")
    bd.connect(t, first, late, total, slope, lag, direct, enabled, pair[0])
    bd.connect(first, second, pair[1])
    bd.connect(direct, after)
    bd.connect(pair, both)
    names = ["first", "second", "late", "total", "slope", "lag", "direct", "after", "enabled"]
    bd.compile(evaluate=False)
    return sim.run(bd, 1.0, watch=names), names


def held(out: Any, names: list[str], name: str, at: list[float]) -> list[float]:
    column = out.y[:, names.index(name)]
    return [float(column[np.searchsorted(out.t, time, side="right") - 1]) for time in at]


def test_ticks_come_one_period_late_and_registers_pass_values_on(out: Any) -> None:
    y, names = out
    at = [0.0, 0.25, 0.5, 0.75, 1.0]
    assert held(y, names, "first", at) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert held(y, names, "second", at) == [0.0, 0.0, 0.25, 0.5, 0.75]  # what `first` showed before the tick
    assert held(y, names, "late", [0.5, 0.6, 0.99]) == [0.0, 0.6, 0.6]  # at 0.1 + k 0.5, from k = 1
    assert y.clock0.t.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert y.clock1.t.tolist() == [0.6]


def test_sums_differences_and_linear_systems(out: Any) -> None:
    y, names = out
    at = [0.0, 0.25, 0.5, 0.75, 1.0]
    # x_{k+1} = min(x_k + 2 T t_k, 1), shown from tick k on
    assert held(y, names, "total", at) == [0.0, 0.125, 0.375, 0.75, 1.0]
    assert held(y, names, "slope", [0.25, 0.3, 0.9]) == [3.0, 3.0, 3.0]  # held, also where t runs on
    # x_{k+1} = x_k / 2 + t_k shown at once; with a direct path y_k = t_k + 3/2 x_k, which `after` reads at
    # its tick
    x = [0.0, 0.25, 0.625, 1.0625, 1.53125]
    assert held(y, names, "lag", at) == x
    direct = [t + 1.5 * before for t, before in zip(at[1:], x, strict=False)]
    assert held(y, names, "direct", at[1:]) == direct
    assert held(y, names, "after", at[1:]) == direct


def test_results_are_counted_printed_and_kept_as_bdsims_own(out: Any, tmp_path: Path) -> None:
    y, _ = out
    assert y.stats.events_detected_total == 0
    assert y.stats.run_interval_calls == 5  # they end at the ticks 0.25, 0.5, 0.6, 0.75 and 1
    assert {line.split()[0] for line in str(y).splitlines()} >= {
        "t",
        "x",
        "xnames",
        "y",
        "ynames",
        "clock0::",
    }
    y.dump(str(tmp_path / "out"))
    again = pickle.loads((tmp_path / "out").read_bytes())
    assert again.clock1.t.tolist() == [0.6]
    assert again.result.complete
    y.dump_json(str(tmp_path / "json"))
    assert json.loads((tmp_path / "json").read_text())["clock0"]["t"] == [0.25, 0.5, 0.75, 1.0]


def test_an_enable_function_runs_as_it_is(out: Any) -> None:
    y, names = out
    assert held(y, names, "enabled", [0.25, 0.5, 0.75, 1.0]) == [0.0, 0.0, 0.1875, 0.4375]
    assert y.clock0.Xnames[0] == "first:X_0"
    np.testing.assert_allclose(y.clock0.X[:, -2:], [[0.25, 0.0], [0.5, 0.25], [0.75, 0.5], [1.0, 0.75]])


def test_a_sampled_diagram_is_written_as_yaml_and_runs_from_it(sim: Any) -> None:
    """Two registers on one clock, a sum and a linear system: the ticks of bdsim, without bdsim."""
    bd = sim.blockdiagram()
    clock = bd.clock(0.25)
    first, second = bd.ZOH(clock, name="first"), bd.ZOH(clock, name="second")
    total = bd.INTEGRATOR_S(clock, name="total")
    lag = bd.LTI_SISO_S(clock, [1, 1], [1, -0.5], name="lag")
    bd.connect(bd.TIME(name="t"), first, total, lag)
    bd.connect(first, second)
    bd.connect(lag, bd.NULL())
    bd.compile(evaluate=False)
    imported = from_bdsim(bd)
    text = blockdyn.dumps(imported.diagram(1.0))
    assert "blockdyn:Register" in text
    r = blockdyn.load(text).simulate(stop=1.0)
    assert r.trace("second").at([0.3, 0.6, 0.9]).tolist() == [0.0, 0.25, 0.5]
    there = imported.simulate(1.0).result.finals
    for name, value in r.finals.items():
        np.testing.assert_array_equal(value, there[name])


def test_a_diagram_that_is_all_sampled_has_rows_at_every_tick_though_nothing_changes(sim: Any) -> None:
    bd = sim.blockdiagram()
    bd.connect(bd.STEP(T=1.75, name="step"), bd.ZOH(bd.clock(0.5), name="held"))
    bd.connect(bd.blocknames["held"], bd.NULL())
    bd.compile(evaluate=False)
    out = sim.run(bd, T=2.0, watch=["held"])
    rows = [*zip(out.t.tolist(), out.y[:, 0].tolist(), strict=True)]
    for tick, after in ((0.5, 0.0), (1.0, 0.0), (1.5, 0.0), (2.0, 1.0)):
        assert [y for t, y in rows if t == tick] == [0.0, after]
    assert out.clock0.X.tolist() == [[0.0], [0.0], [0.0], [1.0]]


def test_rows_of_a_long_log_are_those_of_its_traces(out: Any) -> None:
    """A log that came in pieces is read from the traces; the same run gives the same rows both ways."""
    from blockdyn.diagrams.results.logged_rows import logged_rows

    result = out[0].result
    paths = [*result.signals, *result.states]
    straight = logged_rows(result, paths)
    vars(result)["_logged"] = None
    again = logged_rows(result, paths)
    np.testing.assert_array_equal(straight.steps[:, 0], again.steps[:, 0])
    for path in paths:
        taken = straight.steps[:, straight.columns[path]]
        np.testing.assert_array_equal(taken, again.steps[:, again.columns[path]])
