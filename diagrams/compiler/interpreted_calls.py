"""Call one function of a block from Python, with scalars, elements or arrays as arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from ...blocks.contract.callback import Callback
from ...blocks.contract.equations import role_arguments
from ...blocks.contract.formula import Formula
from ...blocks.contract.port import Shape
from ...native.elementary.called import with_ours
from ...native.groups import taking_fields
from ...solvers.layout import Floats, Memory
from .plan import binding
from .plan.binding import Argument, bind, targets
from .plan.unit import Source, Unit, elements, role_name


@dataclass(slots=True)
class Moment:
    """Arguments of one call of a program's function, and the signals computed so far."""

    t: float
    x: Floats
    m: Memory
    values: dict[Source, Any]


def span(unit: Unit, state: str) -> slice:
    """The elements of a state, in x or in z."""
    start = unit.states_at[state][1]
    return slice(start, start + prod(unit.state_shapes[state]))


def read_input(unit: Unit, port: str) -> Callable[[Moment], Any]:
    """Return a function that reads an input; an unconnected input gives its default."""
    source = unit.inputs[port]
    if source is None:
        default = float(unit.input_ports[port].default or 0.0)
        return lambda moment: np.full(unit.in_sizes[port].shape, default)
    return lambda moment: moment.values[source]


def reader(unit: Unit, a: Argument) -> Callable[[Moment], Any]:
    """Return a function that reads an argument, as an array of its shape or as a number."""
    shape = a.shape
    match a.kind:
        case binding.TIME:
            return lambda moment: moment.t
        case binding.MODE:
            at, end = unit.mode_at, unit.mode_at + unit.mode_count
            if unit.mode_count == 1:
                return lambda moment: int(moment.m.modes[at])
            return lambda moment: moment.m.modes[at:end].reshape(unit.shape)
        case binding.CROSSED:
            slots = np.asarray(unit.crossing_slots[a.name])
            return lambda moment: moment.m.fired[slots].reshape(shape)
        case binding.HANDLE:
            at = unit.owned_at[a.name]
            return lambda moment: int(moment.m.p.view(np.int64)[at])
        case binding.INPUT:
            return _make_reshaper(read_input(unit, a.name), shape)
        case binding.OUTPUT:
            source = Source(unit.index, a.name)
            return _make_reshaper(lambda moment: moment.values[source], shape)
        case binding.NUMBER | binding.TABLE | binding.MEMORY:
            at = unit.numbers_at[a.name]
            return _part(lambda moment: moment.m.p, slice(at, at + prod(shape)), shape, a.kind)
        case binding.STATE | binding.PLACE:
            array = (
                (lambda moment: moment.x) if unit.states_at[a.name][0] == "x" else (lambda moment: moment.m.z)
            )
            return _part(array, span(unit, a.name), shape, a.kind)
    return lambda moment: np.zeros(shape)


def _make_reshaper(read: Callable[[Moment], Any], shape: tuple[int, ...]) -> Callable[[Moment], Any]:
    def shaped(moment: Moment) -> Any:
        value = read(moment)
        if isinstance(value, float):
            return np.reshape(value, shape) if shape else value
        return value if isinstance(value, np.ndarray) and value.shape == shape else np.reshape(value, shape)

    return shaped


def _part(
    read: Callable[[Moment], Any], part: slice, shape: tuple[int, ...], kind: str
) -> Callable[[Moment], Any]:
    if shape or kind in binding.IN_PLACE:
        return lambda moment: read(moment)[part].reshape(shape)
    at = part.start
    return lambda moment: float(read(moment)[at])


Results = dict[str, Any]  # by name
Requested = list[tuple[str, Shape]]


def bound(unit: Unit, role: str) -> Callable[[Moment], Results]:
    """Return a function that calls a function of a unit with the values at a moment."""
    arguments, requested = bind(unit, role, unit.names[role]), targets(unit, role)
    readers = [reader(unit, a) for a in arguments]
    if unit.elementwise and not isinstance(unit.functions[role], Callback):
        call = elementwise(unit, role, arguments, requested)
    else:
        call = _with_arrays(role, unit.functions[role], arguments, requested)
    return lambda moment: call([read(moment) for read in readers])


