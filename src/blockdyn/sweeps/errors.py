"""What can be wrong with a sweep: one tree of exceptions, rooted in SweepError.

BlockdynError
    DiagramError
        SweepError           axis, measure and place of what is wrong; file, line, column of its location
            UnknownPath      a path that names nothing in the diagram
            BadAxis          an axis that is empty, of a wrong length, with values that its target refuses
            BadDistribution  impossible parameters of a distribution
            StructuralAxis   an axis over structure that would need too many programs
            BadMeasure       a measure that cannot be computed
            StoreError       a store that cannot be written or read
                StoreMismatch    a store of another sweep
            ClusterError     a cluster that cannot run the sweep
            NoProcess        a process of their own for scenarios that a process died of cannot be had
            MissingPackage   a package of an extra is not installed
            SeveralSweepErrors   several of these, or errors of the diagram, told together
"""

from __future__ import annotations

from ..diagrams.model import name_errors
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.gathered import SeveralErrors


class SweepError(DiagramError):
    """A sweep is declared wrongly, or cannot run: what was found, what was expected, what to do."""


def bad_argument(name: str, actual: str, expected: str) -> SweepError:
    """An argument of another kind than a method takes."""
    return SweepError(f"{name}: {actual}", f"expected: {expected}")


class UnknownPath(SweepError, name_errors.UnknownPath):
    """A path that names no parameter, state or setting of the diagram."""


class BadAxis(SweepError):
    """An axis whose values cannot be used."""


class BadDistribution(SweepError):
    """A distribution with impossible parameters."""


class StructuralAxis(SweepError):
    """An axis over the structure of a diagram that is not a short list."""


class BadMeasure(SweepError):
    """A measure that cannot be computed."""


class StoreError(SweepError):
    """A store that cannot be written or read."""


class StoreMismatch(StoreError):
    """A store that belongs to another sweep."""


class ClusterError(SweepError):
    """A cluster that cannot run the sweep."""


class NoProcess(SweepError):
    """A process for scenarios that could end it cannot be made, or cannot make the sweep's diagram."""


class MissingPackage(SweepError):
    """A package that an extra of blockdyn brings is not installed."""


class SeveralSweepErrors(SeveralErrors, SweepError):
    """Several things that are wrong with one sweep; `errors` holds each."""
