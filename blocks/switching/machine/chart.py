"""Chart: the states and transitions of a machine as they are declared, read and looked up by path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....base.words import nearest
from ...contract.block import is_open
from ...contract.errors import FormulaError
from ...contract.formula import Node, parse

KEYS = ("entry", "during", "exit", "states", "initial", "history")
TRANSITION = ("from", "to", "when", "do")
ARROW = "->"
Actions = tuple[tuple[str, Node], ...]
"""Names and the values assigned to them, one after another."""


class ChartError(Exception):
    """An error in a chart: its key, its items, and the expected value."""

    def __init__(self, actual: str, expected: str, parameter: str, *steps: str | int) -> None:
        self.actual, self.expected, self.parameter, self.steps = actual, expected, parameter, steps
        super().__init__(actual)


@dataclass(eq=False)
class State:
    """One state: the states around it, its actions; `number` counts the leaf states."""

    path: str
    steps: tuple[str, ...]  # its position under `states`
    parent: State | None
    entry: Actions = ()
    during: Actions = ()
    exit: Actions = ()
    children: list[State] = field(default_factory=list)
    initial: State | None = None
    history: bool = False
    number: int = -1

    @property
    def lineage(self) -> list[State]:
        """The state and its outer states, the outermost first."""
        return [*(self.parent.lineage if self.parent is not None else ()), self]

    def leaves(self) -> Iterator[State]:
        """The leaf states in the state, or the state itself."""
        for child in self.children:
            yield from child.leaves()
        if not self.children:
            yield self

    def first(self) -> State:
        """The innermost initial state in it."""
        return self if self.initial is None else self.initial.first()


@dataclass(frozen=True)
class Transition:
    """A transition between two states: its guard and its actions."""

    index: int
    source: State
    target: State
    guard: Node
    actions: Actions
    text: str  # of the guard

    def __str__(self) -> str:
        return f"{self.source.path} {ARROW} {self.target.path}"


@dataclass(frozen=True)
class Chart:
    """All states by path, in order of declaration; the transitions; the initial state."""

    states: Mapping[str, State]
    transitions: tuple[Transition, ...]
    initial: State

    @property
    def leaves(self) -> list[State]:
        """The leaf states, ordered by number."""
        return [state for state in self.states.values() if not state.children]

    def formulas(self) -> Iterator[Node]:
        """All guards and values, in the order of declaration."""
        for state in self.states.values():
            for actions in (state.entry, state.during, state.exit):
                yield from (node for _, node in actions)
        for transition in self.transitions:
            yield transition.guard
            yield from (node for _, node in transition.actions)

    def actions(self) -> Iterator[Node]:
        """The values assigned by entry, exit and transition actions."""
        for state in self.states.values():
            yield from (node for _, node in (*state.entry, *state.exit))
        for transition in self.transitions:
            yield from (node for _, node in transition.actions)

    def leaving(self, leaf: State) -> list[Transition]:
        """The transitions from a leaf and the states around it, the outermost first."""
        return [each for state in leaf.lineage for each in self.transitions if each.source is state]


def read_chart(states: Mapping[str, Any], transitions: Sequence[Any], initial: str | None) -> Chart:
    """The chart of a declaration. Raises ChartError."""
    by_path: dict[str, State] = {}
    tops = _states(states, None, (), by_path)
    if not tops:
        raise ChartError("no states", "at least one state, by name", "states")
    for number, leaf in enumerate(state for state in by_path.values() if not state.children):
        leaf.number = number
    first = tops[0] if initial is None else _state(initial, by_path, "initial")
    listed = tuple(_transition(i, each, by_path) for i, each in enumerate(transitions))
    return Chart(by_path, listed, first)


def _states(
    declared: Mapping[str, Any], parent: State | None, steps: tuple[str, ...], by_path: dict[str, State]
) -> list[State]:
    made = []
    for name, body in declared.items():
        here = (*steps, name)
        path = f"{parent.path}/{name}" if parent is not None else name
        if not name.isidentifier():
            expected = "letters, digits and _, not beginning with a digit"
            raise ChartError(f"a state called `{name}`", expected, "states", *here)
        body = {} if body is None else body
        if not isinstance(body, Mapping):
            expected = f"a mapping with {', '.join(KEYS)}"
            raise ChartError(f"state `{path}` is {body!r}", expected, "states", *here)
        for key in body:
            if key not in KEYS:
                expected = f"{', '.join(KEYS)}{nearest(key, KEYS)}"
                raise ChartError(f"state `{path}` has the key `{key}`", expected, "states", *here, key)
        state = by_path[path] = State(path, here, parent)
        for key in ("entry", "during", "exit"):
            setattr(state, key, _actions(body.get(key), "states", *here, key))
        _fill(state, body, by_path)
        made.append(state)
    return made


def _fill(state: State, body: Mapping[str, Any], by_path: dict[str, State]) -> None:
    """The states inside a state, and its initial one."""
    inner, here = body.get("states"), state.steps
    if inner is not None and not isinstance(inner, Mapping):
        raise ChartError(f"the states of `{state.path}` are {inner!r}", "states by name", "states", *here)
    if inner:
        state.children = _states(inner, state, (*here, "states"), by_path)
        name = body.get("initial", state.children[0].path.rpartition("/")[2])
        chosen = by_path.get(f"{state.path}/{name}")
        if chosen is None:
            expected = f"one of its states{nearest(str(name), list(inner))}"
            raise ChartError(f"`{state.path}` begins with `{name}`", expected, "states", *here, "initial")
        state.initial = chosen
    history = body.get("history", False)
    if not isinstance(history, bool) or (history and not inner):
        expected = "true or false, true in a state with states inside"
        raise ChartError(f"history of `{state.path}` is {history!r}", expected, "states", *here, "history")
    state.history = history


def _state(name: object, by_path: Mapping[str, State], parameter: str, *steps: str | int) -> State:
    """A state by its path, or by its name if that is unique."""
    if isinstance(name, str):
        if name in by_path:
            return by_path[name]
        same = [state for path, state in by_path.items() if path.rpartition("/")[2] == name]
        if len(same) == 1:
            return same[0]
    paths = ", ".join(by_path)
    close = nearest(name, list(by_path)) if isinstance(name, str) else ""
    raise ChartError(f"unknown state `{name}`{close}", f"one of {paths}", parameter, *steps)


def _transition(index: int, declared: object, by_path: Mapping[str, State]) -> Transition:
    place = ("transitions", index)
    form = '{from: a, to: b, when: "u > 1", do: {y: 2}}, or {a -> b: "u > 1"}'
    if not isinstance(declared, Mapping):
        raise ChartError(f"transition {declared!r}", form, *place)
    body = dict(declared)
    for key in declared:
        if ARROW in key:
            ends = [end.strip() for end in key.split(ARROW)]
            if len(ends) != 2 or "from" in body or "to" in body:
                raise ChartError(f"transition `{key}`", form, *place)
            body["from"], body["to"] = ends
            body["when"] = body.pop(key)
        elif key not in TRANSITION:
            expected = f"{', '.join(TRANSITION)}{nearest(key, TRANSITION)}"
            raise ChartError(f"a transition has the key `{key}`", expected, *place, key)
    for key in ("from", "to"):
        if key not in body:
            raise ChartError(f"a transition without `{key}`", form, *place)
    source = _state(body["from"], by_path, *place)
    target = _state(body["to"], by_path, *place)
    text = body.get("when")
    guard = Node("number", 1.0) if text is None else formula(text, *place)
    actions = _actions(body.get("do"), *place, "do")
    return Transition(index, source, target, guard, actions, "" if text is None else str(text))


def _actions(declared: object, parameter: str, *steps: str | int) -> Actions:
    if declared is None:
        return ()
    if not isinstance(declared, Mapping):
        raise ChartError(f"actions {declared!r}", "values by name, such as {heat: 1}", parameter, *steps)
    return tuple((name, formula(value, parameter, *steps, name)) for name, value in declared.items())


def formula(value: object, parameter: str, *steps: str | int) -> Node:
    """The tree of a formula, or of a number."""
    if is_open(value):
        return Node("number", 0.0)  # until the diagram's parameters have values
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ChartError(f"{value!r}", "a number or a formula", parameter, *steps)
    try:
        return parse(value).root if isinstance(value, str) else Node("number", float(value))
    except FormulaError as error:
        raise ChartError(str(error), "a formula", parameter, *steps) from None
