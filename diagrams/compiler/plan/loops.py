"""Find the ports of a shortest algebraic loop, and the signals that open all loops when they are cut.

A Mux needs all of its inputs, and each output of a Demux the whole vector, so that a diagram that computes
one element from another has a cycle of whole signals. Element by element there may be none. In such a cycle
each output of a routing block is evaluated separately, from the blocks that compute its elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ....base.location import Location
from ....blocks.contract.port import SCALAR
from ....blocks.contract.wiring import Wiring
from .unit import Route, Source, Unit

if TYPE_CHECKING:
    from .order import Task

Direct = Mapping[int, Mapping[str, list[Route]]]


@dataclass(frozen=True)
class JointSearch:
    """A condition stored with the modes: 1 while loops are solved together with modes."""

    mode_at: int
    settled_at: ClassVar = -1
    path: ClassVar = "loops and modes"


@dataclass
class Loop:
    """Output functions that depend on one another at the same instant, solved together."""

    tasks: list[Task]  # in an order in which each comes after its inputs, cut signals being given
    cuts: tuple[Source, ...]  # the unknowns
    ports: tuple[str, ...]  # of a shortest loop, in the direction of the signals
    starts_at: int = -1  # in w: 1 once it has been solved, then the last solution
    values_at: int = -1  # in w: the values of the cut signals while it is solved
    former_at: int = -1  # in w: the factors with which Newton's method solved it
    opened_at: int = -1  # in w: the cut signals that its blocks compute while it is open

    def unknowns(self, units: list[Unit], tasks: Iterable[Task]) -> list[tuple[Source, int, int]]:
        """The cut signals that some of the tasks compute, with places among all unknowns, and sizes."""
        evaluated = set(tasks)
        unknowns = []
        place = 0
        for cut in self.cuts:
            count = units[cut.unit].out_sizes[cut.port].count
            if (cut.unit, units[cut.unit].role_of(cut.port)) in evaluated:
                unknowns.append((cut, place, count))
            place += count
        return unknowns

    def count(self, units: list[Unit]) -> int:
        """The number of unknowns."""
        return sum(count for _, _, count in self.unknowns(units, self.tasks))


def shortest_loop(units: list[Unit], graph: Any) -> tuple[str, ...]:
    """The ports of a shortest loop, in the direction of the signals. Edges hold `wires`."""
    import networkx as nx

    through_others = graph.copy()
    through_others.remove_edges_from([(task, task) for task in graph if solved_for(units, task)])
    graph = through_others if circular(through_others) else graph
    cycles = []
    for part in circular(graph):
        start = min(part)
        within = graph.subgraph(part)
        ways = [nx.shortest_path(within, follower, start) for follower in sorted(within[start])]
        cycles.append([start, *min(ways, key=len)[:-1]])
    cycle = min(cycles, key=lambda c: (len(c), c))
    ports: list[str] = []
    for task, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        source, port = graph.edges[task, after]["wires"][0]
        if not solved_for(units, task):
            ports += [f"{units[task.unit].path}.{source.port}", *_list_entries(units, after, source, port)]
    return tuple(ports)


def _list_entries(units: list[Unit], task: Task, source: Source, port: str) -> list[str]:
    """The ports by which a signal reaches a task: one input, or the ports on the route of an element."""
    reader = units[task.unit]
    if not reader.routes:
        return [f"{reader.path}.{port}"]
    routes = (route for out in reader.output_roles[task.role] for route in reader.routes[out])
    (unit, port), *others = next(route for route in routes if route.source == source).inputs
    ports = [f"{units[unit].path}.{port}"]
    for unit, port in others:
        output = units[unit].inputs[port]
        assert output is not None
        ports += [f"{units[output.unit].path}.{output.port}", f"{units[unit].path}.{port}"]
    return ports


def solved_for(units: list[Unit], task: Task) -> bool:
    """True if a task is the equation of an unknown of its block."""
    return task.role.removeprefix("output_") in units[task.unit].unknowns


def port_places(units: list[Unit], ports: Iterable[str]) -> list[Location | None]:
    """Places where ports were declared: an output with its block, an input with the wire that enters it."""
    flats = {unit.path: unit.flat for unit in units}
    places = []
    for port in ports:
        path, _, name = port.rpartition(".")
        places.append(flats[path].wire_locations.get(name) or flats[path].location)
    return places


def circular(graph: Any) -> list[set[Task]]:
    """The parts of a graph in which everything depends on everything."""
    import networkx as nx

    parts = nx.strongly_connected_components(graph)
    return sorted((p for p in parts if len(p) > 1 or any(graph.has_edge(n, n) for n in p)), key=min)


def cut(units: list[Unit], graph: Any) -> list[Source]:
    """Few and small signals on which all loops of a part depend: best task first, until no cycle is left."""
    chosen = []
    pending = [graph.copy()]
    while pending:
        for part in circular(left := pending.pop()):
            within = left.subgraph(part).copy()
            best = max(sorted(part), key=lambda task: _worth(units, graph, within, task))
            chosen.append(best)
            within.remove_node(best)
            pending.append(within)
    return [source for task in sorted(chosen) for source in _list_looped_outputs(graph, task)]


def _list_looped_outputs(graph: Any, task: Task) -> list[Source]:
    """The outputs of a task that its own loop reads."""
    wires = (wire for _, _, wires in graph.out_edges(task, data="wires") for wire in wires)
    return sorted({source for source, _ in wires})


def _worth(units: list[Unit], graph: Any, within: Any, task: Task) -> tuple[bool, float]:
    """Loops opened by cutting a task's outputs, for each unknown; a task that feeds itself must be cut
    anyway.

    A signal without a size, whose error is reported instead, counts as a number.
    """
    sizes = [
        units[source.unit].out_sizes.get(source.port, SCALAR) for source in _list_looped_outputs(graph, task)
    ]
    size = sum(each.count for each in sizes)
    return within.has_edge(task, task), within.in_degree(task) * within.out_degree(task) / size


def find_routes(unit: Unit, role: str) -> dict[str, list[Route]]:
    """The origins of the elements of each output of a routing block."""
    if unit.routes:
        return {port: unit.routes[port] for port in unit.output_roles[role]}
    assert isinstance(unit.block, Wiring)
    return {
        port: [Route(((unit.index, name),), unit.inputs[name], i) for name, i in elements]
        for port, elements in unit.block.gather(unit.in_sizes).items()
    }


def trace(units: list[Unit], inside: Iterable[int]) -> None:
    """Replace the routing blocks among some units by copies with the routes of their elements."""
    direct = {i: find_routes(units[i], "output") for i in sorted(inside) if _traceable(units[i])}
    for i, outputs in direct.items():
        routes = {
            port: [_trace_route(units, direct, route) for route in elements]
            for port, elements in outputs.items()
        }
        units[i] = replace(units[i], routes=routes)


def _traceable(unit: Unit) -> bool:
    return unit.wiring and unit.sized and not unit.routes


def _trace_route(units: list[Unit], direct: Direct, route: Route) -> Route:
    """The route from the block that computes the element; unchanged for an element that depends on itself."""
    reader, first = units[route.inputs[0][0]], route
    passed = set()
    while (place := (route.inputs[0], route.element)) not in passed:
        passed.add(place)
        source = route.source
        if source is None or source.unit not in direct or not _passes(units[source.unit], reader):
            return route
        before = direct[source.unit][source.port][route.element]
        route = Route((*before.inputs, *route.inputs), before.source, before.element)
    return first


def _passes(unit: Unit, reader: Unit) -> bool:
    """True if the outputs of a routing block are its inputs whenever a reader works."""
    if not unit.conditional:
        return True
    return (unit.enables, unit.trigger) == (reader.enables, reader.trigger)


def has_free_mode(unit: Unit, task: Task) -> bool:
    """True if the mode of a block follows only from the inputs of an output, not from the previous mode."""
    if "mode" not in unit.functions or unit.ticked or unit.inline_mode or unit.block.timers() is not None:
        return False
    names = unit.names["mode"]
    if "jump" in unit.functions or "mode" in names or any(name.startswith("crossed_") for name in names):
        return False
    return set(unit.reads("mode")) <= set(unit.reads(task.role))
