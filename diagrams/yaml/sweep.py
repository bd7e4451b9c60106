"""Sweep: the section `sweep` of a diagram's file, kept as data for blockdyn.sweeps to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...base.location import Location
from ...base.yaml.positions import Node
from ..model.diagram import Diagram
from ..model.gathered import Errors
from ..model.section import Section, Steps
from .errors import UnknownKey
from .robots import FILES
from .source import Source

DISTRIBUTIONS = {
    "normal": ("mean", "sd"),
    "uniform": ("low", "high"),
    "truncated": ("mean", "sd", "low", "high"),
    "lognormal": ("mean", "sd"),
    "gaussian": ("mean", "covariance"),
}
"""What each distribution of an axis is described by; blockdyn.sweeps has their equations."""
RANGES = ("values", "linspace", "logspace", "count")
"""The forms of an axis whose values are given one by one."""


def read_sweep(diagram: Diagram, node: Node, source: Source) -> None:
    """Declare the sweep of a diagram; each key by itself is known to be right.

    Gathers NotTrusted for files outside the diagram's folder, UnknownKey for a form that no axis has.
    """
    _check_axes(node, source.errors)
    with source.errors:
        diagram.sweep = _section(node, source)


def _section(node: Node, source: Source) -> Section:
    """The section with the place of everything in it. Raises NotTrusted."""
    places: dict[Steps, Location] = {}
    keys: dict[Steps, Location] = {}
    for steps, value, key in _walk(node, ()):
        places[steps] = value
        if key is not None:
            keys[steps] = key
    files: dict[str, Path] = {}
    entry = node.entries.get("file")
    if entry is not None and isinstance(entry.node.value, str):
        files[entry.node.value] = source.beside(entry.node.value, entry.node.at)
    data = {
        key: _data(entry.node, source) for key, entry in node.entries.items() if entry.node.value is not None
    }
    return Section(data, places, keys, files)


def _data(node: Node, source: Source) -> Any:
    """The plain value; the files of robots in it are those beside the diagram, or elsewhere with consent."""
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
    """Gather UnknownKey for axes of an unknown form, and for numbers that their distribution has not."""
    axes = node.entries.get("axes")
    known = (*RANGES, *DISTRIBUTIONS, "paths")
    for name, axis in axes.node.entries.items() if axes is not None else ():
        for form, inner in axis.node.entries.items():
            with errors:
                if form not in known:
                    raise UnknownKey(form, known, inside=f"axis `{name}`", location=inner.at)
            for number, value in inner.node.entries.items() if form in DISTRIBUTIONS else ():
                with errors:
                    if number not in DISTRIBUTIONS[form]:
                        raise UnknownKey(number, DISTRIBUTIONS[form], inside=f"`{form}`", location=value.at)


def _walk(node: Node, steps: Steps) -> Iterator[tuple[Steps, Location, Location | None]]:
    """The place of a node, and of all in it with that of its key."""
    yield steps, node.at, None
    for key, entry in node.entries.items():
        for inner, at, place in _walk(entry.node, (*steps, key)):
            yield inner, at, entry.at if len(inner) == len(steps) + 1 else place
    for i, item in enumerate(node.items):
        yield from _walk(item, (*steps, i))
