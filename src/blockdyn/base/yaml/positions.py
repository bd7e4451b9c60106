"""YAML values carry their positions in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..location import Location
from ..words import visible

Plain: TypeAlias = "bool | int | float | str | list[Any] | dict[str, Any] | None"


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, a list of nodes or a mapping of entries; `size` counts its values, `height` its levels."""

    value: bool | int | float | str | list[Node] | dict[str, Entry] | None
    at: Location
    size: int = 1
    height: int = 0

    @property
    def entries(self) -> dict[str, Entry]:
        """The entries of a mapping, none for anything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[Node]:
        """The items of a list, none for anything else."""
        return self.value if isinstance(self.value, list) else []

    def plain(self) -> Plain:
        """The value without positions."""
        if isinstance(self.value, dict):
            return {key: entry.node.plain() for key, entry in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def describe(self) -> str:
        """Describe the value in a few words, for an error."""
        match self.value:
            case None:
                return "nothing"
            case bool():
                return str(self.value).lower()
            case int() | float():
                return f"the number {self.value!r}"
            case str():
                text = self.value if len(self.value) <= 60 else self.value[:57] + "..."
                return f"the text `{visible(text, lines=False)}`"
            case list():
                return "a list"
            case _:
                return "a mapping"


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping: where it stands, and its value."""

    at: Location
    node: Node


def place(root: Node, steps: Sequence[str | int], *, key: bool = False) -> Location:
    """Location of the value at the end of `steps`, or of its key, or of the last step that exists."""
    at, node = root.at, root
    for step in steps:
        if isinstance(step, str) and step in node.entries:
            entry = node.entries[step]
            at, node = (entry.at if key else entry.node.at), entry.node
        elif isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            at = node.at
        else:
            break
    return at
