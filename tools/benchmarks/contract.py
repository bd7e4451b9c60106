"""What a case offers and what a measurement yields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class NotInstalled(Exception):
    """A peer, or the part of it that a case needs, is not on this machine."""


@dataclass(frozen=True)
class Candidate:
    """One engine, ready to run one case: everything that may be built beforehand is built.

    `run` is timed, and only it; `final` returns what the last run ended with, to be compared with
    `reference` (the case's own reference where None: an engine that implements another law of the
    same case brings the closed form of that law).
    """

    run: Callable[[], object]
    final: Callable[[], Sequence[float]]
    reference: Sequence[float] | None = None
    note: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table. Times in milliseconds; ratios are peer / ours, so large is good for us."""

    case: str
    engine: str
    wall: float | None = None
    cpu: float | None = None
    ratio: float | None = None
    cpu_ratio: float | None = None
    required: str = ""
    met: bool | None = None
    error: float | None = None
    note: str = ""
    unit: str = "ms"
    runs: int = 0


@dataclass(frozen=True)
class Settings:
    """How thoroughly to measure."""

    runs: int = 5
    quick: bool = False


class RatioCase(Protocol):
    """A module in `cases/` that compares engines on one model.

    A module may also set WORST_ERROR, the error that ours must stay below.
    """

    TITLE: str
    REFERENCE: Sequence[float]  # what `final` should return
    REQUIRED: Mapping[str, float]  # engine: least peer time / our time
    ENGINES: Mapping[str, Callable[[], Candidate]]  # "ours" first
    SLOW: frozenset[str]  # engines left out with --quick


class LimitCase(Protocol):
    """A module in `cases/` whose requirements are absolute, not ratios."""

    TITLE: str

    def rows(self, settings: Settings) -> list[Row]: ...


def worst_error(final: Sequence[float], reference: Sequence[float]) -> float:
    """Largest absolute difference; nan where the lengths differ (an event lost, for one)."""
    got, expected = np.asarray(final, dtype=float), np.asarray(reference, dtype=float)
    if got.shape != expected.shape:
        return float("nan")
    return float(np.max(np.abs(got - expected)))
