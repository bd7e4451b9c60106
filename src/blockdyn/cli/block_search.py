"""Search: block types by a word, by what they are called elsewhere, and by what they do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..blocks.contract.synonyms import Synonym, normal, synonyms

LONG = 4  # letters; shorter ones stand in many words by chance


class Hit(NamedTuple):
    """A block type that fits a word: its title, and the foreign names by which it was found, with remarks.

    A name that has no counterpart comes with the type None.
    """

    type: str | None
    title: str
    names: tuple[Synonym, ...] = ()


def search(word: str, types: Iterable[tuple[str, str]]) -> list[Hit]:
    """Of types and their documentation those that fit a word, and foreign names without one, best first.

    A type fits by its own name, by a name of Simulink, bdsim, Modelica or Drake that holds the word, or by
    words of its title; whole names come before parts of names. What its documentation alone mentions comes
    behind, and letters within other words of its title last. Of several words each has to stand in its name
    or documentation, best in one sentence, whatever it ends in: "edge detection" is EdgeDetector. Where no
    type has all of them, those that one of them finds follow, the more words the earlier.
    """
    entries = list(types)
    words = word.replace("-", " ").split()
    return _of_phrase(word, entries) or _of_words([each for each in words if len(each) >= LONG], entries)


def _of_words(words: list[str], types: list[tuple[str, str]]) -> list[Hit]:
    """Types that some of the words find, those that most find first."""
    found = [_of_phrase(word, types) for word in words]
    best: dict[str | None, list[tuple[int, Hit]]] = {}
    for hits in found:
        for place, hit in enumerate(hits):
            if hit.type is not None:
                best.setdefault(hit.type, []).append((place, hit))
    ranked = sorted(best.values(), key=lambda places: (-len(places), min(place for place, _ in places)))
    return [places[0][1] for places in ranked]


def _of_phrase(word: str, types: list[tuple[str, str]]) -> list[Hit]:
    """Types that the whole phrase finds, best first."""
    sought = normal(word)
    named = [entry for entry in synonyms() if sought in normal(entry.name)]
    by_type: dict[str, list[Synonym]] = {}
    for entry in named:
        by_type.setdefault(entry.type, []).append(entry)
    ranked = [
        (1 if normal(entry.name) == sought else 7, entry.name, Hit(None, "", (entry,)))
        for entry in by_type.pop("-", ())
    ]
    for name, text in types:
        title = text.partition("\n")[0]
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
        elif _mentioned(word, title):
            rank = 4
        elif any(_in_words(word, f"{name} {sentence}") for sentence in re.split(r"\.\s", text)):
            rank = 5
        elif _in_words(word, f"{name} {text}"):
            rank = 6
        elif _mentioned(word, text):
            rank = 8
        elif sought in normal(title):
            rank = 9
        else:
            continue
        ranked.append((rank, name, Hit(name, title, names)))
    return [hit for _, _, hit in sorted(ranked, key=lambda one: one[:2])]


def _mentioned(word: str, text: str) -> bool:
    """Whether a text has this word, in the singular or the plural."""
    apart = {each.removesuffix("s") for each in re.findall(r"[a-z0-9]+", text.casefold())}
    return word.casefold().removesuffix("s") in apart


def _in_words(several: str, text: str) -> bool:
    """Whether a text has a word that begins as each of several words does."""
    words = several.casefold().replace("-", " ").split()
    if len(words) < 2:
        return False
    apart = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold())
    return all(any(each.startswith(word[: max(4, len(word) - 3)]) for each in apart) for word in words)
