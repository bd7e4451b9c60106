"""Tables are compared with the available memory, and short work runs without garbage collection."""

from __future__ import annotations

import gc
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of containers


def excess(rows: float, columns: int) -> str:
    """A sentence with the size of a table and the memory available; '' if the table fits."""
    needed, most = 8.0 * rows * columns, available()
    if needed <= most:
        return ""
    table = f"{rows:.4g} rows of {columns} numbers" if columns > 1 else f"{rows:.4g} numbers"
    return f"{table} take {_size(needed)} of memory, and there are {_size(most)}"


def available() -> float:
    """The bytes of memory that this process may use: the machine's, its container's or its own limit."""
    limits = [math.inf]
    with suppress(OSError, ValueError, AttributeError):
        limits.append(float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE"))
    for file in _GROUP_LIMITS:
        with suppress(OSError, ValueError):
            limits.append(float(Path(file).read_text()))
    with suppress(ImportError, OSError):
        import resource

        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        if soft != resource.RLIM_INFINITY:
            limits.append(float(soft))
    most = min(limit for limit in limits if limit > 0)
    return most if most < math.inf else 2.0**34  # the system gives no limit


def _size(count: float) -> str:
    if count == math.inf:
        return "more than 1.8e308 B"
    power = min(int(math.log10(max(count, 1.0)) // 3), len(_UNITS) - 1)
    return f"{count / 1000.0**power:.3g} {_UNITS[power]}"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Suspend garbage collection in a block, and restore the collector's state afterwards."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()
