"""Derive the units of signals from declared units of ports, along wires, by the rules of the blocks.

The unit of an element is missing (""), found, or contradictory (MIXED), and changes in this order only, so
that the search ends. The unit of a gain may be missing: if the consequences of a Gain contradict declared
units, the output of that Gain gets none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod

from ....blocks.contract.port import Like, Size, State
from ....blocks.contract.units import MIXED, agree, common, element_units, one_text, times_seconds
from .unit import Source, Unit, elements

Elements = tuple[str, ...]
UnitsOf = dict[Source, Elements]


class SignalUnits:
    """The unit of every output of a plan, found at first use.

    `stated` are the units that Inports and Outports of subsystems give to signals, by block path and port.
    """

    def __init__(self, units: list[Unit], stated: Mapping[tuple[str, str], str]) -> None:
        self._units = units
        self._stated = stated
        self._texts: dict[Source, str] = {}

    def of(self, unit: Unit, port: str) -> str:
        """The unit of an output, one text for all its elements."""
        signal = Source(unit.index, port)
        if signal not in self._texts:
            self._texts[signal] = unit.output_ports[port].unit or self._text(signal, self._units_of)
        return self._texts[signal]

    def of_state(self, unit: Unit, state: State) -> str:
        """The unit of a state."""
        if state.unit or not state.like:
            return state.unit
        if state.like in unit.output_ports:
            return self.of(unit, state.like)
        source = unit.inputs[state.like]
        return "" if source is None else self._text(source, self._units_of)

    @cached_property
    def contradictions(self) -> tuple[str, ...]:
        """Contradictions in words: an input with a unit that it does not expect, a sum of unlike signals."""
        return tuple(dict.fromkeys(text for _, text in self._contradictory(self._units_of)))

    @cached_property
    def _units_of(self) -> UnitsOf:
        doubted: set[Source] = set()
        while True:
            units = self._spread(doubted)
            gains = {gain for signal, _ in self._contradictory(units) for gain in self._gains_behind(signal)}
            if gains <= doubted:
                return units
            doubted |= gains

    def _spread(self, doubted: set[Source]) -> UnitsOf:
        readers: list[list[int]] = [[] for _ in self._units]
        for unit in self._units:
            for source in filter(None, unit.inputs.values()):
                readers[source.unit].append(unit.index)
        sizes = ((unit.index, name, size) for unit in self._units for name, size in unit.out_sizes.items())
        by_signal = {Source(index, name): ("",) * size.count for index, name, size in sizes}
        queue = deque(range(len(self._units)))
        waiting = set(queue)
        while queue:
            unit = self._units[queue.popleft()]
            waiting.discard(unit.index)
            for signal, units in self._outputs(unit, by_signal, doubted):
                if by_signal[signal] != units:
                    by_signal[signal] = units
                    fresh = [reader for reader in readers[unit.index] if reader not in waiting]
                    waiting.update(fresh)
                    queue.extend(fresh)
        return by_signal

    def _outputs(
        self, unit: Unit, units_of: UnitsOf, doubted: set[Source]
    ) -> Iterator[tuple[Source, Elements]]:
        gathered = unit.block.gather(unit.in_sizes) if unit.wiring else {}  # type: ignore[attr-defined]
        inputs = {name: self._input(unit, name, units_of) for name in unit.inputs}
        for name, port in unit.output_ports.items():
            signal, size = Source(unit.index, name), unit.out_sizes[name]
            declared = port.unit or self._stated.get((unit.path, name), "")
            if declared:
                yield signal, declared_units(declared, size)
            elif name in gathered:
                yield signal, tuple(inputs[key][i] for key, i in gathered[name])
            elif port.like is not None and signal not in doubted:
                yield signal, _like(unit, port.like, size, inputs)
            else:
                yield signal, ("",) * size.count

    def _input(self, unit: Unit, name: str, units_of: UnitsOf) -> Elements:
        source = unit.inputs[name]
        return ("",) * unit.in_sizes[name].count if source is None else units_of[source]

    def _contradictory(self, units_of: UnitsOf) -> Iterator[tuple[Source, str]]:
        """Signals that take part in a contradiction, and its description in words."""
        for unit in self._units:
            for name, port in unit.input_ports.items():
                source = unit.inputs[name]
                if source is not None and port.unit:
                    units = units_of[source]
                    if not _agree(units, declared_units(port.unit, unit.in_sizes[name])):
                        place = f"{unit.path}.{name} in {port.unit}"
                        yield source, f"{self._name(source)} is in {self._text(source, units_of)}, {place}"
            for name, port in unit.output_ports.items():
                if port.like is not None and port.like.exact and unit.elementwise:
                    yield from self._unlike(unit, Source(unit.index, name), port.like, units_of)

    def _unlike(
        self, unit: Unit, signal: Source, rule: Like, units_of: UnitsOf
    ) -> Iterator[tuple[Source, str]]:
        """The inputs that an elementwise block treats as one quantity, if they or the output differ."""
        inputs = {name: self._input(unit, name, units_of) for name in rule.inputs}
        if any(MIXED in units for units in inputs.values()) or not any(map(any, inputs.values())):
            return
        units_out = _like(unit, rule, unit.out_sizes[signal.port], inputs)
        if MIXED in units_out or not _agree(units_out, units_of[signal]):
            sources = [source for name in rule.inputs if (source := unit.inputs[name]) is not None]
            inputs_text = ", ".join(
                f"{self._name(s)} ({self._text(s, units_of)})" for s in sources if any(units_of[s])
            )
            stated = "" if MIXED in units_of[signal] else f" as {self._text(signal, units_of)}"
            yield from (
                (source, f"{unit.path} joins{stated} signals of different units: {inputs_text}")
                for source in sources
            )

    def _gains_behind(self, signal: Source) -> Iterator[Source]:
        """The outputs of inexact rules that determine the unit of a signal."""
        seen, queue = {signal}, [signal]
        while queue:
            at = queue.pop()
            unit = self._units[at.unit]
            port = unit.output_ports[at.port]
            if port.unit or (unit.path, at.port) in self._stated:
                continue
            if port.like is not None and not port.like.exact:
                yield at
                continue
            names = port.like.inputs if port.like is not None else unit.inputs if unit.wiring else ()
            behind = {source for name in names if (source := unit.inputs[name]) is not None} - seen
            seen |= behind
            queue += behind

    def _text(self, signal: Source, units_of: UnitsOf) -> str:
        units = units_of[signal]
        unit = units[3] if len(units) > 3 else ""
        size = self._units[signal.unit].out_sizes[signal.port]
        if unit not in ("", MIXED) and units == declared_units(unit, size):
            return unit
        return one_text(units, vector=len(size.shape) < 2)

    def _name(self, source: Source) -> str:
        return f"{self._units[source.unit].path}.{source.port}"


def declared_units(unit: str, size: Size) -> Elements:
    """The unit of every element; nothing if the text has more units than fit the elements.

    In a pose, a 4x4 matrix, only the last column has the unit.
    """
    rows, columns = size.shape if len(size.shape) == 2 else (0, 0)
    if columns == 4 and rows and rows % 4 == 0 and "," not in unit:
        return (*("", "", "", unit) * 3, "", "", "", "") * (rows // 4)
    units = element_units(unit, size.shape)
    return units if "," not in units[0] else ("",) * len(units)


def _agree(actual: Elements, expected: Elements) -> bool:
    return all(agree(a, b) for a, b in zip(actual, expected) if MIXED not in (a, b))


def _like(unit: Unit, rule: Like, size: Size, inputs: Mapping[str, Elements]) -> Elements:
    if not any(any(inputs[name]) for name in rule.inputs):
        return ("",) * size.count
    shape_out = size.shape
    joined = [(unit.in_sizes[name].shape, inputs[name]) for name in rule.inputs]
    if unit.elementwise and any(len({*units}) > 1 for _, units in joined):
        spread = [[units[i] for i in elements(shape, shape_out)] for shape, units in joined]
        alike = tuple(common(units) for units in zip(*spread))
    else:
        alike = (common(one for _, units in joined for one in units),) * prod(shape_out)
    return tuple(times_seconds(one, rule.seconds) for one in alike) if rule.seconds else alike
