"""Streams: rows that go to disk as they come are those of the same run in memory, however the run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite
from blockdyn.diagrams.results import Result, ResultError, ResultFileError, UnknownSignal, load_result

every_format = pytest.mark.parametrize("suffix", [".parquet", ".csv"])


def controlled() -> bd.Diagram:
    """A sampled loop with a vector, a matrix gain, events and a Scope."""
    d = bd.Diagram("controlled")
    d.add("wave", bd.Square(period=1.4))
    d.add("x", bd.Integrator(initial=[0.0, 1.0]))
    d.add("back", bd.MatrixGain(K=[[0.0, 1.0], [-1.0, -0.2]]))
    d.add("hold", bd.ZeroOrderHold(sample_time=0.25))
    d.add("scope", bd.Scope())
    d.connect("x", "back", "x")
    d.connect("wave", ["hold", "scope"])
    return d


def held_apart(path: Path) -> list[Path]:
    return [p for p in path.parent.iterdir() if p != path]


@every_format
def test_the_same_rows_as_in_memory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    d = controlled()
    whole = d.simulate(stop=5.0)
    told = d.simulate(stop=5.0, stream=path)
    assert (told.file, len(told.signals), len(told.states), told.complete) == (str(path), 0, 0, True)
    assert held_apart(path) == []
    again = load_result(path)
    assert list(again) == list(whole)
    assert list(again.states) == list(whole.states)
    for name in ("x.y", "back.y", "x.x"):
        in_file, in_memory = (
            Counter(zip(trace.time.tolist(), map(tuple, trace.values.reshape(trace.samples, -1).tolist())))
            for trace in (again.trace(name), whole.trace(name))
        )
        assert not in_memory - in_file
        assert {time for time, _ in in_file - in_memory} <= {*(np.arange(21) / 4)}  # ticks that only read
    assert (again.events, again.scopes) == (whole.events, whole.scopes)
    assert again.provenance.description == whole.provenance.description
    assert again.complete
    assert {k: v.tolist() for k, v in again.final_states().items()} == {
        k: v.tolist() for k, v in whole.final_states().items()
    }
    for name in ("hold.y", "wave.y"):
        held, thinned = again.trace(name), whole.trace(name)
        assert held.kind == "discrete"
        assert held.samples == again.trace("x.y").samples > thinned.samples
        np.testing.assert_array_equal(held.at(thinned.time), thinned.at(thinned.time))


@every_format
def test_more_rows_than_a_chunk(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("x", bd.Integrator()))
    d.simulate(stop=1.0, method="rk4", step=2e-6, log=["x"], states=False, stream=path)
    x = load_result(path).trace("x.y")
    assert x.samples == 500_001
    np.testing.assert_allclose(x.values, x.time**2 / 2, rtol=1e-9, atol=1e-15)


@every_format
def test_nothing_to_keep(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    d = controlled()
    d.simulate(stop=1.0, log=["x"], states=False, stream=path, times=[1.0])
    assert load_result(path).trace("x.y").samples == 1


@every_format
def test_a_run_that_fails_leaves_what_it_had(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    d = bd.Diagram()
    d.connect(d.add("t", bd.Clock()), d.add("f", bd.Expression("1 / (0.5 - u)")))
    with pytest.raises(NotFinite) as caught:
        d.simulate(stop=1.0, method="rk4", step=0.125, stream=path)
    partial: Any = caught.value.partial  # type: ignore[attr-defined]
    assert partial.file == str(path)
    again = load_result(path)
    assert not again.complete
    assert again.provenance.stopped_by == "error"
    assert again.trace("t.y").final >= 0.375
    assert held_apart(path) == []


def test_what_comes_back_says_where_its_rows_are(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    told = controlled().simulate(stop=1.0, stream=path)
    assert str(path) in repr(told)
    with pytest.raises(UnknownSignal, match="load_result"):
        told.trace("x.y")
    with pytest.raises(ResultError, match="copy that file"):
        told.save(tmp_path / "again.csv")


@pytest.mark.parametrize(
    ("target", "cause"),
    [("run.nc", r"\.nc.*\.parquet, \.csv"), ("run", "without suffix"), ("missing/run.csv", "ENOENT")],
)
def test_impossible_targets_are_refused_before_the_run(tmp_path: Path, target: str, cause: str) -> None:
    with pytest.raises(ResultFileError, match=cause):
        controlled().simulate(stop=1.0, stream=tmp_path / target)
    assert list(tmp_path.iterdir()) == []


BEGIN = """
import sys
from pathlib import Path
import blockdyn as bd
from blockdyn.diagrams.results import ResultFileError, load_result
d = bd.Diagram("long")
d.connect(d.add("wave", bd.Sine(frequency=10.0)), d.add("x", bd.Integrator(initial=-0.1)))
given = dict(stop=1e8, method="rk4", step=1e-4, states=False, stream=sys.argv[1])
"""
FULL = (
    BEGIN
    + """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (12_000_000, 12_000_000))
try:
    d.simulate(**given)
except ResultFileError as error:
    print(error)
    print(error.partial.file)
"""
)
FOREVER = (
    BEGIN
    + """
def mark(x):
    Path("begun").touch()
    return 0.0
d.connect("wave", d.add("mark", bd.SampledFunction(mark, sample_time=1e9, compiled=False)))
r = d.simulate(**given)
print("came back", r.complete)
"""
)


def made(path: Path) -> Result:
    """What a run that was cut short left, found right."""
    assert held_apart(path) in ([], [path.parent / "begun"])
    again = load_result(path)
    assert not again.complete
    x = again.trace("x.y")
    assert x.samples > 1000
    np.testing.assert_allclose(x.values, -np.cos(10.0 * x.time) / 10.0, atol=1e-6)
    return again


@every_format
@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="space cannot be reserved here")
def test_a_disk_that_fills_up_keeps_the_rows_before(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    ended = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    assert "EFBIG" in ended.stdout
    assert f"cannot write {path}" in ended.stdout
    assert ended.stdout.splitlines()[-1] == str(path)
    assert made(path).provenance.stopped_by == "error"


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("suffix", "number", "status"),
    [(".csv", signal.SIGINT, 0), (".parquet", signal.SIGTERM, -signal.SIGTERM)],
)
def test_a_signal_leaves_a_loadable_file(
    tmp_path: Path,
    begin: Callable[..., subprocess.Popen[str]],
    suffix: str,
    number: signal.Signals,
    status: int,
) -> None:
    path = tmp_path / f"run{suffix}"
    process = begin("-c", FOREVER, str(path))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert out.split() == (["came", "back", "False"] if status == 0 else [])
    assert made(path).provenance.stopped_by == "interrupt"


WHILE_WRITING = (
    BEGIN
    + """
import os, signal, time
from blockdyn.diagrams.results.stream import Stream
write, chunks = Stream.write, []
def slowly(stream, chunk, events=0):
    chunks.append(chunk)
    if len(chunks) == 2:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
    write(stream, chunk, events)
Stream.write = slowly
r = d.simulate(**given)
print("came back", r.complete)
"""
)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_one_interrupt_while_a_slow_disk_takes_a_chunk(tmp_path: Path) -> None:
    """It is heard when the chunk is written, and counts once: a second one would end the process."""
    path = tmp_path / "run.parquet"
    ended = subprocess.run(
        [sys.executable, "-c", WHILE_WRITING, str(path)], capture_output=True, text=True, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), timeout=120,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout.split()) == (0, ["came", "back", "False"]), ended.stderr
    assert made(path).provenance.stopped_by == "interrupt"
