"""Failed writes are explained by the operating system's error number, each with a remedy."""

from __future__ import annotations

import errno
from typing import NamedTuple


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
    """The words for a refusal of the system; its own where there are none."""
    return REFUSALS.get(error.errno or 0) or Refusal(error.strerror or str(error), "see to it")
