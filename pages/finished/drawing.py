"""Drawing of a page: the diagram of the run, where the result carries it and it can be drawn here."""

from __future__ import annotations

from ...base.errors import BlockdynError
from ...diagrams.results.result import Result


def drawing(result: Result) -> str:
    """The drawn diagram as HTML; nothing where there is none, or what lays it out is not installed."""
    try:
        svg = result.draw().svg
    except BlockdynError:
        return ""
    return f'<h2>Diagram</h2><div class="diagram" tabindex="0">{svg}</div>'
