"""Events of a result in order, which a notebook shows as a table."""

from __future__ import annotations

from ...base.shown import lines, page, table
from ...base.words import inflect
from .provenance import EventRecord

_HEADER = ("time (s)", "block", "kind", "detail", "direction")
_MOST_ROWS = 40


class EventList(tuple[EventRecord, ...]):
    """A tuple of events."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = [(f"{e.time:.9g}", e.path, e.kind, e.detail, e.direction) for e in self[:_MOST_ROWS]]
        hidden = len(self) - _MOST_ROWS
        more = [f"and {inflect(hidden, 'more event')}"] if hidden > 0 else []
        return page(inflect(len(self), "event"), table(_HEADER, rows), lines(more))
