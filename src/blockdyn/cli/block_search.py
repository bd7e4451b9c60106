"""Search: block types by a word, by what they are called elsewhere, and by what they do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..blocks.contract.block import Block
from ..blocks.contract.synonyms import Synonym, normal, synonyms
from .specimen import documentation


class Hit(NamedTuple):
    """A block type that fits a word: its title, and the foreign names by which it was found, with remarks."""

    type: str
    title: str
    names: tuple[Synonym, ...] = ()


def search(word: str, types: Iterable[tuple[str, type[Block]]]) -> tuple[list[Hit], list[Synonym]]:
    """The types that fit a word, best first, and the foreign names that have no counterpart.

    A type fits by its own name, by a name of Simulink, bdsim, Modelica or Drake that holds the word, or by
    words of its title; whole names come before parts of names.
    """
    sought = normal(word)
    named = [entry for entry in synonyms() if sought in normal(entry.name)]
    by_type: dict[str, list[Synonym]] = {}
    for entry in named:
        by_type.setdefault(entry.type, []).append(entry)
    ranked = []
    for name, kind in types:
        title = documentation(kind)[0].partition("\n")[0]
        names = tuple(
            sorted(by_type.get(name, ()), key=lambda entry: (normal(entry.name) != sought, entry.name))
        )
        if sought == normal(name):
            rank = 0
        elif any(normal(entry.name) == sought for entry in names):
            rank = 1
        elif sought in normal(name):
            rank = 2
        elif names:
            rank = 3
        elif sought in normal(title):
            rank = 4
        else:
            continue
        ranked.append((rank, name, Hit(name, title, names)))
    absent = [entry for entry in named if entry.type == "-"]
    return [hit for _, _, hit in sorted(ranked, key=lambda one: one[:2])], absent
