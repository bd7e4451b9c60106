"""Check the kinds of the parts of a Result when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...base.words import article
from .errors import bad_argument
from .provenance import EventRecord, FlightFigure, Provenance, ScopeFigure
from .trace import Trace

if TYPE_CHECKING:
    from .result import Result


def check_kinds(result: Result) -> None:
    """Raise ResultError for a part of another kind than a Result has."""
    mappings: dict[str, type] = {"signals": Trace, "states": Trace, "finals": object}
    for name, kind in mappings.items():
        value = getattr(result, name)
        if not isinstance(value, Mapping) or not all(isinstance(item, kind) for item in value.values()):
            raise bad_argument(
                name, f"found {value!r:.80}", f"a mapping from paths to {article(kind.__name__)} each"
            )
    lists: dict[str, type] = {"events": EventRecord, "scopes": ScopeFigure, "flights": FlightFigure}
    for name, kind in lists.items():
        value = getattr(result, name)
        if not isinstance(value, (tuple, list)) or not all(isinstance(item, kind) for item in value):
            raise bad_argument(name, f"found {value!r:.80}", f"a list of {kind.__name__}s")
    if not isinstance(result.provenance, Provenance):
        raise bad_argument("provenance", f"found {result.provenance!r:.80}", "a Provenance")
