"""Form: what a document is meant to be, in the words of the errors that say it is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A document's noun, how one begins, and what to do with one that is too large."""

    noun: str
    beginning: str
    smaller: str
