"""Trust: whether only the user could have written a folder or a file, as ssh asks of keys."""

from __future__ import annotations

import os
import stat
import warnings

from ..base.errors import Told

OTHERS = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0
READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
# a link is not followed, and a pipe that nobody writes is no wait
READ |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_said: set[str] = set()  # the folders that a warning named


class CacheWarning(Told, UserWarning):
    """Compiled code is not read from where others could have written it."""


def doubt_of_folder(folder: str) -> str | None:
    """Why a folder, its links resolved, is not to be trusted: the folder at fault, and what to do.

    Folders above it may be the superuser's, and may be open to all where they are sticky, as /tmp is: others
    cannot rename there what is not theirs. Where files have no owners and modes (Windows), nothing is asked.
    """
    if not hasattr(os, "getuid"):
        return None
    trusted = {os.getuid(), ROOT, os.lstat("/").st_uid}  # in a container root's number may differ
    parts = folder.split("/")
    for place in ["/".join(parts[:k]) or "/" for k in range(1, len(parts) + 1)]:
        inode = os.lstat(place)
        above = "" if place == folder else ", which is above it,"
        if not stat.S_ISDIR(inode.st_mode):
            return f"{place} is no folder"
        if inode.st_uid not in trusted:
            return f"{_described(place, inode)}{above} belongs to another user"
        if inode.st_mode & OTHERS and not (above and (inode.st_mode & stat.S_ISVTX or _private_group(inode))):
            emptied = "" if above else "empty it, then "
            return f"{_described(place, inode)}{above} lets others write; {emptied}chmod go-w '{place}'"
    return None


def read_trusted(path: str) -> bytes | None:
    """The bytes of a file that only the user, or the superuser, can have written; None where it is another.

    The file is judged when it is open, so that what is judged is what is read. Raises OSError.
    """
    handle = os.open(path, READ)
    try:
        inode = os.fstat(handle)
        if not stat.S_ISREG(inode.st_mode):
            return None
        if hasattr(os, "getuid") and (inode.st_uid not in (ROOT, os.getuid()) or inode.st_mode & OTHERS):
            writer = "lets others write" if inode.st_mode & OTHERS else "belongs to another user"
            say(os.path.dirname(path), f"{_described(path, inode)} {writer}; remove it")
            return None
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


def _described(place: str, status: os.stat_result) -> str:
    return f"{place} (mode {stat.S_IMODE(status.st_mode):04o}, owner {status.st_uid})"


def _private_group(status: os.stat_result) -> bool:
    """Whether only a group may write besides, and it is the user's alone, as many systems make one."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    alone = group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
    return user.pw_uid != ROOT and alone and group.gr_gid == user.pw_gid and not status.st_mode & stat.S_IWOTH
