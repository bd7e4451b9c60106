"""Nearest: the name that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

NEAR = 0.6  # of difflib's ratio, as Python suggests names; below it `foo` is near `loops`


def nearest(name: str, choices: Iterable[object], *, likeness: float | None = None) -> str:
    """', did you mean `x`?' or an empty string: first the same name in another case, then the nearest."""
    from difflib import get_close_matches

    if likeness is None:
        likeness = 0.5 if len(name) == 2 else NEAR  # of two letters one may be wrong
    names = [str(item) for item in choices]
    lower = {item.lower(): item for item in names}
    close = [lower[name.lower()]] if name.lower() in lower else get_close_matches(name, names, 1, likeness)
    if not close:
        close = [lower[match] for match in get_close_matches(name.lower(), list(lower), 1, likeness)]
    return f", did you mean `{close[0]}`?" if close else ""
