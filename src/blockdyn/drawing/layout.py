"""The layout of a sketch: a graph for ELK, and the places of everything afterwards.

ELK places a diagram twice. The first time it receives only forward wires, and orders the blocks. The second
time it keeps that order and receives the feedback wires, which run below the blocks. A diagram with few
wires is laid out in two ways, and the one that is easier to follow is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .elk import laid_out
from .flow import Flow, every, flow_of
from .graph import graph_of, name_height
from .marks import Point
from .sketch import Line, Part, Sketch, owner
from .wires import effort, junctions, ways

_INSIDE = {"elk.layered.cycleBreaking.strategy": "INTERACTIVE"}  # of an open part: ELK inherits nothing
_COMPACT = {"elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX"}
_STRAIGHT = {"elk.layered.nodePlacement.strategy": "BRANDES_KOEPF"}
_MANY = 80  # wires: for 300 at random the network simplex takes half a minute, Brandes and Köpf's way 3 s
_FOR_MANY = {**_STRAIGHT, "elk.layered.thoroughness": "3"}
_IN_ORDER = {f"elk.layered.crossingMinimization.{key}": value for key, value in (
    ("strategy", "INTERACTIVE"), ("semiInteractive", "false"))}  # fmt: skip
_BY_VIEW = {"elk.layered.layering.strategy": "INTERACTIVE"}
_APART = 9.0  # px from lane to lane
_BESIDE = 4.0  # px from a pin to the first corner of its wire


@dataclass(slots=True)
class PartPlacement:
    """Place of a part: its corner and size, its pins by key."""

    part: Part
    x: float
    y: float
    width: float
    height: float
    pins: dict[str, Point] = field(default_factory=dict)


@dataclass(slots=True)
class SketchLayout:
    """Placements of the parts, outermost first, the corners of each wire, and the junctions of wires."""

    width: float
    height: float
    parts: list[PartPlacement]
    wires: list[tuple[Line, list[Point]]]
    junctions: list[tuple[Line, Point]]
    labels: dict[str, Point]  # corners of the labels of pins, by key


def lay_out(drawn: Sketch, labels: Mapping[str, Point] = MappingProxyType({})) -> SketchLayout:
    """Place a sketch. If the file has places of blocks, they define the columns and the order in them.

    `labels` are the sizes of the labels at outputs, by the keys of their pins.
    """
    ways = (_COMPACT, _STRAIGHT) if len(drawn.lines) <= _MANY else (_FOR_MANY,)
    tries = [_laid(drawn, labels, way) for way in ways]
    return min(tries, key=lambda laid: effort((line.source, points) for line, points in laid.wires))


def _laid(drawn: Sketch, labels: Mapping[str, Point], way: Mapping[str, str]) -> SketchLayout:
    """Compute one of the layouts of a sketch."""
    flow = flow_of(drawn)
    graph = graph_of(drawn, flow, labels, way)
    ahead = [edge for number, edge in graph["edges"].items() if number not in flow.back]
    answer = laid_out(graph | {"edges": ahead})
    view = {name: _read_point(place) for name, place in drawn.diagram.positions.items()}
    if view:
        places = _complete_places(view, answer)
        flow = flow_of(drawn, places)
        graph = graph_of(drawn, flow, labels, way)
        answer = _lay_out_again(graph, answer, places, _BY_VIEW)
    if flow.back:
        for number, lane in _lanes(drawn, flow, answer):
            graph["edges"][number]["sections"] = [_section(number, lane)]
        answer = _lay_out_again(graph, answer, _columns(answer), {})
    parts = [*_place_parts(answer, drawn.parts)]
    wires: list[tuple[Line, list[Point]]] = []
    for edge in answer["edges"]:
        line = drawn.lines[int(edge["id"][1:])]
        for section in edge.get("sections", ()):
            points = [section["startPoint"], *section.get("bendPoints", ()), section["endPoint"]]
            wires.append((line, _orthogonal([(p["x"], p["y"]) for p in points])))
    for placed in parts:
        wires += _self_loops(placed, drawn.lines, flow.self_loops.get(placed.part.path, ()))
    corners = dict(_corners(answer))
    return SketchLayout(answer["width"], answer["height"], parts, wires, [*junctions(wires)], corners)


def _self_loops(
    placed: PartPlacement, lines: Sequence[Line], numbers: Sequence[int]
) -> Iterator[tuple[Line, list[Point]]]:
    """The wires from a part to itself."""
    low = placed.y + placed.height + name_height(placed.part)
    for number, corners in zip(numbers, ways(numbers, lines, placed.pins, low), strict=True):
        yield lines[number], corners


def _lay_out_again(
    graph: dict[str, Any], answer: dict[str, Any], places: Mapping[str, Point], options: dict[str, str]
) -> dict[str, Any]:
    """Lay out a graph in the order of an answer, or of the positions of parts."""
    at = {node["id"]: (node["x"], node["y"]) for node in _nodes(answer)} | dict(places)
    for node in _nodes(graph):
        node["x"], node["y"] = at[node["id"]]
    for node in (graph, *_nodes(graph)):
        if "children" in node:
            node["layoutOptions"] |= _IN_ORDER if node is graph else _IN_ORDER | _INSIDE
    graph["layoutOptions"] |= options
    return laid_out(graph | {"edges": [*graph["edges"].values()]})


def _corners(node: dict[str, Any]) -> Iterator[tuple[str, Point]]:
    """Corners of the labels of pins."""
    for port in node.get("ports", ()):
        for text in port.get("labels", ()):
            yield port["id"], (text["x"], text["y"])
    for child in node.get("children", ()):
        yield from _corners(child)


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in node.get("children", ()):
        yield child
        yield from _nodes(child)


def _columns(answer: dict[str, Any]) -> dict[str, Point]:
    """The parts of each level, with aligned centres if they lie in one column."""
    places: dict[str, Point] = {}
    for level in (answer, *_nodes(answer)):
        column: list[dict[str, Any]] = []
        right = 0.0
        for node in [*sorted(level.get("children", ()), key=lambda node: node["x"]), None]:
            if column and (node is None or node["x"] >= right):
                centre = (min(each["x"] for each in column) + right) / 2
                places |= {each["id"]: (centre - each["width"] / 2, each["y"]) for each in column}
                column, right = [], 0.0
            if node is not None:
                column.append(node)
                right = max(right, node["x"] + node["width"])
    return places


def _lanes(drawn: Sketch, flow: Flow, answer: dict[str, Any]) -> Iterator[tuple[int, list[Point]]]:
    """The corners of feedback wires, level by level."""
    boxes: dict[str, Box] = {}
    pins: dict[str, Point] = {}
    for node in _nodes(answer):
        x, y, low = node["x"], node["y"], node["y"] + node["height"]
        low = max([low, *(text["y"] + text["height"] for text in node.get("labels", ()))])
        boxes[node["id"]] = Box(x, y, x + node["width"], low)
        pins |= {port["id"]: (port["x"], port["y"]) for port in node.get("ports", ())}
    for parts in (drawn.parts, *(part.inside for part in every(drawn.parts) if part.open)):
        turned = {part.path for part in parts if part.turn}
        back = {
            number for number in flow.back
            if not {owner(drawn.lines[number].source), owner(drawn.lines[number].target)} & turned
        }  # fmt: skip
        yield from lanes(parts, drawn.lines, back, boxes, pins).items()


def _section(number: int, corners: list[Point]) -> dict[str, Any]:
    points = [{"x": x, "y": y} for x, y in corners]
    return {"id": f"s{number}", "startPoint": points[0], "bendPoints": points[1:-1], "endPoint": points[-1]}


def _orthogonal(points: list[Point]) -> list[Point]:
    """Corners without the fraction of a px by which ELK's rounding tilts lines."""
    for i in range(len(points) - 1):
        (x, y), (to_x, to_y) = points[i], points[i + 1]
        at = i if i + 1 == len(points) - 1 and i > 0 else i + 1  # an end stays at its pin
        if y != to_y and abs(y - to_y) < 1 < abs(x - to_x):
            points[at] = (points[at][0], to_y if at == i else y)
    return points


