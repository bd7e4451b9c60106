"""Settings: the section `simulate` of a diagram's file."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...base.yaml.positions import Node
from ..model.diagram import Diagram
from ..model.run_errors import RunArgumentError
from ..model.settings import SETTINGS
from .errors import WrongType
from .source import Source


def read_settings(diagram: Diagram, node: Node, source: Source) -> None:
    """Declare how a diagram is run; each key by itself is of the right kind. Gathers WrongType."""
    entries = {key: entry.node for key, entry in node.entries.items() if entry.node.value is not None}
    start, stop = entries.get("start"), entries.get("stop")
    first = 0 if start is None else start.value
    with source.errors:
        if stop is not None and stop.value <= first:  # type: ignore[operator]
            found = f"`stop` is {stop.value}"
            raise WrongType(found, f"later than start, {first}", key="stop", location=stop.at)
    settings: dict[str, Any] = {}
    for key, value in entries.items():
        with source.errors:
            _check(key, value)
            settings[key] = value.plain()
    diagram.settings(**settings)


def _check(key: str, node: Node) -> None:
    """Raise WrongType for what the setting does not take, at the item of a list that is wrong."""
    try:
        SETTINGS[key].read(node.plain())
    except RunArgumentError as error:
        for earlier, later in pairwise(node.items if key == "times" else ()):
            if later.value <= earlier.value:  # type: ignore[operator]
                found = f"`times` do not increase: {later.value} comes after {earlier.value}"
                raise WrongType(found, "increasing times", key=key, location=later.at) from None
        for name, entry in node.entries.items() if key == "inputs" else ():
            if error.argument.startswith(f"inputs[{name!r}]"):
                found = f"input `{name}` is {entry.node.plain()!r:.60}"
                raise WrongType(found, error.expected, key=key, location=entry.node.at) from None
        raise WrongType(f"`{key}` is {node.value}", error.expected, key=key, location=node.at) from None
