"""Movie: frames into a file, GIF or MP4, whole under its name or not there at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from os import PathLike
from pathlib import Path

from ...base.atomic import refused, replacing
from .errors import ResultFileError
from .gif import FASTEST, Frame, write_gif
from .mp4 import encoder, write_mp4

PAGE = ".html"
_WRITERS = {".gif": write_gif, ".mp4": write_mp4}


def check_movie(path: str | PathLike[str], fps: float) -> None:
    """Raise what is known to be wrong with the target before a frame is drawn.

    Raises ResultFileError (unknown suffix, too many frames a second, no such folder), MissingProgram.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (*_WRITERS, PAGE):
        cause, remedy = f"the suffix {suffix!r} names no movie", f"use one of {', '.join((*_WRITERS, PAGE))}"
        raise ResultFileError("write", path, cause, remedy)
    if suffix == ".gif" and fps > FASTEST:
        cause = f"{fps:g} frames a second are more than the {FASTEST:g} that viewers of GIF show"
        raise ResultFileError("write", path, cause, "ask for fewer, or for .mp4")
    if suffix == ".mp4":
        encoder()
    if not Path(path).resolve().parent.is_dir():
        raise refused(path, OSError(errno.ENOENT, os.strerror(errno.ENOENT)), ResultFileError, "")


def write_movie(
    path: str | PathLike[str],
    count: int,
    draw: Callable[[int], Frame],
    *,
    fps: float,
    drawn: Callable[[int], None],
) -> None:
    """Write the frames 0 .. count-1 of `draw`, each of which lasts 1/fps s; tells `drawn` after each.

    Whatever ends it early, nothing is left under the name. Raises what `check_movie` does, and
    ResultFileError where the system or ffmpeg refuses.
    """
    check_movie(path, fps)
    with replacing(path, ResultFileError) as file:
        _WRITERS[Path(path).suffix.lower()](file, count, draw, fps, drawn)
