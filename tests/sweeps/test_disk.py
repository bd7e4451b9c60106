"""A disk that fills up or cannot be written ends a sweep with a clear error, and a store that goes on."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads
from blockdyn.sweeps.errors import StoreError
from blockdyn.sweeps.store import store as stores

from .decays import decays

TEXT = decays(60, 0.001)


def contents(store: Path) -> dict[str, bytes]:
    files = (f for f in store.rglob("*") if f.is_file() and ".unfinished" not in f.parts)
    return {str(f.relative_to(store)): f.read_bytes() for f in files}


def whole(tmp_path: Path) -> dict[str, bytes]:
    bd.Sweep(loads(TEXT)).run(store=tmp_path / "whole.zarr")
    return contents(tmp_path / "whole.zarr")


@pytest.mark.parametrize("workers", [1, 3])
def test_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    written, real = [0], stores.put

    def put(root: Path, file: Path, data: bytes) -> None:
        written[0] += len(data)
        if written[0] > 200_000:  # of about half a million
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(root, file, data)

    monkeypatch.setattr(stores, "put", put)
    sweep = bd.Sweep(loads(TEXT))
    with pytest.raises(
        StoreError, match=r"the disk is full\n\d+ of 60 scenarios are safe in it\n.*resume=True"
    ):
        sweep.run(store=tmp_path / "s.zarr", workers=workers)
    safe = stores.Store.at(tmp_path / "s.zarr").safe
    assert 0 < safe < 60
    monkeypatch.undo()
    ensemble = sweep.run(store=tmp_path / "s.zarr", workers=workers, resume=True)
    assert ensemble.complete
    assert ensemble.info["ran"] == 60 - safe
    assert contents(tmp_path / "s.zarr") == whole(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="POSIX limits")
def test_a_limit_of_the_system_on_the_size_of_files(tmp_path: Path) -> None:
    """Chunks of 5 x 1001 numbers do not fit in 16 KiB: the first of them ends the command."""
    (tmp_path / "loop.yaml").write_text(TEXT, encoding="utf-8")
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "import blockdyn.cli\n"
        "from blockdyn.sweeps.sweep import Sweep; Sweep.load('loop.yaml').task.ready()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))\n"
        "sys.exit(blockdyn.cli.main(['sweep', 'loop.yaml', '--store', 's.zarr']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2, run.stderr
    assert "cannot be written or read" in run.stderr
    assert "Traceback" not in run.stderr
    assert bd.Sweep(loads(TEXT)).run(store=tmp_path / "s.zarr", resume=True).complete
    assert contents(tmp_path / "s.zarr") == whole(tmp_path)


def test_a_store_that_becomes_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write everywhere: the file system's answer is given for it."""
    place = tmp_path / "s.zarr"

    def refuse(*given: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    sweep = bd.Sweep(loads(TEXT))
    monkeypatch.setattr(stores, "put", refuse)
    with pytest.raises(StoreError, match=r"the file system is read-only\n.*0 of 60.*\n.*resume"):
        sweep.run(store=place)
    monkeypatch.undo()
    assert sweep.run(store=place, resume=True).complete
    assert contents(place) == whole(tmp_path)


def test_a_place_for_a_store_that_cannot_be_written_is_refused_before_a_scenario_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    sweep = bd.Sweep(loads(TEXT))
    with pytest.raises(StoreError, match=r"file.*cannot be written"):
        sweep.run(store=tmp_path / "file" / "s.zarr")
