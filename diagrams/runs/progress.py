"""The progress of a long run: a bar on a terminal, a line in a notebook."""

from __future__ import annotations

import sys

from ...base.notebook import Line, in_notebook
from ...base.visible import visible


class Bar:
    """Shows the simulated time; elsewhere than there a run shows nothing unless it is asked to."""

    def __init__(self, name: str, start: float, stop: float, always: bool) -> None:
        name = visible(name, lines=False)
        self._name, self._start, self._stop = name, start, stop
        self._line = Line() if in_notebook() else None
        if self._line is not None:
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=sys.stderr)
        self._progress = Progress(
            TextColumn(name, markup=False),
            BarColumn(), TextColumn("t = {task.completed:.4g} of {task.total:.4g} s"),
            TimeRemainingColumn(), console=console, transient=True,
            disable=not (always or console.is_terminal),
        )  # fmt: skip
        self._task = self._progress.add_task(name, total=stop - start)
        self._progress.start()

    def show(self, time: float) -> None:
        if self._line is not None:
            self._line.show(f"{self._name}: t = {time:.4g} of {self._stop:.4g} s")
        else:
            self._progress.update(self._task, completed=time - self._start)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
        else:
            self._progress.stop()
