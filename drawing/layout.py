"""Layout: a sketch as a graph for ELK, and where everything lies afterwards.

ELK places a diagram twice. The first time it sees only what leads forward, and orders the blocks. The second
time that order stays, and wires that lead back come in, below. Two ways to place blocks are tried where there
are few: the one that leaves less effort to the reader is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .effort import effort
from .elk import laid_out
from .flow import Flow, every, flow_of
from .lanes import Box, lanes
from .marks import Point
from .sketch import EAST, NORTH, OUTSIDE, SOUTH, WEST, Line, Part, Sketch
from .type_widths import cut, width_of

NAME, LABEL = 9.0, 7.5  # sizes of type: names below blocks, labels at pins
_PITCH = 15.0  # between pins
_LONGEST = 130.0  # px of a name
_ROOT = {
    "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL",
    "elk.hierarchyHandling": "INCLUDE_CHILDREN", "elk.json.shapeCoords": "ROOT",
    "elk.json.edgeCoords": "ROOT",
    "elk.padding": "[top=14,left=14,bottom=14,right=14]", "elk.randomSeed": "1",
    "elk.layered.cycleBreaking.strategy": "MODEL_ORDER", "elk.layered.feedbackEdges": "true",
    "elk.layered.thoroughness": "10",
    "elk.layered.spacing.nodeNodeBetweenLayers": "34", "elk.layered.spacing.edgeNodeBetweenLayers": "14",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "9", "elk.spacing.nodeNode": "20",
    "elk.spacing.edgeNode": "12", "elk.spacing.edgeEdge": "9", "elk.spacing.componentComponent": "30",
    "elk.spacing.portPort": "8", "elk.spacing.labelNode": "2",
}  # fmt: skip
_INSIDE = {"elk.layered.cycleBreaking.strategy": "INTERACTIVE"}  # of an open part: ELK hands nothing down
_COMPACT = {"elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX"}
_STRAIGHT = {"elk.layered.nodePlacement.strategy": "BRANDES_KOEPF"}
_MANY = 80  # wires: for 300 at random the network simplex takes half a minute, Brandes and Köpf's way 3 s
_FOR_MANY = {**_STRAIGHT, "elk.layered.thoroughness": "3"}
_IN_ORDER = {f"elk.layered.crossingMinimization.{key}": value for key, value in (
    ("strategy", "INTERACTIVE"), ("semiInteractive", "false"))}  # fmt: skip
_BY_VIEW = {"elk.layered.layering.strategy": "INTERACTIVE"}


@dataclass(slots=True)
class Placed:
    """Where a part lies: its corner and size, its pins by key."""

    part: Part
    x: float
    y: float
    width: float
    height: float
    pins: dict[str, Point] = field(default_factory=dict)


@dataclass(slots=True)
class Laid:
    """Everything placed: parts from the outside in, each wire as its corners, the junctions of wires."""

    width: float
    height: float
    parts: list[Placed]
    wires: list[tuple[Line, list[Point]]]
    junctions: list[tuple[Line, Point]]
    labels: dict[str, Point]  # corners of what stands at pins, by key


def lay_out(drawn: Sketch, labels: Mapping[str, Point] = MappingProxyType({})) -> Laid:
    """Place a sketch. Where the file says where blocks are, columns and the order in them are as it says.

    `labels` are the sizes of what shall stand at outputs, by the keys of their pins.
    """
    ways = (_COMPACT, _STRAIGHT) if len(drawn.lines) <= _MANY else (_FOR_MANY,)
    tries = [_laid(drawn, labels, way) for way in ways]
    return min(tries, key=lambda laid: effort((line.source, points) for line, points in laid.wires))


def _laid(drawn: Sketch, labels: Mapping[str, Point], way: Mapping[str, str]) -> Laid:
    """Place a sketch in one way."""
    flow = flow_of(drawn)
    graph = _graph(drawn, flow, labels, way)
    ahead = [edge for number, edge in graph["edges"].items() if number not in flow.back]
    answer = laid_out(graph | {"edges": ahead})
    view = {name: _at(place) for name, place in drawn.diagram.view.items()}
    if view:
        places = _completed(view, answer)
        flow = flow_of(drawn, places)
        graph = _graph(drawn, flow, labels, way)
        answer = _again(graph, answer, places, _BY_VIEW)
    if flow.back:
        for number, lane in _lanes(drawn, flow, answer):
            graph["edges"][number]["sections"] = [_section(number, lane)]
        answer = _again(graph, answer, _columns(answer), {})
    parts = [*_placed(answer, drawn.parts)]
    wires, junctions = [], []
    for edge in answer["edges"]:
        line = drawn.lines[int(edge["id"][1:])]
        for section in edge.get("sections", ()):
            points = [section["startPoint"], *section.get("bendPoints", ()), section["endPoint"]]
            wires.append((line, _orthogonal([(p["x"], p["y"]) for p in points])))
        junctions += [(line, (p["x"], p["y"])) for p in edge.get("junctionPoints", ())]
    corners = dict(_corners(answer))
    return Laid(answer["width"], answer["height"], parts, wires, junctions, corners)


def _again(
    graph: dict[str, Any], answer: dict[str, Any], places: Mapping[str, Point], options: dict[str, str]
) -> dict[str, Any]:
    """Lay a graph out in the order of an answer, or of the places of parts."""
    at = {node["id"]: (node["x"], node["y"]) for node in _nodes(answer)} | dict(places)
    for node in _nodes(graph):
        node["x"], node["y"] = at[node["id"]]
    for node in (graph, *_nodes(graph)):
        if "children" in node:
            node["layoutOptions"] |= _IN_ORDER if node is graph else _IN_ORDER | _INSIDE
    graph["layoutOptions"] |= options
    return laid_out(graph | {"edges": [*graph["edges"].values()]})


def _corners(node: dict[str, Any]) -> Iterator[tuple[str, Point]]:
    """Where the labels of pins lie."""
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
    """The parts of each level with their centres above one another, where they lie in one column."""
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
    """The corners of wires that lead back, level by level."""
    boxes: dict[str, Box] = {}
    pins: dict[str, Point] = {}
    for node in _nodes(answer):
        x, y, low = node["x"], node["y"], node["y"] + node["height"]
        low = max([low, *(text["y"] + text["height"] for text in node.get("labels", ()))])
        boxes[node["id"]] = Box(x, y, x + node["width"], low)
        pins |= {port["id"]: (port["x"], port["y"]) for port in node.get("ports", ())}
    for parts in (drawn.parts, *(part.inside for part in every(drawn.parts) if part.open)):
        yield from lanes(parts, drawn.lines, flow.back, boxes, pins).items()


def _section(number: int, corners: list[Point]) -> dict[str, Any]:
    points = [{"x": x, "y": y} for x, y in corners]
    return {"id": f"s{number}", "startPoint": points[0], "bendPoints": points[1:-1], "endPoint": points[-1]}


def _orthogonal(points: list[Point]) -> list[Point]:
    """Corners without the fraction of a px by which ELK's rounding lets lines lean."""
    for i in range(len(points) - 1):
        (x, y), (to_x, to_y) = points[i], points[i + 1]
        at = i if i + 1 == len(points) - 1 and i > 0 else i + 1  # an end stays at its pin
        if y != to_y and abs(y - to_y) < 1 < abs(x - to_x):
            points[at] = (points[at][0], to_y if at == i else y)
    return points


