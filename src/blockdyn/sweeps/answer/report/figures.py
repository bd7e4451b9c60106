"""Figures of a report: pictures as data inside the page, or the reason why there is none."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import matplotlib
from matplotlib.figure import Figure

from ....base.visible import visible_html as escape
from ...errors import SweepError

_RASTER_DPI = 110
_PIXELS = 92  # of the page an inch of a figure takes, so that letters have one size throughout


def figure(draw: Callable[[], Figure], caption: str, *, shades: bool = False) -> str:
    """The picture that `draw` makes, as HTML; where there is nothing to draw, what it said.

    `shades` keeps a picture that codes numbers by lightness as it is when the page is dark.
    """
    try:
        drawn = draw()
    except SweepError as reason:
        return f"<p class='note'>{escape(caption)}: {escape(' '.join(str(reason).split()))}</p>"
    kind = " class='shades'" if shades else ""
    width = round(_PIXELS * drawn.get_figwidth())
    image = f"<img width='{width}' src='data:image/svg+xml;base64,{_svg(drawn)}' alt='{escape(caption)}'>"
    return f"<figure{kind}>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _svg(drawn: Figure) -> str:
    """The figure without its white ground, so that it lies on the page; the same bytes every time."""
    for axes in drawn.axes:
        if not axes.patch.get_hatch():
            axes.set_facecolor("none")
    data = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "blockdyn"}):
        drawn.savefig(data, format="svg", facecolor="none", dpi=_RASTER_DPI, metadata={"Date": None})
    return base64.b64encode(data.getvalue()).decode("ascii")
