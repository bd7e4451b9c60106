"""A sweep on two workers, one of which is killed in the middle, is the sweep of this process, bit for bit."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import distributed
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by SIGKILL")

TEXT = """\
blockdyn: 1
parameters: {mu: 1.0}
blocks:
  noise: {type: BandLimitedWhiteNoise, power: 0.001, sample_time: 0.05}
  x: {type: Integrator, initial: 2.0}
  v: {type: Integrator}
  f: {type: Expression, formula: "mu*(1 - u1**2)*u2 - u1 + w", coefficients: {mu: =mu}}
wires: [v -> x, "x -> f.u1", "v -> f.u2", "noise -> f.w", f -> v]
simulate: {stop: 80.0}
sweep:
  number: 400
  chunk: 10
  axes: {mu: {uniform: {low: 0.1, high: 3}}, v.x: {normal: {mean: 0, sd: 1}}}
  measures: {x: {final: x}, top: {max: x}, rms: {rms: v}}
"""


def contents(store: Path) -> dict[str, bytes]:
    files = (f for f in store.rglob("*") if f.is_file() and ".unfinished" not in f.parts)
    return {str(f.relative_to(store)): f.read_bytes() for f in files}


def test_one_of_two_workers_is_killed(tmp_path: Path) -> None:
    local = bd.Sweep(loads(TEXT))
    here = local.run(store=tmp_path / "here.zarr")
    done = tmp_path / "there.zarr" / "done"
    killed: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as two,
        distributed.Client(two) as client,
    ):
        pids: Any = client.run(os.getpid)
        first = next(iter(pids.values()))

        def kill() -> None:
            until = time.monotonic() + 120.0
            while time.monotonic() < until:
                if done.is_dir() and len([*done.glob("c.*")]) >= 3:
                    killed.append(len([*done.glob("c.*")]))
                    os.kill(first, signal.SIGKILL)
                    return
                time.sleep(0.005)

        thread = threading.Thread(target=kill)
        thread.start()
        there = bd.Sweep(loads(TEXT)).run(cluster=client, store=tmp_path / "there.zarr")
        thread.join()
    assert there.complete
    assert killed
    assert killed[0] < 40
    for name in ("x", "top", "rms"):
        assert here[name].tobytes() == there[name].tobytes()
    assert contents(tmp_path / "here.zarr") == contents(tmp_path / "there.zarr")
    assert local.simulate(399).final("x") == there["x"][399]