def _completed(view: Mapping[str, Point], answer: dict[str, Any]) -> dict[str, Point]:
    """Places of all outermost parts: those of the file, the others as far from these as in a free layout."""
    free = {child["id"]: (child["x"], child["y"]) for child in answer["children"]}
    known = [name for name in free if name in view]
    if not known:
        return {}
    shift = [sum(view[name][k] - free[name][k] for name in known) / len(known) for k in (0, 1)]
    return {name: view.get(name, (x + shift[0], y + shift[1])) for name, (x, y) in free.items()}


def _at(place: Any) -> Point:
    x, y = place["at"] if isinstance(place, dict) else place
    return float(x), float(y)


def _graph(drawn: Sketch, flow: Flow, labels: Mapping[str, Point], way: Mapping[str, str]) -> dict[str, Any]:
    """A sketch for ELK, its edges by the numbers of the wires."""
    pins = {pin.key for part in every(drawn.parts) for pin in part.pins}
    return {
        "id": "",
        "layoutOptions": _ROOT | dict(way),
        "children": _children(drawn.parts, flow, labels),
        "edges": {
            i: {
                "id": f"e{i}", "sources": [line.source], "targets": [line.target],
                "layoutOptions": {
                    "elk.layered.priority.straightness": "10" if i in flow.loops or i in flow.back else "4"
                },
            }
            for i, line in enumerate(drawn.lines)
            if line.source in pins and line.target in pins
        },
    }  # fmt: skip


def _children(parts: list[Part], flow: Flow, labels: Mapping[str, Point]) -> list[dict[str, Any]]:
    return [_node(part, flow, labels) for part in sorted(parts, key=lambda part: flow.order[part.path])]


