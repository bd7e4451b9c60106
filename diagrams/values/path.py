"""Paths such as `kp`, `sub/block.parameter[0,1]`, `plant.robot.links.link2.mass`, and elements of values."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ...base.words import inflect
from ...blocks.contract.constant_formula import constant
from ...blocks.contract.parameter_expression import Parameter, expression

Index: TypeAlias = "tuple[int, ...]"
Step: TypeAlias = "str | Index"

_OWNER = re.compile(r"[^\W\d]\w*(?:/[^\W\d]\w*)*")
_STEP = re.compile(r"\.([^.\[\]]+)|\[\s*(\d{1,9})\s*(?:,\s*(\d{1,9})\s*)?\]")
FORM = "`kp`, `block.parameter`, `sub/block.parameter[0]`, `plant.robot.payload.mass` or `simulate.rtol`"


class Parts(NamedTuple):
    """The block, subsystem or diagram parameter that a path begins with, and the steps after it."""

    owner: str
    steps: tuple[Step, ...]


def parts(path: str) -> Parts | None:
    """The parts of a path; None if the text is not a path."""
    text = path.strip()
    owner = _OWNER.match(text)
    if owner is None:
        return None
    steps: list[Step] = []
    at = owner.end()
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        name, first, second = step.groups()
        if name is not None:
            steps.append(name)
        else:
            steps.append((int(first),) if second is None else (int(first), int(second)))
        at = step.end()
    return Parts(owner.group(), tuple(steps))


def write_steps(steps: tuple[Step, ...]) -> str:
    """Steps as text."""
    return "".join(
        f".{step}" if isinstance(step, str) else f"[{', '.join(map(str, step))}]" for step in steps
    )


def replace_element(before: Any, index: Index, value: Any, names: Callable[[], Mapping[str, Any]]) -> Any:
    """A value with one element replaced; the other elements of an expression `[=a, 2]` stay expressions.

    `names` gives the parameters of the place, for an expression that is not a list: it is evaluated.
    Raises IndexError if there is no such element.
    """
    if isinstance(before, Parameter):
        written = _rewritten(before, index, value)
        if written is not None:
            return written
        before = constant(before.formula, names())
    array = np.array(before, np.float64)
    check(array.shape, index)
    array[index] = value
    return array.tolist()


def check(shape: tuple[int, ...], index: Index) -> None:
    """Raise IndexError unless an array of this shape has the element."""
    if len(index) != len(shape) or any(i >= n for i, n in zip(index, shape)):
        raise IndexError(index)


def size_in_words(shape: tuple[int, ...]) -> str:
    """Name of an array of a shape."""
    if not shape:
        return "one number"
    return inflect(shape[0], "number") if len(shape) == 1 else f"{' x '.join(map(str, shape))} numbers"


def _rewritten(parameter: Parameter, index: Index, value: Any) -> Parameter | None:
    """The expression with one element replaced, if it is a list written out."""
    tree = ast.parse(parameter.formula.text, mode="eval")
    node: ast.expr = tree.body
    for place in index[:-1]:
        if not isinstance(node, (ast.List, ast.Tuple)) or place >= len(node.elts):
            return None
        node = node.elts[place]
    if not isinstance(node, (ast.List, ast.Tuple)) or index[-1] >= len(node.elts):
        return None
    node.elts[index[-1]] = ast.parse(repr(float(value)), mode="eval").body
    return expression(ast.unparse(tree))
