"""Acceptance: whether the targets of a sweep can take its values, asked before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...base.annotations import fits, in_words
from ...base.short import short
from ...blocks.contract.block import Block
from ...blocks.contract.errors import BlockError
from ...blocks.contract.parameter import as_number
from ...diagrams.model.argument_errors import RunArgumentError
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.diagram_error import DiagramError
from ...diagrams.model.gathered import Errors
from ...diagrams.model.mask import hold_one
from ...diagrams.model.settings import SETTINGS
from ...diagrams.model.values import as_value
from ...diagrams.targets.overrides import overrides
from ...diagrams.targets.target import Target
from ...diagrams.yaml.kinds import kinds
from ...robots.errors import RobotError
from ..errors import BadAxis, StructuralAxis
from .axes.explicit import is_number
from .axis import Axis
from .design import Design

PROGRAMS = 100  # structures that one axis may ask for: each is compiled
DRAWS = 16  # of drawn axes, before a machine counts as impossible
LOOKED_AT = 1000  # values of an axis that are tried on a machine: building one takes a while


def check_targets(design: Design, targets: Mapping[str, Target], errors: Errors) -> None:
    """Gather what is wrong with the axes of a design, each at its place, for targets that are known.

    BadAxis for a value that its target never takes, and for two axes on one target; StructuralAxis for a
    drawn axis, or a very long one, over structure. Values that are impossible only together are found when
    they run: such a scenario is refused, with the reason.
    """
    _refuse_two_on_one(design, targets, errors)
    for axis in design.axes:
        for path in axis.paths:
            with errors:
                if path in targets:
                    _check_structure(axis, targets[path])
                    for value in _probes(axis, targets[path]):
                        _check_value(axis, targets[path], value)
    if not errors.gathered:
        with errors:
            _check_machines(design, targets)


def _refuse_two_on_one(design: Design, targets: Mapping[str, Target], errors: Errors) -> None:
    taken: dict[Any, tuple[Axis, str]] = {}
    for axis in design.axes:
        for path in axis.paths:
            target = targets.get(path)
            if target is not None and target.place in taken:
                other, name = taken[target.place]
                problem = f"axis `{axis.name}`: `{path}` is what `{name}` of axis `{other.name}` is"
                errors.take(
                    BadAxis(problem, "expected: every target once", path=axis.name, location=axis.location)
                )
            elif target is not None:
                taken[target.place] = axis, path


def _check_structure(axis: Axis, target: Target) -> None:
    if not target.structural:
        return
    text = f"axis `{axis.name}`: `{target.path}` is part of the diagram's structure"
    if axis.sampled:
        expected = "expected: a list of values; only numbers can be drawn from a distribution"
        raise StructuralAxis(text, expected, path=axis.name, location=axis.location)
    different = len({repr(value) for value in axis.values})
    if different > PROGRAMS:
        expected = f"expected: at most {PROGRAMS} different values, each of which is compiled by itself"
        problem = f"{text}, and has {different} different values"
        raise StructuralAxis(problem, expected, path=axis.name, location=axis.location)


def _probes(axis: Axis, target: Target) -> list[Any]:
    """The listed values to try: of numbers that only bounds can refuse, the least and the greatest."""
    if axis.sampled:
        return []
    values = axis.values
    if not isinstance(values, np.ndarray):
        return values
    if target.integral or target.structural:
        return list(values.tolist())
    return [float(values.min()), float(values.max())]


def _check_value(axis: Axis, target: Target, value: Any) -> None:
    """Raise BadAxis for a value that is not of the kind that the target takes."""
    if isinstance(value, str) and value.lstrip().startswith("=") and target.kind in ("parameter", "block"):
        _tried(axis, lambda: as_value(value, target.block, target.name))
        return
    if target.steps and target.machines is None and not is_number(value):
        raise _wrong(axis, value, "a number: it goes to one element")
    if target.kind == "setting":
        _check_setting(axis, target, value)
    elif target.kind == "state":
        _check_state(axis, target, value)
    elif target.kind == "parameter" or target.view is None:
        _tried(axis, lambda: as_value(value, target.block or "diagram", target.name))
        if target.view is not None and not target.steps:
            _hold(axis, target.view.diagram, "", target.name, value)
    elif target.machines is None:
        _check_of_block(axis, target, value)


def _check_of_block(axis: Axis, target: Target, value: Any) -> None:
    assert target.view is not None
    block = target.view.nodes[target.block].block
    if not isinstance(block, Block):
        _tried(axis, lambda: as_value(value, target.block, target.name))
        if not target.steps:
            _hold(axis, block.diagram, target.block, target.name, value)
        return
    kind = kinds(type(block))[target.name]
    if kind.rule.number:
        undivided = not target.steps
        rule = kind.rule if undivided else replace(kind.rule, dimensions=None, optional=False)
        _tried(axis, lambda: as_number(block.kind(), target.name, value, rule))
        return
    number = next(iter(overrides({target.path: target}, {target.path: value}).set.values()))
    if kind.rule.choices and number not in kind.rule.choices:
        raise _wrong(axis, value, "one of " + ", ".join(map(str, kind.rule.choices)))
    if not fits(number, kind.schema):
        raise _wrong(axis, value, in_words(kind.schema))


def _hold(axis: Axis, diagram: Diagram, path: str, name: str, value: Any) -> None:
    """Raise BadAxis for a value that the declaration of a diagram's parameter does not allow."""
    _tried(axis, lambda: hold_one(diagram, name, as_value(value, path or "diagram", name), path, None))


