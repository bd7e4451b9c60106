"""The worst scenarios of an ensemble by one measure, with what made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import SweepError
from ..store.part import OUTCOMES
from .factors import axis_values, measure_values
from .tables import Table

if TYPE_CHECKING:
    from .ensemble import Ensemble


def worst(ensemble: Ensemble, measure: str, n: int, *, lowest: bool) -> Table:
    """The n scenarios that ended well with the largest (or lowest) value, the worst first.

    Columns: scenario, the measure, the other measures, the axes. Equal values are ordered by number.
    """
    if n < 1:
        raise SweepError(f"worst: n = {n}; expected at least 1")
    values = measure_values(ensemble, measure)
    order = np.argsort(values if lowest else -values, kind="stable")[:n]
    numbers = order[~np.isnan(values[order])]
    axes = axis_values(ensemble.design, numbers=numbers)
    columns = [name for name in ensemble.measures if name != measure]
    rows = [
        (
            int(number),
            float(values[number]),
            *(float(ensemble.gathered.measures[number, ensemble.measures.index(name)]) for name in columns),
            *(column[row] for column in axes.values()),
        )
        for row, number in enumerate(numbers)
    ]
    return Table(
        ("scenario", measure, *columns, *axes), rows, notes=() if rows else ("no scenario has a value",)
    )


def failures(ensemble: Ensemble, n: int) -> Table:
    """The first n scenarios that failed: number, outcome, when, the reason's first line, axes."""
    gathered = ensemble.gathered
    numbers = np.flatnonzero(gathered.failed)[:n]
    axes = axis_values(ensemble.design, numbers=numbers)
    rows = [
        (
            int(number),
            OUTCOMES[gathered.outcome[number]],
            float(gathered.end[number]),
            str(gathered.reason[number]).strip().partition("\n")[0],
            *(column[row] for column in axes.values()),
        )
        for row, number in enumerate(numbers)
    ]
    header = ("scenario", "outcome", "end (s)", "reason", *axes)
    return Table(header, rows, notes=() if rows else ("no scenario failed",))
