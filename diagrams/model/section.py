"""A section is a part of a diagram's file for other packages: plain data with the place of every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ...base.location import Location
from ...base.yaml.positions import Node

Steps: TypeAlias = "tuple[str | int, ...]"
"""The keys and list positions that lead to a value."""


@dataclass(frozen=True)
class Section:
    """Plain data of a YAML file.

    `places` are the locations of values, `keys` the locations of their keys; `files` are the paths of the
    files that the section names, by the name that it uses.
    """

    data: Mapping[str, Any]
    places: Mapping[Steps, Location] = field(default_factory=dict, repr=False)
    keys: Mapping[Steps, Location] = field(default_factory=dict, repr=False)
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, node: Node, data: Mapping[str, Any] | None = None, files: Mapping[str, Path] | None = None
    ) -> Section:
        """The section at a mapping of a file; `data` replaces its plain values if they differ."""
        places: dict[Steps, Location] = {}
        keys: dict[Steps, Location] = {}
        for steps, value, key in _walk(node, ()):
            places[steps] = value
            if key is not None:
                keys[steps] = key
        plain = {key: entry.node.plain() for key, entry in node.entries.items()} if data is None else data
        present = {key: value for key, value in plain.items() if value is not None}
        return cls(present, places, keys, files or {})

    def at(self, *steps: str | int, key: bool = False) -> Location | None:
        """The place of the value at the end of `steps`, of its key, or of the last step that has one."""
        if key and steps in self.keys:
            return self.keys[steps]
        for count in range(len(steps), -1, -1):
            if steps[:count] in self.places:
                return self.places[steps[:count]]
        return None

    def changed(self, at: Location | None, **values: Any) -> Section:
        """A copy with other values for some keys, located at `at`; arrays become lists, as in YAML."""
        if not values:
            return self
        places = {steps: place for steps, place in self.places.items() if not steps or steps[0] not in values}
        keys = {steps: place for steps, place in self.keys.items() if steps[0] not in values}
        if at is not None:
            places |= {(key,): at for key in values}
            places.setdefault((), at)
        plain = {key: v.tolist() if isinstance(v, np.ndarray) else v for key, v in values.items()}
        return Section({**self.data, **plain}, places, keys, self.files)


def _walk(node: Node, steps: Steps) -> Iterator[tuple[Steps, Location, Location | None]]:
    """The place of a node, and of all nodes in it with the places of their keys."""
    yield steps, node.at, None
    for key, entry in node.entries.items():
        for inner, at, place in _walk(entry.node, (*steps, key)):
            yield inner, at, entry.at if len(inner) == len(steps) + 1 else place
    for i, item in enumerate(node.items):
        yield from _walk(item, (*steps, i))