def _check_state(axis: Axis, target: Target, value: Any) -> None:
    assert target.view is not None
    shape = () if target.steps else target.view.state_shapes[target.block, target.name]
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.full(0, np.nan)
    one = int(np.prod(shape)) == 1 and array.shape in ((), (1,))
    if not (array.shape == shape or one) or not np.isfinite(array).all():
        expected = f"finite numbers of shape {shape}, or an axis for an element: `{target.path}[0]`"
        raise _wrong(axis, value, expected if shape else "a finite number")


def _check_setting(axis: Axis, target: Target, value: Any) -> None:
    setting = overrides({target.path: target}, {target.path: value}).simulate[target.name]
    try:
        SETTINGS[target.name].read(setting)
    except RunArgumentError as error:
        raise _wrong(axis, value, error.expected) from None


def _check_machines(design: Design, targets: Mapping[str, Target]) -> None:
    """Raise BadAxis for robots and vehicles that listed values, or none of the first drawn ones, can make."""
    machines = {path: target for path, target in targets.items() if target.machines is not None}
    if not machines:
        return
    first = _possible(design, machines)
    for axis in design.axes:
        paths = [path for path in axis.paths if path in machines]
        if not paths:
            continue
        values = [None] if axis.sampled else axis.values[:LOOKED_AT]
        for value in values:
            listed = dict.fromkeys(paths, value) if not axis.sampled else {}
            for block, make in _refusing(axis, machines, {**first, **listed}):
                if any(targets[path].block == block for path in paths):
                    _tried(axis, make)


def _possible(design: Design, machines: Mapping[str, Target]) -> dict[str, Any]:
    """The values of the first scenario whose machines can be made, of those drawn first; else of scenario 0.

    That one draw is impossible is a scenario that is refused; that all are is a mistake.
    """
    for k in range(max(1, min(design.number, DRAWS))):
        values = {path: value for path, value in design.scenario(k).items() if path in machines}
        try:
            for _, make in _makers(machines, values):
                make()
        except (BlockError, RobotError, DiagramError, IndexError):
            continue
        return values
    return {path: value for path, value in design.scenario(0).items() if path in machines}


def _refusing(
    axis: Axis, machines: Mapping[str, Target], values: Mapping[str, Any]
) -> list[tuple[str, Callable[[], Any]]]:
    try:
        return _makers(machines, values)
    except (RobotError, IndexError) as error:
        raise _refused(axis, error) from error


def _makers(machines: Mapping[str, Target], values: Mapping[str, Any]) -> list[tuple[str, Callable[[], Any]]]:
    """For each block what makes its robot or vehicle."""
    kinds_at = {f"{target.block}.{target.name}": target.machines for target in machines.values()}
    return [
        (place.rpartition(".")[0], partial(kinds_at[place].read, option))  # type: ignore[union-attr]
        for place, option in overrides(machines, values).set.items()
    ]


def _tried(axis: Axis, make: Any) -> None:
    try:
        make()
    except (BlockError, RobotError, DiagramError, IndexError) as error:
        raise _refused(axis, error) from error


def _refused(axis: Axis, error: Exception) -> BadAxis:
    return BadAxis(f"axis `{axis.name}`: {error}", path=axis.name, location=axis.location)


def _wrong(axis: Axis, value: Any, expected: str) -> BadAxis:
    problem = f"axis `{axis.name}`: {short(value)} is no value for it"
    return BadAxis(problem, f"expected: {expected}", path=axis.name, location=axis.location)
