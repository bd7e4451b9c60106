"""Sensitivities, fits and orbits that do not exist, or are requested wrongly, raise these errors."""

from __future__ import annotations

from ..base.errors import BlockdynError


class GradientError(BlockdynError):
    """A request that has no derivative or no answer here."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")


class FitError(GradientError):
    """Data or parameters that no fit can be made of."""


class TuneError(GradientError):
    """Measures, limits or scenarios that no tuning can be made of."""


class OrbitError(GradientError):
    """A periodic orbit that does not exist, or is requested wrongly."""
