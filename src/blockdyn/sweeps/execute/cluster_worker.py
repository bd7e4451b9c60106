"""Workers of a cluster unpack a task once, run its chunks, and have the versions of the client."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from ..errors import ClusterError, SweepError
from ..store.part import Part, join_parts
from ..store.store import Store
from .apart import run_apart
from .cluster_remote import asking
from .suspects import dead_part

PACKAGES = ("blockdyn", "numpy", "scipy", "numba", "llvmlite", "dask", "distributed", "cloudpickle")
SCHEDULING = ("dask", "distributed", "cloudpickle")  # needed by a scheduler, which runs no scenario
MOST = 6  # disagreements that an error shows

Versions = Mapping[str, str | None]


def own_versions() -> dict[str, str | None]:
    """Versions of Python and packages in this process."""
    return asking()(PACKAGES)


def refuse_others(local: Versions, remote: Mapping[str, Versions]) -> None:
    """Raise ClusterError, naming package and both versions, if one of the processes `there` differs."""
    lines = [line for place, versions in remote.items() for line in disagreements(local, place, versions)]
    if not lines:
        return
    more = f"  and {len(lines) - MOST} more" if len(lines) > MOST else ""
    raise ClusterError(
        "the cluster has different packages from this process:",
        *(f"  {line}" for line in lines[:MOST]),
        more,
        "install the same versions everywhere (pip freeze here, pip install there), and restart the workers",
    )


def disagreements(local: Versions, place: str, remote: Versions) -> list[str]:
    """A line for each package whose version there differs from the version here."""
    return [
        f"{name}: {local[name] or 'not installed'} here, {remote[name] or 'not installed'} on {place}"
        for name in local
        if name in remote and local[name] != remote[name]
    ]


def refuse_mixed(client: Any, local: Versions) -> None:
    """Compare the scheduler and every worker, and raise ClusterError if one differs.

    The report of Dask itself comes first: code cannot be sent between versions of Python.
    """
    reported = client.get_versions(check=False)
    places = {"scheduler": reported["scheduler"], **reported["workers"]}
    refuse_others(local, {place: _dask_versions(facts) for place, facts in places.items() if facts})
    refuse_others(local, client.run(asking(), PACKAGES))


def _dask_versions(facts: Mapping[str, Any]) -> Versions:
    packages = facts["packages"]
    python = ".".join(packages["python"].split(".")[:2])
    return {"python": python, **{name: packages[name] for name in SCHEDULING if name in packages}}


TASKS = 4  # unpacked tasks that a process keeps: one for each of that many sweeps at a time
_tasks: OrderedDict[str, Any] = OrderedDict()
_compiled: set[str] = set()
_lock = Lock()
_agreed: list[Mapping[str, str | None]] = []


def examine(packed: bytes, digest: str) -> str:
    """The reason why this worker cannot run the sweep, in a sentence; empty if it can."""
    try:
        _unpack_task(packed, digest)
    except ImportError as failure:
        return f"cannot import a module of the diagram ({failure}): client.upload_file(...) sends it there"
    return ""


def run(
    packed: bytes, digest: str, start: int, stop: int, mark: str | None, versions: Mapping[str, str | None]
) -> bytes:
    """Run a chunk; return pickled whether it went to the store, and the part, without signals if it did.

    `mark` is a file in the store; a worker that sees it shares the sweep's own store.
    """
    _agree(versions)
    task = _unpack_task(packed, digest)
    with _lock:
        if digest not in _compiled and hasattr(task, "ready"):
            task.ready()
            _compiled.add(digest)
    return _deliver_part(task.run(start, stop), mark)


def run_suspected(
    packed: bytes, digest: str, start: int, stop: int, mark: str | None, versions: Mapping[str, str | None]
) -> bytes:
    """As `run`, for a chunk whose workers died: scenario by scenario in another process of this machine. One
    that ends it has failed, with the outcome `process died`.
    """
    _agree(versions)
    task = _unpack_task(packed, digest)
    parts: list[Part] = []
    for k, answer in run_apart(packed, range(start, stop)):
        if isinstance(answer, SweepError):
            raise answer
        parts.append(dead_part(task, k) if answer is None else answer)
    return _deliver_part(join_parts(parts), mark)


def _agree(versions: Mapping[str, str | None]) -> None:
    if versions not in _agreed:  # this worker may have joined after the others were checked
        refuse_others(versions, {"a worker": own_versions()})
        _agreed.append(versions)


def _deliver_part(part: Part, mark: str | None) -> bytes:
    written = sees(mark)
    if written:
        Store.at(Path(str(mark)).parents[1]).write(part)
        part = replace(part, signals={})
    return pickle.dumps((written, part), protocol=5)


def sees(mark: str | None) -> bool:
    """True if the sweep has a store, on a disk that this process shares."""
    return mark is not None and Path(mark).exists()


def _unpack_task(packed: bytes, digest: str) -> Any:
    with _lock:
        if digest not in _tasks:
            _tasks[digest] = pickle.loads(packed)
            if len(_tasks) > TASKS:
                _compiled.discard(_tasks.popitem(last=False)[0])
        _tasks.move_to_end(digest)
        return _tasks[digest]
