"""A part holds results of neighbouring scenarios; executors make parts, stores and ensembles take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

OUTCOMES = (
    "complete",  # reached the stop time
    "stopped",  # a Stop block ended the run: complete as well
    "not finite",
    "step collapse",
    "zeno",  # state events that accumulate
    "chattering",
    "unsettled",  # modes that do not settle at one instant
    "assert",
    "failed",  # a block's own exception, a loop that was not solved
    "refused",  # the diagram rejects the scenario's numbers
    "too many steps",  # more than `max_steps`
    "time limit",  # more wall-clock time than `max_time`
    "process died",  # twice, while it ran this scenario
)
"""How a scenario can end; stored as the index."""
SUCCESSES = 2  # the first two count as success


@dataclass(frozen=True)
class Part:
    """The scenarios `start` to `start + len(outcome) - 1` of a sweep.

    measures   (n, m) one column per measure; NaN if the scenario failed before its value was determined
    outcome    (n,) index into OUTCOMES
    reason     (n,) text: "" for complete, otherwise the error of a single run, without its place
    end        (n,) time at which the run ended, s
    steps      (n,) accepted steps
    signals    kept ones on the sweep's common grid, by name: (n, times, *shape); NaN after an early end
    """

    start: int
    measures: NDArray[np.float64]
    outcome: NDArray[np.int8]
    reason: list[str]
    end: NDArray[np.float64]
    steps: NDArray[np.int64]
    signals: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def stop(self) -> int:
        """The first scenario after the part."""
        return self.start + len(self.outcome)


def empty(start: int, stop: int, measures: int, signals: dict[str, tuple[int, ...]]) -> Part:
    """A part to be filled; `signals` gives the shape of each kept signal for one scenario."""
    n = stop - start
    arrays: dict[str, Any] = {name: np.full((n, *shape), np.nan) for name, shape in signals.items()}
    return Part(
        start, np.full((n, measures), np.nan), np.zeros(n, np.int8), [""] * n, np.full(n, np.nan),
        np.zeros(n, np.int64), arrays,
    )  # fmt: skip


def join_parts(parts: list[Part]) -> Part:
    """Join adjacent parts into one, in any order of the list."""
    if len(parts) == 1:
        return parts[0]
    parts = sorted(parts, key=lambda part: part.start)
    return Part(
        parts[0].start,
        np.concatenate([part.measures for part in parts]),
        np.concatenate([part.outcome for part in parts]),
        [reason for part in parts for reason in part.reason],
        np.concatenate([part.end for part in parts]),
        np.concatenate([part.steps for part in parts]),
        {name: np.concatenate([part.signals[name] for part in parts]) for name in parts[0].signals},
    )
