"""Sections: keys of a diagram's file that another package declares, with their schema and their reader.

A package of blockdyn has them in its module `sections`, as `SECTIONS`; one from outside offers each through
the entry point group `blockdyn.sections`. They are looked for when a file has a key that no diagram has.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec

from ...base.plugins import load_plugins
from ...base.schema import Schema, optional, reference
from ...base.yaml.positions import Node
from ..model.section import Section
from .document import DIAGRAM
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
    definitions   what the references of the schema mean, for editors
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
    """The sections by key, of no more packages than it takes to know all of these keys."""
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
