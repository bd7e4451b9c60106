"""Files are written completely under their final name or not at all, and opened only if they are regular."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple

from .errors import FileError

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def open_regular(path: str | PathLike[str]) -> BufferedReader:
    """Open a file for reading, following links. Raises OSError, also for a folder, a socket, a device, and a
    pipe, for whose writer `open` would wait without end.
    """
    handle = os.open(path, _READ)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: str | PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError as `open_regular` does."""
    with open_regular(path) as file:
        return file.read()


NO_FILE = "it is not a regular file"


@contextmanager
def replacing(path: str | PathLike[str], kind: type[FileError] = FileError) -> Iterator[BinaryIO]:
    """A file open for writing that takes the name `path` when the block ends without an exception.

    It is written under a temporary name in the same folder, brought to the disk, then renamed: a reader
    sees the old file or the new one, never part of one. On any exception the temporary file is removed
    and an existing file at `path` is unchanged.
    Raises `kind` if the system refuses: disk full, read-only, no permission, no such folder.
    """
    target = _without_null(path, kind)
    try:
        with _written_beside(target.resolve()) as file:
            yield file
    except OSError as error:
        raise make_write_error(target, error, kind) from error


def _without_null(path: str | PathLike[str], kind: type[FileError]) -> Path:
    if "\0" in str(path):
        raise kind("write", repr(path), "a name with a null character", "choose another name")
    return Path(path)


def make_write_error(
    path: str | PathLike[str], error: OSError, kind: type[FileError], remains: str | None = None
) -> FileError:
    """The error for a write that the system refused, with a remedy and the state of the file."""
    remedy = refusal_of(error).elsewhere
    left = f"{kind.in_memory}nothing was left under that name" if remains is None else remains
    return kind("write", path, cause_of(error), f"{remedy}; {left}" if left else remedy)


def cause_of(error: OSError) -> str:
    """The system's message and the name of its error number."""
    code = error.errno or 0
    if code not in errno.errorcode:
        return str(error)
    return f"{error.strerror or error} ({errno.errorcode[code]})"


def check_place(path: str | PathLike[str], kind: type[FileError] = FileError) -> None:
    """Raise the error that `replacing` would raise: no such folder, not a regular file, no permission."""
    target = _without_null(path, kind).resolve()
    if _is_no_file(target):
        raise make_write_error(path, OSError(errno.EINVAL, NO_FILE), kind, remains="")
    code = 0
    if not target.parent.is_dir():
        code = errno.ENOTDIR if target.parent.exists() else errno.ENOENT
    elif target.is_dir():
        code = errno.EISDIR
    elif not os.access(target.parent, os.W_OK):
        code = errno.EACCES
    if code:
        raise make_write_error(path, OSError(code, os.strerror(code)), kind, remains="")


def _is_no_file(target: Path) -> bool:
    """True for a pipe, a socket or a device, which is not replaced."""
    return target.exists() and not target.is_file() and not target.is_dir()


def choose_unused_name(target: Path) -> Path:
    """A name that no file has, in the same folder."""
    return target.with_name(f".blockdyn-{secrets.token_hex(8)}.part")


@contextmanager
def _written_beside(target: Path) -> Iterator[BinaryIO]:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if _is_no_file(target):
        raise OSError(errno.EINVAL, NO_FILE)
    temporary = choose_unused_name(target)
    file = open(temporary, "xb")  # noqa: SIM115  closed below, whatever happens
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):
            temporary.chmod(target.stat().st_mode & 0o7777)  # who may read it stays as it was
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            temporary.unlink()
        raise
    bring_to_disk(target.parent)


def bring_to_disk(folder: Path) -> None:
    """Make the new name durable if the system can open folders; the content is already durable."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Refusal(NamedTuple):
    """One error number of the system."""

    cause: str
    repair: str  # remedy if the file must stay in its place
    elsewhere: str = "check the path and the disk"  # remedy if another place will do


_SPACE = "free some space or name another folder"
_PERMIT = Refusal(
    "writing is not permitted", "permit it (owner and mode of the folder)",
    "name a folder that you may write to",
)  # fmt: skip
_NO_FILE = Refusal("something other than a file is where a file was", "remove it", "name another file")
REFUSALS = {
    errno.ENOSPC: Refusal("the disk is full", "make room on it", _SPACE),
    errno.EDQUOT: Refusal("the quota of this disk is used up", "make room on it", _SPACE),
    errno.EFBIG: Refusal(
        "the file is too large", "move it to a disk that takes larger files",
        "name a folder that takes larger files",
    ),
    errno.EROFS: Refusal(
        "the file system is read-only", "make it writable", "name a folder that can be written"
    ),
    errno.EACCES: _PERMIT,
    errno.EPERM: _PERMIT,
    errno.ENOENT: Refusal(
        "the folder, or a part of it, is gone", "bring it back, or mount its disk again",
        "make the folder first or name another",
    ),
    errno.ENOTDIR: Refusal(
        "there is a file where a folder was", "bring the folder back", "name a path whose parent is a folder"
    ),
    errno.EISDIR: Refusal("a folder is where a file was", "remove it", "name a file, not a folder"),
    errno.EINVAL: _NO_FILE,
    errno.ENXIO: _NO_FILE,
    errno.ENAMETOOLONG: Refusal("the name is too long", "choose a shorter one", "choose a shorter name"),
    errno.EMFILE: Refusal("too many files are open", "raise the limit (ulimit -n)"),
    errno.EIO: Refusal("the disk reports an error", "check the disk"),
}  # fmt: skip


def refusal_of(error: OSError) -> Refusal:
    """A plain description of a system error; the system's message if there is none."""
    return REFUSALS.get(error.errno or 0) or Refusal(error.strerror or str(error), "see to it")
