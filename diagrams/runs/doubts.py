"""Report signals and functions of a run that may be unintended, one sentence each."""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...blocks.contract.equations import argument_paths
from ...blocks.contract.formula import TIME
from ...solvers.layout import Floats
from ..compiler.jumps import Branch, syntax_of
from ..compiler.notices import branching, written_functions
from ..compiler.plan.unit import Unit
from ..compiler.program import Program

if TYPE_CHECKING:
    from ..results.trace import Trace


def doubts(program: Program, logged: Mapping[tuple[str, str], Trace]) -> Iterator[str]:
    """One sentence for each doubt about signals that are logged, by block and port."""
    units = program.plan.units
    for unit in units:
        for doubt in unit.block.doubts():
            sources = [unit.inputs.get(port) for port in doubt.inputs]
            ends = [(units[source.unit].path, source.port) for source in sources if source is not None]
            traces = [logged[end] for end in ends if end in logged]
            if len(traces) == len(doubt.inputs) and traces[0].samples:
                sentence = doubt.sentence(traces[0].time, *(trace.at(traces[0].time) for trace in traces))
                if sentence:
                    yield f"{unit.path}: {sentence}"


NUMBERS = 12  # of a function's branches, used for levels
INTERVALS = 20  # between rows in which a level is evaluated, at most
LEAST = 0.1  # of a function's values: a pulse differs by more from the values on both sides of it


class Scalar(NamedTuple):
    """A function of one varying argument, the name of this argument, and the numbers in its branches."""

    call: Callable[[float], Any]
    argument: str
    numbers: list[float]


def unseen_pulses(program: Program, times: Floats, logged: Mapping[tuple[str, str], Trace]) -> Iterator[str]:
    """One sentence for each function with a pulse between two rows; `times` are the ends of the steps.

    Functions of the time, or of one scalar that is `logged`, are evaluated where the numbers in their
    branches suggest a pulse. Callbacks are left out: more calls may change their results.
    """
    units = program.plan.units
    for unit, places in branching(program):
        of = None if unit.path in program.callbacks.reasons else _scalar(unit, places)
        if of is None:
            continue
        at, along = times, times
        if of.argument != TIME:
            source = unit.inputs[of.argument]
            trace = None if source is None else logged.get((units[source.unit].path, source.port))
            if trace is None or trace.values.shape[1:] not in ((), (1,)):
                continue
            at, along = trace.time, trace.values.ravel()
        pulse = _pulse(of, at, along)
        if pulse is not None:
            yield (
                f"{unit.path} branches on {places[0]}: near {pulse[0]:.6g} s a step went across its value at"
                f" {of.argument} = {pulse[1]:.6g}, which differs from those at both ends of the step;"
                " write it with what has events (Pulse, Expression, Compare), or give a `max_step`"
            )


def _pulse(of: Scalar, at: Floats, along: Floats) -> tuple[float, float] | None:
    """Approximate time, s, and argument at which the function differs from both ends of an interval."""
    low, high = np.minimum(along[:-1], along[1:]), np.maximum(along[:-1], along[1:])
    for level in _levels(of.numbers):
        for k in np.flatnonzero((low < level) & (level < high) & (np.diff(at) > 0.0))[:INTERVALS].tolist():
            if _stands_out(of.call, float(along[k]), level, float(along[k + 1])):
                return float(at[k]), level
    return None


def _stands_out(call: Callable[[float], Any], before: float, level: float, after: float) -> bool:
    """True if a function differs at `level` from both ends; False if it fails at this argument."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = [np.asarray(call(argument), np.float64) for argument in (before, level, after)]
            begin, inside, end = np.broadcast_arrays(*values)
        except Exception:  # noqa: BLE001  a user's function may raise anything
            return False
        size = max(np.abs(value).max(initial=0.0) for value in values)
        away = min(np.abs(inside - each).max(initial=0.0) for each in (begin, end))
        return bool(away > max(LEAST * size, 2.0 * np.abs(begin - end).max(initial=0.0)))


def _levels(numbers: list[float]) -> Iterator[float]:
    """Numbers of branches, the middle of two, and the middle of a pulse at one as wide as another."""
    signed = [*numbers, *(-number for number in numbers if number)]
    yield from signed
    yield from (0.5 * (a + b) for a, b in combinations(signed, 2))
    yield from (a + 0.5 * b for a in signed for b in numbers)


def _scalar(unit: Unit, places: Sequence[Branch]) -> Scalar | None:
    """The unit's output, if it is a function of numbers and of one varying argument."""
    roles = [role for role in unit.functions if role.startswith("output")]
    function = written_functions(unit).get(roles[0]) if len(roles) == 1 else None
    if function is None:
        return None
    moving, fixed = [], {}
    for (path, argument), name in zip(argument_paths(function), unit.names[roles[0]], strict=True):
        if path == TIME or name in unit.inputs:
            moving.append(argument)
        elif name in unit.numbers and "." not in path:
            value = np.asarray(unit.numbers[name], np.float64)
            fixed[argument] = float(value) if value.ndim == 0 else value
        else:
            return None
    if len(moving) != 1:
        return None
    numbers = {abs(number) for number in _numbers(function, places, fixed) if np.isfinite(number)}
    call = partial(lambda of, name, more, value: of(**more, **{name: value}), function, moving[0], fixed)
    return Scalar(call, moving[0], sorted(numbers)[:NUMBERS])


def _numbers(function: FunctionType, places: Sequence[Branch], fixed: Mapping[str, Any]) -> Iterator[float]:
    """The numbers that branches of a function read, also by names that it computes from numbers.

    They are all numbers of the function if its source is unknown, or if a branch lies in another function.
    """
    around = inspect.getclosurevars(function)
    named = {**around.globals, **around.nonlocals, **fixed}
    tree = syntax_of(function)
    read: list[Any] = [place.syntax if place.function == function.__name__ else None for place in places]
    if tree is None or None in read:
        yield from _in_code(function.__code__)
        yield from (float(n) for n in named.values() if isinstance(n, int | float))
        return
    for part in _parts(read, tree):
        value = named.get(part.id) if isinstance(part, ast.Name) else part.value
        if isinstance(value, int | float):
            yield float(value)


def _parts(read: list[Any], tree: ast.AST) -> Iterator[ast.Name | ast.Constant]:
    """The names and constants in expressions, and in the values that `tree` assigns to these names."""
    assigned: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in (part for each in targets for part in ast.walk(each)):
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(node.value)
    for expression in read:  # the list grows during the loop
        for part in ast.walk(expression):
            if isinstance(part, ast.Name):
                read += assigned.pop(part.id, [])
            if isinstance(part, ast.Name | ast.Constant):
                yield part


def _in_code(code: CodeType) -> Iterator[float]:
    """The numbers in a function's code, and in the functions inside."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _in_code(constant)
        elif isinstance(constant, int | float):
            yield float(constant)
