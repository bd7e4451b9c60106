"""The bound of a log: how much memory the rows of a run may take, and what is said when it was reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..model.settings import Settings

LOG_BYTES = 2e9  # the same on every machine, so that a result is the same; a laptop holds it


def most_bytes(settings: Settings) -> float:
    """The most bytes that rows of steps may take in memory; rows at times asked for are never thinned."""
    return LOG_BYTES if settings.max_log is None else float(settings.max_log)


def thinning_notices(
    thinned: tuple[int, dict[int, int]], names: Sequence[str], settings: Settings
) -> Iterator[str]:
    """What a result says of rows that were left out: `thinned` as Rows has it."""
    steps, samples = thinned
    remedy = f"the log reached {most_bytes(settings):.4g} bytes (`max_log`)"
    if steps > 1:
        yield (
            f"of the steps one in {steps} was kept, and every event with both limits, because {remedy}:"
            " log fewer signals, take rows at times of your own (`every`), or write them to a file (`stream`)"
        )
    for number, factor in samples.items():
        yield f"of the samples of {names[number]} one in {factor} was kept, because {remedy}"


def missing_rows(settings: Settings, end: float) -> Iterator[str]:
    """Notice of `times` after the end of a run."""
    if settings.times is not None:
        later = int(np.count_nonzero(np.asarray(settings.times, np.float64) > end))
        if later:
            yield f"the run ended at {end:g} s, where its last row is; {later} of `times` would come later"
