"""A state machine is drawn with nested states, and transitions with their guards."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from ..blocks.switching.machine.chart import Chart, State
from ..blocks.switching.machine.picture import label, text
from ..blocks.switching.state_machine import StateMachine
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.gathered import Errors
from ..diagrams.model.scope import open_scopes
from .drawing import Drawing
from .elk import DrawingError, laid_out
from .graph import LABEL, NAME
from .marks import Group, Path, Picture, Text, line, rounded_rectangle, width_of
from .paint import arrow_head

_LEADING = 11.0
_MARGIN = 10.0
_BEGIN = 9.0  # px, dot of the initial state
_HISTORY = 15.0  # px, dot with an H
_ROOT = {
    "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL",
    "elk.hierarchyHandling": "INCLUDE_CHILDREN", "elk.json.shapeCoords": "ROOT",
    "elk.json.edgeCoords": "ROOT", "elk.padding": "[top=14,left=14,bottom=14,right=14]",
    "elk.randomSeed": "1", "elk.edgeLabels.inline": "false",
    "elk.layered.spacing.nodeNodeBetweenLayers": "26", "elk.spacing.nodeNode": "22",
    "elk.layered.spacing.edgeNodeBetweenLayers": "16", "elk.spacing.edgeNode": "14",
    "elk.spacing.edgeLabel": "3", "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
}  # fmt: skip


def draw_machine(machine: StateMachine, title: str = "") -> Drawing:
    """Draw a state machine: states as nested boxes, a dot for the initial state, H for history.

    Raises DrawingError if mini-racer is not installed.
    """
    chart = machine.machine
    return Drawing(picture(chart, title or machine.kind()))


def machine_at(diagram: Diagram, path: str) -> StateMachine:
    """The StateMachine at a path. Raises DrawingError if there is none, and the errors of levels above."""
    scopes = open_scopes(diagram, None, None, Errors())
    nodes = [node for scope in scopes for node in scope.nodes.values()]
    machines = {node.path: node.block for node in nodes if isinstance(node.block, StateMachine)}
    if path not in machines:
        listed = ", ".join(f"`{each}`" for each in machines) or "a StateMachine, but this diagram has none"
        raise DrawingError(f"`{path}` is not a StateMachine\nexpected: {listed}")
    return machines[path]


def picture(chart: Chart, title: str) -> Picture:
    """The chart in ELK's layout."""
    answer = laid_out(_graph(chart))
    boxes = [_box(node, chart.states.get(node["id"])) for node in _nodes(answer)]
    arrows = Group()
    for edge in answer["edges"]:
        for section in edge.get("sections", ()):
            points = [section["startPoint"], *section.get("bendPoints", ()), section["endPoint"]]
            corners = [(p["x"], p["y"]) for p in points]
            arrows.marks += [line(corners, "wire"), arrow_head(corners[-2], corners[-1])]
        for each in edge.get("labels", ()):
            at = each["x"] + each["width"] / 2, each["y"] + LABEL + 1
            arrows.marks.append(Text(*at, each["text"], LABEL, "middle", "accent"))
    about = f"{len(chart.states)} states, {len(chart.transitions)} transitions."
    return Picture(answer["width"], answer["height"], title, about, [*boxes, arrows])


def _graph(chart: Chart) -> dict[str, Any]:
    tops = [state for state in chart.states.values() if state.parent is None]
    edges = [(_begin(None), chart.initial.path, "")]
    edges += [(_begin(s), s.initial.path, "") for s in chart.states.values() if s.initial is not None]
    edges += [(each.source.path, each.target.path, label(each)) for each in chart.transitions]
    return {
        "id": "", "layoutOptions": _ROOT,
        "children": [_dot(None), *map(_node, tops)],
        "edges": [
            {"id": f"e{i}", "sources": [source], "targets": [target], "labels": _labels(words)}
            for i, (source, target, words) in enumerate(edges)
        ],
    }  # fmt: skip


def _begin(state: State | None) -> str:
    return f"{state.path if state is not None else ''}/."  # not the name of a state


def _dot(state: State | None) -> dict[str, Any]:
    side = _HISTORY if state is not None and state.history else _BEGIN
    return {"id": _begin(state), "width": side, "height": side}


def _labels(words: str) -> list[dict[str, Any]]:
    if not words:
        return []
    return [{"text": words, "width": width_of(words, LABEL) + 6, "height": LABEL + 4,
             "layoutOptions": {"elk.edgeLabels.placement": "CENTER"}}]  # fmt: skip


def _node(state: State) -> dict[str, Any]:
    rows = text(state).split("\n")
    width = max(width_of(row, NAME if i == 0 else LABEL) for i, row in enumerate(rows)) + 2 * _MARGIN
    height = _LEADING * len(rows) + _MARGIN
    if not state.children:
        return {"id": state.path, "width": max(width, 50.0), "height": max(height, 26.0)}
    padding = f"[top={height + 6:.0f},left=16,bottom=14,right=16]"
    return {
        "id": state.path, "children": [_dot(state), *map(_node, state.children)],
        "layoutOptions": {
            "elk.padding": padding, "elk.nodeSize.constraints": "MINIMUM_SIZE",
            "elk.nodeSize.minimum": f"({width:.0f}, {height:.0f})",
        },
    }  # fmt: skip


def _nodes(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for node in answer.get("children", ()):
        yield node
        yield from _nodes(node)


def _box(node: dict[str, Any], state: State | None) -> Group:
    x, y, width, height = node["x"], node["y"], node["width"], node["height"]
    if state is None:
        if width == _BEGIN:
            return Group(marks=[rounded_rectangle(x, y, width, height, width / 2, "dot")])
        ring: Path = rounded_rectangle(x, y, width, height, width / 2, "block")
        return Group("", "history", [ring, Text(x + width / 2, y + height / 2 + 3.2, "H", NAME)])
    rows = text(state).split("\n")
    group = Group(state.path, state.path)
    group.marks.append(rounded_rectangle(x, y, width, height, 8.0, "frame" if state.children else "block"))
    top = y + _LEADING + 2 if state.children else y + (height - _LEADING * len(rows)) / 2 + NAME
    for i, row in enumerate(rows):
        size = NAME if i == 0 else LABEL
        group.marks.append(Text(x + width / 2, top + _LEADING * i, row, size))
    return group


def draw(machine: StateMachine, file: str | PathLike[str] | None = None) -> Drawing:
    """A picture of the states, inner ones inside, and the transitions; `file` keeps it.

    Raises DrawingError if mini-racer is not installed.
    """
    return draw_machine(machine).into(file)
