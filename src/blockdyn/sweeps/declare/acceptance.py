"""Check a sweep's targets, values and arguments before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...base.hints import nearest_word
from ...base.location import Location, caller
from ...base.schema import fits, in_words
from ...base.words import short
from ...blocks.contract.block import Block
from ...blocks.contract.errors import BlockError
from ...blocks.contract.parameter import as_number, in_choices
from ...diagrams.model import name_errors
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.diagram_error import DiagramError
from ...diagrams.model.errors import RunArgumentError
from ...diagrams.model.gathered import Errors
from ...diagrams.model.mask import hold_one
from ...diagrams.model.section import Section
from ...diagrams.model.settings import AXES, COMMON, SETTINGS
from ...diagrams.model.values import as_value
from ...diagrams.values import resolve as paths
from ...diagrams.values.overrides import overrides
from ...diagrams.values.target import Target
from ...diagrams.values.view import View
from ...diagrams.yaml.entries import kinds
from ...robots.errors import RobotError
from ..errors import SweepError, UnknownPath
from .axes.explicit import is_number
from .design import Axis, Design


def resolve(view: View, path: str, location: Location | None = None) -> Target:
    """The target of a path. Raises UnknownPath, SweepError; see `diagrams.values.resolve`."""
    try:
        return paths.resolve(view, path)
    except name_errors.UnknownPath as error:
        raise UnknownPath(str(error), path=path, location=location) from None


RUN = (*AXES, *COMMON)
"""The arguments of `Diagram.simulate` that a sweep takes for all of its scenarios."""
OWN = ("number", "seed", "sampling", "zip", "file", "keep", "chunk", "common_random_numbers", "set")
INSTEAD = {
    "initial": 'an axis over the state, such as {"plant.x": [[0.0, 1.0]]}',
    "inputs": "an axis or `set` over the input, or diagram.settings(inputs=...)",
}


def with_fixed(section: Section, values: Mapping[str, Any], at: Location | None) -> Section:
    """The section with an axis of one value for each path. Raises SweepError for one that varies."""
    if not isinstance(values, Mapping):
        raise SweepError(f"`set` is {short(values)}", "expected: a mapping of paths to values", location=at)
    axes = section.data.get("axes", {})
    if not values or not isinstance(axes, Mapping):
        return section
    for path in values:
        if path in axes:
            expected = "expected: other paths than those of the axes, or other `axes`"
            raise SweepError(f"set `{path}`, which an axis varies", expected, location=at)
    fixed = {path: [value] for path, value in values.items()}
    return replace(section, data={**section.data, "axes": {**axes, **fixed}})


def check_diagram(diagram: object) -> None:
    if not isinstance(diagram, Diagram):
        problem = f"a sweep of {type(diagram).__name__}"
        raise SweepError(problem, "expected: a Diagram; for a file, Sweep.load(path)", location=caller())


def check_run(simulation: Mapping[str, Any], at: Location | None, errors: Errors) -> None:
    for name in simulation:
        with errors:
            if name not in RUN:
                close = "" if name in INSTEAD else nearest_word(name, (*RUN, *OWN))
                expected = INSTEAD.get(name, f"one of {', '.join((*OWN, *RUN))}")
                raise SweepError(f"a sweep has no `{name}`{close}", f"expected: {expected}", location=at)


PROGRAMS = 100  # structures that one axis may require: each is compiled
DRAWS = 16  # of drawn axes, before a machine counts as impossible
LOOKED_AT = 1000  # values of an axis that are tried on a machine: building one takes a while


def check_targets(design: Design, targets: Mapping[str, Target], errors: Errors) -> None:
    """Gather the errors in the axes of a design, each at its place, for known targets.

    Errors are a value that its target never takes, two axes on one target, and a drawn or very long axis over
    structure. Values that are impossible only together are found when they run: such a scenario is refused,
    with the reason.
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
                problem = f"axis `{axis.name}`: `{path}` is also the target `{name}` of axis `{other.name}`"
                errors.take(
                    SweepError(problem, "expected: every target once", path=axis.name, location=axis.location)
                )
            elif target is not None:
                taken[target.place] = axis, path


