"""Visible: text of files and of strangers as it may be shown, without characters that steer a terminal."""

from __future__ import annotations

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of direction
    "\u2028\u2029\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"  # separators, tags, halves
)
_LINE_FEEDS = re.compile("[\t\n]")


def visible(text: object, *, lines: bool = True) -> str:
    """The text with escapes for control characters and for those that turn the direction of writing.

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
