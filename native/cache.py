"""The store of compiled code: files named by the content they were compiled from."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

ENVIRONMENT = "BLOCKDYN_CACHE"
DIGEST = 32  # bytes of SHA-256 before the data
MOST = 5000  # files


@cache
def folder() -> Path | None:
    """The store's folder, or None where nothing can be written (everything then compiles afresh).

    BLOCKDYN_CACHE names it; otherwise the platform's place for caches.
    """
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        candidates = [Path(chosen)]
    elif sys.platform == "win32":
        candidates = [Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "blockdyn"]
    elif sys.platform == "darwin":
        candidates = [Path("~/Library/Caches/blockdyn").expanduser()]
    else:
        candidates = [Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "blockdyn"]
    candidates.append(Path(tempfile.gettempdir()) / f"blockdyn-{_user()}")
    for candidate in candidates:
        with contextlib.suppress(OSError, RuntimeError):
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _ours(candidate) and os.access(candidate, os.W_OK | os.X_OK):
                return candidate
    return None


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _ours(path: Path) -> bool:
    """Whether the folder belongs to this user: code that others could have written is never loaded."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def read(name: str) -> bytes | None:
    """The stored bytes, or None; a file that is not what was written counts as absent."""
    place = folder()
    if place is None:
        return None
    try:
        data = (place / name).read_bytes()
    except OSError:
        return None
    return data[DIGEST:] if sha256(data[DIGEST:]).digest() == data[:DIGEST] else None


def write(name: str, data: bytes) -> None:
    """Store bytes under a name: whole or not at all, also with several processes at it.

    A store that cannot be written costs time at the next start, never a run: it is left alone.
    """
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sha256(data).digest() + data)
            os.replace(temporary, place / name)
        except OSError:
            os.unlink(temporary)
            raise
        if name.startswith("00"):  # names are digests: one write in 256
            _prune(place)


def _prune(place: Path) -> None:
    """Keep the newest files only."""
    files = sorted(place.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[MOST:]:
        path.unlink()
