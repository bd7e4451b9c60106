"""Pictures of a chart: as text for Graphviz, and drawn by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .chart import Actions, Chart, State, Transition
from .guards import shown

FACE, EDGE = "#eef3fa", "#30527c"


def dot(chart: Chart, title: str = "") -> str:
    """The chart in the language DOT of Graphviz (graphviz.org/doc/info/lang.html)."""
    lines = [
        f"digraph {_quoted(title or 'machine')} {{",
        "  compound=true; rankdir=LR;",
        '  node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif"];',
        f"  begin [shape=point, width=0.12]; begin -> {_quoted(chart.initial.first().path)};",
    ]
    tops = [state for state in chart.states.values() if state.parent is None]
    for state in tops:
        lines += ["  " + line for line in _node(state)]
    for each in chart.transitions:
        ends = f"{_quoted(each.source.first().path)} -> {_quoted(each.target.first().path)}"
        inside = [f"label={_quoted(label(each))}"]
        inside += [f"ltail={_quoted('cluster ' + each.source.path)}"] if each.source.children else []
        inside += [f"lhead={_quoted('cluster ' + each.target.path)}"] if each.target.children else []
        lines.append(f"  {ends} [{', '.join(inside)}];")
    return "\n".join([*lines, "}", ""])


def _node(state: State) -> Iterator[str]:
    if not state.children:
        yield f"{_quoted(state.path)} [label={_quoted(text(state))}];"
        return
    yield f"subgraph {_quoted('cluster ' + state.path)} {{"
    yield f"  label={_quoted(text(state))}; style=rounded;"
    for child in state.children:
        yield from ("  " + line for line in _node(child))
    yield "}"


def text(state: State) -> str:
    """What stands in a state: its name, and a line for each action."""
    lines = [state.path.rpartition("/")[2] + (" (history)" if state.history else "")]
    for key in ("entry", "during", "exit"):
        lines += [f"{key}: {action}" for action in _actions(getattr(state, key))]
    return "\n".join(lines)


def label(transition: Transition) -> str:
    """What stands at an arrow: the guard, and behind a stroke what is done."""
    done = "; ".join(_actions(transition.actions))
    return transition.text + (f" / {done}" if done else "")


def _actions(actions: Actions) -> list[str]:
    return [f"{name} = {shown(node)}" for name, node in actions]


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def draw(chart: Chart, axes: Any) -> None:
    """The innermost states on a circle, arrows between them with their guards, on matplotlib axes."""
    leaves = chart.leaves
    turn = 2 * math.pi / len(leaves)
    places = {
        leaf.path: (1.6 * math.cos(math.pi - turn * i), math.sin(math.pi - turn * i))
        for i, leaf in enumerate(leaves)
    }
    box = {"boxstyle": "round,pad=0.5", "facecolor": FACE, "edgecolor": EDGE}
    boxes = {}
    for leaf in leaves:
        words = text(leaf).replace(leaf.path.rpartition("/")[2], leaf.path, 1)
        drawn = axes.text(*places[leaf.path], words, ha="center", va="center", bbox=box, zorder=3)
        boxes[leaf.path] = drawn.get_bbox_patch()
    for each in chart.transitions:
        target = each.target.first().path
        for source in (leaf.path for leaf in each.source.leaves()):
            _arrow(axes, places[source], places[target], (boxes[source], boxes[target]), label(each))
    first = chart.initial.first().path
    x, y = places[first]
    axes.plot([x - 0.9], [y], "o", color=EDGE)
    how = {"arrowstyle": "->", "color": EDGE, "patchB": boxes[first]}
    axes.annotate("", (x, y), (x - 0.9, y), arrowprops=how, zorder=4)
    axes.set(xlim=(-2.6, 2.4), ylim=(-1.5, 1.5))
    axes.set_axis_off()


def _arrow(
    axes: Any, start: tuple[float, float], end: tuple[float, float], boxes: tuple[Any, Any], words: str
) -> None:
    """A bent arrow from box to box: the way back is bent to the other side."""
    bend = 0.25
    how = {
        "arrowstyle": "->", "connectionstyle": f"arc3,rad={bend}", "color": EDGE,
        "patchA": boxes[0], "patchB": boxes[1], "shrinkA": 3, "shrinkB": 3,
    }  # fmt: skip
    if start == end:  # a loop above the box
        start, end = (start[0] - 0.15, start[1]), (end[0] + 0.15, end[1])
        how |= {"connectionstyle": "arc3,rad=-2.5"}
    axes.annotate("", end, start, arrowprops=how, zorder=4)
    across = (end[1] - start[1], start[0] - end[0])
    middle = [(a + b) / 2 + 0.5 * bend * c for a, b, c in zip(start, end, across, strict=True)]
    white = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    axes.text(*middle, words, ha="center", va="center", fontsize="small", zorder=5, bbox=white)
