"""Each vehicle of a diagram is plotted from the signals of its flight and of its reference."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from ..compiler.plan.unit import Source, Unit
from ..compiler.program import Program
from ..results.provenance import FlightFigure
from .logged import Columns, StateColumn


def flight_figures(
    program: Program, columns: Columns, states: Sequence[StateColumn]
) -> tuple[FlightFigure, ...]:
    """One for each vehicle of which the position, the attitude or the rotors' speeds are logged."""
    units = program.plan.units
    flights = {unit.index: signals for unit in units if (signals := unit.block.flown()) is not None}
    if not flights:
        return ()
    names = {Source(c.unit.index, c.port): c.name for c in reversed(columns.signals)}
    logged_states = {state.heading.path for state in states}

    def name(unit: Unit, ports: Sequence[str]) -> str:
        for port in ports:
            source = unit.inputs.get(port) or Source(unit.index, port)
            state = f"{unit.path}.{port}"
            if source in names or state in logged_states:
                return names.get(source, state)
        return ""

    reference = _references(units, flights)
    figures = (
        FlightFigure(
            units[i].path,
            name(units[i], flight.position),
            _passed_on(units, reference[i], i, names) if i in reference else "",
            name(units[i], flight.attitude),
            name(units[i], flight.speeds),
        )
        for i, flight in flights.items()
    )
    return tuple(figure for figure in figures if figure.position or figure.attitude or figure.speeds)


def _references(units: Sequence[Unit], vehicles: Container[int]) -> dict[int, Source]:
    """Reference positions of vehicles: signals at the reference inputs of blocks that read a vehicle's
    position.
    """
    reference: dict[int, Source] = {}
    for unit in units:
        seen, told = unit.inputs.get("position"), unit.inputs.get(unit.block.aims.get("position", ""))
        vehicle = None if seen is None or told is None else _nearest(units, seen.unit, vehicles)
        if vehicle is not None and told is not None:
            reference.setdefault(vehicle, told)
    return reference


def _nearest(units: Sequence[Unit], start: int, vehicles: Container[int]) -> int | None:
    """The first vehicle upstream of a block: the block itself, or the source of its sensors and filters."""
    reached = [start]
    for number in reached:  # grows while it is walked: breadth first
        if number in vehicles:
            return number
        sources = (source.unit for source in units[number].inputs.values() if source is not None)
        reached += [unit for unit in dict.fromkeys(sources) if unit not in reached]
    return None


def _passed_on(units: Sequence[Unit], reference: Source, vehicle: int, names: Mapping[Source, str]) -> str:
    """The name of the nearest logged signal before a reference, equal to it or through holds and switches."""
    reached = [reference]
    for source in reached:  # grows while it is walked: breadth first
        if source.unit == vehicle:  # whose signal is the actual position, not the reference
            continue
        if source in names:
            return names[source]
        unit = units[source.unit]
        before = (unit.inputs[port] for port in unit.block.passes)
        reached += [each for each in dict.fromkeys(before) if each is not None and each not in reached]
    return ""