def _complete_places(view: Mapping[str, Point], answer: dict[str, Any]) -> dict[str, Point]:
    """Positions of all outermost parts: from the file, or else from the free layout, shifted."""
    free = {child["id"]: (child["x"], child["y"]) for child in answer["children"]}
    fixed_names = [name for name in free if name in view]
    if not fixed_names:
        return {}
    shift = [sum(view[name][k] - free[name][k] for name in fixed_names) / len(fixed_names) for k in (0, 1)]
    return {name: view.get(name, (x + shift[0], y + shift[1])) for name, (x, y) in free.items()}


def _read_point(place: Any) -> Point:
    x, y = place["at"] if isinstance(place, dict) else place
    return float(x), float(y)


def _place_parts(answer: dict[str, Any], parts: list[Part]) -> Iterator[PartPlacement]:
    nodes = {node["id"]: node for node in answer.get("children", ())}
    for part in parts:
        node = nodes[part.path]
        pins = {port["id"]: (port["x"], port["y"]) for port in node.get("ports", ())}
        yield PartPlacement(part, node["x"], node["y"], node["width"], node["height"], pins)
        yield from _place_parts(node, part.inside)


@dataclass(frozen=True, slots=True)
class Box:
    """Edges of a part; `low` is the bottom."""

    left: float
    top: float
    right: float
    low: float


