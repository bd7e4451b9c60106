"""The formulas of a chart: its next states, outputs and crossings, as functions of an elementwise block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...contract.conditions import Conditions, round_comparisons, to_rounding
from ...contract.formula import TIME, Formula, Node
from ...contract.internal_names import internal_name
from .chart import Chart, State, Transition
from .guards import comparisons, format_formula, level, logical

BEGIN = -1.0  # the state number before a run has begun
AFTER = "after"
STATE = internal_name("state")  # the held state with the number of the innermost state
OUTPUT = "state"  # the output with that number
Environment = dict[str, Node]
"""Meanings of names; a name that is not in it stands for itself."""


def number(value: float) -> Node:
    return Node("number", float(value))


def name(text: str) -> Node:
    return Node("name", text)


def do(operation: str, *parts: Node) -> Node:
    return Node(operation, parts=parts)


def since(state: State) -> str:
    """The held state that is the time when a state was entered."""
    return internal_name("since", state.path.replace("/", ":"))


def history(state: State) -> str:
    """The held state with the number of the innermost state that was active when a state was left."""
    return internal_name("left", state.path.replace("/", ":"))


def held_name(variable: str) -> str:
    """The held state with a variable's value while no state computes it."""
    return internal_name("last", variable)


def replace_names(node: Node, environment: Mapping[str, Node]) -> Node:
    """A tree with other trees in place of names."""
    if node.operation == "name":
        return environment.get(str(node.value), node)
    parts = tuple(replace_names(part, environment) for part in node.parts)
    return node if parts == node.parts else Node(node.operation, node.value, parts)


class Step(NamedTuple):
    """One transition from an innermost state to another: its guard, and the new values of all held states."""

    guard: Node
    values: Environment
    source: State  # that the transition leaves


class GuardCrossing(NamedTuple):
    """A zero crossing: its level, its direction, and the comparison that it belongs to."""

    level: Node
    way: int
    comparison: str


