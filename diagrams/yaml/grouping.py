"""Move blocks of a diagram's text into a subsystem; every wire that crosses its border gets a port."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...base.yaml.positions import Node
from ..model.arguments import checked_name
from ..model.errors import DiagramError
from ..model.section import Steps
from ..model.wire import End, read_end
from . import mentions
from .build import Chain
from .errors import EditError
from .values import flow, word
from .wiring import (
    block_of,
    chains,
    extend,
    port_names,
    put,
    signals_of,
    steps_of,
    unstarred,
    wire_item,
)

if TYPE_CHECKING:
    from .editing import DiagramText

_PORTS = ("Inport", "Outport")
CONTROLS = ("Enable", "Trigger", "While", "ForEach")
_NUMBERED = re.compile(r"[uy]\d*")  # names of ports that only repeat their place
NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


class _Crossing:
    """The ports of a new subsystem: one for every output whose wires lead into it or out of it."""

    def __init__(self, text: DiagramText, inside: str, name: str, chosen: Sequence[str]) -> None:
        self.text, self.inside, self.name, self.chosen = text, inside, name, set(chosen)
        self.taken = {*chosen, *signals_of(text, text.level(inside))}
        self.level = text.level(inside)
        blocks = text.part((*self.level, "blocks"))
        self.blocks = set(blocks.entries) if blocks is not None else set[str]()
        self.into: dict[str, str] = {}  # ports by the output that drives them, named in full
        self.out: dict[str, str] = {}

    def side(self, end: str) -> str:
        """Where an end is: "in" the subsystem, "out" of it, or a "signal" that reaches both."""
        block = block_of(end)
        return "in" if block in self.chosen else "out" if block in self.blocks else "signal"

    def steps(self, chain: Chain) -> Iterator[tuple[str, list[str]]]:
        """Every output of a chain with its destinations; a starred wire across the border is split."""
        for source, ends in steps_of(chain):
            if "*" in source and len({self.side(end) for end in (source, *ends)}) > 1:
                yield from unstarred(self.text, self.inside, source, ends)
            else:
                yield source, ends

    def full(self, end: str) -> str:
        """An output by block and port, so that `a`, `a.y` and `a[0]` are the same."""
        try:
            parts = read_end(end)
        except DiagramError:
            return end
        ports = self._ports(parts.block, output=True)
        port = parts.port
        if port is None and len(ports) == 1:
            port = ports[0]
        elif isinstance(port, int) and port < len(ports):
            port = ports[port]
        return str(End(parts.block, port))

    def _ports(self, block: str, *, output: bool) -> list[str]:
        if block not in self.blocks:
            return []
        return port_names(self.text, self.inside, block, output=output)

    def note(self, source: str, ends: Sequence[str]) -> None:
        """Make the ports that one output and its destinations require."""
        sides = {self.side(end) for end in ends}
        if self.side(source) == "out" and "in" in sides:
            port = next((read_end(end).port for end in ends if self.side(end) == "in"), None)
            self._port(self.into, source, port, block_of(source))
        if self.side(source) == "in" and "out" in sides:
            self.leave(source)

    def leave(self, source: str) -> None:
        """Make the output of the subsystem for a block's output."""
        port = self.full(source).partition(".")[2]
        self._port(self.out, source, None, port if port and not _NUMBERED.fullmatch(port) else "out")

    def _port(self, ports: dict[str, str], source: str, port: Any, otherwise: str) -> None:
        key = self.full(source)
        if key in ports:
            return
        named = isinstance(port, str) and not _NUMBERED.fullmatch(port)
        ports[key] = unused_name(port if named else otherwise, self.taken)
        self.taken.add(ports[key])

    def outer_end(self, port: str, ports: Mapping[str, str]) -> str:
        """The end at the subsystem, seen from outside: its name alone if it has one such port."""
        return self.name if len(ports) == 1 else f"{self.name}.{port}"

    def divide(self, chain: Chain, entered: set[str], left: set[str]) -> tuple[list[Chain], list[Chain]]:
        """Split a chain into chains outside and inside; the two sets hold ports that have their wire."""
        outer: list[Chain] = []
        inner: list[Chain] = []
        for source, ends in self.steps(chain):
            side = self.side(source)
            far = [end for end in ends if self.side(end) != "in"]
            near = [end for end in ends if self.side(end) == "in"]
            if side == "in":
                port = self.out.get(self.full(source), "")
                if far and port not in left:
                    near.append(port)
                    left.add(port)
                start = self.outer_end(port, self.out)
                extend(outer, start, far, mid=start == self.name and len(self.into) == 1)
                extend(inner, source, near)
            elif side == "out":
                port = self.into.get(self.full(source), "")
                if near and port not in entered:
                    far.append(self.outer_end(port, self.into))
                    entered.add(port)
                extend(outer, source, far)
                extend(inner, port, near)
            else:
                extend(outer, source, far)
                extend(inner, source, near)
        return outer, inner


