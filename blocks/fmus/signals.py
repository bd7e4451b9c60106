"""Ports of a block from the variables of an FMU: their names, and vectors from variables such as `q[1]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from keyword import iskeyword

import numpy as np

from ..contract.port import Port, Size
from ..contract.units import is_readable
from .description import TEXTS, FmuError, Variable
from .interface import Signal

TAKEN = frozenset({
    "t", "mode", "stream", "instance", "states", "due", "events", "mark", "z", "file", "fmi_type", "values",
    "shown", "sample_time", "offset", "tolerance", "first_states", "never", "none", "d_states",
})  # fmt: skip
TARGETS = ("d_", "next_", "crossed_", "output_")
_ELEMENT = re.compile(r"(.+)\[(\d+)\]", re.ASCII)


def signals_of(file: str, variables: Iterable[Variable], names: set[str]) -> tuple[Signal, ...]:
    """The signals of variables in their order; new names are added to the used `names`. Raises FmuError."""
    signals = []
    for base, group in groupby(variables, _base):
        members = tuple(group)
        if not _is_vector(base, members):
            parts: list[tuple[str, tuple[Variable, ...]]] = [(v.name, (v,)) for v in members]
        else:
            parts = [(base, members)]
        for name, part in parts:
            for variable in part:
                if variable.type == "Clock":
                    raise FmuError(file, f"`{variable.name}` is a clock", "an FMU without clocks")
            shape = (len(part),) if len(part) > 1 else next(iter(part)).shape
            signals.append(Signal(port_name(name, names), part, shape))
    return tuple(signals)


def _base(variable: Variable) -> str:
    element = _ELEMENT.fullmatch(variable.name)
    return element.group(1) if element else variable.name


def _is_vector(base: str, members: Sequence[Variable]) -> bool:
    """True if variables are the elements of one vector: of one type, counted from 0 or 1, without a gap."""
    elements = [_ELEMENT.fullmatch(v.name) for v in members]
    if len(members) < 2 or not all(elements):
        return False
    numbers = [int(element.group(2)) for element in elements if element]
    kinds = {(v.type, v.variability, v.shape) for v in members}
    return (
        len(kinds) == 1
        and not members[0].shape
        and [n - numbers[0] for n in numbers] == [*range(len(numbers))]
        and numbers[0] < 2
    )


def port_name(name: str, names: set[str]) -> str:
    """A variable's name as a port name: `body.frame[1].r` is body_frame_1_r."""
    text = re.sub(r"\W+", "_", name).strip("_") or "u"
    text = f"v{text}" if text[0].isdigit() else text
    while text in TAKEN or text in names or iskeyword(text) or text.startswith(TARGETS):
        text = f"v_{text}" if text.startswith(TARGETS) else f"{text}_"
    names.add(text)
    return text


def with_values(file: str, variables: Iterable[Variable]) -> list[Variable]:
    """The variables that can be signals; texts keep their first value. Raises FmuError for one without."""
    signals = []
    for variable in variables:
        if variable.type not in TEXTS:
            signals.append(variable)
        elif not variable.start:
            problem = f"`{variable.name}` is an input of the type {variable.type}, which no signal can be"
            raise FmuError(file, problem, "numbers, or a value for it in the FMU's description")
    return signals


def port(signal: Signal, *, is_input: bool) -> Port:
    """The port of a signal; an input with a first value may stay unconnected."""
    units = {variable.unit for variable in signal.variables}
    unit = units.pop() if len(units) == 1 else ""
    text = signal.variables[0].text
    if signal.port != signal.variables[0].name:
        text = f"{signal.variables[0].name}{': ' if text else ''}{text}"
    starts = {number(value) for variable in signal.variables for value in variable.start or ("0",)}
    default = starts.pop() if is_input and len(starts) == 1 else None
    return Port(signal.port, Size(signal.shape), unit if is_readable(unit) else "", text, default)


def number(text: str) -> float:
    """A first value as a number."""
    if text in ("true", "false"):
        return float(text == "true")
    try:
        return float(text)
    except ValueError:
        return float(np.nan)
