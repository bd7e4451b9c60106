"""The chunks of a sweep run on the workers of a Dask cluster."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from ...base.extras import remedy
from ..errors import ClusterError, SweepError
from ..store.part import Part
from ..store.store import Store
from . import cluster_worker
from .cluster_chunks import Chunks
from .cluster_remote import calling, returning
from .cluster_worker import own_versions, refuse_mixed

CONNECTING = 10.0  # s for a scheduler to answer


class Runnable(Protocol):
    """The part of a sweep that a cluster needs: it can be pickled, and runs the scenarios [start, stop)."""

    def run(self, start: int, stop: int) -> Part: ...


def run_on(
    cluster: Any,
    task: Runnable,
    ranges: Sequence[tuple[int, int]],
    store_path: str | Path | None,
    on_part: Callable[[Part], object],
    *,
    patience: float = 60.0,
) -> None:
    """Run the chunks `ranges` on a Dask cluster.

    cluster     a `distributed.Client`, a cluster object (`LocalCluster`, `SSHCluster`, `KubeCluster`,
                `SLURMCluster`), the address of a scheduler, or the path of its scheduler file
    store_path  a store: workers that share its disk write into it themselves; the results of other workers
                are sent back and written here
    on_part     called here with each part as it arrives, in any order; without kept signals if a worker
                wrote it to the store
    patience    seconds without any worker after which the run ends

    A chunk whose worker dies runs on another one; Dask abandons a chunk after
    `distributed.scheduler.allowed-failures` (3) deaths. A chunk that ran twice has the same numbers. An
    interruption delivers finished parts, and cancels the rest.

    Raises ClusterError before any scenario runs if no scheduler answers, there is no worker, packages
    differ, or a worker lacks a module of the diagram; later if all workers are gone. StoreError if
    the store cannot be written, SweepError without Dask.
    Source: Dask documentation, "Futures" and "Resilience" (docs.dask.org, distributed.dask.org).
    """
    if not ranges:
        return
    with open_client(cluster) as client:
        _await_a_worker(client, patience)
        versions = own_versions()
        refuse_mixed(client, versions)
        packed = _pack_task(task)
        digest = hashlib.sha256(packed).hexdigest()
        _examine(client, packed, digest)
        with (
            warnings.catch_warnings()
        ):  # a large diagram goes through the scheduler once: no cause for advice
            warnings.filterwarnings("ignore", message="Sending large graph")
            held = client.submit(returning(), packed, pure=False)
        store = None if store_path is None else Store.at(store_path)
        Chunks(client, (held, digest), versions, store, patience).run(ranges, on_part)


@contextmanager
def open_client(cluster: Any) -> Iterator[Any]:
    """A client of the cluster: the given one, or a new one that ends with the run."""
    distributed = _import_distributed()
    if isinstance(cluster, distributed.Client):
        if cluster.asynchronous:
            raise ClusterError("an asynchronous Client cannot run a sweep", "make it with Client(...) alone")
        yield cluster
        return
    where = {"scheduler_file": cluster} if str(cluster).endswith(".json") else {"address": cluster}
    try:
        with warnings.catch_warnings():  # versions are compared here, and in more detail
            warnings.simplefilter("ignore")
            client = distributed.Client(**where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError) as failure:
        raise ClusterError(
            f"no Dask scheduler at {cluster}: {str(failure).splitlines()[0] or type(failure).__name__}",
            "start one with `dask scheduler`, and give the address that it prints (tcp://host:8786)",
        ) from failure
    try:
        yield client
    finally:
        client.close()


def _import_distributed() -> Any:
    if remedy("distributed"):
        raise SweepError("a cluster needs the packages dask and distributed", remedy("distributed"))
    import distributed

    return distributed


def _pack_task(task: Runnable) -> bytes:
    try:
        packed: bytes = _import_distributed().protocol.pickle.dumps(task)
    except Exception as failure:
        raise ClusterError(
            f"the sweep cannot be sent to workers: {failure}",
            "a block made in Python must hold nothing that only this process has (an open file, a lock)",
        ) from failure
    return packed


def _await_a_worker(client: Any, patience: float) -> None:
    """Wait for a worker; a task requests one if the cluster starts workers on demand."""
    if client.nthreads():
        return
    from distributed import TimeoutError as TookTooLong

    wish = client.submit(returning(), b"", pure=False)
    try:
        wish.result(timeout=patience)
    except TookTooLong:
        raise ClusterError(
            f"no worker has joined the scheduler {client.scheduler.address} in {patience:g} s",
            f"start workers with `dask worker {client.scheduler.address}`, or wait for them with"
            " client.wait_for_workers(1)",
        ) from None


def _examine(client: Any, packed: bytes, digest: str) -> None:
    """Raise ClusterError if a worker cannot unpack the sweep."""
    answers = client.run(calling(cluster_worker.__name__), "examine", packed, digest)
    trouble = [f"  {worker} {answer}" for worker, answer in answers.items() if answer]
    if trouble:
        raise ClusterError(f"{len(trouble)} of {len(answers)} workers cannot run the sweep:", *trouble[:5])