def make_subsystem(text: DiagramText, name: str, paths: Sequence[str]) -> None:
    """Put blocks of one diagram into a new subsystem in their place."""
    inside = paths[0].rpartition("/")[0] if paths else ""
    level, earlier = text.level(inside), text.comments()
    _check_chosen(text, level, inside, name, paths)
    names = [each.rpartition("/")[2] for each in paths]
    order = [key for key in text.node(*level, "blocks").entries if key in names]
    crossing = _Crossing(text, inside, name, order)
    wires = list(chains(text, (*level, "wires")))
    for _, chain in wires:
        for source, ends in crossing.steps(chain):
            crossing.note(source, ends)
    leaving = {key: str(entry.node.value) for key, entry in entries_of(text, (*level, "signals"))}
    leaving = {key: end for key, end in leaving.items() if crossing.side(end) == "in"}
    for end in leaving.values():
        crossing.leave(end)
    entered, left = set[str](), set[str]()
    inner_lines: list[str] = []
    divided = []
    for i, chain in wires:
        outer, inner = crossing.divide(chain, entered, left)
        divided.append((i, chain, outer))
        inner_lines += text.lines(*level, "wires", i) if not outer and inner else map(wire_item, inner)
    inner_lines += [
        wire_item([end, crossing.out[crossing.full(end)]])
        for end in dict.fromkeys(leaving.values()) if crossing.out[crossing.full(end)] not in left
        and not left.add(crossing.out[crossing.full(end)])  # type: ignore[func-returns-value]
    ]  # fmt: skip
    entry = _entry(text, level, name, crossing, inner_lines)
    for key, end in leaving.items():
        text.set(
            *level, "signals", key, to=crossing.outer_end(crossing.out[crossing.full(end)], crossing.out)
        )
    text.insert_lines(*level, "blocks", lines=entry[0], values={name: entry[1]}, after=order[0])
    for i, chain, outer in reversed(divided):
        if not outer:
            text.cut(*level, "wires", i)
        elif outer != [chain]:
            put(text, (*level, "wires", i), outer)
    for key in order:
        path = f"{inside}/{key}" if inside else key
        mentions.move(text, path, f"{name}/{key}")
        text.cut(*level, "blocks", key)
        if text.part((*level, "view", key)) is not None:
            text.cut(*level, "view", key)
    text.return_comments(earlier, *level, "blocks", name)


def _entry(
    text: DiagramText, level: Steps, name: str, crossing: _Crossing, wires: Sequence[str]
) -> tuple[list[str], dict[str, Any]]:
    """The lines of a new subsystem, and their data."""
    from .source import parse

    order = [key for key in text.node(*level, "blocks").entries if key in crossing.chosen]
    parameters = _used_parameters(text, level, order)
    lines = [f"{word(name)}:", "  type: Subsystem"]
    if parameters:
        lines.append(f"  parameters: {flow({key: f'={key}' for key in parameters})}")
    lines.append("  diagram:")
    if parameters:
        lines.append(f"    parameters: {flow(parameters)}")
    lines.append("    blocks:")
    lines += [f"      {word(port)}: {{type: Inport}}" for port in crossing.into.values()]
    for key in order:
        lines += [f"      {line}" for line in text.lines(*level, "blocks", key)]
    lines += [f"      {word(port)}: {{type: Outport}}" for port in crossing.out.values()]
    if wires:
        lines += ["    wires:", *(f"      {line}" for line in wires)]
    shown = [key for key in order if text.part((*level, "view", key)) is not None]
    if shown:
        lines.append("    view:")
        for key in shown:
            lines += [f"      {line}" for line in text.lines(*level, "view", key)]
    lines = [line.rstrip(" ") if not line.strip() else line for line in lines]
    return lines, parse("\n".join(lines) + "\n", text.file).entries[name].node.plain()  # type: ignore[return-value]


