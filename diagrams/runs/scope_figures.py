"""Describe the figures of a run, the curves of each sink and the flight of each vehicle, for its result."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...blocks.contract.capabilities import Axes
from ...blocks.contract.units import element_units
from ..compiler.plan.unit import Source, Unit
from ..compiler.program import Program
from ..results.provenance import FlightFigure, ScopeFigure
from ..results.record import Heading
from .logged import Columns, StateColumn


class _Curve(NamedTuple):
    """A trace that a Scope shows, or an element of one; label and unit may be empty."""

    trace: str
    label: str
    unit: str


def scope_figures(program: Program, columns: Columns) -> tuple[ScopeFigure, ...]:
    """One figure for each sink with traces, in the order of declaration."""
    names = {(c.unit.index, c.port): c.heading for c in reversed(columns.signals)}
    units = program.plan.by_path
    return tuple(_figure(units[path], names) for path in program.flat.scopes)


def _figure(unit: Unit, headings: dict[tuple[int, str], Heading]) -> ScopeFigure:
    scope = unit.block.figure()
    assert scope is not None
    sources = [source for source in unit.inputs.values() if source is not None]
    if unit.block.figure_form == "xy":
        return _curves(unit, scope, [headings[source.unit, source.port] for source in sources])
    shown = list(_list_traces(scope, sources, headings))
    labels = tuple(one.label or one.trace for one in shown) if any(one.label for one in shown) else ()
    traces = tuple(one.trace for one in shown)
    return ScopeFigure(
        unit.path,
        scope.title or unit.path,
        traces,
        labels,
        _unit([one.unit for one in shown]),
        unit.block.figure_form,
    )


def _curves(unit: Unit, scope: Axes, axes: list[Heading]) -> ScopeFigure:
    """Curves of an XYScope: the elements of x, then of y; labels and units of both axes, names of curves."""
    traces = [axis.filled(np.empty(0), np.empty(0)) for axis in axes]
    paths, called, units = [trace.columns for trace in traces], [a.path for a in axes], [a.unit for a in axes]
    (x, *names), (y, *_) = scope.element_labels([1, 1])
    if "x" not in unit.inputs:  # points: x and y are the elements of each
        several = len(axes) > 1
        names = names or (called if several else [])
        paths = list(zip(*paths))
        called, units = ["x", "y"] if several else list(traces[0].names), list(traces[0].units)
    labels = [label or path for label, path in zip((x, y), called)] + names
    units = [stated or trace_unit for stated, trace_unit in zip(scope.units or ("", ""), units)]
    units = [name if "," not in name else "" for name in units]
    return ScopeFigure(
        unit.path, scope.title or unit.path, (*paths[0], *paths[1]), tuple(labels), ",".join(units), "xy"
    )


def _list_traces(
    scope: Axes, sources: list[Source], headings: dict[tuple[int, str], Heading]
) -> Iterator[_Curve]:
    """The traces, or their elements if these have their own labels or units."""
    all_headings = [headings[source.unit, source.port] for source in sources]
    counts = [len(element_units("", heading.shape)) for heading in all_headings]
    stated = scope.units or ("",) * len(all_headings)
    for heading, labels, unit, count in zip(all_headings, scope.element_labels(counts), stated, counts):
        label = labels[0] if len(labels) == 1 else ""
        if len(labels) == count > 1 or "," in unit:
            trace = heading.filled(np.empty(0), np.empty(0))
            each = (
                labels
                if len(labels) == count
                else (f"{label}{name[len(trace.path) :]}" for name in trace.names)
            )
            units = element_units(unit or heading.unit, heading.shape)
            yield from map(
                _Curve, trace.columns if labels else trace.names, each if labels else ("",) * count, units
            )
        else:
            yield _Curve(heading.path, label, unit or heading.unit)


def _unit(units: list[str]) -> str:
    if len(set(units)) == 1:
        return units[0]
    return ", ".join(units) if all(units) and not any("," in unit for unit in units) else ""


def flight_figures(
    program: Program, columns: Columns, states: Sequence[StateColumn]
) -> tuple[FlightFigure, ...]:
    """One figure for each vehicle with a logged position, attitude or rotor speeds."""
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
        actual, aim = unit.inputs.get("position"), unit.inputs.get(unit.block.aims.get("position", ""))
        vehicle = None if actual is None or aim is None else _nearest(units, actual.unit, vehicles)
        if vehicle is not None and aim is not None:
            reference.setdefault(vehicle, aim)
    return reference


def _nearest(units: Sequence[Unit], start: int, vehicles: Container[int]) -> int | None:
    """The first vehicle upstream of a block: the block itself, or the source of its sensors and filters."""
    reached = [start]
    for number in reached:  # the list grows during the loop: breadth first
        if number in vehicles:
            return number
        sources = (source.unit for source in units[number].inputs.values() if source is not None)
        reached += [unit for unit in dict.fromkeys(sources) if unit not in reached]
    return None


def _passed_on(units: Sequence[Unit], reference: Source, vehicle: int, names: Mapping[Source, str]) -> str:
    """The name of the nearest logged signal before a reference, equal to it or through holds and switches."""
    reached = [reference]
    for source in reached:  # the list grows during the loop: breadth first
        if source.unit == vehicle:  # whose signal is the actual position, not the reference
            continue
        if source in names:
            return names[source]
        unit = units[source.unit]
        before = (unit.inputs[port] for port in unit.block.passes)
        reached += [each for each in dict.fromkeys(before) if each is not None and each not in reached]
    return ""
