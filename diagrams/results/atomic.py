"""Atomic files: whole under their final name, or not there at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from .errors import ResultFileError

_REMEDY = {
    errno.ENOSPC: "free some space or name another folder",
    errno.EDQUOT: "free some space or name another folder",
    errno.EFBIG: "name a folder that takes larger files",
    errno.EROFS: "name a folder that can be written",
    errno.EACCES: "name a folder that you may write to",
    errno.EPERM: "name a folder that you may write to",
    errno.ENOENT: "make the folder first or name another",
    errno.ENOTDIR: "name a path whose parent is a folder",
    errno.EISDIR: "name a file, not a folder",
    errno.EINVAL: "name another file",
    errno.ENAMETOOLONG: "choose a shorter name",
}


NO_FILE = "it is no regular file"
IN_MEMORY = "the result is still in memory and "  # true for callers in Python


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A file open for writing that takes the name `path` when the block ends without an exception.

    It is written under a temporary name in the same folder, brought to the disk, then renamed: a reader
    sees the old file or the new one, never part of one. On any exception the temporary file is removed
    and whatever was under `path` stays as it was.
    Raises ResultFileError where the system refuses: disk full, read-only, no permission, no such folder.
    """
    target = _without_null(path)
    try:
        with _written_beside(target.resolve()) as file:
            yield file
    except OSError as error:
        raise refused("write", target, error) from error


def _without_null(path: str | PathLike[str]) -> Path:
    if "\0" in str(path):
        raise ResultFileError("write", repr(path), "a name with a null character", "choose another name")
    return Path(path)


_READ_REMEDY = {
    errno.ENOENT: "check its name and folder; `save` writes such files",
    errno.ENOTDIR: "check its folder: a part of the path is a file",
    errno.EISDIR: "name a file in that folder",
    errno.EINVAL: "name a file that `save` wrote",
    errno.EACCES: "name a file that you may read",
    errno.EPERM: "name a file that you may read",
}


def refused(
    action: str,
    path: str | PathLike[str],
    error: OSError,
    kept: str = f"{IN_MEMORY}nothing was left under that name",
) -> ResultFileError:
    """The system's refusal, with what to do about it, and of a write what is left."""
    code = error.errno or 0
    cause = f"{error.strerror or error} ({errno.errorcode[code]})" if code in errno.errorcode else str(error)
    if action == "read":
        return ResultFileError(action, path, cause, _READ_REMEDY.get(code, "check the path and the disk"))
    tail = f"; {kept}" if kept else ""
    return ResultFileError(action, path, cause, _REMEDY.get(code, "check the path and the disk") + tail)


def check_place(path: str | PathLike[str]) -> None:
    """Raise what `replacing` would: no such folder, what is no file in the file's place, no permission."""
    target = _without_null(path).resolve()
    if _is_no_file(target):
        raise refused("write", path, OSError(errno.EINVAL, NO_FILE), kept="")
    code = 0
    if not target.parent.is_dir():
        code = errno.ENOTDIR if target.parent.exists() else errno.ENOENT
    elif target.is_dir():
        code = errno.EISDIR
    elif not os.access(target.parent, os.W_OK):
        code = errno.EACCES
    if code:
        raise refused("write", path, OSError(code, os.strerror(code)), kept="")


def _is_no_file(target: Path) -> bool:
    """Whether a pipe, a socket or a device has that name: it is not replaced."""
    return target.exists() and not target.is_file() and not target.is_dir()


def beside(target: Path) -> Path:
    """A name that no file has, in the same folder."""
    return target.with_name(f".blockdyn-{secrets.token_hex(8)}.part")


@contextmanager
def _written_beside(target: Path) -> Iterator[BinaryIO]:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if _is_no_file(target):
        raise OSError(errno.EINVAL, NO_FILE)
    temporary = beside(target)
    file = open(temporary, "xb")  # noqa: SIM115  closed below, whatever happens
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            temporary.unlink()
        raise
    bring_to_disk(target.parent)


def bring_to_disk(folder: Path) -> None:
    """Make the new name durable, where the system can open folders; the file itself already is."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
