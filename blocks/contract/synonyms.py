"""Synonyms: what blocks of other simulators are called here, and what does their work where none is the same.

The table is a file beside this one, `synonyms.txt`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...base.nearest import nearest

TABLE = Path(__file__).with_name("synonyms.txt")


class Synonym(NamedTuple):
    """A name elsewhere, the type here that does its work (`-` where none does), and how."""

    name: str
    type: str
    how: str


def meant(name: str, choices: Collection[str]) -> str:
    """What to add to `there is no block type NAME`: what the block is called here, or the nearest name."""
    entry = counterpart(name)
    if entry is not None and entry.type == "-":
        return ", nor one that does the same" + (f"; {entry.how}" if entry.how else "")
    if entry is not None and entry.type in choices:
        return f", did you mean `{entry.type}`?" + (f" ({entry.how})" if entry.how else "")
    return nearest(name, list(choices), likeness=0.75)


def counterpart(name: str) -> Synonym | None:
    """What a foreign name is called here; None where it is not known."""
    return _by_name().get(normal(name))


@cache
def synonyms() -> tuple[Synonym, ...]:
    """The whole table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = (line.split(None, 2) for line in lines if not line.startswith("#"))
    return tuple(Synonym(name, types, "" if how == "-" else how) for name, types, how in rows)


@cache
def _by_name() -> dict[str, Synonym]:
    return {normal(entry.name): entry for entry in synonyms()}


def normal(name: str) -> str:
    """A name as it is compared: letters and digits, without case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
