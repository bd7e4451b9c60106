"""Sensitivities, fits and orbits that do not exist, or invalid requests for them, raise these errors."""

from __future__ import annotations

from ..base.errors import BlockdynError


class GradientError(BlockdynError):
    """A request for a derivative, a fit or a periodic orbit that cannot be computed."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")


class TuneError(GradientError):
    """Measures, limits or scenarios that cannot be tuned."""
