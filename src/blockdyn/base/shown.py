"""Shown: how a notebook shows what a user holds, by one rule: its text, below its picture if it has one."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from .html import verbatim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GREY = re.compile(r"#([0-9a-f]{2})\1\1\b")
# Greys below are ink, those above lines of a grid; any page shows those between.
_DARK, _LIGHT = 0x60, 0xA0
_FAINT = "rgba(128,128,128,0.3)"
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_FACTS = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


class Shown:
    """What a notebook shows as text, below its picture if it has one; nothing in it is more than text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        figure = self._figure()
        return ("" if figure is None else inline(figure)) + verbatim(str(self))

    def _figure(self) -> Figure | None:
        """The picture; None for what has none."""
        return None


def inline(figure: Figure) -> str:
    """A figure as SVG for a page of any colour: its ink is the page's, its paper is left out."""
    import matplotlib

    data = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "blockdyn"}):
        figure.savefig(data, format="svg", transparent=True, metadata={"Date": None})
    svg = _FACTS.sub("", _HEAD.sub("", data.getvalue()))
    svg = _GREY.sub(_of_page, svg)
    # what matplotlib leaves to the default, such as text, is in the ink of the page as well
    return f'<div style="overflow-x:auto;fill:currentColor;max-width:100%">{svg}</div>'


def _of_page(grey: re.Match[str]) -> str:
    """A grey as a page of any colour has it: ink, faint, or none where it is the white of paper."""
    level = int(grey[1], 16)
    if level < _DARK:
        return "currentColor"
    if level == 0xFF:
        return "none"
    return _FAINT if level > _LIGHT else grey[0]
