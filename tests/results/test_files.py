"""Result files give back the same bits, and a failed write leaves nothing behind."""

from __future__ import annotations

import csv
import errno
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from blockdyn.diagrams.results import (
    EventRecord,
    Provenance,
    Result,
    ResultFileError,
    Trace,
    load_result,
)

SUFFIXES = (".nc", ".parquet", ".csv")
every_format = pytest.mark.parametrize("suffix", SUFFIXES)

names = st.text("abzé_/ $,\"'#[]", min_size=1, max_size=8).map(lambda text: f"{text}.y")
instants = st.lists(st.floats(0.0, 1e300), max_size=6).map(sorted)


@st.composite
def traces(draw):
    time = np.array(draw(instants | st.just([0.0, 1.0, 1.0, 2.0])))
    shape = draw(st.sampled_from([(), (1,), (3,), (2, 2), (1, 2, 2)]))
    floats = st.floats(width=64, allow_nan=False) | st.just(np.nan)
    values = draw(arrays(np.float64, (time.size, *shape), elements=floats))
    labels = draw(st.sampled_from([(), ("x", "y", "z")])) if shape == (3,) else ()
    return Trace(draw(names), time, values, draw(st.text("m/s², °", max_size=4)), labels, draw(kinds))


kinds = st.sampled_from(["continuous", "discrete"])
results = st.builds(
    lambda signals, states, events, seed: Result(
        {trace.path: trace for trace in signals},
        {trace.path: trace for trace in states},
        tuple(events),
        Provenance(diagram="d", seed=seed, description="name: é\n"),
    ),
    st.lists(traces(), max_size=4),
    st.lists(traces(), max_size=2),
    st.lists(st.builds(EventRecord, st.floats(0.0, 10.0), st.text(max_size=3), st.just("mode")), max_size=3),
    st.none() | st.integers(0, 2**64 - 1),
)


@every_format
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(result=results)
def test_a_file_gives_back_the_same_bits(tmp_path, suffix, result):
    path = tmp_path / f"run{suffix}"
    result.save(path)
    assert load_result(path).identical(result)
    assert load_result(path).digest == result.digest


@every_format
def test_a_file_explains_itself(tmp_path, suffix, run):
    path = tmp_path / f"run{suffix}"
    run.save(path)
    again = load_result(path)
    assert again.identical(run)
    assert again.provenance.parameters == {
        "gain": 0.1,
        "axes": [[1, 0], [0, 1]],
        "limit": np.inf,
        "signs": ["+", "-"],
    }
    assert again.provenance.description == run.provenance.description
    assert again.scopes == run.scopes
    assert [event.kind for event in again.events] == ["mode", "mode"]


@every_format
def test_both_limits_at_an_event_are_in_the_file(tmp_path, suffix, run):
    path = tmp_path / f"run{suffix}"
    run.save(path)
    relay = load_result(path).signals["relay.y"]
    assert relay.values[relay.time == 2.5].tolist() == [-1.0, 1.0]


@every_format
def test_a_partial_log_is_loadable_and_says_so(tmp_path, suffix, partial_run):
    path = tmp_path / f"run{suffix}"
    partial_run.save(path)
    again = load_result(path)
    assert not again.complete
    assert again.provenance.stopped_by == "keyboard interrupt"


