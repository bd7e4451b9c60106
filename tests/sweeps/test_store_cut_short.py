"""What ends a process or refuses a file leaves a store that goes on."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from blockdyn.sweeps.errors import StoreError
from blockdyn.sweeps.store import files as store_files
from blockdyn.sweeps.store.integrity import DamagedStore
from blockdyn.sweeps.store.store import Store

from .stored import CHUNK, COUNT, IDENTITY, bytes_of, fill, filled, layout, part, same


@pytest.mark.parametrize("at", range(29))
@pytest.mark.parametrize("operation", ["write_bytes", "replace"])
def test_a_refusal_at_any_file_leaves_a_store_to_resume(
    at: int, operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Disk full at the n-th file, before a byte or with half of them written: what is done is right."""
    filled(tmp_path / "a.zarr")
    store = Store.open(tmp_path / "b.zarr", IDENTITY, layout(), resume=False)
    fail_at(operation, at, errno.ENOSPC, monkeypatch)
    with pytest.raises(
        StoreError, match=r"the disk is full\n(.*\n)?\d+ of 23 scenarios are safe in it\n.*resume=True"
    ):
        fill(store)
    monkeypatch.undo()
    assert store.safe == min(COUNT, at // 9 * CHUNK)  # seven arrays, their checksums, `done`
    for start, stop in store.finished():
        same(store.part(start, stop), part(start, stop))
    again = Store.open(tmp_path / "b.zarr", IDENTITY, layout(), resume=True)
    fill(again)
    assert bytes_of(tmp_path / "b.zarr") == bytes_of(tmp_path / "a.zarr")


def fail_at(operation: str, at: int, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operation's call number `at`, and those behind it, fail as the system would let them fail."""
    calls = iter(range(10**9))
    write, move = Path.write_bytes, os.replace

    def write_bytes(self: Path, data: bytes) -> int:
        if next(calls) >= at:
            write(self, data[: len(data) // 2])
            raise OSError(code, os.strerror(code), str(self))
        return write(self, data)

    def replaced(source: Path, target: Path) -> None:
        if next(calls) >= at:
            raise OSError(code, os.strerror(code), str(source), None, str(target))
        move(source, target)

    if operation == "write_bytes":
        monkeypatch.setattr(Path, "write_bytes", write_bytes)
    else:
        monkeypatch.setattr(store_files.os, "replace", replaced)


@pytest.mark.parametrize(
    ("code", "said"), [(errno.EROFS, "read-only"), (errno.EACCES, "not permitted"), (errno.EDQUOT, "quota")]
)
def test_refusals_say_their_cause(
    code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)
    store.write(part(0, 5))
    fail_at("write_bytes", 0, code, monkeypatch)
    with pytest.raises(StoreError, match=rf"{said}(.*\n)*5 of 23 scenarios are safe"):
        store.write(part(5, 10))
    with pytest.raises(StoreError, match=said):
        Store.open(tmp_path / "new.zarr", IDENTITY, layout(), resume=False)


def test_a_folder_that_vanishes_is_an_error_and_not_made_anew(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.zarr")
    shutil.rmtree(tmp_path / "s.zarr")
    for action in (lambda: store.write(part(0, 5)), store.missing, store.close, lambda: store.part(0, 5)):
        with pytest.raises(StoreError, match=r"is gone\n(.*\n)*.*resume=True"):
            action()
    assert not (tmp_path / "s.zarr").exists()


def test_a_chunk_that_a_power_cut_shortened_is_run_again(tmp_path: Path) -> None:
    store = filled(tmp_path / "s.zarr")
    whole = bytes_of(tmp_path / "s.zarr")
    for name in ("measures/c.1.0", "reason/c.2", "done/c.3"):
        (tmp_path / "s.zarr" / name).write_bytes(b"")
    with pytest.raises(StoreError, match=r"is damaged: .*measures"):
        store.part(5, 10)
    with pytest.raises(StoreError, match="is damaged"):
        store.part(10, 15)
    with pytest.warns(DamagedStore, match=r"measures/c\.1\.0"):
        store = Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=True)
    assert store.missing() == [(5, 10), (10, 15), (15, 20)]
    fill(store)
    assert bytes_of(tmp_path / "s.zarr") == whole


WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, sys.argv[1])
from stored import IDENTITY, Store, layout, part
store = Store.open(sys.argv[2], IDENTITY, layout(count=400), resume=True)
print("ready", flush=True)
with ThreadPoolExecutor(2) as pool:
    list(pool.map(lambda chunk: store.write(part(*chunk)), store.missing()))
"""


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("whole") / "s.zarr"
    assert (
        subprocess.run([sys.executable, "-c", WRITER, str(Path(__file__).parent), str(path)]).returncode == 0
    )
    return bytes_of(path)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is Unix's")
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_a_random_moment_and_resumed_equals_uninterrupted(
    seed: int, tmp_path: Path, uninterrupted: dict[str, bytes]
) -> None:
    path, moment = tmp_path / "s.zarr", random.Random(seed)
    command = [sys.executable, "-c", WRITER, str(Path(__file__).parent), str(path)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert run.stdout is not None
    with run, run.stdout:
        run.stdout.readline()
        time.sleep(moment.uniform(0.0, 0.06))
        run.send_signal(signal.SIGKILL)
    store = Store.open(path, IDENTITY, layout(count=400), resume=True)
    for start, stop in store.finished():
        same(store.part(start, stop), part(start, stop))
    fill(store)
    assert bytes_of(path) == uninterrupted


@pytest.mark.parametrize("at", range(30))
def test_a_store_that_was_not_made_to_the_end_is_made_anew(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_at("replace", at, errno.ENOSPC, monkeypatch)
    try:
        Store.open(tmp_path / "s.zarr", IDENTITY, layout(), resume=False)
    except StoreError:
        monkeypatch.undo()
        assert filled(tmp_path / "s.zarr").safe == COUNT
    else:
        assert at >= 18, "a failure must not pass unnoticed"