def lanes(
    parts: Sequence[Part],
    lines: Sequence[Line],
    back: set[int],
    boxes: dict[str, Box],
    pins: dict[str, Point],
) -> dict[int, list[Point]]:
    """The corners of the feedback wires of one level, by number.

    A lane lies below the blocks that its loop goes through, and below the blocks wired with these alone, and
    below lanes that are shorter: the loops of a cascade lie inside one another.
    """
    import networkx as nx

    names = {part.path for part in parts}
    ends = {
        number: (owner(line.source), owner(line.target))
        for number, line in enumerate(lines)
        if owner(line.source) in names and owner(line.target) in names
    }
    forward: Any = nx.DiGraph()  # empty: with edges at once, networkx imports pandas
    all_wires: Any = nx.DiGraph()
    forward.add_edges_from(pair for number, pair in ends.items() if number not in back)
    forward.add_nodes_from(names)
    all_wires.add_edges_from(ends.values())
    components = nx.strongly_connected_components(all_wires)
    groups = _groups(forward, {path for loop in components if len(loop) > 1 for path in loop})

    def size(number: int) -> tuple[float, float, int]:
        line = lines[number]
        (x, y), (to_x, _) = pins[line.source], pins[line.target]
        return round(x - to_x, 1), -y, number

    corners: dict[int, list[Point]] = {}
    taken: dict[int, tuple[set[str], float, float, float]] = {}
    heads: dict[str, set[str]] = {}
    tails: dict[str, set[str]] = {}
    for number in sorted((n for n in back if n in ends), key=size):
        line = lines[number]
        source, target = ends[number]
        if target not in heads:
            heads[target] = nx.descendants(forward, target) | {target}
        if source not in tails:
            tails[source] = nx.ancestors(forward, source) | {source}
        around = (heads[target] & tails[source]) | {source, target}
        around = around.union(*(group for group, near in groups if near and near <= around))
        (x, y), (to_x, to_y) = pins[line.source], pins[line.target]
        right, left = x + _BESIDE, to_x - _BESIDE
        low = max(boxes[path].low for path in around if boxes[path].right > left and boxes[path].left < right)
        for others, from_x, until, height in taken.values():
            if others & around and from_x < right and until > left:
                low = max(low, height)
        low += _APART
        taken[number] = around, left, right, low
        corners[number] = [(right, y), (right, low), (left, low), (left, to_y)]
    return corners


def _groups(forward: Any, loops: Collection[str]) -> list[tuple[set[str], set[str]]]:
    """Blocks outside loops, in connected groups, each with the blocks on loops that it is wired to."""
    import networkx as nx

    unlooped = forward.to_undirected().subgraph([path for path in forward if path not in loops])
    groups = []
    for group in nx.connected_components(unlooped):
        near = {other for path in group for other in nx.all_neighbors(forward, path)}
        groups.append((group, near & set(loops)))
    return groups
