"""A result prints as a table of a few lines, at a prompt or in a notebook."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...base.shown import lines, page, table
from ...base.text_table import laid_out
from ...base.words import inflect, visible
from .trace import Trace

if TYPE_CHECKING:
    from .result import Result

_HEADER = ("signal", "shape", "unit", "kind", "samples", "final")
_MOST_ROWS = 20


def text(result: Result) -> str:
    """Headline and table in plain text."""
    rows = [_HEADER, *_rows(result)] if result.signals else []
    above, below = visible(headline(result), lines=False), map(visible, _more(result))
    return "\n".join([above, *laid_out(rows), *below])


def html(result: Result) -> str:
    """Headline and table in HTML."""
    more = lines(line.strip() for line in _more(result))
    return page(headline(result), table(_HEADER, _rows(result)), more)


def headline(result: Result) -> str:
    """Diagram, span, counts, and how the run ended."""
    provenance = result.provenance
    span = f"{result.time[0]:g} to {result.time[-1]:g} s, " if result.time.size else ""
    if result.file is not None:
        span += f"rows in {result.file}, "
    elements = sum(math.prod(trace.shape) for trace in result.states.values())
    sizes = {"signal": len(result.signals), "state": elements, "event": len(result.events)}
    counts = ", ".join(inflect(size, word) for word, size in sizes.items())
    end = "complete" if provenance.complete else f"INCOMPLETE: {provenance.cut_short}"
    return f"Result of {provenance.diagram or 'a diagram'}: {span}{counts}, {end}"


def _rows(result: Result) -> list[tuple[str, ...]]:
    return [_row(trace) for trace in list(result.signals.values())[:_MOST_ROWS]]


def _row(trace: Trace) -> tuple[str, ...]:
    shape = "x".join(map(str, trace.shape)) or "scalar"
    final = _values(trace, 4)
    return trace.path, shape, trace.unit or "-", trace.kind, str(trace.samples), final or "-"


def list_displays(result: Result) -> list[tuple[str, str, str]]:
    """Title, last value and unit of every Display."""
    rows = []
    for figure in result.scopes if result.signals else ():
        if figure.form == "value":
            trace = result.trace(figure.traces[0])
            rows.append((figure.title, _values(trace, 16), figure.unit or trace.unit))
    return rows


def _values(trace: Trace, most: int) -> str:
    values = trace.final.ravel() if trace.samples else ()
    return ", ".join(f"{value:.6g}" for value in values[:most]) + (", ..." if len(values) > most else "")


def _more(result: Result) -> list[str]:
    hidden = len(result.signals) - _MOST_ROWS
    more = [f"  and {inflect(hidden, 'more signal')}"] if hidden > 0 else []
    more += [f"  {title}: {value} {unit}".rstrip() for title, value, unit in list_displays(result)]
    return more + [f"  notice: {notice}" for notice in result.notices]
