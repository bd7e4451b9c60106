"""Errors of one family are collected and raised together instead of one per run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Generic, NoReturn, TypeVar

from .errors import MOST, BlockdynError

Error = TypeVar("Error", bound=BlockdynError)


class ErrorCollector(Generic[Error]):
    """Errors of a `family`: `with errors:` collects the errors raised inside, `finish` raises them.

    One error is raised unchanged; several are joined by `several`, ordered by file and line.
    """

    __slots__ = ("_family", "_several", "gathered")

    def __init__(
        self, family: type[Error] | tuple[type[Error], ...], several: Callable[[Sequence[Error]], Error]
    ) -> None:
        self._family, self._several = family, several
        self.gathered: list[Error] = []

    def __enter__(self) -> ErrorCollector[Error]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, self._family):
            return False
        for each in error.errors:
            self.take(each)
        return True

    def take(self, error: Error) -> None:
        """Keep an error, once."""
        if all(type(error) is not type(other) or str(error) != str(other) for other in self.gathered):
            self.gathered.append(error)
        if len(self.gathered) >= MOST:
            self._tell()

    def finish(self) -> None:
        """Raise the collected error, or several as one."""
        if self.gathered:
            self._tell()

    def _tell(self) -> NoReturn:
        if len(self.gathered) == 1:
            raise self.gathered[0].with_traceback(None)  # of the frames the caller's count
        files = {_file(error): number for number, error in reversed(list(enumerate(self.gathered)))}
        self.gathered.sort(key=lambda error: (files[_file(error)], *_place(error)))
        raise self._several(self.gathered) from None


def gather_without(
    errors: ErrorCollector[Error], attempt: Callable[[], object], leave_out: Callable[[Error], bool]
) -> None:
    """Repeat an attempt, each time without the cause of the last error, and collect all errors.

    `leave_out` removes the cause, and returns False if the remainder cannot be judged without it.
    """
    while True:
        before = len(errors.gathered)
        with errors:
            attempt()
        if len(errors.gathered) == before or not leave_out(errors.gathered[-1]):
            return


def _file(error: Any) -> str | None:
    return getattr(error, "file", None)


def _place(error: Any) -> tuple[int, int]:
    return getattr(error, "line", None) or 0, getattr(error, "column", None) or 0
