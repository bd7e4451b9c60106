"""A sketch becomes a graph for ELK: sizes of blocks, places of their pins, room for labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from .flow import Flow, every
from .marks import Point, cut, width_of
from .sketch import EAST, NORTH, OUTSIDE, SOUTH, WEST, Part, Sketch
from .wires import room_below

NAME, LABEL = 9.0, 7.5  # font sizes: names below blocks, labels at pins
PITCH = 15.0  # px between pins
_LEAST = 10.0  # px, smallest width and height accepted from a file
_LONGEST = 130.0  # px, longest name
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


def graph_of(
    drawn: Sketch, flow: Flow, labels: Mapping[str, Point], way: Mapping[str, str]
) -> dict[str, Any]:
    """A sketch for ELK, with edges named by the numbers of wires, without wires from a block to itself."""
    pins = {pin.key for part in every(drawn.parts) for pin in part.pins}
    at_one_block = {number for numbers in flow.self_loops.values() for number in numbers}
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
            if line.source in pins and line.target in pins and i not in at_one_block
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
    node["labels"] = [*_labels(part, max(_LONGEST, width), room_below(flow.self_loops, part.path))]
    if part.open:
        del node["width"], node["height"]
        node["children"] = _children(part.inside, flow, labels)
        wide = 12 + max((width_of(pin.label, LABEL) for pin in part.pins), default=0.0)
        node["layoutOptions"]["elk.padding"] = (
            f"[top=18,left={wide + 14:.0f},bottom=16,right={wide + 14:.0f}]"
        )
    return node


def size_of(part: Part, labels: Mapping[str, Point] = MappingProxyType({})) -> Point:
    """The size of a folded part: the size of its icon, and more if its pins need it."""
    width, height = part.icon.size
    sides = {side: [pin for pin in part.pins if pin.side == side] for side in (WEST, EAST, NORTH, SOUTH)}
    if part.turn % 2:
        if part.icon.shape in OUTSIDE:
            width, height = height, width
        most = max(len(sides[NORTH]), len(sides[SOUTH]))
        width = max(width, pitch_of(part) * most + (6 if most > 1 else 0))
        if part.icon.shape not in OUTSIDE:
            height += sum(LABEL + 3 for side in (NORTH, SOUTH) if any(pin.label for pin in sides[side]))
    most = max(len(sides[WEST]), len(sides[EAST]))
    height = max(height, PITCH * most + (6 if most > 1 else 0))
    if len(sides[EAST]) > 1:
        tallest = max((labels[pin.key][1] + 4 for pin in sides[EAST] if pin.key in labels), default=0.0)
        height = max(height, max(PITCH, tallest) * (len(sides[EAST]) - 1) + 20)
    if part.icon.shape not in OUTSIDE:
        texts = [
            max((width_of(pin.label, LABEL) for pin in sides[side]), default=0.0) for side in (WEST, EAST)
        ]
        if any(texts):
            width = max(width, sum(texts) + 16) if _is_blank(part) else width + sum(texts) + 8
    if part.size is not None:
        least = PITCH * max(map(len, sides.values()))
        upright = part.turn % 2 == 0
        width = max(part.size[0], _LEAST, 0.0 if upright else least)
        height = max(part.size[1], _LEAST, least if upright else 0.0)
    return 2 * round(width / 2), 2 * round(height / 2)


def pitch_of(part: Part) -> float:
    """The distance between pins at the top or bottom of a turned part, whose labels lie side by side."""
    if part.turn % 2 == 0 or part.icon.shape in OUTSIDE:
        return PITCH
    return max([PITCH, *(width_of(pin.label, LABEL) + 8 for pin in part.pins if pin.side in (NORTH, SOUTH))])


def _labels(part: Part, widest: float, below: float) -> Iterator[dict[str, Any]]:
    """The name of a part, below or next to it, and the space for wires from it to itself."""
    beside, centred = "OUTSIDE H_RIGHT V_BOTTOM H_PRIORITY", "OUTSIDE V_BOTTOM H_CENTER"
    if part.name:
        text = cut(part.name, widest, NAME)
        place = {"elk.nodeLabels.placement": beside if part.name_beside else centred}
        yield {"text": text, "width": width_of(text, NAME), "height": NAME + 3, "layoutOptions": place}
    if below:
        place = {"elk.nodeLabels.placement": centred}
        yield {"text": "-", "width": 1, "height": below, "layoutOptions": place}


def name_height(part: Part) -> float:
    """Height of the name below a part."""
    return NAME + 3 if part.name and not part.name_beside else 0.0


def _is_blank(part: Part) -> bool:
    icon = part.icon
    return not (icon.text or icon.has_picture or icon.fraction or icon.matrix)


def _port(
    part: Part, number: int, width: float, height: float, labels: Mapping[str, Point]
) -> dict[str, Any]:
    """A pin at its position on its side."""
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
        pitch = pitch_of(part) if pin.side in (NORTH, SOUTH) else PITCH
        if pin.side == EAST:
            pitch = max([pitch, *(labels[key][1] + 4 for key in same if key in labels)])
        if part.icon.shape == "circle" and pin.side == SOUTH and not part.turn:
            pitch = width / 2
        along = pitch * (place - (len(same) - 1) / 2)
        round_ = part.icon.shape == "circle" and not part.turn
        low = _low_of_circle(along, height) if round_ else height
        port["x"], port["y"] = {
            WEST: (0, height / 2 + along), EAST: (width, height / 2 + along),
            NORTH: (width / 2 + along, 0), SOUTH: (width / 2 + along, low),
        }[pin.side]  # fmt: skip
    return port


def _low_of_circle(along: float, size: float) -> float:
    """The lower edge of a circle at a distance from its centre."""
    return size / 2 + math.sqrt(size**2 / 4 - along**2)
