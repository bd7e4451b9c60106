"""Filled: the struct in which bdsim keeps results, filled when it is first looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ...diagrams.results.result import Result
from .session import needed


class Filled(needed("bdsim.components").BDStruct):  # type: ignore[misc]
    """A BDStruct whose entries are computed from a Result, `result`, on first use."""

    def __init__(self, name: str, result: Result, fill: Callable[[], dict[str, Any]]) -> None:
        self._name, self._result, self._fill = name, result, fill

    @cached_property
    def data(self) -> dict[str, Any]:
        return self._fill()

    @property
    def result(self) -> Result:
        """The Result of the run."""
        return self._result

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self._name, self._result, dict(self.data))


def restore(name: str, result: Result, data: dict[str, Any]) -> Filled:
    return Filled(name, result, data.copy)
