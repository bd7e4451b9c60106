"""Probe: what a run with derivatives has at one instant."""

from __future__ import annotations

from typing import NamedTuple

from ..solvers.layout import Floats
from .panels import JUMP, Instant


class Probe(NamedTuple):
    """A signal at an instant: its value, its rate along time, and its derivatives by the paths, (n,).

    At an event these are total ones, along with the instant, whose derivatives are `move`.
    """

    instant: Instant
    value: float
    rate: float
    slope: Floats
    move: Floats

    def moved(self, level: Floats) -> Floats:
        """How the instant moves at which the signal passes a level that has these derivatives."""
        return self.move if self.instant.kind == JUMP else (level - self.slope) / self.rate
