"""The size of every signal, found by passing sizes along the wires until nothing is new."""

from __future__ import annotations

from collections import deque

import numpy as np

from ...blocks.block import broadcast
from ...blocks.errors import SizeError
from ...blocks.port import SCALAR, Size
from ..errors import SizeMismatch
from ..location import Location
from .unit import Unit

Sizes = list[dict[str, Size | None]]


def infer_sizes(units: list[Unit]) -> None:
    """Fill in_sizes, out_sizes, shape, numbers and state_shapes of every unit.

    Raises SizeMismatch naming the block and the input.
    """
    readers: list[list[int]] = [[] for _ in units]
    for unit in units:
        for source in unit.inputs.values():
            if source is not None:
                readers[source.unit].append(unit.index)
    known: Sizes = [dict.fromkeys(unit.output_ports) for unit in units]
    _spread(units, known, readers, deque(range(len(units))))
    for sure in (True, False):  # states tell their size; only what is left then counts as scalar
        for unit in units:
            guess = unit.block.guess()
            if (guess is not None) == sure and any(size is None for size in known[unit.index].values()):
                sizes = known[unit.index].items()
                known[unit.index] = {port: size or guess or SCALAR for port, size in sizes}
                _spread(units, known, readers, deque(readers[unit.index]))
    for unit in units:
        _fix(unit, known)


def _spread(units: list[Unit], known: Sizes, readers: list[list[int]], queue: deque[int]) -> None:
    waiting = set(queue)
    visits = [0] * len(units)
    while queue:
        i = queue.popleft()
        waiting.discard(i)
        unit = units[i]
        visits[i] += 1
        if not unit.output_ports:
            continue
        found = _sizes(unit, known)
        changed = False
        for port, size in found.items():
            if size is not None and size != known[i][port]:
                known[i][port] = size
                changed = True
        if changed and visits[i] > 8 + 2 * len(unit.inputs):
            raise SizeMismatch(
                unit.path, "", "a signal that grows whenever it comes round the loop of wires",
                "no signal that contains itself", location=_where(unit, ""),
            )  # fmt: skip
        if changed:
            for reader in readers[i]:
                if reader not in waiting:
                    waiting.add(reader)
                    queue.append(reader)


def _inputs(unit: Unit, known: Sizes) -> dict[str, Size | None]:
    return {
        port: SCALAR if source is None else known[source.unit][source.port]
        for port, source in unit.inputs.items()
    }


def _sizes(unit: Unit, known: Sizes) -> dict[str, Size | None]:
    try:
        return dict(unit.block.sizes(_inputs(unit, known)))
    except SizeError as error:
        raise SizeMismatch(
            unit.path, error.port, error.found, error.expected, location=_where(unit, error.port)
        ) from None


def _where(unit: Unit, port: str) -> Location | None:
    return unit.flat.wire_locations.get(port) or unit.flat.location


def _fix(unit: Unit, known: Sizes) -> None:
    unit.in_sizes = {port: size or SCALAR for port, size in _inputs(unit, known).items()}
    unit.out_sizes = {port: size or SCALAR for port, size in known[unit.index].items()}
    for name, port in unit.input_ports.items():
        fixed, found = port.fixed(), unit.in_sizes[name]
        if fixed is not None and unit.inputs[name] is not None and fixed.shape != found.shape:
            raise SizeMismatch(unit.path, name, str(found), str(fixed), location=_where(unit, name))
    again = _sizes(unit, known)
    for name, size in again.items():
        if size is not None and size.shape != unit.out_sizes[name].shape:
            raise SizeMismatch(
                unit.path, name, str(size), f"{unit.out_sizes[name]}, as the loop through it assumes",
                location=_where(unit, ""),
            )  # fmt: skip
    block = unit.block
    unit.numbers = block.numbers()
    if block.elementwise:
        shapes = [s.shape for s in unit.in_sizes.values()] + [s.shape for s in unit.out_sizes.values()]
        shapes += [np.shape(v) for v in unit.numbers.values()]
        unit.shape = broadcast(shapes) if any(shapes) else ()
    for state in block.states:
        initial = np.shape(unit.numbers[state.initial])
        unit.state_shapes[state.name] = unit.shape if block.elementwise else initial
