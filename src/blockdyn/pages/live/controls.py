"""Controls are the numbers of a live run that have sliders on its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.continuous.delayed import DelayBlock
from ...blocks.contract.block import is_open
from ...blocks.contract.parameter import Rule
from ...blocks.contract.reads import reads
from ...blocks.contract.units import element_units
from ...blocks.routing.inport import Inport
from ...diagrams.compiler.plan.unit import Unit
from ...diagrams.touches.retuning import is_read
from ...diagrams.values.change import as_it_is
from .run import LiveRun

MOST, MOST_ELEMENTS = 300, 12  # controls in all, and of one vector
REFUSALS = (
    BlockdynError,
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
)  # users' blocks raise them, too
FAR = 2.0  # times its value a number may be set to


@dataclass(frozen=True)
class Control:
    """One number: its path, its label, its value when the run begins, the range of its slider."""

    path: str
    label: str
    unit: str
    kind: str
    value: float
    low: float
    high: float
    group: str


def controls(live: LiveRun) -> list[Control]:
    """Parameters of the diagram, its inputs, then numbers of its blocks that stand there as numbers."""
    return [*_parameters(live), *_of_blocks(live)][:MOST]


def values_now(live: LiveRun, declared: list[Control]) -> dict[str, float]:
    """The value of every control at the time of the run."""
    values = {control.path: control.value for control in declared}
    for path, value in live.values().items():
        if path in values and np.ndim(value) == 0:
            values[path] = float(value)
        else:
            for name, number in _elements(path, value):
                if name in values:
                    values[name] = float(number)
    return values


def _parameters(live: LiveRun) -> Iterator[Control]:
    diagram, numbers = live.program.source, live.program.flat.parameters
    for name, declared in diagram.parameters.items():
        if not is_open(declared) and _number(numbers[name]):
            for control in _touchable(live, name, numbers[name], "parameter", ""):
                rule = diagram.rules.get(name)
                yield control if rule is None else _bound_control(control, rule)


def _touchable(live: LiveRun, path: str, value: Any, kind: str, group: str) -> Iterator[Control]:
    """Controls for a value, where a run that has begun takes another one."""
    other = np.asarray(value, np.float64) * 1.0009765625 + 0.0009765625 * np.asarray(np.equal(value, 0))
    if not (live.retuning.acts(path) and _accepts_value(live, path, other.tolist())):
        return
    for name, number in _elements(path, value):
        low, high = _span(float(number))
        if number == 0 and not _accepts_value(live, name, low):  # of a mass, say
            low = 0.0
        yield Control(name, name.removeprefix(f"{group}."), "", kind, float(number), low, high, group)


def _accepts_value(live: LiveRun, path: str, value: object) -> bool:
    """True if the run accepts a value."""
    try:
        live.retuning.written({path: value}, {})
    except REFUSALS:
        return False
    return True


def _of_blocks(live: LiveRun) -> Iterator[Control]:
    view = live.retuning.view
    for unit in live.program.plan.units:
        block = unit.block
        node = view.nodes.get(unit.path)
        if node is None or isinstance(block, DelayBlock):
            continue
        if isinstance(block, Inport):
            if block.default is not None and _number(unit.numbers["default"]):
                inputs = _touchable(live, unit.path, unit.numbers["default"], "input", "")
                for control, its_unit in zip(inputs, element_units(block.unit, block.shape)):
                    yield replace(control, unit=its_unit)
            continue
        fixed = reads(block, "timers") | ({"sample_time", "offset"} if block.sampled else set())
        for name in unit.numbers_at:
            if name in fixed or name not in block.rules() or is_open(view.declared(unit.path, name)):
                continue
            if _number(unit.numbers[name]) and _stands(unit, name):
                path, value = f"{unit.path}.{name}", unit.numbers[name]
                for element, number in _elements(path, value):
                    label = element.removeprefix(f"{unit.path}.")
                    span = _span(float(number))
                    free = Control(element, label, "", "block", float(number), *span, unit.path)
                    yield _bound_control(free, block.rules()[name])


def _bound_control(control: Control, rule: Rule) -> Control:
    """The control with the unit and inside the bounds of its parameter."""
    low, high = control.low, control.high
    for bound in (rule.above, rule.minimum):
        low = low if bound is None else max(low, bound)
    high = high if rule.maximum is None else min(high, rule.maximum)
    if rule.above is not None and low == rule.above:
        low += 1e-3 * (high - low)
    absolute = rule.unit != "1" and "[" not in rule.unit
    return replace(control, low=low, high=high, unit=rule.unit if absolute else "")


def _stands(unit: Unit, name: str) -> bool:
    """True if the block takes the number as it is, and reads it after the start."""
    return as_it_is(unit, name) and is_read(unit, frozenset([name]))


def _number(value: object) -> bool:
    """True for a number, or an array of few."""
    if isinstance(value, (bool, str)) or value is None:
        return False
    array = np.asarray(value)
    finite = array.dtype.kind in "if" and bool(np.all(np.isfinite(array)))
    return finite and 0 < array.size <= MOST_ELEMENTS


def _elements(path: str, value: object) -> Iterator[tuple[str, Any]]:
    """Paths and numbers of the elements of a value."""
    array = np.asarray(value)
    if array.dtype.kind not in "if":
        return
    for index in np.ndindex(array.shape):
        yield (f"{path}[{', '.join(map(str, index))}]" if index else path), array[index]


def _span(value: float) -> tuple[float, float]:
    """Range of a slider: from 0 to twice the value, and both ways if that is 0."""
    if value == 0.0:
        return -1.0, 1.0
    return min(0.0, FAR * value), max(0.0, FAR * value)
