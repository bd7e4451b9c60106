"""What live runs cost: one that nobody touches, one that is ready to be touched, one for a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..contract import Row, Settings
from ..measure import Sample
from ..rounds import against, alone, interleaved

CASE = "live runs"
ROUNDS = 20  # at least: the difference is smaller than what disturbs a run
MODELS = {"quadrotor": 300.0, "velocity-loop": 100.0}  # s: so long that what a touch prepares is a small part
REFINE = 4  # rows per step of a live run


def rows(settings: Settings) -> list[Row]:
    return [row for name, stop in MODELS.items() for row in _rows(settings, name, stop)]


def _rows(settings: Settings, name: str, stop: float) -> list[Row]:
    """A plain run twice, to show what is noise; against those with as many rows."""
    import blockdyn as bd

    program = bd.load(name).compile()
    late: list[dict[str, Any]] = [{"at": 0.999 * stop, "set": {}}]  # gives no value
    runs: dict[str, Callable[[], object]] = {
        "plain": lambda: program.simulate(stop=stop),
        "plain, again": lambda: program.simulate(stop=stop),
        "ready to be touched": lambda: program.simulate(stop=stop, touches=late),
        "plain, 4 rows per step": lambda: program.simulate(stop=stop, refine=REFINE),
        "live, to the end at once": lambda: bd.LiveRun(program, stop=stop, refine=REFINE).go_to(stop),
    }
    samples = interleaved(runs, max(settings.runs, ROUNDS))
    case, plain = f"{CASE}: {name}", samples["plain"]
    fine = samples["plain, 4 rows per step"]

    def row(run: str, base: Sample, note: str) -> Row:
        return against(case, f"ours: {run}", samples[run], base, None, note=note)

    return [
        alone(case, "ours: plain", plain),
        row("plain, again", plain, "its time / that of a plain run: noise"),
        row("ready to be touched", plain, "its time / that of a plain run"),
        alone(case, "ours: plain, 4 rows per step", fine),
        row("live, to the end at once", fine, "its time / that of a run with 4 rows per step"),
    ]
