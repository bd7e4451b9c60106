"""Order the evaluation: each output after its direct feedthrough, each loop in one piece."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ....blocks.contract.internal_names import crossing_of
from ...model.errors import AlgebraicLoop, Undetermined
from .iterations import members, read_outside
from .loops import Loop, circular, cut, port_places, shortest_loop, solved_for, trace
from .unit import CONTINUOUS, HELD, Source, Unit


class Task(NamedTuple):
    """One output function of one unit."""

    unit: int
    role: str


class Order(NamedTuple):
    """All output functions in order; the functions of a loop stand together."""

    tasks: list[Task]
    loops: list[Loop]


def find_order(units: list[Unit], *, solve: bool = False) -> Order:
    """All output functions in an order in which each comes after its direct feedthrough.

    The order depends on paths only. Routing blocks in a cycle of signals are traced, which replaces their
    units, unless all of it is a cycle of elements. With `solve` loops are parts of the order; without it,
    raises AlgebraicLoop with the ports of a shortest one. Raises Undetermined for a block whose equation
    lacks its loop.
    """
    before = _find_predecessors(units)
    order = _sort_tasks(before)
    if len(order) < len(before):
        _tell_apart(units, _graph(units, before.keys() - order))
        before = _find_predecessors(units)
        order = _sort_tasks(before)
    return _with_loops(units, before, order, solve=solve)


def _tell_apart(units: list[Unit], graph: object) -> None:
    """Trace the elements of routing blocks in cycles of a graph that are not cycles of elements.

    A part that still depends on itself is unchanged, and is solved to the same bits.
    """
    for part in circular(graph):
        traced = [*units]
        trace(traced, {task.unit for task in part})
        computing = {task for task in part if not units[task.unit].wiring}
        if not any(computing <= smaller for smaller in circular(_graph(traced, _same(traced, part)))):
            units[:] = traced


def _same(units: list[Unit], part: Iterable[Task]) -> set[Task]:
    """The tasks of a part, with all tasks of its routing blocks, which have one for each output if traced."""
    routing = {task.unit for task in part if units[task.unit].wiring}
    traced = {Task(i, role) for i in routing for role in units[i].output_roles}
    return traced.union(task for task in part if task.unit not in routing)


def _with_loops(
    units: list[Unit], before: Mapping[Task, list[Task]], order: list[Task], *, solve: bool
) -> Order:
    """The order with each remaining loop in one piece, routing blocks unchanged."""
    tasks = [*before]
    if len(order) == len(tasks):
        return Order(_together(units, order), [])
    graph = _graph(units, set(tasks).difference(order))
    _refuse_loops(units, graph, solve=solve)
    for (unit, _), *others in circular(graph):
        visible = [port.name for port in units[unit].block.input_ports()]
        if not others and units[unit].unknowns and all(units[unit].inputs[name] for name in visible):
            raise Undetermined(units[unit].path, visible, location=units[unit].flat.location)
    loops = [_loop(units, graph.subgraph(part)) for part in circular(graph)]
    inside = {task: loop for loop in loops for task in loop.tasks}
    first = {task: inside[task].tasks[0] if task in inside else task for task in tasks}
    joined: dict[Task, list[Task]] = {task: [] for task in tasks if first[task] == task}
    for task in tasks:
        joined[first[task]] += [first[feeder] for feeder in before[task] if first[feeder] != first[task]]
    sequence: list[Task] = []
    for task in _sort_tasks(joined):
        sequence += inside[task].tasks if task in inside else [task]
    return Order(sequence, loops)


def _find_predecessors(units: list[Unit]) -> dict[Task, list[Task]]:
    """The predecessors of each output function."""
    tasks = [Task(unit.index, role) for unit in units for role in unit.output_roles]
    return {task: [feeder for feeder, _, _ in _feeds(units, task)] for task in tasks}


def _refuse_loops(units: list[Unit], graph: Any, *, solve: bool) -> None:
    """Raise AlgebraicLoop for a loop that is not solved, with the ports that its elements pass.

    Routing blocks of unknown size are skipped.
    """
    iterated = any(units[task.unit].iteration >= 0 for task in graph)
    if solve and not iterated:
        return
    traced = [*units]
    trace(traced, {task.unit for task in graph})
    graph = _graph(traced, _same(traced, graph))
    if not iterated:
        sure = [task for task in graph if traced[task.unit].sized or not traced[task.unit].wiring]
        graph = graph.subgraph([task for task in sure if not solved_for(units, task)])
    if circular(graph):
        cycle = shortest_loop(traced, graph)
        places = port_places(units, cycle)
        raise AlgebraicLoop(cycle, places=places, location=next(filter(None, places), None))


def _sort_tasks(before: Mapping[Task, list[Task]]) -> list[Task]:
    """Tasks in order of dependence, the first of the mapping first; tasks that need a loop are left out."""
    tasks = list(before)
    number = {task: i for i, task in enumerate(tasks)}
    readers: list[list[int]] = [[] for _ in tasks]
    waiting = [0] * len(tasks)
    for i, task in enumerate(tasks):
        for feeder in before[task]:
            readers[number[feeder]].append(i)
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
    return order


def _together(units: list[Unit], order: list[Task]) -> list[Task]:
    """The order with the tasks of an iteration in one piece: no task between them affects them."""
    gathered: dict[int, list[Task]] = {}
    for task in order:
        gathered.setdefault(units[task.unit].iteration, []).append(task)
    if gathered.keys() <= {-1}:
        return order
    sequence: list[Task] = []
    for task in order:
        sequence += [task] if units[task.unit].iteration < 0 else gathered.pop(units[task.unit].iteration, [])
    return sequence


def _feeds(units: list[Unit], task: Task) -> list[tuple[Task, Source, str]]:
    """Dependencies of a task at the same instant: the task that computes the signal, the signal, the input.

    An iteration is done in one piece: after all that its blocks read, before all that reads one of them.
    """
    feeds = _direct_feeds(units, task)
    iteration = units[task.unit].iteration
    if iteration >= 0:
        for source, _, port in read_outside(units, iteration):
            feeds.append((Task(source.unit, units[source.unit].role_of(source.port)), source, port))
    for feeder, source, port in [*feeds]:
        other = units[feeder.unit].iteration
        if other not in (-1, iteration):
            inside = [Task(unit.index, role) for unit in members(units, other) for role in unit.output_roles]
            feeds += [(each, source, port) for each in inside if each != feeder]
    return feeds


def _direct_feeds(units: list[Unit], task: Task) -> list[tuple[Task, Source, str]]:
    unit = units[task.unit]
    wires = unit.wires(task.role)
    if unit.inline_mode:
        wires = [*dict.fromkeys((*wires, *unit.wires("mode")))]
    feeds = [
        (Task(source.unit, units[source.unit].role_of(source.port)), source, port) for source, port in wires
    ]
    for condition in unit.enables[:1]:
        feeds.append((Task(condition, "output"), Source(condition, "y"), "its condition"))
    return feeds


def _graph(units: list[Unit], inside: set[Task]) -> Any:
    """The dependencies between some tasks; `wires` of an edge are its signals and the inputs they enter."""
    import networkx as nx

    graph: Any = nx.DiGraph()
    graph.add_nodes_from(sorted(inside))
    for task in sorted(inside):
        for feeder, source, port in _feeds(units, task):
            if feeder in inside:
                if not graph.has_edge(feeder, task):
                    graph.add_edge(feeder, task, wires=[])
                graph.edges[feeder, task]["wires"].append((source, port))
    return graph


def _loop(units: list[Unit], graph: Any) -> Loop:
    """A part in which everything depends on everything, with its unknowns."""
    cuts = cut(units, graph)
    guessed = {(source.unit, units[source.unit].role_of(source.port)) for source in cuts}
    before = {task: [f for f in graph.predecessors(task) if f not in guessed] for task in sorted(graph)}
    return Loop(_sort_tasks(before), tuple(cuts), shortest_loop(units, graph))


def find_rates(units: list[Unit], order: Order, *, solve: bool = False) -> Order:
    """Find continuous outputs and outputs held between events; sets rate and inline_mode.

    A mode whose inputs are all held, and that no crossing changes, is computed in line, just before its
    block's output, unless that output lies on a loop; the order that is returned has those inputs before it.
    """
    for unit in units:
        unit.rate = {}
    again = True
    while again:
        again = False
        for task in order.tasks:
            unit = units[task.unit]
            rate = HELD if unit.ticked or not flows(units, unit, task.role) else CONTINUOUS
            for port in unit.output_roles[task.role]:
                again = again or (bool(order.loops) and unit.rate.get(port) != rate)
                unit.rate[port] = rate
    looped = {task.unit for loop in order.loops for task in loop.tasks}
    for unit in units:
        if "mode" in unit.functions and "jump" not in unit.functions and not unit.block.ends_run:
            crossed = any(map(crossing_of, unit.names["mode"]))
            held = unit.trigger >= 0 or not (crossed or flows(units, unit, "mode"))
            unit.inline_mode = unit.index not in looped and held
    try:
        before = _find_predecessors(units)
        refined = _with_loops(units, before, _sort_tasks(before), solve=solve)
        if [loop.tasks for loop in refined.loops] == [loop.tasks for loop in order.loops]:
            return refined
    except AlgebraicLoop:
        pass
    for unit in units:  # a loop through a mode only: it is then found by events instead
        unit.inline_mode = unit.inline_mode and _ready(units, unit, order.tasks)
    return order


def _ready(units: list[Unit], unit: Unit, order: list[Task]) -> bool:
    """True if the inputs of a mode already come before the outputs of its block."""
    place = {task: i for i, task in enumerate(order)}
    outputs = [place[Task(unit.index, role)] for role in unit.output_roles]
    feeds = _feeds(units, Task(unit.index, "mode"))
    return all(place[before] < first for before, _, _ in feeds for first in outputs)


def flows(units: list[Unit], unit: Unit, role: str) -> bool:
    """True if a function's value changes between events."""
    if not unit.wiring:
        names = unit.names[role]
        flowing = {s.name for s in unit.block.states if not s.held} if not unit.block.sampled else set()
        if "t" in names or flowing.intersection(names):
            return True
    return any(units[source.unit].rate.get(source.port) == CONTINUOUS for source in unit.reads(role))
