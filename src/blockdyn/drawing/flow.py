"""The flow of a diagram: the order of blocks from left to right, and the wires that lead back.

The entry of a loop decides which of its wires lead back. As in a textbook, the entry is the sum that
subtracts feedback. Otherwise it is the block that leaves the fewest blocks with feedback, and among equal
ones the first in the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .marks import Point
from .sketch import EAST, NORTH, SOUTH, WEST, Line, Part, Sketch, owner
from .wires import self_loops

_Wire = tuple[str, int, bool]  # its target, its number, whether it ends at a minus
_ENTRIES = 40  # blocks tried as the entry of a loop
_MOST_ROUND = 3  # inputs of a circle: from the left, from below, from above


@dataclass(slots=True)
class Flow:
    """The ordered parts of each level, and the numbers of the feedback wires of loops."""

    order: dict[str, int] = field(default_factory=dict)
    back: set[int] = field(default_factory=set)
    loops: set[int] = field(default_factory=set)  # numbers of the wires that lead forward in loops
    self_loops: dict[str, list[int]] = field(default_factory=dict)  # wires from a block to itself


def flow_of(drawn: Sketch, places: Mapping[str, Point] = MappingProxyType({})) -> Flow:
    """The flow of a sketch, level by level. Sums get their inputs from the left, and feedback from below.

    If places of the outermost parts are given, these define their order.
    """
    flow = Flow()
    labels = {pin.key: pin.label for part in every(drawn.parts) for pin in part.pins}
    lines = defaultdict(list)
    for number, line in enumerate(drawn.lines):
        lines[owner(line.source)].append((number, line))
    for parts in (drawn.parts, *(part.inside for part in every(drawn.parts) if part.open)):
        _level(parts, lines, labels, places if parts is drawn.parts else {}, flow)
    back = {drawn.lines[number].target: flow.order[owner(drawn.lines[number].source)] for number in flow.back}
    back |= {
        line.target: flow.order[owner(line.target)]
        for line in drawn.lines
        if owner(line.source) == owner(line.target)
    }
    looped = {owner(drawn.lines[number].target) for number in flow.loops | flow.back}
    for part in every(drawn.parts):
        _turn(part, back, part.path in looped)
    flow.self_loops = self_loops([*every(drawn.parts)], drawn.lines)
    return flow


def every(parts: Sequence[Part]) -> Iterator[Part]:
    """Parts and their content."""
    for part in parts:
        yield part
        yield from every(part.inside)


def _level(
    parts: Sequence[Part],
    lines: dict[str, list[tuple[int, Line]]],
    labels: dict[str, str],
    places: Mapping[str, Point],
    flow: Flow,
) -> None:
    """Order the parts of one level."""
    import networkx as nx

    rank = {part.path: number for number, part in enumerate(parts)}
    wires: dict[str, list[_Wire]] = {}
    graph: Any = nx.DiGraph()
    graph.add_nodes_from(rank)
    for path in rank:
        ends = [(owner(line.target), line.target, number) for number, line in lines[path]]
        wires[path] = [
            (target, number, labels.get(key) == "-")
            for target, key, number in ends
            if target in rank and target != path
        ]
        graph.add_edges_from((path, target) for target, _, _ in wires[path])
    loops = [loop for loop in nx.strongly_connected_components(graph) if len(loop) > 1]
    flow.loops |= {wire[1] for loop in loops for path in loop for wire in wires[path] if wire[0] in loop}
    if places:
        order = {path: number for number, path in enumerate(sorted(rank, key=places.__getitem__))}
        flow.back |= {
            number for path in rank for target, number, _ in wires[path] if order[target] < order[path]
        }
    else:
        for loop in loops:
            flow.back |= _enter_loop(loop, graph, rank, wires)
        graph.clear_edges()
        graph.add_edges_from(
            (path, target) for path in rank for target, number, _ in wires[path] if number not in flow.back
        )
        sorted_ = nx.lexicographical_topological_sort(graph, rank.__getitem__)
        order = {path: number for number, path in enumerate(sorted_)}
    flow.loops -= flow.back
    flow.order |= order


def _enter_loop(loop: set[str], graph: Any, rank: dict[str, int], wires: dict[str, list[_Wire]]) -> set[int]:
    """The feedback wires of a loop that is entered at the best block."""
    inside = {path: [wire for wire in wires[path] if wire[0] in loop] for path in loop}
    outside = {path: set(graph.pred[path]) - loop for path in rank if path in loop}
    entered = [path for path in outside if outside[path]]
    entries = sorted(entered, key=lambda path: min(map(rank.__getitem__, outside[path]))) or [*outside]
    subtracts = {target for path in loop for target, _, minus in inside[path] if minus}
    tries = [(entry not in subtracts, *_led_back(entry, inside)) for entry in entries[:_ENTRIES]]
    return min(tries, key=lambda each: each[:2])[2]


def _led_back(entry: str, wires: dict[str, list[_Wire]]) -> tuple[int, set[int]]:
    """Find the feedback wires of a loop by depth-first search from an entry, and count their blocks."""
    back: set[int] = set()
    closed = set()
    open_: dict[str, bool] = {entry: True}  # whether it is on the current path
    way = [(entry, iter(wires[entry]))]
    while way:
        path, pending = way[-1]
        for target, number, minus in pending:
            if target not in open_:
                open_[target] = True
                way.append((target, iter(wires[target])))
                break
            if open_[target]:
                back.add(number)
                if not minus:
                    closed.add(target)
        else:
            open_[path] = False
            way.pop()
    return len(closed), back


def _turn(part: Part, back: dict[str, int], looped: bool) -> None:
    """Turn the inputs of a circle: one from the left, feedback from below, longer loops further to the right.

    Other inputs come from above; outside of loops, subtracted ones come from below.
    """
    pins = [pin for pin in part.pins if pin.side != EAST]
    if part.turn or part.icon.shape != "circle" or not 1 < len(pins) <= _MOST_ROUND:
        return
    left = min(pins, key=lambda pin: back.get(pin.key, -1))
    left.side = WEST
    pins.remove(left)
    free = [SOUTH, NORTH]
    for pin in sorted(pins, key=lambda pin: (pin.key not in back, pin.label != "-")):
        if pin.key in back:
            pin.side = SOUTH
        else:
            pin.side = free[0 if pin.label == "-" and not looped else -1]
        if pin.side in free:
            free.remove(pin.side)
    part.pins.sort(key=lambda pin: back.get(pin.key, -1))
