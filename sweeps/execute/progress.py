"""The progress bar of a sweep: scenarios done, how many a second, and how long the rest takes."""

from __future__ import annotations

import sys
import time

from ...base.notebook import Line, in_notebook
from ...base.visible import visible


class Bar:
    """Shown on a terminal and, as a line, in a notebook; elsewhere only when it is asked for."""

    def __init__(self, name: str, count: int, done: int, *, wanted: bool | None) -> None:
        name = visible(name, lines=False)
        self._name, self._count, self._done = name, count, done
        self._begun, self._first = time.monotonic(), done
        self._line = Line() if in_notebook() and wanted is not False else None
        if self._line is not None:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn(name, markup=False),
            BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(), console=console, transient=True,
            disable=wanted is False or not (wanted or console.is_terminal),
        )  # fmt: skip
        self._task = self._progress.add_task(name, total=count, completed=done, rate="")
        self._progress.start()

    def advance(self, finished: int) -> None:
        """So many scenarios more are done."""
        if self._line is not None:
            self._done += finished
            speed = (self._done - self._first) / max(time.monotonic() - self._begun, 1e-9)
            left = f"{(self._count - self._done) / speed:,.0f} s left" if speed else ""
            counted = f"{self._done} of {self._count} scenarios, {speed:,.3g} a second"
            self._line.show(f"{self._name}: {counted}, {left}")
            return
        task = self._progress.tasks[0]
        rate = f"{task.speed:,.3g} a second" if task.speed else ""
        self._progress.update(self._task, advance=finished, rate=rate)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
        else:
            self._progress.stop()
