"""A stand-in for a sweep's task and workers that nothing starts again, for tests of clusters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from blockdyn.sweeps.store.layout import Layout
from blockdyn.sweeps.store.part import Part

RANGES = [(start, start + 5) for start in range(0, 60, 5)]
LAYOUT = Layout(60, 5, ("worst",), signals={"q": (3,)})


def task(seconds: float = 0.0, on_start: Callable[[int], None] | None = None) -> Any:
    """A stand-in for a sweep's task; its class is local, so it travels as code, as Python blocks do."""

    class Stand:
        def run(self, start: int, stop: int) -> Part:
            import math
            import time

            if on_start is not None:
                on_start(start)
            time.sleep(seconds)
            k = np.arange(start, stop)
            sines = np.array([[math.sin(i)] for i in k])
            kept = {"q": k[:, None] * np.ones(3)}
            return Part(
                start, sines, np.zeros(len(k), np.int8), [""] * len(k), k * 1.0, k.astype(np.int64), kept
            )

    return Stand()


@contextmanager
def worker(address: str, path: str = "", *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker without a nanny: nothing starts it again."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    here = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in (path, here) if p)}
    quiet = subprocess.DEVNULL
    run = subprocess.Popen(
        [*command, "--no-dashboard", *options], stdout=quiet, stderr=quiet, env=environment
    )
    try:
        yield run
    finally:
        run.kill()
        run.wait()


def assert_local(parts: list[Part], ranges: list[tuple[int, int]] = RANGES) -> None:
    """Each chunk once, with the numbers of a run in this process."""
    assert sorted(part.start for part in parts) == [start for start, _ in ranges]
    for part in parts:
        own = task().run(part.start, part.stop)
        np.testing.assert_array_equal(part.measures, own.measures, strict=True)
        np.testing.assert_array_equal(part.signals["q"], own.signals["q"], strict=True)