def _check_structure(axis: Axis, target: Target) -> None:
    if not target.structural:
        return
    text = f"axis `{axis.name}`: `{target.path}` is part of the diagram's structure"
    if axis.sampled:
        expected = "expected: a list of values; only numbers can be drawn from a distribution"
        raise SweepError(text, expected, path=axis.name, location=axis.location)
    different = len({repr(value) for value in axis.values})
    if different > PROGRAMS:
        expected = f"expected: at most {PROGRAMS} different values, each of which is compiled separately"
        problem = f"{text}, and has {different} different values"
        raise SweepError(problem, expected, path=axis.name, location=axis.location)


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
    """Raise SweepError for a value that is not of the kind that the target takes."""
    if isinstance(value, str) and value.lstrip().startswith("=") and target.kind in ("parameter", "block"):
        _try_values(axis, lambda: as_value(value, target.block, target.name))
        return
    if target.steps and target.machines is None and not is_number(value):
        raise _axis_error(axis, value, "a number: it goes to one element")
    if target.kind == "setting":
        _check_setting(axis, target, value)
    elif target.kind == "state":
        _check_state(axis, target, value)
    elif target.kind == "parameter" or target.view is None:
        _try_values(axis, lambda: as_value(value, target.block or "diagram", target.name))
        if target.view is not None and not target.steps:
            _hold(axis, target.view.diagram, "", target.name, value)
    elif target.machines is None:
        _check_of_block(axis, target, value)


def _check_of_block(axis: Axis, target: Target, value: Any) -> None:
    assert target.view is not None
    block = target.view.nodes[target.block].block
    if not isinstance(block, Block):
        _try_values(axis, lambda: as_value(value, target.block, target.name))
        if not target.steps:
            _hold(axis, block.diagram, target.block, target.name, value)
        return
    kind = kinds(type(block))[target.name]
    if kind.rule.number:
        undivided = not target.steps
        rule = kind.rule if undivided else replace(kind.rule, dimensions=None, optional=False)
        _try_values(axis, lambda: as_number(block.kind(), target.name, value, rule))
        return
    number = next(iter(overrides({target.path: target}, {target.path: value}).set.values()))
    if kind.rule.choices and number not in kind.rule.choices:
        raise _axis_error(axis, value, in_choices(kind.rule))
    if not fits(number, kind.schema):
        raise _axis_error(axis, value, in_words(kind.schema))


def _hold(axis: Axis, diagram: Diagram, path: str, name: str, value: Any) -> None:
    """Raise SweepError for a value that the declaration of a diagram's parameter does not allow."""
    _try_values(axis, lambda: hold_one(diagram, name, as_value(value, path or "diagram", name), path, None))


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
        raise _axis_error(axis, value, expected if shape else "a finite number")


def _check_setting(axis: Axis, target: Target, value: Any) -> None:
    setting = overrides({target.path: target}, {target.path: value}).simulate[target.name]
    try:
        SETTINGS[target.name].read(setting)
    except RunArgumentError as error:
        raise _axis_error(axis, value, error.expected) from None


def _check_machines(design: Design, targets: Mapping[str, Target]) -> None:
    """Raise SweepError for robots and vehicles that no listed or first drawn values can make."""
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
                    _try_values(axis, make)


def _possible(design: Design, machines: Mapping[str, Target]) -> dict[str, Any]:
    """The values of the first scenario whose machines can be made, of those drawn first; else of scenario 0.

    One impossible draw is a refused scenario; if all are impossible, that is an error.
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
        raise _refusal(axis, error) from error


def _makers(machines: Mapping[str, Target], values: Mapping[str, Any]) -> list[tuple[str, Callable[[], Any]]]:
    """For each block what makes its robot or vehicle."""
    kinds_at = {f"{target.block}.{target.name}": target.machines for target in machines.values()}
    return [
        (place.rpartition(".")[0], partial(kinds_at[place].read, option))  # type: ignore[union-attr]
        for place, option in overrides(machines, values).set.items()
    ]


def _try_values(axis: Axis, make: Any) -> None:
    try:
        make()
    except (BlockError, RobotError, DiagramError, IndexError) as error:
        raise _refusal(axis, error) from error


def _refusal(axis: Axis, error: Exception) -> SweepError:
    return SweepError(f"axis `{axis.name}`: {error}", path=axis.name, location=axis.location)


def _axis_error(axis: Axis, value: Any, expected: str) -> SweepError:
    problem = f"axis `{axis.name}`: {short(value)} is not a valid value"
    return SweepError(problem, f"expected: {expected}", path=axis.name, location=axis.location)