def _used_parameters(text: DiagramText, level: Steps, names: Sequence[str]) -> dict[str, Any]:
    """Declarations, inside a new subsystem, of the parameters that its blocks' expressions use."""
    section = text.part((*level, "parameters"))
    declared = section.entries if section is not None else {}
    used: set[str] = set()
    for name in names:
        for _, value in expressions(text, (*level, "blocks", name)):
            used |= {*NAME.findall(value)}
    chosen: dict[str, Any] = {}
    for key, entry in declared.items():
        if key in used:
            rule = entry.node.entries
            if "option" in rule:
                raise EditError(
                    f"a chosen block uses the option `{key}`", "blocks that use parameters only",
                    key=key, location=entry.at,
                )  # fmt: skip
            chosen[key] = {"unit": rule["unit"].node.plain()} if "unit" in rule else {}
    return chosen


def _check_chosen(text: DiagramText, level: Steps, inside: str, name: str, paths: Sequence[str]) -> None:
    """Raise for blocks that cannot go into a subsystem, and for a name that is taken."""
    checked_name(name, "block")
    if not paths:
        raise EditError("no blocks for a subsystem", "the paths of one block or more")
    blocks = text.node(*level, "blocks").entries if text.part((*level, "blocks")) is not None else {}
    names = []
    for path in paths:
        text.block(path)
        if path.rpartition("/")[0] != inside:
            raise EditError(f"`{path}` is not in the diagram of `{paths[0]}`", "blocks of one diagram")
        names.append(path.rpartition("/")[2])
        kind = blocks[names[-1]].node.entries.get("type")
        if kind is not None and kind.node.value in (*_PORTS, *CONTROLS):
            raise EditError(
                f"`{path}`, {kind.node.value}, is a port or a control of this diagram",
                "blocks without the Inport, Outport, Enable and Trigger blocks of the diagram",
                path=path, location=blocks[names[-1]].at,
            )  # fmt: skip
        if text.part((*level, "when", names[-1])) is not None:
            raise EditError(f"`{path}` exists only under an option", "blocks without a condition in `when`")
    if name in blocks and name not in names:
        raise EditError(f"block `{name}` exists already", "another name", path=name, location=blocks[name].at)
    if name in names or name in signals_of(text, level):
        raise EditError(f"`{name}` is a name in the new subsystem's own diagrams", "another name", path=name)


def expressions(text: DiagramText, steps: Steps) -> Iterator[tuple[Steps, str]]:
    """Every expression in a block's entry, except in the diagram that it contains."""

    def visit(node: Node, at: Steps) -> Iterator[tuple[Steps, str]]:
        if isinstance(node.value, str) and node.value[:1] == "=":
            yield at, node.value
        for key, entry in node.entries.items():
            if not (len(at) == len(steps) and key == "diagram"):
                yield from visit(entry.node, (*at, key))
        for i, item in enumerate(node.items):
            yield from visit(item, (*at, i))

    return visit(text.node(*steps), steps)


def unused_name(base: str, names: Any) -> str:
    """A name that no block has: the base itself, or with a number."""
    number = 1
    while (name := base if number == 1 else f"{base}{number}") in names:
        number += 1
    return name


def entries_of(text: DiagramText, steps: Steps) -> list[tuple[str, Any]]:
    section = text.part(steps)
    return list(section.entries.items()) if section is not None else []


def corner_of(text: DiagramText, steps: Steps) -> tuple[float, float] | None:
    """The corner of a block that an entry of `view` gives; None without one."""
    node = text.part(steps)
    place: Any = None if node is None else node.plain()
    place = place.get("at") if isinstance(place, dict) else place
    return (place[0], place[1]) if isinstance(place, list) and len(place) == 2 else None


def mean_corner(corners: Any) -> tuple[int, int]:
    """The middle of the box around some corners, in whole px."""
    xs, ys = zip(*corners, strict=True)
    return round((min(xs) + max(xs)) / 2), round((min(ys) + max(ys)) / 2)
