"""What an operating system's refusal means for a store: what happened, what is safe, how to go on."""

from __future__ import annotations

import errno
from pathlib import Path

from ..errors import StoreError

CAUSES = {
    errno.ENOSPC: ("the disk is full", "make room on it"),
    errno.EDQUOT: ("the quota of this disk is used up", "make room on it"),
    errno.EROFS: ("the file system is read-only", "make it writable"),
    errno.EACCES: ("writing is not permitted", "permit it (owner and mode of the folder)"),
    errno.EPERM: ("writing is not permitted", "permit it (owner and mode of the folder)"),
    errno.ENOENT: ("the folder, or a part of it, is gone", "bring it back, or mount its disk again"),
    errno.ENOTDIR: ("there is a file where a folder was", "bring the folder back"),
    errno.EISDIR: ("a folder is where a file was", "remove it"),
    errno.EINVAL: ("something that is no file is where a file was", "remove it"),
    errno.ENXIO: ("something that is no file is where a file was", "remove it"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n)"),
    errno.EIO: ("the disk reports an error", "check the disk"),
}
NAMED = (errno.ENOENT, errno.EIO, errno.EISDIR, errno.EINVAL, errno.ENXIO)


def store_failure(path: Path, failure: OSError, safe: int | None, count: int | None) -> StoreError:
    """The error for a store that the operating system refused to write or read.

    `safe` scenarios of `count` are on the disk, as far as that could be told.
    """
    code = failure.errno if failure.errno is not None else -1
    cause, remedy = CAUSES.get(code, (failure.strerror or str(failure), "see to it"))
    place = failure.filename2 or failure.filename
    known = f"{safe} of {count} scenarios are safe in it" if safe is not None and count is not None else ""
    return StoreError(
        f"the store {path} cannot be written or read: {cause}",
        f"its file {place}" if code in NAMED and place else "",
        known,
        f"{remedy}, then run the sweep again with resume=True (blockdyn sweep --resume): it goes on where it"
        " stopped",
    )
