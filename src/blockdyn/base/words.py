"""Words of messages: articles, counted nouns, short values, nearest names, text that is safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable

_AN = r"[AEIO]|[FHLMNRSX](?=[A-Z0-9])|U(?!ni|[A-Z])"  # names that begin with a vowel when spoken


def article(name: str) -> str:
    """The name with its article: a Gain, an Expression, an FKine, a UnitDelay."""
    spoken = name[:1].upper() + name[1:]
    return f"{'an' if re.match(_AN, spoken) else 'a'} {name}"


def inflect(number: int, noun: str, shown: str = "") -> str:
    """'1 scenario', '2 scenarios'; `shown` is the number as text."""
    return f"{shown or number} {noun}{'' if number == 1 else 's'}"


def short(value: object, longest: int = 60) -> str:
    """The value as Python writes it, NumPy's as numbers and lists, cut to `longest` characters."""
    is_numpy = hasattr(type(value), "tolist")
    text = repr(value.tolist() if is_numpy else value)  # type: ignore[attr-defined]
    return text if len(text) <= longest else text[: longest - 3] + "..."


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


def suggestions(message: str) -> list[str]:
    """The names that a message suggests, in the form that `nearest` writes."""
    return re.findall(r"did you mean (?:the block )?`([^`]+)`", message)


_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of direction
    "\u2028\u2029\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"  # separators, tags, halves
)
_LINE_FEEDS = re.compile("[\t\n]")


def visible(text: object, *, lines: bool = True) -> str:
    """The text with escapes for control characters and for those that change the direction of writing.

    Line feeds and tabs stay where `lines` may be several; in a name they are escaped too.
    """
    plain = _STEERING.sub(_escape, str(text))
    return plain if lines else _LINE_FEEDS.sub(_escape, plain)


def visible_html(text: object) -> str:
    """The same, escaped for HTML."""
    import html

    return html.escape(visible(text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