@every_format
def test_the_same_result_gives_the_same_bytes(tmp_path, suffix, run):
    for name in ("a", "b"):
        run.save(tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_an_empty_log_is_a_netcdf_file_whose_time_may_grow(tmp_path):
    """NetCDF knows no fixed dimension of length 0: one without values is one that grows."""
    empty = np.zeros(0)
    Result({"a.y": Trace("a.y", empty, np.zeros((0, 3)), "m")}).save(tmp_path / "empty.nc")
    with xr.open_dataset(tmp_path / "empty.nc") as dataset:
        assert dataset["a.y"].shape == (0, 3)
        assert dataset["a.y"].dims == ("time", "element_3")
        assert dataset.encoding["unlimited_dims"] == {"time"}


def test_more_rows_than_a_batch_come_back(tmp_path):
    time = 1e-4 * np.arange(150_000)
    slow = time[::7]
    signals = (Trace("a.y", time, np.sin(time)), Trace("b.y", slow, np.cos(slow), kind="discrete"))
    result = Result({trace.path: trace for trace in signals})
    for suffix in SUFFIXES:
        result.save(tmp_path / f"long{suffix}")
        assert load_result(tmp_path / f"long{suffix}").identical(result)


def test_a_csv_file_is_a_table_with_units(tmp_path, run):
    path = tmp_path / "run.csv"
    run.save(path)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    header = next(csv.reader(lines))
    assert header[:4] == ["time (s)", "relay.y (V)", "plant/arm.q[0] (rad)", "plant/arm.q[1] (rad)"]
    assert "frame.T[3,2] (m)" in header
    assert "state:plant/arm.q[0] (rad)" in header
    assert len(lines) - 1 == run.time.size


def test_pandas_reads_a_csv_file_as_its_second_line_says(tmp_path, run):
    path = tmp_path / "run.csv"
    run.save(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert 'pandas.read_csv(FILE, comment="#")' in lines[1]
    np.testing.assert_allclose(pd.read_csv(path, comment="#")["time (s)"], run.time, rtol=1e-15)
    path.write_text("".join(lines[:1] + lines[2:]), encoding="utf-8")  # as earlier versions wrote it
    assert load_result(path).identical(run)


def test_other_programs_read_netcdf_and_parquet(tmp_path, run):
    for suffix in (".nc", ".parquet"):
        run.save(tmp_path / f"run{suffix}")
    with xr.open_dataset(tmp_path / "run.nc") as dataset:
        assert dataset["plant.arm.q"].attrs["path"] == "plant/arm.q"
        assert dataset["plant.arm.q"].attrs["units"] == "rad"
        assert dataset["plant.arm.q"].dims == ("time", "element_2")
        assert dataset["frame.T"].dims == ("time", "element_4", "element_4b")
        assert dataset["control.u"].dims == ("time_1",)
        assert dataset["uav.pose"].attrs["labels"] == ["x", "y", "yaw"]
        assert dataset["relay.y"].encoding["fletcher32"]
        assert dict(dataset.sizes) == {"time": 35, "time_1": 16, "element_2": 2, "element_3": 3} | {
            "element_4": 4,
            "element_4b": 4,
        }
        np.testing.assert_array_equal(dataset["relay.y"], run["relay.y"])
    table = pd.read_parquet(tmp_path / "run.parquet")
    np.testing.assert_array_equal(table["control.u"].dropna(), run["control.u"])


@every_format
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_leaves_what_was_there_and_the_result(tmp_path, monkeypatch, suffix, code, run):
    path = tmp_path / f"run{suffix}"
    path.write_bytes(b"before")

    def refuse(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(ResultFileError, match=errno.errorcode[code]) as caught:
        run.save(path)
    assert caught.value.path == str(path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    run.save(path)
    assert load_result(path).identical(run)


LIMITED = """
import resource, sys
import numpy as np
from blockdyn.diagrams.results import Result, ResultFileError, Trace
time = np.linspace(0.0, 1.0, 20000)
result = Result({"a.y": Trace("a.y", time, np.random.default_rng(0).normal(size=20000))})
resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
try:
    result.save(sys.argv[1])
except ResultFileError as error:
    print(error)
    sys.exit(int(result.final("a.y") != result.signals["a.y"].values[-1]))
sys.exit(3)
"""


@every_format
def test_a_file_the_system_cuts_short_never_gets_its_name(tmp_path, suffix):
    target = tmp_path / f"run{suffix}"
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(target)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "EFBIG" in ended.stdout
    assert list(tmp_path.iterdir()) == []


@every_format
def test_an_interrupt_while_writing_removes_the_part(tmp_path, monkeypatch, suffix, run):
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run.save(tmp_path / f"run{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_refuses_new_files_is_named(tmp_path, monkeypatch, run):
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ResultFileError, match=r"run\.csv: Permission denied \(EACCES\).*you may write to"):
        run.save(tmp_path / "run.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path, run):
    (tmp_path / "real").mkdir()
    link = tmp_path / "run.csv"
    link.symlink_to(tmp_path / "real" / "run.csv")
    run.save(link)
    assert link.is_symlink()
    assert load_result(tmp_path / "real" / "run.csv").identical(run)
