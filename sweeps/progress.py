"""The progress bar of a sweep: scenarios done, how many a second, and how long the rest takes."""

from __future__ import annotations

import sys


class Bar:
    """Shown on a terminal, and elsewhere only when it is asked for."""

    def __init__(self, name: str, count: int, done: int, *, wanted: bool | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(), console=console, transient=True,
            disable=wanted is False or not (wanted or console.is_terminal),
        )  # fmt: skip
        self._task = self._progress.add_task(name, total=count, completed=done, rate="")
        self._progress.start()

    def advance(self, finished: int) -> None:
        """So many scenarios more are done."""
        task = self._progress.tasks[0]
        rate = f"{task.speed:,.3g} a second" if task.speed else ""
        self._progress.update(self._task, advance=finished, rate=rate)

    def close(self) -> None:
        self._progress.stop()