@dataclass
class Formulas:
    """`variables` are the outputs and variables of the machine, whose values the held states have."""

    chart: Chart
    variables: Sequence[str]

    def held_states(self) -> list[str]:
        """The names of the block's states, all of them held."""
        timed = [since(state) for state in self._timed()]
        left = [history(state) for state in self.chart.states.values() if state.history]
        return [STATE, *timed, *left, *map(held_name, self.variables)]

    def _timed(self) -> list[State]:
        """The states whose formulas use the time since entry."""
        return [
            state
            for state in self.chart.states.values()
            if any(AFTER in names(node) for node in self._formulas_of(state))
        ]

    def _formulas_of(self, state: State) -> Iterator[Node]:
        for actions in (state.entry, state.during, state.exit):
            yield from (node for _, node in actions)
        for transition in self.chart.transitions:
            if transition.source is state:
                yield transition.guard
                yield from (node for _, node in transition.actions)

    def values_in(self, leaf: State) -> Environment:
        """Values of variables in a state: by its formulas, by those of its outer states, or held."""
        environment = {variable: name(held_name(variable)) for variable in self.variables}
        for state in leaf.lineage:
            for variable, node in state.during:
                environment[variable] = replace_names(node, environment | self._clock(state))
        return environment

    def _clock(self, state: State, *, entered: bool = False) -> Environment:
        if entered:
            return {AFTER: number(0.0)}
        return {AFTER: do("-", name(TIME), name(since(state)))} if state in self._timed() else {}

    # ---- ways ----

    def steps(self, leaf: State) -> Iterator[Step]:
        """The transitions from a state; the machine takes the first whose guard holds."""
        for transition in self.chart.leaving(leaf):
            around = self.values_in(leaf)
            clock = self._clock(transition.source)
            guard = replace_names(logical(transition.guard), around | clock)
            for target, extra in self._targets(transition.target):
                values = self._taken(leaf, transition, target, around)
                yield Step(guard if extra is None else do("and", guard, extra), values, transition.source)

    def beginning(self) -> Environment:
        """Initial values of the held states."""
        leaf = self.chart.initial.first()
        values: Environment = {variable: name(held_name(variable)) for variable in self.variables}
        times = self._enter(leaf.lineage, values)
        return self._as_held(leaf, values, times)

    def _targets(self, target: State) -> Iterator[tuple[State, Node | None]]:
        """The innermost states that a transition can lead to, with the condition for each but the last."""
        remembering = next((state for state in _down(target) if state.history), None)
        if remembering is None:
            yield target.first(), None
            return
        for leaf in remembering.leaves():
            if leaf is not remembering.first():
                yield leaf, do("==", name(history(remembering)), number(leaf.number))
        yield target.first(), None

    def _taken(self, leaf: State, transition: Transition, target: State, around: Environment) -> Environment:
        values = dict(around)
        common = [a for a, b in zip(leaf.lineage, target.lineage, strict=False) if a is b]
        for end in (transition.source, transition.target):  # the transition leaves both
            if end in common:
                common = common[: common.index(end)]
        left = leaf.lineage[len(common) :]
        for state in reversed(left):
            self._act(state.exit, values, self._clock(state))
        self._act(transition.actions, values, self._clock(transition.source))
        times = self._enter(target.lineage[len(common) :], values)
        for state in left:
            if state.history:
                times[history(state)] = number(leaf.number)
        return self._as_held(target, values, times)

    def _enter(self, states: Iterable[State], values: Environment) -> Environment:
        """Entry actions, the outermost state's first, and the times of entry."""
        times: Environment = {}
        for state in states:
            self._act(state.entry, values, self._clock(state, entered=True))
            if state in self._timed():
                times[since(state)] = name(TIME)
        return times

    def _act(self, actions: Iterable[tuple[str, Node]], values: Environment, clock: Environment) -> None:
        for variable, node in actions:
            values[variable] = replace_names(node, values | clock)

    def _as_held(self, leaf: State, values: Environment, times: Environment) -> Environment:
        kept_values = {held_name(variable): values[variable] for variable in self.variables}
        return {STATE: number(leaf.number), **times, **kept_values}

    # ---- functions ----

    def functions(self, text: str, outputs: Collection[str]) -> dict[str, Formula | tuple[Formula, ...]]:
        """The functions of the block, by role; `outputs` are the variables that it shows."""
        conditions = Conditions(text)
        roles: dict[str, Formula | tuple[Formula, ...]] = {}
        for variable in self.variables:
            root = self._chosen({
                leaf: conditions.frozen(self.values_in(leaf)[variable]) for leaf in self.chart.leaves
            }, name(held_name(variable)))  # fmt: skip
            if variable in outputs:
                roles[f"output_{variable}"] = formula_of(text, root)
        roles[f"output_{OUTPUT}"] = formula_of(text, name(STATE))
        levels = [each.level for each in self.crossings(conditions)] + [*conditions.levels]
        if levels:
            roles["crossing"] = tuple(formula_of(text, node) for node in levels)
        if conditions.tests:
            roles["mode"] = formula_of(text, Node("bits", parts=tuple(conditions.tests)))
        roles["jump"] = tuple(formula_of(text, self._next(each)) for each in self.held_states())
        return roles

    def events(self, text: str) -> list[tuple[str, int]]:
        """Name of each crossing, and the direction in which it is an event."""
        conditions = Conditions(text)
        for variable in self.variables:
            for leaf in self.chart.leaves:
                conditions.frozen(self.values_in(leaf)[variable])
        guards = [(each.comparison, each.way) for each in self.crossings(conditions)]
        return guards + [(f"condition{i}", 0) for i in range(len(conditions.levels))]

    def crossings(self, conditions: Conditions) -> list[GuardCrossing]:
        """Zero crossings of the comparisons in guards, in the states that evaluate them."""
        watched: dict[tuple[Node, int], list[State]] = {}
        called: dict[tuple[Node, int], tuple[str, str]] = {}  # the comparison, the state that it leaves
        still = {history(state) for state in self.chart.states.values()} | {
            held_name(v) for v in self.variables
        }
        for leaf in self.chart.leaves:
            for step in self.steps(leaf):
                for comparison, way in comparisons(step.guard):
                    if not names(comparison) <= still:  # these change only at transitions
                        node = conditions.frozen(level(to_rounding(comparison)))
                        key = do("neg", node) if way < 0 else node, abs(way)
                        text = self._as_written(comparison, turned=way < 0)
                        called.setdefault(key, (text, step.source.path))
                        leaves = watched.setdefault(key, [])
                        if leaf not in leaves:
                            leaves.append(leaf)
        counts = Counter(text for text, _ in called.values())
        return [
            GuardCrossing(
                self._chosen(dict.fromkeys(leaves, key[0]), number(-1.0)), key[1],
                f"{source}: {text}" if counts[text] > 1 else text,
            )
            for (key, leaves), (text, source) in zip(watched.items(), called.values(), strict=True)
        ]  # fmt: skip

    def _as_written(self, comparison: Node, *, turned: bool) -> str:
        """A comparison with `after` and variables in place of their formulas."""
        written = {do("-", name(TIME), name(since(state))): name(AFTER) for state in self._timed()}
        written |= {name(held_name(variable)): name(variable) for variable in self.variables}
        return format_formula(do("not", comparison) if turned else comparison, written)

    def _chosen(self, by_leaf: Mapping[State, Node], otherwise: Node) -> Node:
        """A tree that depends on the state of the machine."""
        root = otherwise
        for node in dict.fromkeys(node for node in by_leaf.values() if node != otherwise):
            root = do("where", _in([leaf for leaf in by_leaf if by_leaf[leaf] == node]), node, root)
        return root

    def _next(self, each: str) -> Node:
        """New value of a held state at an event."""
        by_leaf: dict[float, Node] = {BEGIN: self.beginning().get(each, name(each))}
        for leaf in self.chart.leaves:
            root = name(each)
            for step in reversed([*self.steps(leaf)]):
                value = step.values.get(each, name(each))
                root = root if value == root else do("where", round_comparisons(step.guard), value, root)
            by_leaf[float(leaf.number)] = root
        root = name(each)
        for place, node in by_leaf.items():
            if node != name(each):
                root = do("where", do("==", name(STATE), number(place)), node, root)
        return root


def _down(state: State) -> Iterator[State]:
    """A state and its initial substates."""
    yield state
    if state.initial is not None:
        yield from _down(state.initial)


def _in(leaves: Sequence[State]) -> Node:
    """True if the machine is in one of these states."""
    tests = [do("==", name(STATE), number(leaf.number)) for leaf in leaves]
    root = tests[0]
    for test in tests[1:]:
        root = do("or", root, test)
    return root


def names(node: Node) -> set[str]:
    """The names in a tree."""
    inside = {str(node.value)} if node.operation == "name" else set()
    return inside.union(*map(names, node.parts))


def formula_of(text: str, root: Node) -> Formula:
    """A tree as a function of the names in it."""
    return Formula(text, tuple(sorted(names(root))), root)
