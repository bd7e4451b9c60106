"""HTML of what a notebook shows of an object: a line, and tables below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .visible import visible_html as escape

_LEFT = "style='text-align:left'"


def page(headline: str, *parts: str) -> str:
    """A line of text above parts that are HTML already."""
    return f"<div>{escape(headline)}</div>{''.join(parts)}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells of text under a header, all to the left; nothing where there are no rows."""
    body = "".join(
        "<tr>" + "".join(f"<td {_LEFT}>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    head = "".join(f"<th {_LEFT}>{escape(cell)}</th>" for cell in header)
    return f"<table><tr>{head}</tr>{body}</table>" if body else ""


def lines(texts: Iterable[str]) -> str:
    """A line of text each."""
    return "".join(f"<div>{escape(text)}</div>" for text in texts)


def verbatim(text: str) -> str:
    """Text whose columns stay in line."""
    return f"<pre>{escape(text)}</pre>"
