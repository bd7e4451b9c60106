"""The progress bar of a long run, on a terminal only."""

from __future__ import annotations

import sys


class Bar:
    """Shows the simulated time; a run without a terminal shows nothing unless it is asked to."""

    def __init__(self, name: str, start: float, stop: float, wanted: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn(name), BarColumn(), TextColumn("t = {task.completed:.4g} of {task.total:.4g} s"),
            TimeRemainingColumn(), console=console, transient=True,
            disable=not (wanted or console.is_terminal),
        )  # fmt: skip
        self._start = start
        self._task = self._progress.add_task(name, total=stop - start)
        self._progress.start()

    def show(self, time: float) -> None:
        self._progress.update(self._task, completed=time - self._start)

    def close(self) -> None:
        self._progress.stop()
