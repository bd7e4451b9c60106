"""blockdyn.diagrams.yaml checks and reads the key `sweep` of a diagram's file by this section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.yaml.positions import Node
from ..diagrams.model.gathered import Errors
from ..diagrams.model.section import Section
from ..diagrams.yaml.errors import unknown_key
from ..diagrams.yaml.machines import FILES
from ..diagrams.yaml.sections import FileSection
from ..diagrams.yaml.source import Source
from .declare.schema import AXIS, FORMS, SWEEP


def read_sweep(node: Node, source: Source) -> Section:
    """The section as data; its axes and measures are interpreted when the sweep is made.

    Raises NotTrusted for files outside the diagram's folder, gathers YamlError for an unknown form of axis.
    """
    _check_axes(node, source.errors)
    files: dict[str, Path] = {}
    entry = node.entries.get("file")
    if entry is not None and isinstance(entry.node.value, str):
        files[entry.node.value] = source.beside(entry.node.value, entry.node.at)
    data = {key: _data(entry.node, source) for key, entry in node.entries.items()}
    return Section.of(node, data, files)


def _data(node: Node, source: Source) -> Any:
    """The plain value; files of robots in it lie next to the diagram, or elsewhere with consent."""
    if isinstance(node.value, list):
        return [_data(item, source) for item in node.items]
    if not isinstance(node.value, dict):
        return node.value
    return {
        key: str(source.beside(entry.node.value, entry.node.at))
        if key in FILES and isinstance(entry.node.value, str)
        else _data(entry.node, source)
        for key, entry in node.entries.items()
    }


def _check_axes(node: Node, errors: Errors) -> None:
    """Gather YamlError for axes of an unknown form, and for numbers that their distribution does not have."""
    axes = node.entries.get("axes")
    for name, axis in axes.node.entries.items() if axes is not None else ():
        for form, inner in axis.node.entries.items():
            with errors:
                if form not in FORMS:
                    raise unknown_key(form, list(FORMS), inside=f"axis `{name}`", location=inner.at)
            numbers = FORMS.get(form, {}).get("properties")
            for number, value in inner.node.entries.items() if numbers else ():
                with errors:
                    if number not in numbers:
                        raise unknown_key(number, list(numbers), inside=f"`{form}`", location=value.at)


SECTIONS = (FileSection("sweep", SWEEP, read_sweep, {"Axis": AXIS}),)
