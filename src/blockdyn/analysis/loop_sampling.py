"""Sampling of a loop: the blocks and clocks that a signal passes around it, and the wire to cut.

A gain k at a wire multiplies a sequence of numbers if the wire changes, or is read, at ticks alone. The loop
is then one in discrete time over the period of its own clocks. With N such ticks in that period the loop is
lifted: its signals are the N values together, and a gain at the wire multiplies all of them.
Source: Bittanti and Colaneri, Periodic Systems (2009), section 6.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..diagrams.compiler.plan.layout import Plan
from ..diagrams.compiler.plan.unit import HELD, Source, Unit
from ..diagrams.compiler.program import Program
from .errors import AnalysisError
from .opening import Signal, signals
from .own_events import hits
from .sampled import clock_times, common_period

MODES = ("mode", "crossing")  # functions that select a linear model and do not transmit small changes
MOST_SAMPLES = 64  # of a wire in a period: the number of inputs and outputs of a lifted loop


@dataclass(frozen=True)
class LoopSampling:
    """The wire `cut` of a loop, the `paths` of the blocks that its signal passes, and the `instants` of a
    period, s, at which the wire takes new values; empty for a loop in continuous time.
    """

    cut: Signal
    paths: frozenset[str]
    instants: tuple[Fraction, ...]


def loop_sampling(program: Program, wire: Signal) -> LoopSampling | None:
    """The sampling of the loop that closes at a wire; None if a change of the wire does not return to it.

    If the wire changes between ticks, or changes more often than another wire on every path around the loop,
    the cut moves to that wire, with the same loop transfer function. Raises AnalysisError if there is no such
    wire.
    """
    units, graph = program.plan.units, _Graph(program.plan.units, wire)
    inside = graph.loop()
    if not inside:
        return None
    paths = frozenset(units[i].path for i in inside)
    ticked = [units[i] for i in sorted(inside) if units[i].ticks >= 0]
    if not ticked:
        return LoopSampling(wire, paths, ())
    clocks = _clocks(program.plan, {unit.ticks for unit in ticked})
    if not clocks:  # ticks without a clock, which `Question` refuses
        return LoopSampling(wire, paths, ())
    period = common_period(program, clocks)
    choices = [graph.reading(), graph.changing()]
    several = [_instants(program, places, period) for places in choices if places is not None]
    direct = min(several, key=len, default=None)
    if direct is not None and len(direct) == 1:
        return LoopSampling(wire, paths, direct)
    moved = [(_instants(program, {unit.ticks}, period), unit) for unit in ticked if graph.passed_by_all(unit)]
    if moved:
        instants, unit = min(moved, key=lambda each: (len(each[0]), each[1].path))
        if direct is None or len(instants) < len(direct):
            (cut,) = signals("open", unit.path, program.flat)
            return LoopSampling(cut, paths, instants)
    if direct is not None and len(direct) <= MOST_SAMPLES:
        return LoopSampling(wire, paths, direct)
    raise _refusal(wire, ticked, period, direct)


def read_at(program: Program, path: str) -> bool:
    """True if the output of a block is read only at ticks."""
    (signal,) = signals("open", path, program.flat)
    return _Graph(program.plan.units, signal).reading() is not None


def _refusal(
    wire: Signal, ticked: Sequence[Unit], period: Fraction, instants: tuple[Fraction, ...] | None
) -> AnalysisError:
    how = "also between the ticks" if instants is None else f"{len(instants)} times in a period"
    actual = f"`{wire.name}` changes {how} of its loop, whose clocks have a period of {float(period):g} s"
    listed = ", ".join(unit.path for unit in ticked)
    expected = (
        f"a wire that changes at ticks alone: the output of one of {listed}; `root_locus` of the gain of a"
        " block, which takes the poles of the diagram; or `frequency_response`, by sines"
    )
    return AnalysisError(actual, expected)


class _Graph:
    """Graph of the units that pass a change on to others, with the cut wire left out."""

    def __init__(self, units: Sequence[Unit], wire: Signal) -> None:
        self._units, self._cut = units, {*wire.readers}
        number = {unit.path: unit.index for unit in units}
        self._source = Source(number[wire.source[0]], wire.source[1])
        self._entries = [(number[path], port) for path, port in wire.readers]
        self._readers: dict[Source, list[tuple[int, str]]] = {}
        after: dict[int, set[int]] = {unit.index: set() for unit in units}
        before: dict[int, set[int]] = {unit.index: set() for unit in units}
        for unit in units:
            for port, source in unit.inputs.items():
                if source is None or (unit.path, port) in self._cut:
                    continue
                self._readers.setdefault(source, []).append((unit.index, port))
                if _passes(unit, port):
                    after[source.unit].add(unit.index)
                    before[unit.index].add(source.unit)
        self._after, self._before = after, before
        self._starts = [i for i, port in self._entries if _passes(units[i], port)]

    def loop(self) -> set[int]:
        """The units through which a change of the wire returns to it."""
        return _reach_units(self._after, self._starts) & _reach_units(self._before, [self._source.unit])

    def passed_by_all(self, unit: Unit) -> bool:
        """True if each path around the loop passes a ticked unit once, through a scalar."""
        sizes = [*unit.out_sizes.values()]
        if len(sizes) != 1 or sizes[0].count != 1 or sizes[0].fields:
            return False
        others = _reach_units(self._after, [i for i in self._starts if i != unit.index], unit.index)
        return self._source.unit not in others and unit.index not in _reach_units(
            self._after, self._after[unit.index]
        )

    def reading(self) -> set[int] | None:
        """The places in `hit` of the ticks that read the wire; None if a continuous function reads it."""
        places, seen, stack = set[int](), set[tuple[int, str]](), [*self._entries]
        while stack:
            entry = stack.pop()
            if entry in seen:
                continue
            seen.add(entry)
            unit, port = self._units[entry[0]], entry[1]
            if unit.ticked:
                places.add(unit.ticks)
                continue
            for _, ports in _roles(unit, port):
                if not ports or _uses_own(unit, ports):
                    return None
                for name in ports:
                    stack += self._readers.get(Source(unit.index, name), ())
        return places or None

    def changing(self) -> set[int] | None:
        """The places in `hit` of the ticks at which the wire changes; None if it changes between ticks."""
        places, seen, stack = set[int](), set[Source](), [self._source]
        while stack:
            source = stack.pop()
            if source in seen:
                continue
            seen.add(source)
            unit = self._units[source.unit]
            if unit.ticked:
                places.add(unit.ticks)
            elif unit.rate[source.port] != HELD:
                return None
            else:
                ports = unit.needs(unit.role_of(source.port))
                stack += [
                    each
                    for port in ports
                    if (each := unit.inputs[port]) and (unit.path, port) not in self._cut
                ]
        return places or None


def _roles(unit: Unit, port: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The functions that pass on the value of an input, each with its outputs."""
    if unit.wiring:
        return [("output", tuple(unit.output_ports))]
    roles = [role for role in unit.functions if role not in MODES]
    return [(role, unit.output_roles.get(role, ())) for role in roles if port in unit.needs(role)]


def _passes(unit: Unit, port: str) -> bool:
    return bool(unit.trigger >= 0 or unit.wiring or [*_roles(unit, port)])


def _uses_own(unit: Unit, ports: Iterable[str]) -> bool:
    """True if a function other than an output reads one of a unit's own outputs."""
    return any(
        name in unit.names[role]
        for role in unit.functions
        if role not in MODES and role not in unit.output_roles
        for name in ports
    )


def _reach_units(graph: Mapping[int, Collection[int]], starts: Iterable[int], without: int = -1) -> set[int]:
    reached, stack = set[int](), [*starts]
    while stack:
        at = stack.pop()
        if at not in reached and at != without:
            reached.add(at)
            stack += graph[at]
    return reached


def _clocks(plan: Plan, places: set[int]) -> set[int]:
    """The clocks that make these places in `hit` tick."""
    return {c for c in range(len(plan.clocks)) if not places.isdisjoint(hits(plan, [c]))}


def _instants(program: Program, places: set[int], period: Fraction) -> tuple[Fraction, ...]:
    clocks = _clocks(program.plan, places)
    return tuple(sorted({instant for c in clocks for instant in clock_times(program, c, period)}))
