"""Move the blocks of a subsystem of a diagram's text into the diagram around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..model.wire import read_end
from . import mentions
from .build import Chain
from .errors import EditError
from .grouping import CONTROLS, NAME, corner_of, entries_of, expressions, mean_corner, unused_name
from .wiring import (
    block_of,
    chain_text,
    chains,
    extend,
    is_middle,
    put,
    signals_of,
    steps_of,
    unstarred,
    wire_item,
)

if TYPE_CHECKING:
    from .editing import DiagramText

_MOVABLE = {"name", "doc", "icon", "parameters", "blocks", "wires", "signals", "view"}
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")


class _Inner:
    """The content of a subsystem, and the wiring of its ports on both sides."""

    def __init__(self, text: DiagramText, path: str) -> None:
        self.text, self.path = text, path
        self.inside, _, self.name = path.rpartition("/")
        self.level, self.section = text.level(self.inside), text.level(path)
        blocks = text.part((*self.section, "blocks"))
        entries = blocks.entries if blocks is not None else {}
        kinds = {
            key: str(e.node.entries["type"].node.value)
            for key, e in entries.items()
            if "type" in e.node.entries
        }
        self.inputs = _in_order(entries, [key for key in entries if kinds.get(key) == "Inport"])
        self.outputs = _in_order(entries, [key for key in entries if kinds.get(key) == "Outport"])
        self.moved = [key for key in entries if key not in {*self.inputs, *self.outputs}]
        self.controls = [key for key in entries if kinds.get(key) in CONTROLS]
        self.chains = list(chains(text, (*self.section, "wires")))
        self.readers: dict[str, list[str]] = {port: [] for port in self.inputs}
        self.sources: dict[str, str] = {}
        for _, chain in self.chains:
            for source, ends in self.steps(chain, self.path, {*self.inputs, *self.outputs}):
                self.sources |= {block_of(end): source for end in ends if block_of(end) in self.outputs}
                if block_of(source) in self.readers:
                    self.readers[block_of(source)] += [e for e in ends if block_of(e) not in self.outputs]
        self.drivers: dict[str, str] = {}
        for _, chain in chains(text, (*self.level, "wires")):
            for source, ends in self.steps(chain, self.inside, {self.name}):
                for end in ends:
                    if block_of(end) == self.name and (port := self.port(end, self.inputs)):
                        self.drivers[port] = source

    def steps(self, chain: Chain, inside: str, border: set[str]) -> Iterator[tuple[str, list[str]]]:
        """Every output of a chain with its destinations; a starred wire at a border block is split."""
        for source, ends in steps_of(chain):
            if "*" in source and border & {*map(block_of, (source, *ends))}:
                yield from unstarred(self.text, inside, source, ends)
            else:
                yield source, ends

    def port(self, end: str, ports: Sequence[str]) -> str:
        """The port that an end at the subsystem names; nothing where there is none."""
        number = read_end(end).port
        if number is None:
            return ports[0] if len(ports) == 1 else ""
        if isinstance(number, int):
            return ports[number] if number < len(ports) else ""
        return number if number in ports else ""

    def source(self, end: str) -> str | None:
        """The output, in the diagram around, that an end at an output of the subsystem stands for."""
        passed: set[str] = set()
        while block_of(end) == self.name and end not in passed:
            passed.add(end)
            inner = self.sources.get(self.port(end, self.outputs))
            if inner is None:
                return None
            if block_of(inner) not in self.readers:
                return inner
            end = self.drivers.get(block_of(inner), "")
        return end if end and block_of(end) != self.name else None

    def rest(self, chain: Chain) -> list[Chain]:
        """The rest of an inner chain without the ports, as chains."""
        pieces: list[Chain] = []
        for source, ends in self.steps(chain, self.path, {*self.inputs, *self.outputs}):
            if block_of(source) not in self.readers:
                extend(pieces, source, [end for end in ends if block_of(end) not in self.outputs])
        return pieces

    def joined(self, chain: Chain) -> list[Chain]:
        """The chains that an outer one becomes."""
        pieces: list[Chain] = []
        for source, ends in self.steps(chain, self.inside, {self.name}):
            start = self.source(source) if block_of(source) == self.name else source
            targets: list[str] = []
            for end in ends:
                at_port = block_of(end) == self.name
                targets += self.readers.get(self.port(end, self.inputs), []) if at_port else [end]
            if start is not None:
                extend(pieces, start, targets)
        return pieces


def dissolve_subsystem(text: DiagramText, path: str) -> None:
    """Put the blocks of a subsystem into the diagram around it, in its place."""
    earlier = text.comments()
    _check_content(text, path)
    _rename_clashes(text, path)
    _lift_parameters(text, path)
    inner = _Inner(text, path)
    _shift_places(text, inner)
    _close_inputs(text, inner)
    inner = _Inner(text, path)
    level, steps, name = inner.level, inner.section, inner.name
    lines = [line for key in inner.moved for line in text.lines(*steps, "blocks", key)]
    values = {key: text.get(*steps, "blocks", key) for key in inner.moved}
    outer = {i: inner.joined(chain) for i, chain in chains(text, (*level, "wires"))}
    wires: list[str] = []
    wire_values: list[Any] = []
    for i, chain in inner.chains:
        pieces, written = inner.rest(chain), text.lines(*steps, "wires", i)
        if pieces == [chain]:
            wire_values.append(text.get(*steps, "wires", i))
            wires += written
            continue
        pieces = [each for each in pieces if not _led_on(each, outer)]
        wire_values += map(chain_text, pieces)
        wires += _with_comment(written, pieces)
    signals = {key: str(entry.node.value) for key, entry in entries_of(text, (*steps, "signals"))}
    places = [key for key in inner.moved if text.part((*steps, "view", key)) is not None]
    shown = [line for key in places for line in text.lines(*steps, "view", key)]
    shown_values = {key: text.get(*steps, "view", key) for key in places}
    for i, chain in reversed(list(chains(text, (*level, "wires")))):
        if outer[i] != [chain]:
            put(text, (*level, "wires", i), outer[i])
    for key, entry in entries_of(text, (*level, "signals")):
        end = inner.source(str(entry.node.value))
        if end is not None and end != entry.node.value:
            text.set(*level, "signals", key, to=end)
    mentions.unnest(text, path, lambda suffix: inner.source(f"{name}{suffix}"))
    text.insert_lines(*text.section(inner.inside, "blocks"), lines=lines, values=values, after=name)
    if wire_values:
        text.insert_lines(*text.section(inner.inside, "wires"), lines=wires, values=wire_values)
    for key, end in signals.items():
        start = inner.drivers.get(block_of(end)) if block_of(end) in inner.readers else end
        if start is not None:
            text.insert(*text.section(inner.inside, "signals"), name=key, value=start)
    if shown_values:
        text.insert_lines(*text.section(inner.inside, "view"), lines=shown, values=shown_values)
    text.cut(*level, "blocks", name)
    mentions.forget(text, path)
    first = ("blocks", inner.moved[0]) if inner.moved else (next(iter(text.node(*level).entries)),)
    text.return_comments(earlier, *level, *first)


def _led_on(chain: Chain, outer: Mapping[int, list[Chain]]) -> bool:
    """Join a chain to one around that begins where it ends, or ends where it begins."""
    for pieces in outer.values():
        for piece in pieces:
            if is_middle(chain[-1]) and piece[0] == chain[-1]:
                piece[:0] = chain[:-1]
                return True
            if is_middle(piece[-1]) and piece[-1] == chain[0]:
                piece += chain[1:]
                return True
    return False


def _check_content(text: DiagramText, path: str) -> None:
    """Raise for a subsystem that contains more than blocks and wires."""
    steps = text.level(path)
    node = text.node(*steps)
    inner = _Inner(text, path)
    odd = [key for key in node.entries if key not in _MOVABLE]
    if inner.controls or odd:
        shown = f"the block `{inner.controls[0]}`" if inner.controls else f"`{odd[0]}`"
        raise EditError(
            f"subsystem `{path}` has {shown}",
            "a subsystem of blocks and wires alone",
            path=path,
            location=node.at,
        )
    for key, entry in entries_of(text, (*steps, "parameters")):
        if "option" in entry.node.entries or "choices" in entry.node.entries:
            raise EditError(
                f"subsystem `{path}` has the option `{key}`", "a subsystem without options", path=path
            )


def _rename_clashes(text: DiagramText, path: str) -> None:
    """Give other names to inner blocks whose names are taken around the subsystem."""
    inner = _Inner(text, path)
    outer = {*text.node(*inner.level, "blocks").entries, *signals_of(text, inner.level)} - {inner.name}
    signals = {key for key, _ in entries_of(text, (*inner.section, "signals"))}
    if clash := signals & outer:
        raise EditError(
            f"`{min(clash)}` is a signal in `{path}` and a name around it", "another name", path=path
        )
    taken = {*outer, *inner.moved, *signals, *inner.inputs, *inner.outputs}
    for key in inner.moved:
        if key in outer:
            free = unused_name(f"{inner.name}_{key}", taken)
            taken.add(free)
            text.rename_block(f"{path}/{key}", free)


def _lift_parameters(text: DiagramText, path: str) -> None:
    """Declare the parameters of a subsystem in the diagram around it, with the values they have here."""
    inside, _, name = path.rpartition("/")
    steps, level = text.level(path), text.level(inside)
    declared = dict(entries_of(text, (*steps, "parameters")))
    overrides = text.part((*text.block(path), "parameters"))
    given = overrides.plain() if overrides is not None else {}
    assert isinstance(given, dict)
    outer = {key for key, _ in entries_of(text, (*level, "parameters"))}
    renamed: dict[str, str] = {}
    added: dict[str, Any] = {}
    for key, entry in declared.items():
        value = given.get(key)
        if isinstance(value, str) and value[:1] == "=" and value[1:].strip() in outer:
            renamed[key] = value[1:].strip()
            continue
        renamed[key] = unused_name(key if key not in outer else f"{name}_{key}", {*outer, *renamed.values()})
        added[key] = entry.node.plain()
    for key, value in added.items():
        if key in given:
            value = {**value, "default": given[key]} if isinstance(value, dict) else given[key]
        else:
            value = _renamed(value, renamed)
        text.insert(*text.section(inside, "parameters"), name=renamed[key], value=value)
    for key in text.node(*text.level(path), "blocks").entries if renamed else ():
        for at, value in list(expressions(text, (*text.level(path), "blocks", key))):
            if (other := _renamed(value, renamed)) != value:
                text.set(*at, to=other)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """An expression with other names in it; in a mapping, in its default."""
    if isinstance(value, dict) and "default" in value:
        return {**value, "default": _renamed(value["default"], names)}
    if not isinstance(value, str) or value[:1] != "=":
        return value
    return NAME.sub(lambda match: names.get(match.group(), match.group()), value)


def _shift_places(text: DiagramText, inner: _Inner) -> None:
    """Move the places of blocks so that their middle is where the subsystem stands."""
    at = text.part((*inner.level, "view", inner.name))
    places = {key: corner_of(text, (*inner.section, "view", key)) for key in inner.moved}
    corners = {key: corner for key, corner in places.items() if corner is not None}
    if at is None or not corners:
        return
    around = corner_of(text, (*inner.level, "view", inner.name))
    assert around is not None
    middle = mean_corner(corners.values())
    dx, dy = (a - b for a, b in zip(around, middle, strict=True))
    for key, (x, y) in corners.items() if (dx, dy) != (0, 0) else ():
        text.place(f"{inner.path}/{key}", x + dx, y + dy)


def _close_inputs(text: DiagramText, inner: _Inner) -> None:
    """Put a Constant at each unconnected input of the subsystem that has a default."""
    taken = {*inner.moved, *inner.inputs, *inner.outputs, *text.node(*inner.level, "blocks").entries}
    for port in inner.inputs:
        default = text.part((*inner.section, "blocks", port, "default"))
        if port in inner.drivers or default is None or not inner.readers[port]:
            continue
        free = unused_name(f"{inner.name}_{port}", taken)
        taken.add(free)
        text.add_block(f"{inner.path}/{free}", {"type": "Constant", "value": default.plain()}, after=port)
        for end in inner.readers[port]:
            for _, chain in list(chains(text, (*inner.section, "wires"))):
                start = next((s for s, e in steps_of(chain) if block_of(s) == port and end in e), None)
                if start is not None:
                    text.disconnect(f"{inner.path}/{start}", f"{inner.path}/{end}")
                    break
            text.connect(f"{inner.path}/{free}", f"{inner.path}/{end}")


def _with_comment(lines: Sequence[str], chains: Sequence[Chain]) -> list[str]:
    """The chains that are left of a wire as lines, with the comments that it has."""
    last = next((line for line in reversed(lines) if line.startswith("-")), "")
    match = _COMMENT.search(last)
    around = [line for line in lines if line.lstrip().startswith("#")]
    items = [wire_item(chain) for chain in chains]
    if match and items:
        items[0] += f"  {match.group()}"
    elif match:
        around.append(match.group())
    return [*around, *items]


# ---- chains ----


def _in_order(entries: Mapping[str, Any], names: list[str]) -> list[str]:
    """Ports by number, then ports without a number in order of declaration."""

    def number(name: str) -> float:
        node = entries[name].node.entries.get("number")
        return node.node.value if node is not None and isinstance(node.node.value, int) else float("inf")

    return sorted(names, key=number)
