"""Rounds: several things timed in turn, so that a disturbance of the machine hits all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from statistics import median

from .contract import Row
from .measure import Sample


def interleaved(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Sample]:
    """One run of each a round, after one that is not counted."""
    samples = {name: Sample() for name in runs}
    for run in runs.values():
        run()
    for _ in range(rounds):
        for name, run in runs.items():
            samples[name].take(run, 1)
    return samples


def ratio(above: Sample, below: Sample, *, cpu: bool = False) -> float:
    """The median over the rounds of one time by the other."""
    pairs = zip(above.cpu, below.cpu) if cpu else zip(above.wall, below.wall)
    return median(a / b for a, b in pairs if b > 0)


def against(
    case: str, engine: str, peer: Sample, ours: Sample, least: float | None, *, note: str = "",
    error: float | None = None,
) -> Row:  # fmt: skip
    """A row of a peer: peer time / our time, at least `least`."""
    quotient = ratio(peer, ours)
    return Row(
        case, engine, wall=1e3 * median(peer.wall), cpu=1e3 * median(peer.cpu), ratio=quotient,
        cpu_ratio=ratio(peer, ours, cpu=True), required="" if least is None else f">= {least:.3g}",
        met=None if least is None else quotient >= least, note=note, error=error, runs=len(peer.wall),
    )  # fmt: skip


def alone(case: str, engine: str, ours: Sample, *, note: str = "", error: float | None = None) -> Row:
    """A row of ours, to which the others are compared."""
    return Row(
        case, engine, wall=1e3 * median(ours.wall), cpu=1e3 * median(ours.cpu), note=note, error=error,
        runs=len(ours.wall),
    )  # fmt: skip


def threads(most: int = 2) -> int:
    """How many threads to run on: two, or one where there is one processor."""
    try:
        return min(most, len(os.sched_getaffinity(0)))
    except AttributeError:
        return min(most, os.cpu_count() or 1)
