"""Faults of a chart: unreachable states, competing transitions, cycles without a guard."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from ...contract.formula import Node
from .chart import Chart, ChartError, State, Transition
from .formulas import names
from .guards import comparisons, overlap


def require_reachable(chart: Chart, guards: Mapping[int, Node]) -> None:
    """Raise ChartError for a state that cannot be reached from the initial one."""
    reached: set[str] = set()
    stack = [chart.initial]
    while stack:
        state = stack.pop()
        entered = [*state.lineage, *state.first().lineage]
        new = [each for each in entered if each.path not in reached]
        reached.update(each.path for each in new)
        leaving = [each for each in chart.transitions if each.source in new]
        stack += [each.target for each in leaving if not _cannot_hold(guards[each.index])]
    for state in chart.states.values():
        if state.path not in reached:
            expected = f"a transition to it from a state that {chart.initial.path} leads to"
            raise ChartError(f"nothing leads to the state `{state.path}`", expected, "states", *state.steps)


def require_one_way(chart: Chart, guards: Mapping[int, Node]) -> None:
    """Raise ChartError for two transitions from one state whose guards can hold together."""
    for a, b in combinations(chart.transitions, 2):
        if a.source is not b.source:
            continue
        both = overlap(guards[a.index], guards[b.index])
        if both is not None:
            where = ", ".join(f"{name} = {value:g}" for name, value in both.items())
            raise ChartError(
                f"{a} and {b} compete: both hold" + (f" where {where}" if where else " always"),
                "guards that never hold together, or `competing: first`, to take the first of the list",
                "transitions", b.index,
            )  # fmt: skip


def require_rest(chart: Chart, guards: Mapping[int, Node]) -> None:
    """Raise ChartError for transitions without a guard that form a cycle."""
    free = [t for t in chart.transitions if _always(guards[t.index])]
    for start in free:
        passed: list[Transition] = []
        state: State = start.source
        while True:
            onward = next((t for each in state.lineage for t in free if t.source is each), None)
            if onward is None:
                break
            if onward in passed:
                circle = " -> ".join([*(t.source.path for t in passed), onward.source.path])
                expected = (
                    "a guard on one of its transitions, `when: after > 1`: otherwise they would never stop"
                )
                raise ChartError(
                    f"a cycle of transitions without a guard, {circle}", expected, "transitions", start.index
                )
            passed.append(onward)
            state = onward.target.first()


def _always(guard: Node) -> bool:
    return _constant(guard) and overlap(guard, guard) is not None


def _cannot_hold(guard: Node) -> bool:
    return _constant(guard) and overlap(guard, guard) is None


def _constant(guard: Node) -> bool:
    """True if a guard compares numbers only."""
    return not any(names(side) for comparison, _ in comparisons(guard) for side in comparison.parts)
