"""Settings: the section `simulate` of a diagram's file."""

from __future__ import annotations

from itertools import pairwise

from ...base.yaml.positions import Node
from ...blocks.contract.errors import nearest
from ..model.diagram import Diagram
from .errors import WrongType
from .source import Source


def read_settings(diagram: Diagram, node: Node, source: Source) -> None:
    """Declare how a diagram is run; each key by itself is known to be right. Gathers WrongType."""
    entries = {key: entry.node for key, entry in node.entries.items() if entry.node.value is not None}
    settings = {key: value.plain() for key, value in entries.items()}
    start, stop, times = settings.get("start", 0), settings.get("stop"), settings.get("times", [])
    errors = source.errors
    with errors:
        if stop is not None and stop <= start:  # type: ignore[operator]
            raise WrongType(
                f"`stop` is {stop}", f"later than start, {start}", key="stop", location=entries["stop"].at
            )
    with errors:
        _check_times(entries.get("times"), times)
    with errors:
        _check_method(entries.get("method"))
    diagram.settings(**settings)


def _check_times(node: Node | None, times: object) -> None:
    for i, (earlier, later) in enumerate(pairwise(times if isinstance(times, list) else []), 1):
        if node is not None and later <= earlier:
            found = f"`times` do not increase: {later} comes after {earlier}"
            raise WrongType(found, "increasing times", key="times", location=node.items[i].at)


def _check_method(node: Node | None) -> None:
    from ...solvers.loop.scipy_methods import EVERY

    if node is not None and str(node.value).casefold() not in map(str.casefold, EVERY):
        raise WrongType(
            f"unknown method `{node.value}`{nearest(str(node.value), EVERY)}",
            f"one of {', '.join(EVERY)}",
            key="method",
            location=node.at,
        )
