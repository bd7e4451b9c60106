"""Summary of an ensemble: failures and their reasons, distributions of measures, worst scenarios."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.hints import AttributeHints
from ...base.words import inflect, visible, visible_html as escape
from ..errors import SweepError
from ..store.part import OUTCOMES
from .factors import axis_values, measure_values
from .tables import Table

if TYPE_CHECKING:
    import pandas as pd

    from .ensemble import Ensemble
    from .gathered import EnsembleData


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


QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)
_HEADER = (
    "measure", "unit", "scenarios", "mean", "sd", "min", "5 %", "25 %", "median", "75 %", "95 %", "max",
    "max at",
)  # fmt: skip
_NUMBER = re.compile(r"(?<![A-Za-z_\[])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_MOST_REASONS = 20


@dataclass(frozen=True)
class Failures:
    """Scenarios that failed in the same way: outcome, first line of the first one's reason, count."""

    outcome: str
    reason: str
    count: int
    first: int


@dataclass(frozen=True)
class Statistics:
    """Distribution of one measure over the scenarios that ended well and have a value of it.

    sd is the standard deviation of a sample, with n - 1; the quantiles are at QUANTILES, interpolated
    linearly between the ordered values (Hyndman and Fan, The American Statistician 50, 1996, definition 7);
    `highest` is the number of the scenario with the largest value. NaN and None if there is no value.
    """

    measure: str
    unit: str
    count: int
    mean: float
    sd: float
    low: float
    quantiles: tuple[float, ...]
    high: float
    highest: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Summary(AttributeHints):
    """The numbers of a sweep; prints as a table.

    count      scenarios of the design
    done       scenarios that were run
    succeeded  scenarios that ended well
    failures   the others, by outcome and reason, most frequent first
    measures   one Statistics per measure; failed scenarios are not included
    notices    possible mistakes, one sentence each
    """

    name: str
    count: int
    done: int
    succeeded: int
    failures: tuple[Failures, ...]
    measures: tuple[Statistics, ...]
    notices: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """The counts in a sentence."""
        failed = self.done - self.succeeded
        share = f" ({100.0 * failed / self.done:.3g} %)" if failed else ""
        not_run = f", {self.count - self.done} not run" if self.done < self.count else ""
        name = f"Sweep of {self.name}" if self.name else "Sweep"
        ends = f"{self.succeeded} succeeded, {failed} failed{share}{not_run}"
        return f"{name}: {inflect(self.count, 'scenario')}, {ends}"

    def statistics(self) -> Table:
        """One row per measure."""
        rows = [
            (m.measure, m.unit or "-", m.count, m.mean, m.sd, m.low, *m.quantiles, m.high, m.highest)
            for m in self.measures
        ]
        return Table(_HEADER, rows)

    def reasons(self) -> Table:
        """One row per group of failures."""
        groups = self.failures[:_MOST_REASONS]
        remainder = sum(group.count for group in self.failures[_MOST_REASONS:])
        notes = (
            [f"and {remainder} more, of {len(self.failures) - len(groups)} other kinds"] if remainder else []
        )
        rows = [(group.count, group.outcome, group.first, group.reason) for group in groups]
        return Table(("failed", "outcome", "first scenario", "reason of the first"), rows, notes=notes)

    def to_frame(self) -> pd.DataFrame:
        """The statistics as a pandas.DataFrame, one row per measure."""
        return self.statistics().to_frame().set_index("measure")

    def __str__(self) -> str:
        tables = [table for table in (self.statistics(), self.reasons()) if len(table)]
        notices = (f"notice: {visible(notice, lines=False)}" for notice in self.notices)
        return "\n".join([visible(self.headline, lines=False), *map(str, tables), *notices])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        tables = "".join(table.to_html() for table in (self.statistics(), self.reasons()) if len(table))
        notices = "".join(f"<div>notice: {escape(notice)}</div>" for notice in self.notices)
        return f"<div>{escape(self.headline)}</div>{tables}{notices}"


def summary(name: str, gathered: EnsembleData, measures: Sequence[str], units: Mapping[str, str]) -> Summary:
    """The summary of everything gathered so far."""
    return Summary(
        name,
        gathered.count,
        int(np.count_nonzero(gathered.outcome >= 0)),
        int(np.count_nonzero(gathered.succeeded)),
        _failures(gathered),
        tuple(
            _statistics(measure, units.get(measure, ""), gathered, column)
            for column, measure in enumerate(measures)
        ),
        _lacking(gathered),
    )


def _statistics(measure: str, unit: str, gathered: EnsembleData, column: int) -> Statistics:
    values = gathered.measures[:, column]
    usable = gathered.succeeded & ~np.isnan(values)
    used = values[usable]
    if not used.size:
        nothing = (np.nan,) * len(QUANTILES)
        return Statistics(measure, unit, 0, np.nan, np.nan, np.nan, nothing, np.nan, None)
    with np.errstate(invalid="ignore", over="ignore"):  # the mean of infinite values is undefined
        mean = float(used.mean())
        sd = float(used.std(ddof=1)) if used.size > 1 else np.nan
        quantiles = tuple(map(float, np.quantile(used, QUANTILES)))
    highest = int(np.argmax(np.where(usable, values, -np.inf)))
    return Statistics(
        measure, unit, used.size, mean, sd, float(used.min()), quantiles, float(used.max()), highest
    )


def _failures(gathered: EnsembleData) -> tuple[Failures, ...]:
    return tuple(_group_failures(gathered, gathered.failed))


def _lacking(gathered: EnsembleData) -> tuple[str, ...]:
    """Reasons why scenarios that ended well lack a gradient or a margin."""
    explained = gathered.succeeded & (gathered.reason != "")
    groups = _group_failures(gathered, explained)[:_MOST_REASONS]
    where = "measures have no value in {} of the scenarios that succeeded, first in {}: {}"
    return tuple(where.format(group.count, group.first, group.reason) for group in groups)


def _group_failures(gathered: EnsembleData, which: Any) -> list[Failures]:
    """Scenarios by outcome and by the first line of their reason, ignoring numbers in it."""
    groups: dict[tuple[int, str], list[Any]] = {}
    for number in np.flatnonzero(which):
        text = str(gathered.reason[number])
        line = next((line.strip() for line in text.splitlines() if line.strip()), "")
        key = (int(gathered.outcome[number]), _NUMBER.sub("#", line))
        groups.setdefault(key, [line, 0, int(number)])[1] += 1
    failures = [
        Failures(OUTCOMES[outcome], line, count, first)
        for (outcome, _), (line, count, first) in groups.items()
    ]
    return sorted(failures, key=lambda group: (-group.count, group.first))
