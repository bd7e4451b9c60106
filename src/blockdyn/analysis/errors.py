"""Requests that an analysis cannot answer raise these errors."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.errors import BlockdynError
from ..base.words import nearest


class AnalysisError(BlockdynError):
    """A request that this diagram or model cannot answer."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")


def wrong_argument(name: str, actual: str, expected: str) -> AnalysisError:
    """The error for an argument that does not fit its annotation."""
    return AnalysisError(f"{name}: {actual}", expected)


class UnknownVariable(AnalysisError):
    """A name that is not a state, an input or an output of the model or diagram."""

    def __init__(self, argument: str, name: object, names: Iterable[str], what: str) -> None:
        self.name, self.names = name, tuple(names)
        listed = ", ".join(self.names[:12]) + (" ..." if len(self.names) > 12 else "")
        hint = nearest(str(name), self.names)
        hint = hint or nearest(str(name), dict.fromkeys(each.rpartition(".")[0] for each in self.names))
        super().__init__(
            f"{argument}: there is no {what} {name!r}{hint}",
            f"one of {listed}" if listed else "none: there is none",
        )
