"""Sections of a diagram's file: `simulate`, and keys of other packages, each with its schema and its reader.

A package of blockdyn has them in its module `sections`, as `SECTIONS`; an external one offers each through
the entry point group `blockdyn.sections`. They are loaded when a file has a key that no diagram has.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from ...base.plugins import load_plugins
from ...base.schema import Schema, mapping, optional, reference
from ...base.words import nearest
from ...base.yaml.positions import Node
from ...blocks.routing.inport import Inport
from ..model.diagram import Diagram
from ..model.errors import RunArgumentError
from ..model.gathered import EVERYTHING
from ..model.section import Section
from ..model.settings import IN_FILES, SETTINGS
from ..model.subsystem import ports as ports_of
from .document import DIAGRAM
from .errors import YamlError
from .source import Source

GROUP = "blockdyn.sections"
_ROOT = __name__.partition(".")[0]


def as_data(node: Node, source: Source) -> Section:
    """A section as plain data with the place of every value."""
    return Section.of(node)


@dataclass(frozen=True)
class FileSection:
    """A key of a diagram's file: `diagram.sections[key]` is the result of `read`.

    schema        JSON Schema of the value, a mapping; the value is checked against it before it is read, but
                  for what stands behind a `$ref`, which `read` checks
    read          gives the Section of what the schema takes: keys with an error are left out, and without one
                  that is required it is not called; gathers in `source.errors`, or raises, DiagramErrors
    definitions   targets of the schema's references, for editors
    """

    key: str
    schema: Schema
    read: Callable[[Node, Source], Section] = as_data
    definitions: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its definition in the whole schema."""
        return self.key.capitalize()


def sections(keys: Collection[str]) -> dict[str, FileSection]:
    """The sections by key, from as few packages as these keys require."""
    by_key: dict[str, FileSection] = {}
    for more in (_of_blockdyn, _of_others):
        if by_key.keys() | DIAGRAM["properties"].keys() >= set(keys):
            break
        by_key = {**more(), **by_key}
    return by_key


def every_section() -> dict[str, FileSection]:
    """All sections by key."""
    return {**_of_others(), **_of_blockdyn()}


def with_sections(sections: Mapping[str, FileSection]) -> Schema:
    """The schema of a diagram that may have these sections."""
    more = {
        key: optional(reference(section.name), section.schema.get("description", ""))
        for key, section in sections.items()
    }
    return DIAGRAM | {"properties": DIAGRAM["properties"] | more} if more else DIAGRAM


@cache
def _of_blockdyn() -> dict[str, FileSection]:
    inside = pkgutil.iter_modules(importlib.import_module(_ROOT).__path__, f"{_ROOT}.")
    names = [f"{package.name}.sections" for package in inside if package.ispkg]
    modules = [importlib.import_module(name) for name in names if find_spec(name)]
    return {section.key: section for module in modules for section in module.SECTIONS}


@cache
def _of_others() -> dict[str, FileSection]:
    """The sections of installed packages; one that fails is left out with a PluginWarning."""
    return {each.key: each for _, each in load_plugins(GROUP, "a section of diagrams' files", _section)}


def _section(loaded: object) -> FileSection:
    if not isinstance(loaded, FileSection):
        raise TypeError(f"it names {loaded!r}\nexpected: a FileSection")
    return loaded


# ---- simulate ----

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
    """Declare how a diagram is run; each key has been checked on its own. Gathers YamlError."""
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
    """Gather YamlError for inputs that the diagram does not have, except spoilt names."""
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
