"""Find the places where a diagram's text names a block besides its declaration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..model.section import Steps
from .build import Chain
from .wiring import block_of, chains, joined, put

if TYPE_CHECKING:
    from .editing import DiagramText


def remove(text: DiagramText, path: str) -> None:
    """Take a block out of wires, signals, logs, the view and the inputs."""
    inside, _, name = path.rpartition("/")
    level = text.level(inside)
    for i, chain in reversed(list(chains(text, (*level, "wires")))):
        left = _without(chain, name)
        if left != [chain]:
            put(text, (*level, "wires", i), left)
    for steps, value in _text_entries(text, (*level, "signals")):
        if block_of(value) == name:
            text.remove(*steps)
    for steps, value in reversed(list(_log_items(text, path))):
        if _path(value, steps, path) is not None:
            text.remove(*steps)
    for steps in _keys(text, level, name):
        text.remove(*steps)


def rename(text: DiagramText, path: str, name: str) -> None:
    """Rename a block in wires, signals, logs, the view and the inputs."""
    inside, _, old = path.rpartition("/")
    level = text.level(inside)
    mention = re.compile(rf"(?<![\w.]){re.escape(old)}(?=$|[\s,.\[\]-])")
    wires = (*level, "wires")
    for i, _ in list(chains(text, wires)):
        item = text.node(*wires, i)
        for steps in [(*wires, i)] if isinstance(item.value, str) else list(_texts(text, (*wires, i))):
            _replace(text, steps, mention, name)
    for steps, _ in list(_text_entries(text, (*level, "signals"))):
        _replace(text, steps, mention, name)
    for steps, value in list(_log_items(text, path)):
        suffix = _path(value, steps, path)
        if suffix is not None:
            text.set(*steps, to=f"{value[: len(value) - len(suffix) - len(old)]}{name}{suffix}")
    for steps in _keys(text, level, old):
        text.rename(*steps, to=name)


def move(text: DiagramText, path: str, name: str) -> None:
    """Name a block in logs by the path that it gets in the same diagram."""
    old = path.rpartition("/")[2]
    for steps, value in list(_log_items(text, path)):
        suffix = _path(value, steps, path)
        if suffix is not None:
            text.set(*steps, to=f"{value[: len(value) - len(suffix) - len(old)]}{name}{suffix}")


def unnest(text: DiagramText, path: str, source: Callable[[str], str | None]) -> None:
    """Name blocks of a subsystem in logs as blocks of the diagram around it; `source` gives an output's."""
    name = path.rpartition("/")[2]
    for steps, value in reversed(list(_log_items(text, path))):
        suffix = _path(value, steps, path)
        if suffix is None:
            continue
        around = value[: len(value) - len(suffix) - len(name)]
        end = suffix[1:] if suffix[:1] == "/" else source(suffix)
        if end is None:
            text.remove(*steps)
        else:
            text.set(*steps, to=f"{around}{end}")


def forget(text: DiagramText, path: str) -> None:
    """Take a block out of the view and the inputs."""
    inside, _, name = path.rpartition("/")
    for steps in _keys(text, text.level(inside), name):
        text.remove(*steps)


def _replace(text: DiagramText, steps: Steps, mention: re.Pattern[str], name: str) -> None:
    value = text.node(*steps).value
    if isinstance(value, str) and mention.search(value):
        text.set(*steps, to=mention.sub(lambda _: name, value))


def _without(chain: Chain, name: str) -> list[Chain]:
    """The rest of a chain without a block, as chains."""
    pieces: list[Chain] = [[]]
    for end in chain:
        if isinstance(end, list):
            ends = [each for each in end if block_of(each) != name]
            pieces[-1] += [ends] if len(ends) > 1 else ends
        elif block_of(end) == name:
            pieces.append([])
        else:
            pieces[-1].append(end)
    return joined(pieces)


def _texts(text: DiagramText, steps: Steps) -> Iterator[Steps]:
    """The texts in a value."""
    node = text.node(*steps)
    if isinstance(node.value, str):
        yield steps
    for key in node.entries:
        yield from _texts(text, (*steps, key))
    for i in range(len(node.items)):
        yield from _texts(text, (*steps, i))


def _text_entries(text: DiagramText, steps: Steps) -> list[tuple[Steps, str]]:
    """The entries of a section whose values are text."""
    section = text.part(steps)
    entries = section.entries if section is not None else {}
    return [((*steps, key), str(entry.node.value)) for key, entry in entries.items()]


def _log_items(text: DiagramText, path: str) -> Iterator[tuple[Steps, str]]:
    """The items of `log` in all diagrams around a block."""
    names = path.split("/")[:-1]
    for depth in range(len(names) + 1):
        steps = (*text.level("/".join(names[:depth])), "log")
        section = text.part(steps)
        for i, item in enumerate(section.items if section is not None else ()):
            if isinstance(item.value, str):
                yield (*steps, i), item.value


def _path(value: str, steps: Steps, path: str) -> str | None:
    """The rest of a logged path after the block; None if it is not about the block."""
    depth = steps.count("diagram")
    prefix = "/".join(path.split("/")[depth:])
    suffix = value.removeprefix(prefix)
    return suffix if value.startswith(prefix) and (not suffix or suffix[0] in "./[") else None


def _keys(text: DiagramText, level: Steps, name: str) -> list[Steps]:
    """The keys of view, conditions and inputs that are a block's name."""
    places = ((*level, "view", name), (*level, "when", name), (*level, "simulate", "inputs", name))
    return [steps for steps in places if text.part(steps) is not None]
