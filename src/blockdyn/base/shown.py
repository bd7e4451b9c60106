"""A notebook shows an object as HTML: its text, below its picture if it has one."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .words import visible_html as escape

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# message of a page to a frame in it: true if the text around the frame is bright, and so the page dark
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
    """Cells of text under a header, all to the left; empty without rows."""
    body = "".join(
        "<tr>" + "".join(f"<td {_LEFT}>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    head = "".join(f"<th {_LEFT}>{escape(cell)}</th>" for cell in header)
    return f"<table><tr>{head}</tr>{body}</table>" if body else ""


def lines(texts: Iterable[str]) -> str:
    """Each text in a separate line."""
    return "".join(f"<div>{escape(text)}</div>" for text in texts)


def verbatim(text: str) -> str:
    """Text whose columns stay aligned, even in a page with another font or a narrow one."""
    return f"<pre style='font-family:monospace;white-space:pre;overflow-x:auto'>{escape(text)}</pre>"


def embed_json(data: Any) -> str:
    """Data as JSON for a script element, which nothing in it can end. Raises ValueError for NaN."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def frame_page(file: Path, size: tuple[int, int]) -> str | None:
    """A page that was written, in a frame of this width and height; None if the file is gone.

    A message passes to the page whether the notebook around the frame is dark.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return None
    style = f"width:{size[0]}px;height:{size[1]}px;border:0;max-width:100%"
    attributes = f'sandbox="allow-scripts" onload="{html.escape(_TELL)}"'
    return f'<iframe {attributes} style="{style}" srcdoc="{html.escape(text)}"></iframe>'


_GREY = re.compile(r"#([0-9a-f]{2})\1\1\b")
# Greys below are ink, those above lines of a grid; any page shows those between.
_DARK, _LIGHT = 0x60, 0xA0
_FAINT = "rgba(128,128,128,0.3)"
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_FACTS = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


class NotebookText:
    """An object that a notebook shows as escaped text, below its picture if it has one."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        figure = self._figure()
        return ("" if figure is None else inline(figure)) + verbatim(str(self))

    def _figure(self) -> Figure | None:
        """The picture, or None."""
        return None


def inline(figure: Figure) -> str:
    """A figure as SVG for a page of any colour: its ink is the page's, its paper is left out."""
    import matplotlib

    data = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "blockdyn"}):
        figure.savefig(data, format="svg", transparent=True, metadata={"Date": None})
    svg = _FACTS.sub("", _HEAD.sub("", data.getvalue()))
    svg = _GREY.sub(_of_page, svg)
    # elements that matplotlib leaves to the default, such as text, are in the ink of the page as well
    return f'<div style="overflow-x:auto;fill:currentColor;max-width:100%">{svg}</div>'


def _of_page(grey: re.Match[str]) -> str:
    """A grey on a page of any colour: ink, faint, or none for white paper."""
    level = int(grey[1], 16)
    if level < _DARK:
        return "currentColor"
    if level == 0xFF:
        return "none"
    return _FAINT if level > _LIGHT else grey[0]
