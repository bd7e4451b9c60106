"""Units of signals as text: read, compared, and multiplied by seconds.

A unit is symbols with whole powers, those after a stroke in the denominator: `m`, `rad/s2`, `N m`, `1/s`.
`m²`, `m**2`, `N·m` and `N*m` are other spellings. `rad or m` stands for one of the two; `m, m, rad` names
the unit of each element of a signal, and `N, N m` the unit of each half of a vector. An empty unit is
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .port import Shape

MIXED = "\0"
"""The unit of an element with contradictory information; it is shown as empty."""
_TOKEN = re.compile(r"\s*(1|√?[^\W\d_]+|[°%])(?:\^?(-?\d{1,2}))?(?=[\s]|$)")
_DERIVED = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Hz": {"s": -1},
    "rad": {},  # the quotient of two lengths: units agree whether or not they contain it
}

WRITTEN = 'symbols with whole powers, such as "N m", "kg m2/s2" or "1/s", with a comma between elements'
_SPELLINGS = str.maketrans("·⋅*⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "   -0123456789")

Powers = dict[str, int]
Meaning = frozenset[tuple[tuple[str, int], ...]]


def element_units(unit: str, shape: Shape) -> tuple[str, ...]:
    """The unit of every element of a signal, in C order."""
    count = 1
    for length in shape:
        count *= length
    parts = [part.strip() for part in unit.split(",")] if "," in unit else [unit]
    if len(parts) == count:
        return tuple(parts)
    if len(shape) == 1 and count % len(parts) == 0:
        return tuple(part for part in parts for _ in range(count // len(parts)))
    return (unit,) * count


def one_text(units: Sequence[str], *, vector: bool = True) -> str:
    """The units of all elements as one text, in the shortest form that `element_units` reads back."""
    shown = ["" if unit == MIXED else unit for unit in units]
    count = len(shown)
    for parts in range(1, count + 1) if vector else (1, count):
        length = count // parts
        if parts * length == count and all(shown[i] == shown[i - i % length] for i in range(count)):
            return ", ".join(shown[::length])
    return ""


def agree(a: str, b: str) -> bool:
    """True if two units can be of one quantity: false only if both are known and differ."""
    return not a or not b or a == b or bool(_meaning(a) & _meaning(b))


def common(units: Iterable[str]) -> str:
    """The unit common to all determined ones, in its most precise spelling; MIXED if they contradict."""
    stated = list(dict.fromkeys(unit for unit in units if unit))
    if len(stated) < 2:
        return stated[0] if stated else ""
    if MIXED in stated or not frozenset.intersection(*map(_meaning, stated)):
        return MIXED
    # `rad` before `rad or m`; of equal units the longer, which shows its factors; then the first in the
    # alphabet. The order in which wires are declared has no effect.
    return min(stated, key=lambda unit: (len(_meaning(unit)), -len(unit), unit))


@lru_cache(maxsize=4096)
def times_seconds(unit: str, power: int) -> str:
    """The unit times s to a power: `rad/s` times s is `rad`. Empty if the unit cannot be read."""
    if not unit or unit == MIXED or not power:
        return unit
    written = []
    for alternative in unit.split(" or "):
        powers = _powers(alternative)
        if powers is None:
            return ""
        powers["s"] = powers.get("s", 0) + power
        written.append(_text(powers))
    return " or ".join(written)


def _text(powers: Powers) -> str:
    above = [_symbol(name, n) for name, n in powers.items() if n > 0]
    below = [_symbol(name, -n) for name, n in powers.items() if n < 0]
    if not below:
        return " ".join(above) or "1"
    return f"{' '.join(above) or '1'}/{below[0] if len(below) == 1 else '(' + ' '.join(below) + ')'}"


def _symbol(name: str, power: int) -> str:
    return name if power == 1 else f"{name}{power}"


def is_readable(unit: str) -> bool:
    """True for the text of a unit, of one for each element, or ''."""
    parts = [part.strip() for element in unit.split(",") for part in element.split(" or ")]
    return all(not part or _powers(part) is not None for part in parts)


@lru_cache(maxsize=4096)
def _meaning(unit: str) -> Meaning:
    """The meaning of a unit, independent of its spelling: powers of base units for each alternative."""
    return frozenset(map(_in_base_units, unit.split(" or ")))


def _in_base_units(unit: str) -> tuple[tuple[str, int], ...]:
    powers = _powers(unit)
    if powers is None:
        return ((unit, 1),)
    based: Powers = {}
    for name, power in powers.items():
        for base, n in _DERIVED.get(name, {name: 1}).items():
            based[base] = based.get(base, 0) + n * power
    return tuple(sorted((name, n) for name, n in based.items() if n))


def _powers(unit: str) -> Powers | None:
    """The power of every symbol, in order of appearance; None if the text is not such a unit."""
    above, *below = unit.replace("**", "^").translate(_SPELLINGS).split("/")
    powers: Powers = {}
    for sign, part in ((1, above), *((-1, part) for part in below)):
        text = part.strip()
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1].strip()
        at = 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                return None
            if token[1] != "1":
                powers[token[1]] = powers.get(token[1], 0) + sign * int(token[2] or 1)
            at = token.end()
        if not text:
            return None
    return powers
