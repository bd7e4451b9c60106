"""What an operating system's refusal means for a store: what happened, what is safe, how to go on."""

from __future__ import annotations

import errno
from pathlib import Path

from ...base.refusals import refusal_of
from ..errors import StoreError

NAMED = (errno.ENOENT, errno.EIO, errno.EISDIR, errno.EINVAL, errno.ENXIO)


def store_failure(path: Path, failure: OSError, safe: int | None, count: int | None) -> StoreError:
    """The error for a store that the operating system refused to write or read.

    `safe` scenarios of `count` are on the disk, as far as that could be told.
    """
    refusal = refusal_of(failure)
    place = failure.filename2 or failure.filename
    progress = f"{safe} of {count} scenarios are safe in it" if safe is not None and count is not None else ""
    return StoreError(
        f"the store {path} cannot be written or read: {refusal.cause}",
        f"its file {place}" if failure.errno in NAMED and place else "",
        progress,
        f"{refusal.repair}, then run the sweep again with resume=True (blockdyn sweep --resume): it goes on"
        " where it stopped",
    )
