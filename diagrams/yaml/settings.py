"""The section `simulate` of a diagram's file is read."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...base.schema import mapping, optional
from ...base.words import nearest
from ...base.yaml.positions import Node
from ...blocks.routing.inport import Inport
from ..model.diagram import Diagram
from ..model.errors import RunArgumentError
from ..model.gathered import EVERYTHING
from ..model.settings import IN_FILES, SETTINGS
from ..model.subsystem import ports as ports_of
from .errors import YamlError
from .source import Source

_NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 1}
_ROWS = [_NUMBERS, {"type": "array", "items": _NUMBERS, "minItems": 1}]
_SAMPLES = mapping(
    "samples over time",
    times=_NUMBERS,
    values={"anyOf": _ROWS},
    hold={"type": "boolean"},
    interpolation={"enum": ["linear", "hold"]},
) | {"required": ["times", "values"]}
INPUT = {"anyOf": [{"type": "number"}, *_ROWS, _SAMPLES]}


SIMULATE = mapping(
    "Default settings of a run.",
    **{name: optional(SETTINGS[name].kind.schema, SETTINGS[name].text) for name in IN_FILES},
)


def read_settings(diagram: Diagram, node: Node, source: Source) -> None:
    """Declare how a diagram is run; each key by itself is of the right kind. Gathers YamlError."""
    entries = {key: entry.node for key, entry in node.entries.items() if entry.node.value is not None}
    start, stop = entries.get("start"), entries.get("stop")
    first = 0 if start is None else start.value
    with source.errors:
        if stop is not None and stop.value <= first:  # type: ignore[operator]
            problem = f"`stop` is {stop.value}"
            raise YamlError(problem, f"later than start, {first}", key="stop", location=stop.at)
    settings: dict[str, Any] = {}
    if "inputs" in entries:
        _check_names(diagram, entries["inputs"], source)
    for key, value in entries.items():
        with source.errors:
            _check(key, value)
            settings[key] = value.plain()
    diagram.settings(**settings)


def _check_names(diagram: Diagram, node: Node, source: Source) -> None:
    """Gather YamlError for inputs that the diagram does not have, but for names that are spoilt."""
    names = [port.name for port in ports_of(diagram, Inport)]
    spoilt = source.errors.spoilt(diagram)
    for name, entry in node.entries.items():
        with source.errors:
            if name not in names and spoilt.isdisjoint((name, EVERYTHING)):
                expected = f"one of {', '.join(names)}" if names else "none: it has no Inport"
                problem = f"`inputs` has `{name}`, which is not an input of the diagram{nearest(name, names)}"
                raise YamlError(problem, expected, key="inputs", location=entry.at)


def _check(key: str, node: Node) -> None:
    """Raise YamlError for a value that the setting does not accept, at the wrong item of a list."""
    try:
        SETTINGS[key].read(node.plain())
    except RunArgumentError as error:
        for earlier, later in pairwise(node.items if key == "times" else ()):
            if later.value <= earlier.value:  # type: ignore[operator]
                problem = f"`times` do not increase: {later.value} comes after {earlier.value}"
                raise YamlError(problem, "increasing times", key=key, location=later.at) from None
        for name, entry in node.entries.items() if key == "inputs" else ():
            if error.argument.startswith(f"inputs[{name!r}]"):
                problem = f"input `{name}` is {entry.node.plain()!r:.60}"
                raise YamlError(problem, error.expected, key=key, location=entry.node.at) from None
        raise YamlError(
            f"`{key}` is {node.plain()!s:.60}", error.expected, key=key, location=node.at
        ) from None
