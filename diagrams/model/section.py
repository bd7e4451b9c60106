"""Section: a part of a diagram's file that others read, as plain data with the place of every value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ...base.location import Location

Steps: TypeAlias = "tuple[str | int, ...]"
"""The keys and list positions that lead to a value."""


@dataclass(frozen=True)
class Section:
    """Data as YAML has it.

    `places` says where values stand, `keys` where the keys do that they stand under; `files` are the paths of
    the files that the section names, by what it calls them.
    """

    data: Mapping[str, Any]
    places: Mapping[Steps, Location] = field(default_factory=dict, repr=False)
    keys: Mapping[Steps, Location] = field(default_factory=dict, repr=False)
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)

    def at(self, *steps: str | int, key: bool = False) -> Location | None:
        """Where the value at the end of `steps` stands, or its key, or the last of them that has a place."""
        if key and steps in self.keys:
            return self.keys[steps]
        for count in range(len(steps), -1, -1):
            if steps[:count] in self.places:
                return self.places[steps[:count]]
        return None

    def changed(self, at: Location | None, **values: Any) -> Section:
        """With other values for some keys, which stand at `at`."""
        if not values:
            return self
        places = {steps: place for steps, place in self.places.items() if not steps or steps[0] not in values}
        keys = {steps: place for steps, place in self.keys.items() if steps[0] not in values}
        if at is not None:
            places |= {(key,): at for key in values}
            places.setdefault((), at)
        return Section({**self.data, **values}, places, keys, self.files)
