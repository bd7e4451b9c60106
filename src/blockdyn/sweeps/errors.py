"""A sweep that is declared wrongly or cannot run raises one of these errors."""

from __future__ import annotations

from ..diagrams.model import name_errors
from ..diagrams.model.diagram_error import DiagramError


class SweepError(DiagramError):
    """A sweep is declared wrongly, or cannot run: the value, the expected form, the remedy."""


def bad_argument(name: str, actual: str, expected: str) -> SweepError:
    """Return the error for an argument of the wrong type."""
    return SweepError(f"{name}: {actual}", f"expected: {expected}")


class UnknownPath(SweepError, name_errors.UnknownPath):
    """A path that names no parameter, state or setting of the diagram."""


class StoreError(SweepError):
    """A store that cannot be written or read."""


class ClusterError(SweepError):
    """A cluster that cannot run the sweep."""


class NoProcess(SweepError):
    """A process for scenarios that may crash cannot be started, or cannot build the sweep's diagram."""
