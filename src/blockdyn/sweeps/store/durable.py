"""Durability: files that outlive a power cut, with the names by which folders know them."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...base.atomic import bring_to_disk

MANY = 16  # files from which on bringing their whole file system to the disk takes less time


def make_durable(files: Sequence[Path]) -> None:
    """Return when the disk has these files. Raises OSError where it does not take them."""
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
    """Bring to the disk all that was written to its file system; whether the system can (Linux)."""
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
    """syncfs(2) of the C library; since Linux 5.8 it reports what the disk refused."""
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