def _node(part: Part, flow: Flow, labels: Mapping[str, Point]) -> dict[str, Any]:
    width, height = size_of(part, labels)
    node: dict[str, Any] = {
        "id": part.path, "width": width, "height": height,
        "layoutOptions": {
            "elk.portConstraints": "FIXED_ORDER" if part.open else "FIXED_POS",
            "elk.portLabels.placement": "OUTSIDE ALWAYS_OTHER_SAME_SIDE",
        },
        "ports": [_port(part, number, width, height, labels) for number in range(len(part.pins))],
    }  # fmt: skip
    if part.name:
        text = cut(part.name, max(_LONGEST, width), NAME)
        node["labels"] = [{"text": text, "width": width_of(text, NAME), "height": NAME + 3}]
        node["layoutOptions"]["elk.nodeLabels.placement"] = (
            "OUTSIDE H_RIGHT V_BOTTOM H_PRIORITY" if part.name_beside else "OUTSIDE V_BOTTOM H_CENTER"
        )
    if part.open:
        del node["width"], node["height"]
        node["children"] = _children(part.inside, flow, labels)
        wide = 12 + max((width_of(pin.label, LABEL) for pin in part.pins), default=0.0)
        node["layoutOptions"]["elk.padding"] = (
            f"[top=18,left={wide + 14:.0f},bottom=16,right={wide + 14:.0f}]"
        )
    return node


def size_of(part: Part, labels: Mapping[str, Point] = MappingProxyType({})) -> Point:
    """The size of a folded part: that of its icon, and more where its pins need it."""
    width, height = part.icon.size
    sides = {side: [pin for pin in part.pins if pin.side == side] for side in (WEST, EAST, NORTH, SOUTH)}
    most = max(len(sides[WEST]), len(sides[EAST]))
    height = max(height, _PITCH * most + (6 if most > 1 else 0))
    if len(sides[EAST]) > 1:
        tallest = max((labels[pin.key][1] + 4 for pin in sides[EAST] if pin.key in labels), default=0.0)
        height = max(height, max(_PITCH, tallest) * (len(sides[EAST]) - 1) + 20)
    if part.icon.shape not in OUTSIDE:
        texts = [
            max((width_of(pin.label, LABEL) for pin in sides[side]), default=0.0) for side in (WEST, EAST)
        ]
        if any(texts):
            width = max(width, sum(texts) + 16) if _is_blank(part) else width + sum(texts) + 8
    return 2 * round(width / 2), 2 * round(height / 2)


def _is_blank(part: Part) -> bool:
    icon = part.icon
    return not (icon.text or icon.has_picture or icon.fraction or icon.matrix)


def _port(
    part: Part, number: int, width: float, height: float, labels: Mapping[str, Point]
) -> dict[str, Any]:
    """A pin, at its place on its side."""
    pin = part.pins[number]
    same = [each.key for each in part.pins if each.side == pin.side]
    place = same.index(pin.key)
    if pin.side in (SOUTH, WEST):  # ELK counts clockwise
        order = len(same) - 1 - place
    else:
        order = place
    start = {NORTH: 0, EAST: 1000, SOUTH: 2000, WEST: 3000}[pin.side]
    options = {"elk.port.side": pin.side, "elk.port.index": str(start + order)}
    port: dict[str, Any] = {"id": pin.key, "width": 0, "height": 0, "layoutOptions": options}
    width_at = width_of(pin.label, LABEL) + 6 if pin.label and part.icon.shape in ("bar", "bus") else 0.0
    if room := labels.get(pin.key, (width_at, LABEL) if width_at else None):
        port["labels"] = [{"text": "-", "width": room[0], "height": room[1]}]
    if not part.open:
        pitch = _PITCH
        if pin.side == EAST:
            pitch = max([pitch, *(labels[key][1] + 4 for key in same if key in labels)])
        if part.icon.shape == "circle" and pin.side == SOUTH:
            pitch = width / 2
        along = pitch * (place - (len(same) - 1) / 2)
        low = _low_of_circle(along, height) if part.icon.shape == "circle" else height
        port["x"], port["y"] = {
            WEST: (0, height / 2 + along), EAST: (width, height / 2 + along),
            NORTH: (width / 2 + along, 0), SOUTH: (width / 2 + along, low),
        }[pin.side]  # fmt: skip
    return port


def _low_of_circle(along: float, size: float) -> float:
    """How low a circle is beside its middle."""
    return size / 2 + math.sqrt(size**2 / 4 - along**2)


def _placed(answer: dict[str, Any], parts: list[Part]) -> Iterator[Placed]:
    nodes = {node["id"]: node for node in answer.get("children", ())}
    for part in parts:
        node = nodes[part.path]
        pins = {port["id"]: (port["x"], port["y"]) for port in node.get("ports", ())}
        yield Placed(part, node["x"], node["y"], node["width"], node["height"], pins)
        yield from _placed(node, part.inside)