def elementwise(
    unit: Unit, role: str, arguments: list[Argument], requested: Requested
) -> Callable[[list[Any]], Results]:
    """An elementwise function, which takes the values of its arguments."""
    function, shape = _scalar(role, unit.functions[role]), unit.shape
    names = [name for name, _ in requested]

    def once(row: Any) -> Any:
        return _check_result(function(*row), requested, role, unit.functions[role])

    if not shape:
        kinds = [_kind(a) for a in arguments]

        def single(values: list[Any]) -> Results:
            answer = once([kind(v) for kind, v in zip(kinds, values, strict=True)])
            if isinstance(answer, float):
                return {names[0]: answer}
            return dict(zip(names, np.array(answer, np.float64).ravel().tolist(), strict=False))

        return single
    columns = [_column(a, shape) for a in arguments]

    def each(values: list[Any]) -> Results:
        rows = zip(*[column(v) for column, v in zip(columns, values, strict=True)], strict=True)
        answers = [once(row) for row in (rows if columns else [()] * unit.count)]
        table = np.array(answers, np.float64).reshape(unit.count, -1)
        return {name: table[:, j].reshape(shape) for j, name in enumerate(names)}

    return each


def _of_kernel(function: Any) -> Any:
    """The function; a kernel computes as its compiled form does."""
    return function if isinstance(function, Callback) else with_ours(function)


def _kind(a: Argument) -> Callable[[Any], Any]:
    """The type that one element of an argument has."""
    return np.array if a.kind == binding.TABLE else int if a.kind in binding.INTEGERS else float


def _column(a: Argument, shape: Shape) -> Callable[[Any], list[Any]]:
    """Return a function that gives, for every element of a block of this shape, an argument's element."""
    if a.kind == binding.TABLE:
        return lambda value: [np.array(value)] * prod(shape)
    dtype, at = np.int64 if a.kind in binding.INTEGERS else np.float64, np.asarray(elements(a.shape, shape))
    return lambda value: np.asarray(value, dtype).ravel()[at].tolist()


def _with_arrays(
    role: str, function: Any, arguments: list[Argument], requested: Requested
) -> Callable[[list[Any]], Results]:
    """A function of arrays, which takes the values of its arguments."""
    taken = [_make_converter(a) for a in arguments]
    places = {a.name: i for i, a in enumerate(arguments) if a.kind == binding.TARGET}
    returned = [(name, shape) for name, shape in requested if name not in places]
    plain, starts = taking_fields(_of_kernel(function)), [0]
    for _, shape in returned:
        starts.append(starts[-1] + prod(shape))
    cut = [(*named, slice(*part)) for named, part in zip(returned, pairwise(starts), strict=True)]

    def call(values: list[Any]) -> Results:
        row = [take(v) for take, v in zip(taken, values, strict=True)]
        answer = plain(*row)
        results = {name: row[i] for name, i in places.items()}
        if returned:
            answer = _check_result(answer, returned, role, function)
            parts = answer if isinstance(answer, tuple) else (answer,)
            if all(isinstance(part, float) for part in parts):
                flat = np.array(parts, np.float64)
            else:
                flat = np.concatenate([np.ravel(part) for part in parts])
            for name, shape, part in cut:
                results[name] = (
                    np.array(flat[part], np.float64).reshape(shape) if shape else float(flat[part].item())
                )
        return results

    return call


def _make_converter(a: Argument) -> Callable[[Any], Any]:
    """Return a function that copies an argument's value for a call; memory and targets are passed
    unchanged.
    """
    if a.kind in (binding.TARGET, *binding.IN_PLACE):
        return lambda value: value
    kind = int if a.kind in binding.INTEGERS else float
    if a.shape == ():
        return lambda value: kind(value if isinstance(value, (float, int)) else np.ravel(value)[0])
    return lambda value: np.array(value, order="C")


def _check_result(answer: object, requested: Requested, role: str, function: object) -> Any:
    """Check a value that a function returned. Raises ValueError for None (for NumPy, a NaN) and for text."""
    if answer is None or isinstance(answer, str):
        listed = ", ".join(name for name, _ in requested)
        raise ValueError(f"{role_name(role, function)}: it returned {answer!r}, expected {listed}")
    return answer


def _scalar(role: str, function: Any) -> Callable[..., Any]:
    """One element of an elementwise function."""
    if isinstance(function, tuple):
        names = role_arguments(function)

        def formulas(*row: Any) -> list[Any]:
            by_name = dict(zip(names, row, strict=True))
            return [formula.value(by_name) for formula in function]

        return formulas
    if isinstance(function, Formula) and role == "mode":
        return lambda *row: int(function(*row))
    plain = taking_fields(_of_kernel(function))

    def divided(*row: Any) -> Any:
        try:
            return plain(*row)
        except ZeroDivisionError:
            return np.float64(row[0]) / 0.0 if len(row) == 1 else np.nan

    return divided
