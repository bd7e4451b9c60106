"""Layout: a sketch as a graph for ELK, and where everything lies afterwards.

ELK prefers to bring feedback back above the blocks. It is asked for the mirror image, top for bottom, so that
more of it lies below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .elk import laid_out
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
    "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST", "elk.layered.feedbackEdges": "true",
    "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX", "elk.layered.thoroughness": "10",
    "elk.layered.spacing.nodeNodeBetweenLayers": "34", "elk.layered.spacing.edgeNodeBetweenLayers": "14",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "9", "elk.spacing.nodeNode": "20",
    "elk.spacing.edgeNode": "12", "elk.spacing.edgeEdge": "9", "elk.spacing.componentComponent": "30",
    "elk.spacing.portPort": "8", "elk.spacing.labelNode": "2",
}  # fmt: skip
_MANY = 80  # wires: the network simplex takes half a minute for 300 at random, Brandes and Köpf's way 3 s
_FOR_MANY = {"elk.layered.nodePlacement.strategy": "BRANDES_KOEPF", "elk.layered.thoroughness": "3"}
_BY_VIEW = {
    f"elk.layered.{step}.strategy": "INTERACTIVE"
    for step in ("cycleBreaking", "layering", "crossingMinimization")
} | {"elk.layered.crossingMinimization.semiInteractive": "false"}


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
    answer = laid_out(_graph(drawn, {}, labels))
    view = {name: _at(place) for name, place in drawn.diagram.view.items()}
    if view:
        answer = laid_out(_graph(drawn, _completed(view, answer), labels))
    low = answer["height"]
    parts = [*_placed(answer, drawn.parts, low)]
    lines = dict(enumerate(drawn.lines))
    wires, junctions = [], []
    for edge in answer["edges"]:
        line = lines[int(edge["id"][1:])]
        for section in edge.get("sections", ()):
            points = [section["startPoint"], *section.get("bendPoints", ()), section["endPoint"]]
            wires.append((line, _orthogonal([(p["x"], low - p["y"]) for p in points])))
        junctions += [(line, (p["x"], low - p["y"])) for p in edge.get("junctionPoints", ())]
    corners = dict(_corners(answer, low))
    return Laid(answer["width"], answer["height"], parts, wires, junctions, corners)


def _corners(node: dict[str, Any], low: float) -> Iterator[tuple[str, Point]]:
    """Where the labels of pins lie."""
    for port in node.get("ports", ()):
        for text in port.get("labels", ()):
            yield port["id"], (text["x"], low - text["y"] - text["height"])
    for child in node.get("children", ()):
        yield from _corners(child, low)


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
    return float(x), -float(y)


def _graph(drawn: Sketch, view: Mapping[str, Point], labels: Mapping[str, Point]) -> dict[str, Any]:
    pins = {pin.key for part in _all(drawn.parts) for pin in part.pins}
    return {
        "id": "",
        "layoutOptions": _ROOT | (_FOR_MANY if len(drawn.lines) > _MANY else {}) | (_BY_VIEW if view else {}),
        "children": [_node(part, labels) | _place(view.get(part.path)) for part in drawn.parts],
        "edges": [
            {"id": f"e{i}", "sources": [line.source], "targets": [line.target]}
            for i, line in enumerate(drawn.lines)
            if line.source in pins and line.target in pins
        ],
    }


def _place(point: Point | None) -> dict[str, float]:
    return {} if point is None else {"x": point[0], "y": point[1]}


def _all(parts: list[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from _all(part.inside)


def _node(part: Part, labels: Mapping[str, Point]) -> dict[str, Any]:
    width, height = size_of(part, labels)
    node: dict[str, Any] = {
        "id": part.path, "width": width, "height": height,
        "layoutOptions": {
            "elk.portConstraints": "FIXED_ORDER", "elk.portLabels.placement": "OUTSIDE ALWAYS_SAME_SIDE",
        },
        "ports": [_port(part, number, width, height, labels) for number in range(len(part.pins))],
    }  # fmt: skip
    if part.name:
        text = cut(part.name, max(_LONGEST, width), NAME)
        node["labels"] = [{"text": text, "width": width_of(text, NAME), "height": NAME + 3}]
        node["layoutOptions"]["elk.nodeLabels.placement"] = (
            "OUTSIDE H_RIGHT V_TOP H_PRIORITY" if part.name_beside else "OUTSIDE V_TOP H_CENTER"
        )
    if part.open:
        del node["width"], node["height"]
        node["children"] = [_node(each, labels) for each in part.inside]
        wide = 12 + max((width_of(pin.label, LABEL) for pin in part.pins), default=0.0)
        node["layoutOptions"]["elk.padding"] = (
            f"[top=18,left={wide + 14:.0f},bottom=16,right={wide + 14:.0f}]"
        )
    elif part.icon.shape in ("circle", "triangle"):
        node["layoutOptions"]["elk.portConstraints"] = "FIXED_POS"
    return node


def size_of(part: Part, labels: Mapping[str, Point] = MappingProxyType({})) -> Point:
    """The size of a folded part: that of its icon, and more where its pins need it."""
    width, height = part.icon.size
    sides = {side: [pin for pin in part.pins if pin.side == side] for side in (WEST, EAST, NORTH, SOUTH)}
    most = max(len(sides[WEST]), len(sides[EAST]))
    height = max(height, _PITCH * most + (6 if most > 1 else 0))
    if len(sides[EAST]) > 1:
        tallest = max((labels[pin.key][1] + 4 for pin in sides[EAST] if pin.key in labels), default=0.0)
        height = max(height, max(_PITCH, tallest) * (len(sides[EAST]) + 1))
    if part.icon.shape not in OUTSIDE:
        texts = [
            max((width_of(pin.label, LABEL) for pin in sides[side]), default=0.0) for side in (WEST, EAST)
        ]
        if any(texts):
            width = max(width, sum(texts) + 16) if _is_blank(part) else width + sum(texts) + 8
    return round(width), round(height)


def _is_blank(part: Part) -> bool:
    icon = part.icon
    return not (icon.text or icon.has_picture or icon.fraction or icon.matrix)


def _port(
    part: Part, number: int, width: float, height: float, labels: Mapping[str, Point]
) -> dict[str, Any]:
    """A pin, with its number clockwise from the upper left corner, as ELK counts."""
    pin = part.pins[number]
    same = [each.key for each in part.pins if each.side == pin.side]
    place = same.index(pin.key)
    if pin.side in (EAST, NORTH):  # mirrored: counted clockwise there
        place = len(same) - 1 - place
    mirrored = {NORTH: SOUTH, SOUTH: NORTH}.get(pin.side, pin.side)
    start = {NORTH: 0, EAST: 1000, SOUTH: 2000, WEST: 3000}[mirrored]
    options = {"elk.port.side": mirrored, "elk.port.index": str(start + place)}
    port: dict[str, Any] = {"id": pin.key, "width": 0, "height": 0, "layoutOptions": options}
    if pin.key in labels:
        port["labels"] = [{"text": "-", "width": labels[pin.key][0], "height": labels[pin.key][1]}]
    if part.icon.shape in ("circle", "triangle"):
        share = (same.index(pin.key) + 1) / (len(same) + 1)
        port["x"], port["y"] = {
            WEST: (0, height - height * share), EAST: (width, height - height * share),
            NORTH: (width * share, height),            SOUTH: (width * share, 0),
        }[pin.side]  # fmt: skip
    return port


def _placed(answer: dict[str, Any], parts: list[Part], low: float) -> Iterator[Placed]:
    nodes = {node["id"]: node for node in answer.get("children", ())}
    for part in parts:
        node = nodes[part.path]
        pins = {port["id"]: (port["x"], low - port["y"]) for port in node.get("ports", ())}
        yield Placed(part, node["x"], low - node["y"] - node["height"], node["width"], node["height"], pins)
        yield from _placed(node, part.inside, low)
