"""Results of bdsim are kept in a struct that is filled on first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ...diagrams.results.result import Result
from .session import needed


class LazyStruct(needed("bdsim.components").BDStruct):  # type: ignore[misc]
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


def restore(name: str, result: Result, data: dict[str, Any]) -> LazyStruct:
    return LazyStruct(name, result, data.copy)
