"""HTML of what a notebook shows of an object: a line, and tables below it."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .visible import visible_html as escape

# what a page tells a frame in it: whether letters around it are bright, and so the page dark
_TELL = (
    "(f=>{const tell=()=>{const c=getComputedStyle(f.parentNode).color.match(/[0-9.]+/g);"
    "f.contentWindow?.postMessage({dark:+c[0]+ +c[1]+ +c[2]>382},'*')};tell();"
    "new MutationObserver(tell).observe(document.body,{attributes:true})})(this)"
)
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
    """Text whose columns stay in line, also where a page has another font for it, or is narrow."""
    return f"<pre style='font-family:monospace;white-space:pre;overflow-x:auto'>{escape(text)}</pre>"


def embedded(data: Any) -> str:
    """Data as JSON for a script element, which nothing in it can end. Raises ValueError for NaN."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def framed(file: Path, size: tuple[int, int]) -> str | None:
    """A page that was written, in a frame of that width and height; None where the file is gone.

    The page is told by a message whether what is around the frame is dark.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return None
    style = f"width:{size[0]}px;height:{size[1]}px;border:0;max-width:100%"
    told = f'sandbox="allow-scripts" onload="{html.escape(_TELL)}"'
    return f'<iframe {told} style="{style}" srcdoc="{html.escape(text)}"></iframe>'
