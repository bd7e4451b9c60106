"""Compiling: the one line that says what a first run waits for."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..diagrams.runs.waiting import waiting
from .console import note
from .interrupts import unheard


def compiling() -> AbstractContextManager[None]:
    """Say what is compiled inside, where that takes long, and how long it took."""
    return waiting(_say, unheard)


def _say(text: str) -> None:
    note(text, end="")
