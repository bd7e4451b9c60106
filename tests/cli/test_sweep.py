"""`blockdyn sweep`: what it writes and says, how it ends, and that it goes on where it was stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import blockdyn as bd
from blockdyn.sweeps.store.store import Store

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "subprocess.Popen[str]"]

POL = """\
blockdyn: 1
name: pol
parameters: {mu: 1.0}
blocks:
  x: {type: Integrator, initial: 2.0}
  v: {type: Integrator}
  f: {type: Expression, formula: "mu*(1 - u1**2)*u2 - u1", coefficients: {mu: =mu}}
wires: [v -> x, "x -> f.u1", "v -> f.u2", f -> v]
simulate: {stop: STOP}
sweep:
  number: NUMBER
  chunk: 8
  axes: {mu: {uniform: {low: 0.1, high: 3}}, v.x: {normal: {mean: 0, sd: 1}}}
  measures: {x: {final: x}, top: {max: x}}
"""
SHORT = POL.replace("STOP", "5.0").replace("NUMBER", "20")
LONG = POL.replace("STOP", "500.0").replace("NUMBER", "4000")
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


@pytest.fixture
def short(folder: Path) -> Path:
    (folder / "pol.yaml").write_text(SHORT, encoding="utf-8")
    return folder


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Start a sweep with a store, and wait until it has finished so many chunks."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str, chunks: int) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "blockdyn", "sweep", *arguments],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        started.append(process)
        done = folder / "s.zarr" / "done"
        while len([*done.glob("c.*")]) < chunks:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def contents(store: Path) -> dict[str, bytes]:
    """All files of a store, but for those of writing in progress."""
    files = (f for f in store.rglob("*") if f.is_file() and ".unfinished" not in f.parts)
    return {str(f.relative_to(store)): f.read_bytes() for f in files}


def test_a_sweep_with_everything_it_can_write(short: Path, command: Command) -> None:
    files = ("--store", "s.zarr", "--table", "t.csv", "--report", "r.html")
    run = command("sweep", "pol.yaml", *files, "--workers", "2")
    assert run.returncode == 0, run.stderr
    assert "Sweep of pol: 20 scenarios, 20 succeeded, 0 failed" in run.stdout
    for file in ("s.zarr", "t.csv", "r.html"):
        assert f"written: {file}" in run.stdout
    table = pd.read_csv(short / "t.csv")
    sweep = bd.Sweep.load(short / "pol.yaml")
    own = sweep.run()
    assert table["x"].tolist() == own["x"].tolist()
    assert table["top"].tolist() == own["top"].tolist()
    assert "<html" in (short / "r.html").read_text(encoding="utf-8")

    again = command("sweep", "pol.yaml", "--store", "s.zarr")
    assert again.returncode == 2
    assert "a store exists at" in again.stderr
    assert "--resume" in again.stderr
    resumed = command("sweep", "pol.yaml", "--store", "s.zarr", "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    facts = json.loads(resumed.stdout)
    assert facts["ran"] == 0
    assert facts["complete"] is True
    other = command("sweep", "pol.yaml", "--store", "s.zarr", "--resume", "--seed", "5")
    assert other.returncode == 2
    assert "Traceback" not in other.stderr
    assert "seed" in other.stderr


def test_one_scenario_alone_is_that_of_the_sweep(short: Path, command: Command) -> None:
    run = command("run", "pol.yaml", "--scenario", "7", "--log", "x", "--out", "r.nc")
    assert run.returncode == 0, run.stderr
    result = bd.load_result(short / "r.nc")
    sweep = bd.Sweep.load(short / "pol.yaml")
    assert result.final("x") == sweep.run(workers=2)["x"][7]
    np.testing.assert_array_equal(result.trace("x").values, sweep.simulate(7, log=["x"]).trace("x").values)
    beyond = command("run", "pol.yaml", "--scenario", "20")
    assert beyond.returncode == 2
    assert "there is no scenario 20" in beyond.stderr
    assert "0 to 19" in beyond.stderr


@posix
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_sweep_says_so_and_goes_on(
    folder: Path, start: Start, number: signal.Signals, status: int
) -> None:
    (folder / "long.yaml").write_text(LONG, encoding="utf-8")
    process = start("long.yaml", "--store", "s.zarr", chunks=3)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert "Traceback" not in err
    assert "INCOMPLETE: interrupted; blockdyn sweep ... --resume computes the rest" in out
    safe = Store.at(folder / "s.zarr").safe
    assert 0 < safe < 4000
    assert len(pd.read_parquet(folder / "s.zarr" / "summary.parquet")) == safe
    done = {f: f.stat().st_mtime_ns for f in (folder / "s.zarr" / "measures").glob("c.*")}
    process = start("long.yaml", "--store", "s.zarr", "--resume", chunks=safe // 8 + 2)
    process.kill()
    process.communicate()
    assert Store.at(folder / "s.zarr").safe > safe
    assert {f: f.stat().st_mtime_ns for f in done} == done


@posix
def test_an_interrupted_sweep_without_a_store(folder: Path) -> None:
    (folder / "long.yaml").write_text(LONG, encoding="utf-8")
    sweep = bd.Sweep.load(folder / "long.yaml")
    sweep.task.ready()
    script = "import os, signal, time; time.sleep(1.0); os.kill(os.getppid(), signal.SIGINT)"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        other = subprocess.Popen([sys.executable, "-c", script])
        ensemble = sweep.run(workers=2)
    finally:
        signal.signal(signal.SIGINT, before)
        other.wait()
    assert not ensemble.complete
    ran = ensemble.gathered.outcome >= 0
    assert 0 < ran.sum() < 4000
    k = int(np.flatnonzero(ran)[-1])
    assert ensemble["x"][k] == sweep.simulate(k).final("x")
    assert np.isnan(ensemble["x"][~ran]).all()


@posix
def test_a_killed_sweep_resumed_is_one_that_was_not(folder: Path, command: Command, start: Start) -> None:
    text = POL.replace("STOP", "100.0").replace("NUMBER", "1000")
    (folder / "pol.yaml").write_text(text, encoding="utf-8")
    for resume in ((), ("--resume",)):
        chunks = len([*(folder / "s.zarr" / "done").glob("c.*")]) + 5
        process = start("pol.yaml", "--store", "s.zarr", *resume, chunks=chunks)
        process.kill()
        process.communicate()
    assert 0 < Store.at(folder / "s.zarr").safe < 1000
    for line in (("s.zarr", "--resume"), ("whole.zarr",)):
        run = command("sweep", "pol.yaml", "--store", *line)
        assert run.returncode == 0, run.stderr
    assert contents(folder / "s.zarr") == contents(folder / "whole.zarr")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("mu: {uniform", "mo: {uniform"), "pol.yaml:13:10: `mo`: there is no parameter of the diagram `mo`"),
        (("{uniform: {low: 0.1, high: 3}}", "[]"), "axis `mu`: it has no values"),
        (("low: 0.1, high: 3", "low: 3, high: 1"), "low below high"),
        (("{final: x}", "{final: y}"), "not a signal"),
        (("number: 20", "nmber: 20"), "did you mean `number`"),
    ],
)
def test_mistakes_are_said_before_anything_runs(
    folder: Path, command: Command, change: tuple[str, str], said: str
) -> None:
    (folder / "pol.yaml").write_text(SHORT.replace(*change), encoding="utf-8")
    run = command("sweep", "pol.yaml", "--store", "s.zarr")
    assert run.returncode == 2
    assert said in run.stderr
    assert "pol.yaml:" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (folder / "s.zarr").exists()
