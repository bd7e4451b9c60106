"""Regular files: opened without waiting for what only looks like one."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from os import PathLike

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def open_regular(path: str | PathLike[str]) -> BufferedReader:
    """A file open for reading, links followed. Raises OSError, also for a folder, a socket, a device, and a
    pipe, for whose writer `open` would wait without end.
    """
    handle = os.open(path, _READ)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file", os.fspath(path))
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: str | PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError as `open_regular` does."""
    with open_regular(path) as file:
        return file.read()
