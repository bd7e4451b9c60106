"""Files of results that are missing, cut short, foreign or of a later version, and places that take none."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
import xarray as xr

from blockdyn.diagrams.results import (
    ResultFileError,
    check_target,
    load_result,
    save,
)

every_format = pytest.mark.parametrize("suffix", [".nc", ".parquet", ".csv"])


@pytest.mark.parametrize("check", [save, lambda _, path: check_target(path)], ids=["save", "check_target"])
def test_impossible_targets_are_refused(tmp_path, check, run):
    (tmp_path / "folder.nc").mkdir()
    (tmp_path / "plain").write_text("")
    for target, cause in (
        ("missing/run.nc", "ENOENT"),
        ("plain/run.nc", "ENOTDIR"),
        ("folder.nc", "EISDIR"),
        ("run.xlsx", r"\.xlsx.*use one of \.nc, \.parquet, \.csv"),
        ("run", "suffix ''"),
    ):
        with pytest.raises(ResultFileError, match=cause):
            check(run, tmp_path / target)


@pytest.mark.parametrize("check", [save, lambda _, path: check_target(path)], ids=["save", "check_target"])
def test_without_pyarrow_parquet_is_refused_with_what_brings_it(tmp_path, monkeypatch, check, run):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ResultFileError, match=r'pip install "blockdyn\[parquet\]"'):
        check(run, tmp_path / "run.parquet")
    assert list(tmp_path.iterdir()) == []


@every_format
def test_a_missing_file_is_named(tmp_path, suffix):
    with pytest.raises(ResultFileError, match="ENOENT"):
        load_result(tmp_path / f"absent{suffix}")


@every_format
@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe" * 40, b"time,a\n0,1\n", b"\x89HDF\r\n\x1a\n" + bytes(90)]
)
def test_a_foreign_file_is_refused(tmp_path, suffix, content):
    path = tmp_path / f"foreign{suffix}"
    path.write_bytes(content)
    with pytest.raises(ResultFileError, match="not a complete result file"):
        load_result(path)


@every_format
def test_a_truncated_file_is_refused(tmp_path, suffix, run):
    path = tmp_path / f"run{suffix}"
    run.save(path)
    whole = path.read_bytes()
    for part in (len(whole) // 50, len(whole) // 3, len(whole) - 100):
        path.write_bytes(whole[:part])
        with pytest.raises(ResultFileError):
            load_result(path)


def test_netcdf_and_parquet_of_others_are_refused(tmp_path):
    xr.Dataset({"a": ("x", [1.0])}).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    pd.DataFrame({"a": [1.0]}).to_parquet(tmp_path / "other.parquet")
    for path in sorted(tmp_path.iterdir()):
        with pytest.raises(ResultFileError, match="blockdyn_result"):
            load_result(path)


def test_a_later_version_is_refused(tmp_path, run):
    path = Path(tmp_path / "run.csv")
    run.save(path)
    path.write_text(
        path.read_text(encoding="utf-8").replace('"version": 1', '"version": 9'), encoding="utf-8"
    )
    with pytest.raises(ResultFileError, match="version 9"):
        load_result(path)
