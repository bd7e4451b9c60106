"""Blocks with a history become delays between the equations of a linear model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TypeAlias

import numpy as np

from ..blocks.continuous.delayed import DelayBlock
from ..blocks.routing.inport import Inport
from ..diagrams.compiler.plan.unit import HELD, Source, Unit
from ..diagrams.compiler.program import Program
from ..diagrams.runs.directions import Element
from ..native.tangent.frame import NotDifferentiable
from .models.delays import with_delays
from .models.linear_model import LinearModel, Matrix
from .opening import OUT, Signal, opened
from .own_events import ends, upstream
from .point import OperatingPoint

Befores: TypeAlias = dict[str, Element]
FED, SHOWN, LONG = "@u", "@y", "@delay"  # after the path of a block: its input, its output, its time
BEFORE = ".before"
NEARLY = 1e-9  # of a delay: it counts as a multiple of a period within this
MOST_SAMPLES = 1000  # of a delay


def with_histories(program: Program, end: Iterable[str]) -> Program:
    """The program with the inputs and outputs of blocks with a history as outputs; unchanged without such
    blocks.

    Raises NotDifferentiable for such a block that is not a delay, and for a delay whose time is read by
    derivatives, ticks or blocks `end`.
    """
    delays = delays_of(program)
    if not delays:
        return program
    units = program.plan.units
    reached = [(units[s.unit], s.port) for s in upstream(units, ends(program.plan, end))]
    if lengths := sorted(unit.path for unit, port in reached if unit in delays and port != "y"):
        reason = "its output `delay`, the length of a delay, which is a constant at rest and in linear models"
        raise NotDifferentiable(reason, lengths, "readers of its speed v instead: at rest it is length / v")
    sources = {block.path: block.sources for block in program.flat.blocks}
    signals: list[Signal] = []
    for unit in delays:
        path, pace = unit.path, unit.block.paced_by  # type: ignore[attr-defined]
        wires = {FED: sources[path]["u"], SHOWN: (path, "y"), LONG: sources[path].get(pace)}
        signals += [Signal(path + suffix, wire, ()) for suffix, wire in wires.items() if wire]
    return opened(program, (), signals, ())


def delays_of(program: Program) -> list[Unit]:
    """The blocks with a history that something reads. Raises NotDifferentiable."""
    units = _with_history(program)
    _refuse([unit for unit in units if not isinstance(unit.block, DelayBlock)], "a TransferFunction near it")
    return units


def refuse_delays(program: Program) -> None:
    """Raise NotDifferentiable for blocks with a history that something reads."""
    _refuse(units := _with_history(program), _rational(units))


def _with_history(program: Program) -> list[Unit]:
    read = {end[0] for block in program.flat.blocks for end in block.sources.values() if end}
    return [unit for unit in program.plan.units if unit.has_history and unit.path in read]


def _refuse(units: list[Unit], expected: str) -> None:
    if units:
        paths = [unit.path for unit in units]
        raise NotDifferentiable(
            "a history along time, which cannot be described by finitely many states", paths, expected
        )


def _rational(units: list[Unit]) -> str:
    """Advice to replace delays by Pade approximants of order 2, with their coefficients."""
    text = "a rational approximation, such as Padé of order 2, good up to about 2 / T rad/s"
    for unit in units:
        if np.size(time := unit.numbers.get("delay", ())) == 1:
            T = float(np.ravel(time)[0])
            high, middle = f"{T * T / 12.0:.6g}", f"{T / 2.0:.6g}"
            text += f"; for {unit.path}: TransferFunction([{high}, -{middle}, 1], [{high}, {middle}, 1])"
            break
    return text + "; or a run until the motion repeats"


def befores(program: Program) -> Befores:
    """Outputs of delays before they have a history, by the name of each element."""
    places: Befores = {}
    for unit in delays_of(program):
        shape = unit.out_sizes["y"].shape
        array, at = unit.states_at["before"]
        for k, index in enumerate(np.ndindex(shape)):
            suffix = f"[{', '.join(map(str, index))}]" if index else ""
            places[unit.path + suffix] = (array, at + k)
    return places


def without_history(program: Program, point: OperatingPoint) -> tuple[OperatingPoint, Matrix]:
    """The point at which the outputs of delays stay constant, and the times of the delays, s.

    `program` comes from `with_histories`.
    """
    delays = delays_of(program)
    if not delays:
        return point, np.zeros(0)
    values = program.outputs(point.time, point.states, point.inputs, held=point.held)
    held = without_delays(program, point.held)
    times = []
    for unit in delays:
        held[unit.path + BEFORE] = np.ravel(values[unit.path + SHOWN + OUT])
        numbers, block = unit.numbers, unit.block
        assert isinstance(block, DelayBlock)
        pace = numbers.get(block.paced_by, values.get(unit.path + LONG + OUT))
        if not np.isfinite(long := block.transit(float(pace), numbers)):  # type: ignore[arg-type]
            reason, expected = "an infinite delay, because the flow rests", "a point at which it flows"
            raise NotDifferentiable(reason, [unit.path], expected)
        times += [long] * prod(unit.out_sizes["y"].shape)
    return OperatingPoint(point.time, point.states, point.inputs, held), np.array(times)


def has_history(program: Program, held: Mapping[str, object]) -> bool:
    """True if a point belongs to a run, so that delays have a history."""
    return any(f"{unit.path}.pieces" in held for unit in delays_of(program))


def without_delays(program: Program, held: Mapping[str, object]) -> dict[str, object]:
    """The held values of a point, without the histories of delays."""
    states = {f"{unit.path}.{state.name}" for unit in delays_of(program) for state in unit.block.states}
    return {name: value for name, value in held.items() if name not in states}


def delayed(model: LinearModel, by_delays: LinearModel, times: Matrix, names: list[str]) -> LinearModel:
    """Turn a delay-free model, whose last inputs are the outputs of delays, into one with delays; `by_delays`
    has the columns of these inputs.
    """
    q = len(names)
    realized_model = replace(
        model,
        B=np.hstack([model.B[:, :-q], by_delays.B[:, -q:]]),
        D=np.hstack([model.D[:, :-q], by_delays.D[:, -q:]]),
    )
    ends = [name for name in realized_model.outputs if SHOWN + OUT not in name and LONG + OUT not in name]
    return with_delays(realized_model.part(outputs=ends), names, times)


def without_places(model: LinearModel, program: Program, outputs: Sequence[str]) -> LinearModel:
    """Remove the states that measure transported distance, which grow at rest too, if nothing depends on
    them."""
    places = {
        f"{unit.path}.{state.name}"
        for unit in delays_of(program)
        for state in unit.block.states
        if not state.held
    }
    D = model.delays
    read = [model.A - np.diag(np.diag(model.A)), model.C, *(() if D is None else (D.C2,))]
    depends = np.any(np.vstack(read) != 0.0, axis=0)
    stay = [
        i for i, name in enumerate(model.states) if name not in places or name in outputs or depends[i]
    ]  # fmt: skip
    if len(stay) == len(model.states):
        return model
    return replace(
        model,
        A=model.A[np.ix_(stay, stay)], B=model.B[stay], C=model.C[:, stay], f_t=model.f_t[stay],
        states=tuple(model.states[i] for i in stay),
        delays=None if D is None else replace(D, B2=D.B2[stay], C2=D.C2[:, stay]),
    )  # fmt: skip


def stays(units: list[Unit], source: Source | None) -> bool:
    """True if a signal changes at ticks alone, inputs of the diagram being held over a period."""
    reached, stack = set[Source](), [] if source is None else [source]
    while stack:
        source = stack.pop()
        unit = units[source.unit]
        if source in reached or unit.rate[source.port] == HELD or isinstance(unit.block, Inport):
            continue
        if "t" in unit.names.get(unit.role_of(source.port), ()) or unit.block.states or not unit.inputs:
            return False
        reached.add(source)
        wires = unit.wires(unit.role_of(source.port)) if unit.wiring else unit.all_wires()
        stack += [before for before, _ in wires]
    return True
