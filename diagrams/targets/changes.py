"""Changes: what `parameters` and `set` of a diagram mean, by any path that an axis of a sweep may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...blocks.contract.block import Block
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter import Rule, as_number
from ..model.diagram import Diagram
from ..model.errors import BadParameter
from ..model.name_errors import NoElement, UnknownPath
from .overrides import Overrides, overrides
from .path import written
from .resolve import SIMULATE, resolve
from .target import Target
from .view import View

NUMBER = Rule(True, infinite=True, dimensions=(0,))


def changes(
    diagram: Diagram, parameters: Mapping[str, Any], set: Mapping[str, Any], *, view: View | None = None
) -> Overrides:
    """The arguments that a path to every place comes to: for the compiler, and for the run.

    `view` is the diagram opened, where somebody has it open already.

    What is unknown, and has the form `block.parameter`, is left for the compiler to refuse.
    Raises UnknownPath, NoElement, BadParameter, RobotError, and what is wrong with the diagram.
    """
    view = view or View(diagram)
    targets: dict[str, Target] = {}
    plain = Overrides()
    for path, value in set.items():
        try:
            targets[path] = _checked(resolve(view, path), value)
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
        problem = "`set` names an element of a value that it also gives whole, and smaller"
        raise NoElement(problem, "expected: elements that the new value has") from None
    meant.parameters |= plain.parameters
    meant.set |= plain.set
    return meant


def _checked(target: Target, value: Any) -> Target:
    """The target, where the value of an element is a number. Raises BadParameter."""
    inertia = len(target.steps) > 1 and target.steps[-2] == "inertia"
    if inertia or (target.steps and isinstance(target.steps[-1], tuple)) or target.kind == "state":
        rule = NUMBER if target.steps else Rule(True, infinite=True)
        node = target.view.nodes[target.block].block if target.view and target.block else None
        owner = node.kind() if isinstance(node, Block) else target.block or "diagram"
        try:
            as_number(owner, target.name + written(target.steps), value, rule)
        except ParameterError as error:
            raise BadParameter(target.block, target.name, error) from None
    return target
