"""Claim: a store's folder is written by one sweep at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import StoreError


@contextmanager
def claimed(store: str | os.PathLike[str] | None) -> Iterator[None]:
    """Hold the folder of a store, made if there is none, until the end or the death of the process.

    Raises StoreError while another sweep holds it. Folders that cannot be locked (Windows, some network file
    systems) are not held.
    """
    handle = None if store is None or "://" in os.fspath(store) else _opened(Path(store).absolute())
    try:
        if handle is not None:
            _lock(handle, Path(os.fspath(store or "")))
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(folder: Path) -> int | None:
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
        remedy = "wait until it has ended, then go on in it with resume=True, or name another folder"
        raise StoreError(f"another sweep is writing into the store {folder}", remedy) from None
    except OSError:
        return
