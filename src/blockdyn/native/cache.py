"""The store of compiled code: files named by the content they were compiled from, in a folder of its user."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..base.errors import PrintableText

OTHERS = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0
READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
# do not follow a link, and do not wait for a pipe that nobody writes to
READ |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_said: set[str] = set()  # the folders that a warning named


class CacheWarning(PrintableText, UserWarning):
    """Compiled code is not read from where others could have written it."""


def doubt_of_folder(folder: str) -> str | None:
    """Return the reason to distrust a folder, its links resolved: the folder at fault, and the remedy.

    Folders above it may belong to the superuser, and may be open to all if they are sticky, like /tmp: others
    cannot rename files there that are not theirs. If files have no owners and modes (Windows), nothing is
    checked.
    """
    if not hasattr(os, "getuid"):
        return None
    trusted = {os.getuid(), ROOT, os.lstat("/").st_uid}  # in a container root's number may differ
    parts = folder.split("/")
    for place in ["/".join(parts[:k]) or "/" for k in range(1, len(parts) + 1)]:
        inode = os.lstat(place)
        above = "" if place == folder else ", which is above it,"
        if not stat.S_ISDIR(inode.st_mode):
            return f"{place} is not a folder"
        if inode.st_uid not in trusted:
            return f"{_describe_owner(place, inode)}{above} belongs to another user"
        if inode.st_mode & OTHERS and not (above and (inode.st_mode & stat.S_ISVTX or _private_group(inode))):
            emptied = "" if above else "empty it, then "
            return f"{_describe_owner(place, inode)}{above} lets others write; {emptied}chmod go-w '{place}'"
    return None


def read_trusted_file(path: str) -> bytes | None:
    """The bytes of a file that only the user, or the superuser, can have written; None where it is another.

    The file is judged when it is open, so that the same bytes are judged and read. Raises OSError.
    """
    handle = os.open(path, READ)
    try:
        inode = os.fstat(handle)
        if not stat.S_ISREG(inode.st_mode):
            return None
        if hasattr(os, "getuid") and (inode.st_uid not in (ROOT, os.getuid()) or inode.st_mode & OTHERS):
            writer = "lets others write" if inode.st_mode & OTHERS else "belongs to another user"
            say(os.path.dirname(path), f"{_describe_owner(path, inode)} {writer}; remove it")
            return None
        if inode.st_mtime < time.time() - DAY:
            with contextlib.suppress(OSError):
                os.utime(handle if os.utime in os.supports_fd else path)  # pruning spares it
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def say(folder: str, doubt: str) -> None:
    """Warn of compiled code that is not loaded, once for each folder."""
    if folder not in _said:
        _said.add(folder)
        text = f"stored machine code is not loaded, because others could have written it: {doubt}"
        warnings.warn(text, CacheWarning, stacklevel=2)


def _describe_owner(place: str, status: os.stat_result) -> str:
    return f"{place} (mode {stat.S_IMODE(status.st_mode):04o}, owner {status.st_uid})"


def _private_group(status: os.stat_result) -> bool:
    """True if only a group may write besides, and it is the user's alone, as many systems make one."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    alone = group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
    return user.pw_uid != ROOT and alone and group.gr_gid == user.pw_gid and not status.st_mode & stat.S_IWOTH


ENVIRONMENT = "BLOCKDYN_CACHE"
DIGEST = 32  # bytes of SHA-256, over name and data, before the data
MOST = 20_000  # files, of about 12 kB each
DAY = 86400.0  # s after which a file that is read counts as used again, and an unfinished one as abandoned
PART = ".part"  # suffix of a file that is being written
KINDS = "kernel|object|program|elementary"
OURS = re.compile(rf"[0-9a-f]{{64}}\.({KINDS})(\.\w+\{PART})?")  # the only files to be removed


@cache
def folder() -> Path | None:
    """The store's folder, or None if nothing can be written (everything is then compiled again).

    BLOCKDYN_CACHE names it; otherwise it is in the platform's place for caches. One that others could have
    written is refused, with a CacheWarning.
    """
    for candidate in _candidates():
        with contextlib.suppress(OSError):
            _make(candidate)
            place = os.path.realpath(candidate)
            doubt = doubt_of_folder(place)
            if doubt is not None:
                say(place, f"{doubt}; or let {ENVIRONMENT} name a folder that is yours alone")
                if os.environ.get(ENVIRONMENT):
                    return None
            elif os.access(place, os.W_OK | os.X_OK):
                return Path(place)
    return None


def _candidates() -> Iterator[str]:
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        yield os.path.expanduser(chosen)
    elif sys.platform == "win32":
        yield os.path.join(os.path.expanduser(os.environ.get("LOCALAPPDATA", "~")), "blockdyn")
    elif sys.platform == "darwin":
        yield os.path.expanduser("~/Library/Caches/blockdyn")
    else:
        yield os.path.join(os.path.expanduser(os.environ.get("XDG_CACHE_HOME") or "~/.cache"), "blockdyn")
    with contextlib.suppress(OSError):  # no folder for temporary files
        yield os.path.join(tempfile.gettempdir(), f"blockdyn-{_user()}")


def _make(folder: str) -> None:
    """Make a folder with those above it that are missing, all of them the user's alone. Raises OSError."""
    above = os.path.dirname(folder)
    if folder.startswith("~"):
        raise FileNotFoundError("there is no home directory")
    if above and not os.path.isdir(above):
        _make(above)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def read(name: str) -> bytes | None:
    """The stored bytes, or None; a file changed since it was written under this name counts as absent."""
    place = folder()
    if place is None:
        return None
    try:
        data = read_trusted_file(f"{place}/{name}")
    except OSError:
        return None
    if data is None or _digest(name, data[DIGEST:]) != data[:DIGEST]:
        return None
    return data[DIGEST:]


def holds(name: str) -> bool:
    """True if there is such a file."""
    place = folder()
    return place is not None and (place / name).exists()


def _digest(name: str, data: bytes) -> bytes:
    return sha256(b"%s\0%s" % (name.encode(), data)).digest()


def write(name: str, data: bytes) -> None:
    """Store bytes under a name: whole or not at all, also with several processes at it.

    A store that cannot be written costs time at the next start, never a run: it is left alone.
    """
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(PART, f"{name}.", place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(name, data) + data)
            os.replace(temporary, place / name)
        except BaseException:
            os.unlink(temporary)
            raise
        if name.startswith("00"):  # names are digests: one write in 256
            _prune(place)


def _prune(place: Path) -> None:
    """Keep the store's files that were used last; whatever else is in its folder is left alone."""
    files: list[tuple[float, str]] = []
    with os.scandir(place) as entries:
        for entry in entries:
            if OURS.fullmatch(entry.name):
                with contextlib.suppress(FileNotFoundError):  # another process prunes as well
                    if entry.is_file(follow_symlinks=False):
                        files.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    complete = sorted((file for file in files if not file[1].endswith(PART)), reverse=True)
    abandoned = time.time() - DAY
    old = [file for file in files if file[1].endswith(PART) and file[0] < abandoned]
    for _, path in complete[MOST:] + old:
        with contextlib.suppress(OSError):
            os.unlink(path)
