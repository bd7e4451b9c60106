"""Find the size of every signal by passing sizes along the wires until nothing changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from math import prod
from operator import itemgetter

import numpy as np

from ....base.location import Location
from ....base.memory import excess
from ....base.words import article
from ....blocks.contract.buses import expected_signal
from ....blocks.contract.errors import SizeError
from ....blocks.contract.port import SCALAR, Size
from ....blocks.contract.shapes import broadcast
from ....blocks.contract.wiring import Part, Wiring
from ....blocks.switching.parts import PartOfEach
from ....solvers.loop.run import LEAST_ROWS
from ...model.errors import DiagramError, SizeMismatch
from ...model.gathered import Errors
from .unit import Source, Unit

Sizes = list[dict[str, Size | None]]
Origins = dict[Source, list[tuple[Source, Part]]]
COPIES = 3  # of states: of the program, of a run, of its start


def infer_sizes(units: list[Unit], errors: Errors) -> None:
    """Fill in_sizes, out_sizes, shape, numbers and state_shapes of every unit.

    Gathers SizeMismatch naming the block and the input, except for units whose inputs are unsure and for
    units after one that has an error.
    """
    readers: list[list[int]] = [[] for _ in units]
    for unit in units:
        for source in unit.inputs.values():
            if source is not None:
                readers[source.unit].append(unit.index)
    inferred: Sizes = [dict.fromkeys(unit.output_ports) for unit in units]
    unsure = _find_downstream({unit.index for unit in units if unit.path in errors.unsure}, readers)
    spread = partial(_spread, units, inferred, readers, unsure, errors)
    spread(deque(range(len(units))), guessing=False)
    for unit in units:  # states determine their size
        guess = unit.block.guess()
        if guess is not None and _assume(unit, dict.fromkeys(unit.output_ports, guess), inferred, unsure):
            spread(deque(readers[unit.index]))
    origins = _origins(units, inferred)
    for unit in sorted(units, key=lambda unit: unit.wiring):  # remaining outputs count as scalar
        if None not in inferred[unit.index].values():
            continue
        while traced := _trace(origins, inferred, unsure):
            spread(deque(each.index for each in units if not traced.isdisjoint(each.inputs.values())))
        if _assume(unit, _of_scalars(unit, inferred), inferred, unsure):
            spread(deque(readers[unit.index]))
    for unit in units:
        if unit.index not in unsure:
            with errors:
                _fix(units, unit, inferred)
                continue
            unit.in_sizes = {}
            unsure |= _find_downstream({unit.index}, readers)
    with errors:
        _check_memory([unit for unit in units if unit.index not in unsure])


def _check_memory(units: list[Unit]) -> None:
    """Raise DiagramError, naming the largest block, if signals and states exceed the memory."""
    counts = [
        LEAST_ROWS * sum(size.count for size in unit.out_sizes.values())
        + COPIES * sum(prod(shape) for shape in unit.state_shapes.values())
        for unit in units
    ]
    too_many = excess(sum(counts), 1)
    if too_many:
        unit = max(zip(counts, units), key=itemgetter(0))[1]
        raise DiagramError(
            f"the signals and states of the diagram do not fit into memory, most of all those of {unit.path}",
            f"expected: fewer numbers: {too_many}",
            "take shorter vectors, a smaller `buffer` of a delay, fewer copies",
            path=unit.path,
            location=_find_location(unit, ""),
        )


def _find_downstream(first: set[int], readers: list[list[int]]) -> set[int]:
    """These units and all units that their signals reach."""
    reached, queue = set(first), list(first)
    while queue:
        new = [reader for reader in readers[queue.pop()] if reader not in reached]
        reached.update(new)
        queue += new
    return reached


def _spread(
    units: list[Unit],
    sizes: Sizes,
    readers: list[list[int]],
    unsure: set[int],
    errors: Errors,
    queue: deque[int],
    *,
    guessing: bool = True,
) -> None:
    """Pass sizes along the wires. While `guessing`, a misfit may resolve later, and is not an error."""
    waiting = set(queue)
    visits = [0] * len(units)
    while queue:
        i = queue.popleft()
        waiting.discard(i)
        unit = units[i]
        visits[i] += 1
        if not unit.output_ports or i in unsure:
            continue
        new_sizes: Mapping[str, Size | None] = {}
        failed = True
        with suppress(SizeMismatch) if guessing else errors:
            new_sizes = _sizes(units, unit, sizes)
            failed = False
        if failed and not guessing:
            unsure |= _find_downstream({i}, readers)
        changed = False
        for port, size in new_sizes.items():
            if size is not None and size != sizes[i][port]:
                sizes[i][port] = size
                changed = True
        if changed and visits[i] > 8 + 2 * len(unit.inputs):
            unsure |= _find_downstream({i}, readers)
            with errors:
                raise SizeMismatch(
                    unit.path, "", "a signal that grows with each pass around the loop of wires",
                    "no signal that contains itself", location=_find_location(unit, ""),
                )  # fmt: skip
        elif changed:
            for reader in readers[i]:
                if reader not in waiting:
                    waiting.add(reader)
                    queue.append(reader)


def _assume(unit: Unit, guess: Mapping[str, Size], sizes: Sizes, unsure: set[int]) -> bool:
    """True if a unit has outputs without a size, which now have the size of the guess."""
    open_ports = [port for port, size in sizes[unit.index].items() if size is None]
    if unit.index in unsure or not open_ports:
        return False
    sizes[unit.index] |= {port: guess[port] for port in open_ports}
    return True


def _origins(units: list[Unit], sizes: Sizes) -> Origins:
    """The outputs of routing blocks without a size, by the signals that they are parts of."""
    origins: Origins = {}
    for unit in units:
        for port, size in sizes[unit.index].items():
            if size is None and unit.wiring:
                source, part = _origin(units, Source(unit.index, port), sizes)
                origins.setdefault(source, []).append((Source(unit.index, port), part))
    return origins


def _origin(units: list[Unit], source: Source, sizes: Sizes) -> tuple[Source, Part]:
    """The signal that a part belongs to, traced through routing blocks as far as possible."""
    part: Part = ()
    for _ in units:  # stops at a part that comes from itself
        unit = units[source.unit]
        origin = unit.block.origin(source.port, part) if isinstance(unit.block, Wiring) else None
        before = None if origin is None else unit.inputs[origin[0]]
        if origin is None or before is None or sizes[source.unit][source.port] is not None:
            break
        source, part = before, origin[1]
    return source, part


def _trace(origins: Origins, sizes: Sizes, unsure: set[int]) -> set[Source]:
    """The outputs of routing blocks whose size is now known from the signal that they are a part of."""
    traced = set()
    sized = [source for source in origins if sizes[source.unit][source.port] is not None]
    for source in sized:
        for output, part in origins.pop(source):
            size = sizes[source.unit][source.port]
            if size is not None and sizes[output.unit][output.port] is None and output.unit not in unsure:
                sizes[output.unit][output.port] = size.within(part)
                traced.add(output)
    return traced


def _of_scalars(unit: Unit, sizes: Sizes) -> Mapping[str, Size]:
    """Sizes of outputs if unknown sizes count as scalar: for routing blocks, their inputs."""
    scalars = dict.fromkeys(unit.output_ports, SCALAR)
    if not unit.wiring:
        return scalars
    try:
        guessed = unit.block.sizes({port: size or SCALAR for port, size in _inputs(unit, sizes).items()})
    except SizeError:
        return scalars
    return scalars | {port: size for port, size in guessed.items() if size is not None}


def _inputs(unit: Unit, sizes: Sizes) -> dict[str, Size | None]:
    alone = {port: unit.input_ports[port].fixed() or SCALAR for port in unit.inputs}
    return {
        port: alone[port] if source is None else sizes[source.unit][source.port]
        for port, source in unit.inputs.items()
    }


def _sizes(units: list[Unit], unit: Unit, sizes: Sizes) -> dict[str, Size | None]:
    inputs = _inputs(unit, sizes)
    _refuse_buses(units, unit, {port: size for port, size in inputs.items() if size and size.fields})
    for unknown in unit.unknowns.values():
        del inputs[unknown.name]
    try:
        return dict(unit.block.sizes(inputs))
    except SizeError as error:
        if error.parts:
            raise _make_mismatch(units, unit, error) from None
        path, port = unit.path, error.port
        if isinstance(unit.block, PartOfEach):  # all parts of an input have one error, the subsystem's
            path, _, part = path.rpartition("/")
            port = part.removesuffix(f"_{unit.block.index}")
        raise SizeMismatch(
            path, port, error.actual, error.expected, bus=error.bus,
            source=_source(units, unit, error.port), location=_find_location(unit, error.port),
        ) from None  # fmt: skip


def _refuse_buses(units: list[Unit], unit: Unit, inputs: Mapping[str, Size | None]) -> None:
    """Raise SizeMismatch if a bus meets an input that takes none, or another signal meets a bus input."""
    for name, size in inputs.items():
        if size is None or unit.inputs[name] is None:
            continue
        expected = expected_signal(unit.input_ports[name], size)
        if expected:
            raise SizeMismatch(
                unit.path, name, str(size), f"{expected}, for {unit.path}, {article(unit.block.kind())}",
                source=_source(units, unit, name), bus=True, location=_find_location(unit, name),
            )  # fmt: skip


def _make_mismatch(units: list[Unit], unit: Unit, error: SizeError) -> SizeMismatch:
    """The error for inputs and parameters that do not fit one another, at the last of their wires."""
    listed = []
    for name, size in error.parts:
        source = _source(units, unit, name)
        listed.append(f"{name} is {size}" + (f" (from {source})" if source else ""))
    wires = [port for port, _ in error.parts if unit.flat.wire_locations.get(port)]
    where = _find_location(unit, wires[-1] if wires else "")
    return SizeMismatch(unit.path, "", ", ".join(listed), error.expected, location=where)


def _source(units: list[Unit], unit: Unit, port: str) -> str:
    source = unit.inputs.get(port)
    return f"{units[source.unit].path}.{source.port}" if source is not None else ""


def _find_location(unit: Unit, port: str) -> Location | None:
    return unit.flat.wire_locations.get(port) or unit.flat.location


def _fix(units: list[Unit], unit: Unit, sizes: Sizes) -> None:
    unit.in_sizes = {port: size or SCALAR for port, size in _inputs(unit, sizes).items()}
    unit.out_sizes = {port: size or SCALAR for port, size in sizes[unit.index].items()}
    _refuse_buses(units, unit, unit.in_sizes)
    for name, port in unit.input_ports.items():
        fixed, actual = port.fixed(), unit.in_sizes[name]
        if fixed is not None and fixed.shape == (1,) and actual == SCALAR:  # an arm of one joint
            unit.in_sizes[name] = fixed
        elif fixed is not None and unit.inputs[name] is not None and fixed.shape != actual.shape:
            raise SizeMismatch(
                unit.path, name, str(actual), str(fixed),
                source=_source(units, unit, name), bus=bool(actual.fields),
                location=_find_location(unit, name),
            )  # fmt: skip
    again = _sizes(units, unit, sizes)
    for name, size in again.items():
        if size is not None and size != unit.out_sizes[name]:
            raise SizeMismatch(
                unit.path, name, str(size), f"{unit.out_sizes[name]}, as the loop through it assumes",
                location=_find_location(unit, ""),
            )  # fmt: skip
    block = unit.block
    unit.numbers = block.numbers()
    if block.elementwise:
        shapes = [s.shape for s in unit.in_sizes.values()] + [s.shape for s in unit.out_sizes.values()]
        shapes += [np.shape(v) for name, v in unit.numbers.items() if name not in block.tables]
        unit.shape = broadcast(shapes) if any(shapes) else ()
    wide = block.state_shapes(unit.in_sizes)
    for state in block.states:
        initial = wide.get(state.name, np.shape(unit.numbers[state.initial]))
        unit.state_shapes[state.name] = unit.shape if block.elementwise else initial
