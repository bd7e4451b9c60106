"""A store counts how often each scenario was running when a process died."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from ...base.files import read_regular
from ...robots.errors import count_own_frames
from ...solvers.layout import Integers
from .files import CHECKSUM, checksum
from .integrity import DamagedStore

RUNNING, DEATHS = "running", "deaths"
TRIED = (RUNNING, DEATHS)
"""The files, in a store's folder for what is unfinished."""
APART = 8  # numbers from one thread's slot to the next: a cache line
MOST_TIMES = 2  # deaths after which a scenario is not run again


class CrashRecord:
    """Scenarios of a store that were running when a process died.

    Every thread writes the number of its scenario, from 1 on, into a slot of a memory-mapped file:
    only a number is written between two scenarios, and the system keeps it when the process dies.
    A power cut loses it, as it should: no scenario caused the cut. The numbers in the file when a sweep
    begins are the scenarios that ran when the last process died.
    """

    def __init__(self, folder: Path) -> None:
        self._running, self._deaths = folder / RUNNING, folder / DEATHS
        self.deaths: dict[int, int] = self._read()
        for number in self._left_running():
            self.deaths[number] = self.deaths.get(number, 0) + 1
        self._save()
        self._running.unlink(missing_ok=True)

    def died(self, scenario: int) -> None:
        """Count one more death."""
        self.deaths[scenario] = self.deaths.get(scenario, 0) + 1
        self._save()

    @contextmanager
    def watching(self, threads: int) -> Iterator[Sequence[Integers]]:
        """A slot for each thread; in a block that ends, nothing has died."""
        try:
            slots = np.memmap(self._running, np.int64, "w+", shape=(threads, APART))
        except (OSError, ValueError):  # a file system without it
            yield ()
            return
        try:
            yield [np.asarray(slots[i, :1]) for i in range(threads)]
        finally:
            with suppress(OSError):  # Windows keeps a file while it is mapped
                self._running.unlink()

    def forget(self) -> None:
        """All is done."""
        for file in (self._running, self._deaths):
            file.unlink(missing_ok=True)

    def _left_running(self) -> list[int]:
        try:
            data = read_regular(self._running)
        except OSError:
            return []
        slots = np.frombuffer(data[: len(data) // (8 * APART) * 8 * APART], np.int64).reshape(-1, APART)
        return [int(number) - 1 for number in slots[:, 0] if number > 0]

    def _read(self) -> dict[int, int]:
        try:
            data = read_regular(self._deaths)
        except OSError:
            return {}
        text, seal = data[:-CHECKSUM], data[-CHECKSUM:]
        if checksum(text) != seal:
            warning = f"{self._deaths} is damaged: scenarios that a process died of are tried again"
            warnings.warn(warning, DamagedStore, stacklevel=count_own_frames())
            return {}
        return {int(scenario): count for scenario, count in json.loads(text).items()}

    def _save(self) -> None:
        if not self.deaths:
            return
        text = json.dumps({str(scenario): count for scenario, count in sorted(self.deaths.items())}).encode()
        temporary = self._deaths.with_suffix(".new")
        temporary.write_bytes(text + checksum(text))
        os.replace(temporary, self._deaths)
