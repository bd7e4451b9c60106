"""Names of blocks in other simulators, and the corresponding block types."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from ...base.hints import words
from ...base.words import nearest


class Synonym(NamedTuple):
    """A foreign name, the corresponding block type (`-` if there is none), and a remark."""

    name: str
    type: str
    how: str


def suggest_type(name: str, choices: Collection[str]) -> str:
    """The hint in the error for an unknown block type: its counterpart, or the nearest name."""
    entry = counterpart(name)
    if entry is not None and entry.type == "-":
        return ", nor one that does the same" + (f"; {entry.how}" if entry.how else "")
    if entry is not None and entry.type in choices:
        return f", did you mean `{entry.type}`?" + (f" ({entry.how})" if entry.how else "")
    return nearest(name, list(choices), likeness=0.75)


def block_hint(name: str, choices: Collection[str]) -> str:
    """The hint in the error for an attribute, as in `meant`; a name in lower case must match as a whole."""
    exact = {other.casefold(): other for other in choices if other[:1].isupper()}.get(name.casefold())
    entry = counterpart(name)
    if name[:1].isupper() or (exact is None and entry is not None and entry.type in choices):
        return suggest_type(name, choices)
    return f", did you mean `{exact}`?" if exact else ""


def counterpart(name: str) -> Synonym | None:
    """The row of a foreign name; None if it is unknown."""
    return _by_name().get(normal(name))


@cache
def synonyms() -> tuple[Synonym, ...]:
    """The rows of the table."""
    rows = ((name, *meaning.partition(" ")) for name, meaning in words("blocks").items())
    return tuple(Synonym(name, kind, remark) for name, kind, _, remark in rows)


@cache
def _by_name() -> dict[str, Synonym]:
    return {normal(entry.name): entry for entry in synonyms()}


def normal(name: str) -> str:
    """Letters and digits of a name, without case, for comparisons."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
