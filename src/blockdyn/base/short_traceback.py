"""The traceback of our errors as a notebook shows it: your lines, the message, the cause in a line."""

from __future__ import annotations

import traceback
from pathlib import Path

from .words import visible

_PACKAGE = Path(__file__).parent.parent
_MACHINERY = ("IPython", "ipykernel")


def short_traceback(error: BaseException) -> list[str]:
    """Lines of text. Frames of blockdyn and of the notebook are left out."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame.filename)]
    name = type(error).__name__
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
    return "".join([*lines, f"{name}: {error}", *_cause(error)]).splitlines()


def _cause(error: BaseException) -> list[str]:
    """Lines with the place where a user's function or another library failed."""
    cause = error.__cause__
    if cause is None or _has_own_traceback(cause):
        return []
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if not _is_ours(frame.filename)]
    place = f" in {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    text = visible(" ".join(str(cause).split()), lines=False)
    return [f"\ncause: {type(cause).__name__}: {text}{place}"]


def _has_own_traceback(cause: BaseException) -> bool:
    return hasattr(cause, "_render_traceback_")


def _is_ours(file: str) -> bool:
    path = Path(file)
    return path.is_relative_to(_PACKAGE) or any(part in _MACHINERY for part in path.parts)
