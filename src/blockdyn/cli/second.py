"""Second: a process beside this one that compiles too; each finds in the cache what the other has made."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..diagrams.runs.waiting import LOOP
from ..native import cache
from ..native.compiling import announce
from ..solvers.loop.compiled import is_stored, native_loop
from ..solvers.methods.method import Family


@contextmanager
def second(program: str) -> Iterator[subprocess.Popen[bytes] | None]:
    """Another Python with this program, ended with what is inside; none on one core, or without a cache."""
    from ..sweeps.execute.pool import cores  # late: most runs compile nothing

    if cores() == 1 or cache.folder() is None:
        yield None
        return
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def loop_beside(family: Family) -> Iterator[None]:
    """The solver's loop for what follows, compiled while what is inside compiles the blocks."""
    if is_stored(family):
        yield
    else:
        announce(LOOP)
        program = f"from {family.__module__} import {family.__name__} as family"
        program += f"; from {native_loop.__module__} import native_loop; native_loop(family)"
        with second(program) as process:
            yield
            if process is not None:
                process.wait()
    native_loop(family)
