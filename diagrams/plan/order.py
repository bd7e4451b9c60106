"""The order of evaluation: every output after what feeds through to it, and the loops that have none."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from ..errors import AlgebraicLoop
from .unit import CONTINUOUS, HELD, Unit, role_arguments


class Task(NamedTuple):
    """One output function of one unit."""

    unit: int
    role: str


def find_order(units: list[Unit]) -> list[Task]:
    """All output functions in an order in which each comes after its direct feedthrough.

    The order depends on paths only. Raises AlgebraicLoop with the ports of a shortest loop.
    """
    tasks = [Task(unit.index, role) for unit in units for role in unit.output_roles()]
    number = {task: i for i, task in enumerate(tasks)}
    readers: list[list[int]] = [[] for _ in tasks]
    waiting = [0] * len(tasks)
    for i, task in enumerate(tasks):
        for before in _feeds(units, task):
            readers[number[before]].append(i)
            waiting[i] += 1
    ready = [i for i, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order: list[Task] = []
    while ready:
        i = heapq.heappop(ready)
        order.append(tasks[i])
        for reader in readers[i]:
            waiting[reader] -= 1
            if waiting[reader] == 0:
                heapq.heappush(ready, reader)
    if len(order) < len(tasks):
        raise AlgebraicLoop(_loop(units, tasks, [i for i, count in enumerate(waiting) if count > 0]))
    return order


def _feeds(units: list[Unit], task: Task) -> list[Task]:
    unit = units[task.unit]
    found = []
    ports = unit.needs(task.role)
    if unit.inline_mode:
        ports = tuple(dict.fromkeys((*ports, *unit.needs("mode"))))
    for port in ports:
        source = unit.inputs[port]
        if source is not None:
            found.append(Task(source.unit, units[source.unit].role_of(source.port)))
    return found


def _loop(units: list[Unit], tasks: list[Task], stuck: list[int]) -> list[str]:
    """The ports of a shortest loop, in the direction of the signals."""
    import networkx as nx

    inside = {tasks[i] for i in stuck}
    graph = nx.DiGraph()
    for task in sorted(inside):
        graph.add_edges_from((before, task) for before in _feeds(units, task) if before in inside)
    cycles = []
    for part in nx.strongly_connected_components(graph):
        if len(part) > 1 or any(graph.has_edge(n, n) for n in part):
            start = min(part)
            within = graph.subgraph(part)
            ways = [nx.shortest_path(within, follower, start) for follower in sorted(within[start])]
            cycles.append([start, *min(ways, key=len)[:-1]] if ways else [start])
    cycle = min(cycles, key=lambda c: (len(c), c))
    ports = []
    for task, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        target = units[after.unit]
        for port in target.needs(after.role):
            source = target.inputs[port]
            if source is not None and Task(source.unit, units[source.unit].role_of(source.port)) == task:
                ports += [f"{units[task.unit].path}.{source.port}", f"{target.path}.{port}"]
                break
    return ports


def find_rates(units: list[Unit], order: list[Task]) -> list[Task]:
    """Which outputs flow with time and which are held between events; sets rate and inline_mode.

    A mode whose inputs are all held is asked for in line, just before its block's output; the order that
    comes back has those inputs before it.
    """
    for unit in units:
        unit.rate = {}
    for task in order:
        unit = units[task.unit]
        rate = HELD if unit.block.sampled or not _flows(units, unit, task.role) else CONTINUOUS
        for port in unit.output_roles()[task.role]:
            unit.rate[port] = rate
    for unit in units:
        if "mode" in unit.functions and "jump" not in unit.functions and not unit.block.ends_run:
            unit.inline_mode = not _flows(units, unit, "mode")
    try:
        return find_order(units)
    except AlgebraicLoop:  # through a mode only: it is then found by events instead
        for unit in units:
            unit.inline_mode = unit.inline_mode and _ready(units, unit, order)
        return order


def _ready(units: list[Unit], unit: Unit, order: list[Task]) -> bool:
    """Whether the inputs of a mode come before the outputs of its block anyway."""
    place = {task: i for i, task in enumerate(order)}
    own = [place[Task(unit.index, role)] for role in unit.output_roles()]
    return all(place[before] < first for before in _feeds(units, Task(unit.index, "mode")) for first in own)


def _flows(units: list[Unit], unit: Unit, role: str) -> bool:
    if not unit.wiring:
        names = role_arguments(unit.functions[role])
        flowing = {s.name for s in unit.block.states if not s.held} if not unit.block.sampled else set()
        if "t" in names or flowing.intersection(names):
            return True
    for port in unit.needs(role):
        source = unit.inputs[port]
        if source is not None and units[source.unit].rate.get(source.port) == CONTINUOUS:
            return True
    return False


def role_flows(units: list[Unit], unit: Unit, role: str) -> bool:
    """Whether a function's value changes between events."""
    return _flows(units, unit, role)
