"""Drawing of a page: the diagram of the run, where the result carries it and it can be drawn here."""

from __future__ import annotations

import html

from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...diagrams.results.result import Result


def drawing(result: Result) -> str:
    """The drawn diagram as HTML, or the command that brings what draws it; empty if there is no diagram."""
    held = result.provenance.source is not None or result.provenance.description
    if held and (install := remedy("py_mini_racer")):
        return f'<p class="quiet">The diagram is not drawn: {html.escape(install)} brings what draws it.</p>'
    try:
        svg = result.draw().svg
    except BlockdynError:
        return ""
    return f'<h2>Diagram</h2><div class="diagram" tabindex="0">{svg}</div>'
