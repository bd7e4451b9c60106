"""The folder of a store: claim it, make it durable against a power cut, explain errors of the system."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...base.files import bring_to_disk, refusal_of
from ..errors import StoreError

MANY = 16  # number of files above which syncing the whole file system is faster


def make_durable(files: Sequence[Path]) -> None:
    """Return when the disk has these files. Raises OSError if the disk refuses them."""
    if not files:
        return
    if len(files) >= MANY and _sync_file_system(files[0].parent):
        return
    for file in files:
        handle = os.open(file, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    for folder in {file.parent for file in files}:
        bring_to_disk(folder)


def _sync_file_system(folder: Path) -> bool:
    """Sync a whole file system to the disk; returns whether the system can (Linux)."""
    call = _syncfs()
    if call is None:
        return False
    handle = os.open(folder, os.O_RDONLY)
    try:
        if call(handle) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(folder))
    finally:
        os.close(handle)
    return True


@cache
def _syncfs() -> Any:
    """syncfs(2) of the C library; since Linux 5.8 it reports errors of the disk."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)


class Pause:
    """Time between two stretches of waiting for the disk, of which each is spent inside `with`: nine times
    as long as the last of them.
    """

    def __init__(self) -> None:
        self._until = self._began = 0.0

    @property
    def over(self) -> bool:
        return time.perf_counter() >= self._until

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        now = time.perf_counter()
        self._until = now + 9.0 * (now - self._began)


NAMED = (errno.ENOENT, errno.EIO, errno.EISDIR, errno.EINVAL, errno.ENXIO)


def store_failure(path: Path, failure: OSError, safe: int | None, count: int | None) -> StoreError:
    """The error for a store that the operating system refused to write or read.

    `safe` scenarios of `count` are on the disk, as far as this could be determined.
    """
    refusal = refusal_of(failure)
    place = failure.filename2 or failure.filename
    progress = f"{safe} of {count} scenarios are safe in it" if safe is not None and count is not None else ""
    return StoreError(
        f"the store {path} cannot be written or read: {refusal.cause}",
        f"its file {place}" if failure.errno in NAMED and place else "",
        progress,
        f"{refusal.repair}, then run the sweep again with resume=True (blockdyn sweep --resume): it goes on"
        " where it stopped",
    )


@contextmanager
def claim_folder(store: str | os.PathLike[str] | None) -> Iterator[None]:
    """Hold the folder of a store, made if there is none, until the end or the death of the process.

    Raises StoreError while another sweep holds it. Folders that cannot be locked (Windows, some network file
    systems) are not held.
    """
    handle = None if store is None or "://" in os.fspath(store) else _open_folder(Path(store).absolute())
    try:
        if handle is not None:
            _lock(handle, Path(os.fspath(store or "")))
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _open_folder(folder: Path) -> int | None:
    with suppress(OSError):  # the store itself reports why
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder, os.O_RDONLY)
    return None


def _lock(handle: int, folder: Path) -> None:
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        remedy = "wait until it has ended, then continue in it with resume=True, or name another folder"
        raise StoreError(f"another sweep is writing into the store {folder}", remedy) from None
    except OSError:
        return
