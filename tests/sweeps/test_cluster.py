"""A sweep on a Dask cluster is the local one, whatever happens to the workers."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import dask
import distributed
import pytest

from blockdyn.sweeps.errors import ClusterError, StoreError
from blockdyn.sweeps.execute.cluster import run_on
from blockdyn.sweeps.store.part import Part
from blockdyn.sweeps.store.store import Store

from .clustered import LAYOUT, RANGES, assert_local, task, worker

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by SIGKILL"),
    pytest.mark.xdist_group("cluster"),  # one worker makes what they share
]


@pytest.fixture
def client() -> Iterator[distributed.Client]:
    """A scheduler without workers; `workers` starts two of them."""
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", protocol="tcp") as scheduler,
        distributed.Client(scheduler) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def steady() -> Iterator[distributed.Client]:
    """A cluster of two workers, which the tests on it leave as it is."""
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", protocol="tcp") as scheduler,
        distributed.Client(scheduler) as client,
        worker(client.scheduler.address),
        worker(client.scheduler.address),
    ):
        client.wait_for_workers(2)
        yield client


@pytest.fixture
def workers(client: distributed.Client) -> Iterator[list[subprocess.Popen[bytes]]]:
    with ExitStack() as stack:
        started = [stack.enter_context(worker(client.scheduler.address)) for _ in range(2)]
        client.wait_for_workers(2)
        yield started


def test_two_processes_and_one_killed_in_the_middle(
    client: distributed.Client, workers: list[subprocess.Popen[bytes]]
) -> None:
    parts: list[Part] = []

    def deliver(part: Part) -> None:
        parts.append(part)
        if len(parts) == 3:
            workers[0].send_signal(signal.SIGKILL)

    run_on(client, task(0.05), RANGES, None, deliver)
    assert_local(parts)
    assert len(client.nthreads()) == 1


def test_workers_write_the_store_and_one_is_killed(
    client: distributed.Client, workers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    store = Store.open(tmp_path / "s.zarr", {"seed": 1}, LAYOUT, resume=False)
    parts: list[Part] = []

    def deliver(part: Part) -> None:
        parts.append(part)
        if len(parts) == 3:
            workers[1].send_signal(signal.SIGKILL)

    run_on(client, task(0.05), store.missing(), store.path, deliver)
    assert store.missing() == []
    assert all(part.signals == {} for part in parts)
    assert_local([store.part(*chunk) for chunk in RANGES])


def test_a_worker_that_comes_late_takes_its_share(client: distributed.Client) -> None:
    parts: list[Part] = []
    with ExitStack() as stack:
        stack.enter_context(worker(client.scheduler.address))

        def deliver(part: Part) -> None:
            parts.append(part)
            if len(parts) == 1:
                stack.enter_context(worker(client.scheduler.address))
                client.wait_for_workers(2)

        run_on(client, task(), RANGES, None, deliver)
    assert_local(parts)


def test_an_address_is_enough(steady: distributed.Client) -> None:
    parts: list[Part] = []
    run_on(steady.scheduler.address, task(), RANGES, None, parts.append)
    assert_local(parts)


def test_a_chunk_that_kills_its_workers_is_named_and_the_others_are_kept() -> None:
    def deadly(start: int) -> None:
        """Ends the worker, and it again from the process that it makes for such scenarios."""
        if start == 20:
            worker = "distributed.nanny" in sys.modules
            os.kill(os.getpid() if worker else os.getppid(), signal.SIGKILL)

    parts: list[Part] = []
    allowed = {"distributed.scheduler.allowed-failures": 0}
    with (
        dask.config.set(allowed),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as two,
        pytest.raises(
            ClusterError, match=r"1 chunks were given up(.*\n)+.*scenarios 20 to 24.*(.*\n)+.*resume"
        ),
    ):
        run_on(two, task(0.01, deadly), RANGES, None, parts.append)
    assert_local(parts, [chunk for chunk in RANGES if chunk[0] != 20])


def test_no_worker_left_ends_the_run(client: distributed.Client) -> None:
    with worker(client.scheduler.address) as only:
        client.wait_for_workers(1)
        parts: list[Part] = []

        def deliver(part: Part) -> None:
            parts.append(part)
            only.send_signal(signal.SIGKILL)

        with pytest.raises(ClusterError, match=r"no worker is left, and none joined in 2 s\n.*resume=True"):
            run_on(client, task(0.01), RANGES, None, deliver, patience=2.0)
    assert parts


def test_a_cluster_without_workers_is_refused(client: distributed.Client) -> None:
    with pytest.raises(
        ClusterError, match=r"no worker has joined the scheduler tcp://.*\n.*dask worker tcp://"
    ):
        run_on(client, task(), RANGES, None, print, patience=0.5)


def test_other_versions_are_refused_before_a_scenario_runs(
    client: distributed.Client, tmp_path: Path
) -> None:
    fake = tmp_path / "numba-9.9.dist-info"
    fake.mkdir()
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 9.9\n", encoding="utf-8")
    with worker(client.scheduler.address, str(tmp_path)), worker(client.scheduler.address):
        client.wait_for_workers(2)
        with pytest.raises(ClusterError, match=r"numba: .* here, 9\.9 on tcp://.*\n.*same versions"):
            run_on(client, task(), RANGES, None, pytest.fail)


def test_a_worker_without_blockdyn_is_refused(client: distributed.Client, tmp_path: Path) -> None:
    (tmp_path / "blockdyn.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    refused = pytest.raises(ClusterError, match=r"blockdyn: .* here, not installed on tcp://")
    with worker(client.scheduler.address, str(tmp_path)), refused:
        run_on(client, task(), RANGES, None, pytest.fail)


def test_a_worker_of_other_versions_that_comes_late_is_refused(
    client: distributed.Client, tmp_path: Path
) -> None:
    fake = tmp_path / "llvmlite-9.9.dist-info"
    fake.mkdir()
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: llvmlite\nVersion: 9.9\n", encoding="utf-8")
    with ExitStack() as stack:
        stack.enter_context(worker(client.scheduler.address))

        def deliver(part: Part) -> None:
            if part.start == 0:
                stack.enter_context(worker(client.scheduler.address, str(tmp_path)))
                client.wait_for_workers(2)

        with pytest.raises(ClusterError, match=r"llvmlite: .* here, 9\.9 on a worker"):
            run_on(client, task(0.02), [(k, k + 1) for k in range(200)], None, deliver)


def test_a_worker_on_another_disk_sends_its_parts_back(steady: distributed.Client, tmp_path: Path) -> None:
    """One of the two is told not to see the store, as if it were on another machine."""

    def look_away(away: bool) -> None:
        import importlib
        import os

        worker = importlib.import_module("blockdyn.sweeps.execute.cluster_worker")
        worker.sees = (
            (lambda mark: False) if away else (lambda mark: mark is not None and os.path.exists(mark))
        )

    store = Store.open(tmp_path / "s.zarr", {"seed": 1}, LAYOUT, resume=False)
    first = next(iter(steady.nthreads()))
    steady.run(look_away, True, workers=[first])
    parts: list[Part] = []
    run_on(steady, task(0.05), store.missing(), store.path, parts.append)
    steady.run(look_away, False, workers=[first])
    assert_local([store.part(*chunk) for chunk in RANGES])
    assert {bool(part.signals) for part in parts} == {True, False}
    assert list((store.path / ".unfinished").iterdir()) == []


def test_a_module_that_workers_lack_is_named(
    steady: distributed.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_blocks.py").write_text("class Task:\n    pass\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import my_blocks  # type: ignore[import-not-found]

    with pytest.raises(ClusterError, match=r"No module named 'my_blocks'.*upload_file"):
        run_on(steady, my_blocks.Task(), RANGES, None, pytest.fail)


def test_what_cannot_travel_is_said_here(steady: distributed.Client) -> None:
    stuck = task()
    stuck.lock = threading.Lock()
    with pytest.raises(ClusterError, match=r"cannot be sent to workers: .*lock"):
        run_on(steady, stuck, RANGES, None, pytest.fail)


def test_the_error_of_a_store_ends_the_run_and_keeps_what_is_done(steady: distributed.Client) -> None:
    def full(start: int) -> None:
        if start >= 30:
            raise StoreError(f"the disk is full: {errno.ENOSPC}")

    parts: list[Part] = []
    with pytest.raises(StoreError, match="the disk is full"):
        run_on(steady, task(0.01, full), RANGES, None, parts.append)
    assert parts


def test_an_interruption_keeps_what_is_done_and_cancels_the_rest(steady: distributed.Client) -> None:
    parts: list[Part] = []

    def deliver(part: Part) -> None:
        parts.append(part)
        if len(parts) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_on(steady, task(0.05), RANGES, None, deliver)
    assert len(parts) >= 4
    assert_local(parts, [chunk for chunk in RANGES if chunk[0] in {part.start for part in parts}])
    for _ in range(100):
        if not steady.processing() or not any(steady.processing().values()):
            break
        time.sleep(0.05)
    assert not any(steady.processing().values()), "chunks are still waiting on the workers"


def test_the_scheduler_dies(tmp_path: Path) -> None:
    """A client looks for a lost scheduler as long as Dask's settings say; here it is soon enough."""
    file = tmp_path / "scheduler.json"
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--scheduler-file",
        str(file),
        "--port",
        "0",
    ]
    quiet = subprocess.DEVNULL
    scheduler = subprocess.Popen([*command, "--no-dashboard"], stdout=quiet, stderr=quiet)
    try:
        while not file.exists():
            time.sleep(0.05)
        soon = dask.config.set({"distributed.comm.timeouts.connect": "1s"})
        lost = pytest.raises(ClusterError, match=r"the scheduler does not answer.*(.*\n)+.*resume=True")
        with worker("", "", "--scheduler-file", str(file)), soon, lost:
            run_on(file, task(0.05), RANGES, None, lambda part: scheduler.kill(), patience=60.0)
    finally:
        scheduler.kill()
        scheduler.wait()
