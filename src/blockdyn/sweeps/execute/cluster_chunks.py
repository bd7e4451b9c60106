"""A bounded number of chunks is in flight on the workers; each is delivered once, also if workers die."""

from __future__ import annotations

import contextlib
import pickle
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from ..errors import ClusterError
from ..store.part import Part
from ..store.store import Store
from . import cluster_worker
from .cluster_remote import calling

PER_THREAD = 2  # chunks in flight per thread of a worker: one running, one waiting
LOOK = 1.0  # s between checks of the cluster

Range = tuple[int, int]


class Chunks:
    """The chunks of one run.

    task      future of the packed task, and its digest
    versions  required of a worker
    store     where parts go, or None
    """

    def __init__(
        self, client: Any, task: tuple[Any, str], versions: Mapping[str, str | None], store: Store | None,
        patience: float,
    ) -> None:  # fmt: skip
        self._client, self._task, self._versions, self._patience = client, task, versions, patience
        self._store = store
        self._mark: str | None = None
        self._call = calling(cluster_worker.__name__)
        self._run = uuid.uuid4().hex[:8]
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._flying: dict[str, tuple[Any, Range]] = {}
        self._function = "run"  # of cluster_worker
        self._killers: list[Range] = []  # chunks whose workers died
        self._last_worker = time.monotonic()  # last time with a worker

    def run(self, ranges: Sequence[Range], on_part: Callable[[Part], object]) -> None:
        """Run all chunks; see `cluster.run_on`.

        Chunks that waited on workers that died are suspected with those that ran there: their scenarios run
        again, chunk after chunk, in a process that a worker makes for them, so that none dies with another.
        Those that end it too have failed; only a chunk that kills workers then, too, is given up.
        """
        try:
            with contextlib.nullcontext() if self._store is None else self._store.marked() as self._mark:
                self._run_all(deque(ranges), on_part)
                suspects, self._killers, self._function = self._killers, [], "run_suspected"
                for chunk in suspects:
                    self._run_all(deque([chunk]), on_part)
        except KeyboardInterrupt:
            self._deliver_what_came(on_part)
            raise
        except Exception as failure:
            if self._client.status in ("closed", "closing"):
                raise _lost_scheduler(failure) from failure
            raise
        finally:
            if self._flying and self._client.status == "running":
                self._client.cancel([future for future, _ in self._flying.values()])
        self._refuse_killers()

    def _run_all(self, waiting: deque[Range], on_part: Callable[[Part], object]) -> None:
        places, looked = self._places(), time.monotonic()
        while waiting or self._flying:
            while waiting and len(self._flying) < places:
                self._submit(waiting.popleft())
            self._take(waiting, on_part)
            if time.monotonic() - looked > LOOK:
                places, looked = self._places(), time.monotonic()

    def _submit(self, chunk: Range) -> None:
        (packed, digest), key = self._task, f"blockdyn-{self._run}-{chunk[0]}-{uuid.uuid4().hex[:8]}"
        arguments = (self._function, packed, digest, *chunk, self._mark, self._versions)
        future = self._client.submit(self._call, *arguments, key=key, pure=False)
        self._flying[key] = future, chunk
        future.add_done_callback(self._ended.put)

    def _take(self, waiting: deque[Range], on_part: Callable[[Part], object]) -> None:
        """Wait for the next finished chunk, and deliver it, run it again, or suspect it."""
        from distributed import KilledWorker

        try:
            future = self._ended.get(timeout=LOOK)
        except Empty:
            return
        _, chunk = self._flying.pop(future.key)
        try:
            part = self._part(future)
        except KilledWorker:
            self._killers.append(chunk)
        except ImportError as failure:
            raise ClusterError(
                f"a worker cannot import what the sweep needs: {failure}",
                "install it there, or send it with client.upload_file(...)",
            ) from failure
        else:
            if part is None:
                waiting.append(chunk)
            else:
                on_part(part)

    def _part(self, future: Any) -> Part | None:
        """The part; None if the cluster forgot it, or lost it with its worker."""
        from distributed import CancelledError, TimeoutError as TookTooLong

        try:
            written, part = pickle.loads(future.result(timeout=self._patience))
        except (TookTooLong, CancelledError):
            return None
        if self._store is not None and not written:
            self._store.write(part)
        received: Part = part
        return received

    def _places(self) -> int:
        """Number of chunks that may be in flight; ClusterError if no worker was seen for too long."""
        threads = sum(self._threads().values())
        now = time.monotonic()
        if threads:
            self._last_worker = now
        elif now - self._last_worker > self._patience:
            raise ClusterError(
                f"no worker is left, and none joined in {self._patience:g} s",
                "start workers, then run the sweep again with resume=True (blockdyn sweep --resume)",
            )
        return PER_THREAD * max(1, threads)

    def _threads(self) -> dict[str, int]:
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError as failure:
            raise _lost_scheduler(failure) from failure
        return threads

    def _deliver_what_came(self, on_part: Callable[[Part], object]) -> None:
        for key, (future, _) in list(self._flying.items()):
            if future.status == "finished" and (part := self._part(future)) is not None:
                del self._flying[key]
                on_part(part)

    def _refuse_killers(self) -> None:
        if not self._killers:
            return
        raise ClusterError(
            f"{len(self._killers)} chunks were given up, because every worker that ran them died:",
            *(f"  scenarios {start} to {stop - 1}" for start, stop in self._killers[:5]),
            "the workers' logs show the reason (out of memory?); with a smaller chunk, or more memory per"
            " worker, continue with resume=True (blockdyn sweep --resume)",
        )


def _lost_scheduler(failure: Exception) -> ClusterError:
    return ClusterError(
        f"the scheduler does not answer any more: {failure}",
        "start the cluster again, then run the sweep with resume=True (blockdyn sweep --resume)",
    )
