"""Values by path become arguments of `Diagram.compile` and `Program.simulate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter import Rule, as_number
from ..model.diagram import Diagram
from ..model.errors import BadParameter
from ..model.name_errors import UnknownPath
from ..model.values import as_value
from .machine import Change
from .path import replace_element, write_steps
from .resolve import SIMULATE, resolve
from .target import Overrides, Target
from .view import View

NUMBER = Rule(True, infinite=True, dimensions=(0,))


def changes(
    diagram: Diagram, parameters: Mapping[str, Any], set: Mapping[str, Any], *, view: View | None = None
) -> Overrides:
    """The arguments that the path to every place stands for: of the compiler, and of the run.

    `view` is the diagram opened, if it is open already.

    Unknown paths of the form `block.parameter` are left for the compiler to refuse. Raises UnknownPath,
    BadParameter, RobotError, and the errors of the diagram.
    """
    view = view or View(diagram)
    targets: dict[str, Target] = {}
    plain = Overrides()
    for path, value in set.items():
        try:
            targets[path] = _check_element(resolve(view, path), value)
        except UnknownPath:
            if path.count(".") > 1 or "[" in path or path.startswith(f"{SIMULATE}."):
                raise
            plain.set[path] = value
    for name, value in parameters.items():
        if name in diagram.parameters:
            targets[name] = resolve(view, name)
        else:
            plain.parameters[name] = value
    values = {**set, **parameters}
    try:
        meant = overrides(targets, {path: values[path] for path in targets})
    except IndexError:
        problem = "`set` names an element of a value that it also replaces by a smaller one"
        raise UnknownPath(problem, "expected: elements that the new value has") from None
    meant.parameters |= plain.parameters
    meant.set |= plain.set
    return meant


def _check_element(target: Target, value: object) -> Target:
    """The target, if the value of an element is a number. Raises BadParameter."""
    inertia = len(target.steps) > 1 and target.steps[-2] == "inertia"
    if inertia or (target.steps and isinstance(target.steps[-1], tuple)) or target.kind == "state":
        rule = NUMBER if target.steps else Rule(True, infinite=True)
        node = target.view.nodes[target.block].block if target.view and target.block else None
        owner = node.kind() if isinstance(node, Block) else target.block or "diagram"
        try:
            as_number(owner, target.name + write_steps(target.steps), value, rule)
        except ParameterError as error:
            raise BadParameter(target.block, target.name, error) from None
    return target


def overrides(targets: Mapping[str, Target], values: Mapping[str, Any]) -> Overrides:
    """Meaning of a scenario's values, by path. A target's value has the same meaning alone.

    Options and arrays are given whole, with the element or key replaced: first a value for all of it, if
    there is one, then its parts. Parameters come before subsystems, these before the blocks in them, so that
    an expression of which one element is replaced reads the others' values in this scenario. Raises
    RobotError, DiagramError.
    """
    changes = Overrides()
    for (kind, block, name), parts in _sort_targets(targets, values):
        if kind == "setting":
            changes.simulate[name] = _cast(*parts[-1])
            continue
        target, value = parts[0]
        view = target.view
        assert view is not None
        if kind == "state":
            changes.initial[f"{block}.{name}"] = _state(view, parts, changes)
            continue
        elements = parts
        if target.steps:
            full_value = view.declared(block, name)
        else:
            full_value, elements = _cast(target, value), parts[1:]
        if elements:
            full_value = _with_parts(view, full_value, elements, changes)
        if kind == "parameter":
            changes.parameters[name] = full_value
        else:
            changes.set[f"{block}.{name}"] = full_value
    return changes


def _sort_targets(
    targets: Mapping[str, Target], values: Mapping[str, Any]
) -> list[tuple[tuple[str, str, str], list[tuple[Target, Any]]]]:
    """Targets of one parameter together, the whole before its parts; outer ones before inner ones."""
    groups: dict[tuple[str, str, str], list[tuple[Target, Any]]] = {}
    for path, value in values.items():
        target = targets[path]
        groups.setdefault((target.kind, target.block, target.name), []).append((target, value))
    for parts in groups.values():
        parts.sort(key=lambda part: (len(part[0].steps), part[0].path))
    return sorted(groups.items(), key=lambda item: _order(item[0], item[1][0][0]))


def _order(place: tuple[str, str, str], target: Target) -> tuple[int, int, str, str]:
    kind, block, name = place
    if kind == "block" and target.view is not None and target.view.nodes[block].child is None:
        kind = "inside"
    first = {"parameter": 0, "block": 1, "inside": 2, "state": 3, "setting": 4}[kind]
    return first, block.count("/"), block, name


def _with_parts(view: View, current: object, parts: list[tuple[Target, Any]], overrides: Overrides) -> Any:
    """A value with some parts replaced."""
    target = parts[0][0]
    names = _names(view, target, overrides)
    if target.machines is not None:
        return target.machines.with_changes(
            current, [Change(t.steps, _cast(t, value)) for t, value in parts], names
        )
    if isinstance(current, str):  # an expression that the scenario gives
        current = as_value(current, target.block, target.name)
    for part, value in parts:
        index = part.steps[0]
        assert isinstance(index, tuple)
        current = replace_element(current, index, value, names)
    return current


def _names(view: View, target: Target, overrides: Overrides) -> Callable[[], Mapping[str, Any]]:
    return lambda: view.names(target.block, target.name, overrides.parameters, overrides.set)


def _state(view: View, parts: list[tuple[Target, Any]], overrides: Overrides) -> Any:
    """An initial state: given whole, or its block's value in this scenario with some elements replaced."""
    target, value = parts[0]
    if not target.steps:
        state, parts = np.array(value, np.float64), parts[1:]
    else:
        state = view.initial(target.block, target.name, overrides.parameters, overrides.set)
    for part, number in parts:
        index = part.steps[0]
        assert isinstance(index, tuple)
        state[index] = number
    return state.tolist()


def _cast(target: Target, value: object) -> Any:
    """A value in the kind of number that its target takes: columns of numbers are float64."""
    if not (target.integral or target.structural or target.kind == "setting"):
        return value
    if isinstance(value, (list, tuple)):
        return [_cast(target, item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    integral = target.integral or (target.structural and target.machines is None)
    return int(value) if integral and isinstance(value, float) and value.is_integer() else value
