"""A stream writes the rows of a run during the run, so that memory holds only one chunk."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Protocol

from ...base.files import bring_to_disk, choose_unused_name, make_write_error
from . import files_csv, files_parquet
from .errors import ResultFileError
from .files import check_target
from .record import Heading, write_record
from .result import Result
from .trace import FloatArray


class Writer(Protocol):
    """A table being written in one format."""

    def bound(self, rows: int) -> int:
        """The maximum number of bytes of this number of rows, and of the format's own end after them."""
        ...

    def write(self, block: FloatArray) -> None:
        """Append rows: time, then one column per element."""

    def close(self, record: str, rows: int) -> None:
        """Write the record and end the table."""


_Start = Callable[[BinaryIO, Sequence[Heading], Sequence[Heading]], Writer]
_WRITERS: dict[str, _Start] = {".parquet": files_parquet.Table, ".csv": files_csv.Table}
_RECORD = 1 << 20  # bytes kept free for the record
_EVENT = 180  # bytes kept free for the record of an event
_CANNOT_TELL = (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS)
_KEPT = "the rows before are kept in that file, marked incomplete"
_LOST = "its rows are lost"


class Stream:
    """Rows on their way to a .parquet or .csv file.

    They are written under a temporary name, `.blockdyn-*.part` in the same folder, chunk by chunk, each a
    row group passed to the system at once. The file takes its name when the run ends, however it ends;
    its record marks an incomplete run. Space for the end of the file is reserved before every chunk,
    so that it can still be written if the disk fills up. A process killed outright (SIGKILL) leaves the
    temporary file, which is not loadable.
    """

    def __init__(
        self, path: str | PathLike[str], signals: list[Heading], states: list[Heading], order: list[int]
    ) -> None:
        """`order` are the columns of a chunk in the order of the file: time, signals, states.

        Raises ResultFileError: unknown suffix, package missing, read-only, no permission, no folder.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in _WRITERS:
            cause = f"{suffix or 'a file without suffix'} takes a whole result, not a stream"
            raise ResultFileError("stream to", path, cause, f"use one of {', '.join(_WRITERS)}")
        check_target(path)
        self._path, self._target = path, Path(path).resolve()
        self._temporary = choose_unused_name(self._target)
        self._signals, self._states, self._order = signals, states, order
        self._rows = 0
        self._open = True
        try:
            self._file: BinaryIO = open(self._temporary, "xb")  # noqa: SIM115  closed by `finish`
            self._writer: Writer = _WRITERS[suffix](self._file, signals, states)
        except OSError as error:
            raise make_write_error(path, error, ResultFileError, remains="") from error

    @property
    def finished(self) -> bool:
        """True if the file has its final name, or was removed."""
        return not self._open

    def write(self, chunk: FloatArray, events: int = 0) -> None:
        """Append the rows of a chunk; `events` so far need room in the record.

        Raises ResultFileError if the system refuses; `finish` is still possible.
        """
        if not len(chunk):
            return
        try:
            self._reserve(self._writer.bound(len(chunk)) + _RECORD + _EVENT * events)
            self._writer.write(chunk[:, self._order])
            self._file.flush()
        except OSError as error:
            raise make_write_error(self._path, error, ResultFileError, remains=_KEPT) from error
        self._rows += len(chunk)

    def finish(self, result: Result) -> Result:
        """End the file with the record of `result`, which is without traces, and give it its name.

        Raises ResultFileError if the system refuses; the file is then removed.
        """
        self._open = False
        listed = (self._signals, self._states)
        headings = [[replace(heading, samples=self._rows) for heading in group] for group in listed]
        try:
            with self._file:
                self._writer.close(write_record(result, headings=(headings[0], headings[1])), self._rows)
                self._file.flush()
                self._file.truncate()
                os.fsync(self._file.fileno())
            os.replace(self._temporary, self._target)
        except OSError as error:
            with suppress(OSError):
                self._file.close()
            with suppress(OSError):
                self._temporary.unlink()
            raise make_write_error(self._path, error, ResultFileError, remains=_LOST) from error
        bring_to_disk(self._target.parent)
        record = (result.events, result.provenance, result.scopes, None, result.finals, str(self._path))
        return Result({}, {}, *record, flights=result.flights)

    def _reserve(self, size: int) -> None:
        """Raise OSError unless the disk has room for these bytes, if the system reports that."""
        if not hasattr(os, "posix_fallocate"):
            return
        try:
            os.posix_fallocate(self._file.fileno(), self._file.tell(), size)
        except OSError as error:
            if error.errno not in _CANNOT_TELL:
                raise
