"""Pictures of a chart: labels of states and transitions, and the chart as text for Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from .chart import Actions, Chart, State, Transition
from .guards import format_formula


def dot(chart: Chart, title: str = "") -> str:
    """The chart in the language DOT of Graphviz (graphviz.org/doc/info/lang.html)."""
    lines = [
        f"digraph {_quote(title or 'machine')} {{",
        "  compound=true; rankdir=LR;",
        '  node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif"];',
        f"  begin [shape=point, width=0.12]; begin -> {_quote(chart.initial.first().path)};",
    ]
    tops = [state for state in chart.states.values() if state.parent is None]
    for state in tops:
        lines += ["  " + line for line in _node(state)]
    for each in chart.transitions:
        ends = f"{_quote(each.source.first().path)} -> {_quote(each.target.first().path)}"
        inside = [f"label={_quote(label(each))}"]
        inside += [f"ltail={_quote('cluster ' + each.source.path)}"] if each.source.children else []
        inside += [f"lhead={_quote('cluster ' + each.target.path)}"] if each.target.children else []
        lines.append(f"  {ends} [{', '.join(inside)}];")
    return "\n".join([*lines, "}", ""])


def _node(state: State) -> Iterator[str]:
    if not state.children:
        yield f"{_quote(state.path)} [label={_quote(text(state))}];"
        return
    yield f"subgraph {_quote('cluster ' + state.path)} {{"
    yield f"  label={_quote(text(state))}; style=rounded;"
    for child in state.children:
        yield from ("  " + line for line in _node(child))
    yield "}"


def text(state: State) -> str:
    """Label of a state: its name, and a line for each action."""
    lines = [state.path.rpartition("/")[2] + (" (history)" if state.history else "")]
    for key in ("entry", "during", "exit"):
        lines += [f"{key}: {action}" for action in _actions(getattr(state, key))]
    return "\n".join(lines)


def label(transition: Transition) -> str:
    """Label of a transition: the guard, and after a stroke the actions."""
    done = "; ".join(_actions(transition.actions))
    return transition.text + (f" / {done}" if done else "")


def _actions(actions: Actions) -> list[str]:
    return [f"{name} = {format_formula(node)}" for name, node in actions]


def _quote(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
