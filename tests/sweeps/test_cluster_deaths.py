"""A scenario that ends every process that runs it is a failed scenario on a cluster too; the rest goes on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import dask
import distributed
import numpy as np
import pytest

import blockdyn as bd
from blockdyn.sweeps.execute import suspects
from blockdyn.sweeps.execute.suspects import ScenarioDied
from blockdyn.sweeps.store.part import OUTCOMES
from blockdyn.sweeps.store.tried import CrashRecord

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
DEAD = (7, 13)


ENDS: dict[str, Callable[[], object]] = {
    "exit": lambda: os._exit(3),
    "abort": os.abort,
    "kill": lambda: os.kill(os.getpid(), 9),
    "none": lambda: 0,
}


def sweep(*ways: str) -> bd.Sweep:
    """x(1) of dx/dt = u is u, for u = 0 to 19; where u is 7 or 13, the process ends in one of these ways."""
    ends = dict(zip(DEAD, map(ENDS.__getitem__, ways)))

    def function(u: float) -> float:
        if u in ends:
            os.write(1, b"this is no answer")
            ends[u]()
        return u

    d = bd.Diagram("d")
    d.connect(
        d.add("c", bd.Constant(1.0)), d.add("f", bd.Function(function, compiled=False)),
        d.add("x", bd.Integrator()),
    )  # fmt: skip
    return bd.Sweep(
        d, {"c.value": [float(i) for i in range(20)]}, {"x": {"final": "x"}}, stop=1.0, chunk=5,
        keep={"signals": ["x"], "every": 0.5},
    )  # fmt: skip


def test_what_ends_its_workers_is_failed_and_the_rest_goes_on(tmp_path: Path) -> None:
    """With a store and without one."""
    expected = np.array(sweep("none", "none").run()["x"])
    store = tmp_path / "s.zarr"
    stored, alone = sweep("exit", "abort"), sweep("kill", "exit")
    with (
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 0,
                "distributed.deploy.lost-worker-timeout": "1h",  # slow restarts are no losses
            }
        ),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as two,
    ):
        with pytest.warns(ScenarioDied, match="each of 2 scenarios: 7, 13"):
            ensembles = [stored.run(cluster=two, store=store)]
        with pytest.warns(ScenarioDied, match="each of 2 scenarios: 7, 13"):
            ensembles.append(alone.run(cluster=two))
    died = np.isin(np.arange(20), DEAD)
    for e in ensembles:
        assert e.complete
        assert [OUTCOMES[code] == "process died" for code in e.gathered.outcome] == died.tolist()
        assert all("the process died" in e.gathered.reason[k] for k in DEAD)
        assert np.isnan(np.array(e["x"])[died]).all()
        assert np.array(e["x"])[~died].tolist() == expected[~died].tolist()
    again = stored.run(store=store, resume=True)
    assert again.info["ran"] == 0
    assert again.gathered.outcome.tolist() == ensembles[0].gathered.outcome.tolist()


def test_suspects_run_in_a_new_process_where_none_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS and Windows: 7 and 13 end it, 3 and 4 were merely there."""
    monkeypatch.setattr(suspects, "FORKS", False)
    tried = CrashRecord(tmp_path)
    for k in (3, 4, *DEAD):
        tried.died(k)
    expected = np.array(sweep("none", "none").run()["x"])
    with pytest.warns(ScenarioDied, match="each of 2 scenarios: 7, 13"):
        parts = suspects.run_suspects(sweep("abort", "abort").task, tried, [(0, 20)], 2)
    assert sorted(part.start for part in parts) == [3, 4, *DEAD]
    for part in parts:
        assert OUTCOMES[part.outcome[0]] == ("process died" if part.start in DEAD else "complete")
        assert part.start in DEAD or part.measures[0, 0] == expected[part.start]


def test_what_cannot_be_sent_runs_here_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspects, "FORKS", False)
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    tried = CrashRecord(tmp_path)
    tried.died(3)
    with pytest.warns(
        ScenarioDied, match=r"1 scenario that crashed a process before run in this process(.*\n)*.*pip"
    ):
        parts = suspects.run_suspects(sweep("abort", "abort").task, tried, [(0, 20)], 2)
    assert [(part.start, OUTCOMES[part.outcome[0]]) for part in parts] == [(3, "complete")]
