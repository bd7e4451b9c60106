"""Elements: one number of a vector, matrix or nested list, replaced, also in an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...base.words import counted
from ...blocks.contract.constant_formula import constant
from ...blocks.contract.parameter_expression import Parameter, expression
from .path import Index


def replaced(before: Any, index: Index, value: Any, names: Callable[[], Mapping[str, Any]]) -> Any:
    """A value with another element; of an expression `[=a, 2]` the other elements stay expressions.

    `names` gives the parameters of the place, for an expression that is no list: it is evaluated.
    Raises IndexError where there is no such element.
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
    """What an array of a shape is called."""
    if not shape:
        return "one number"
    return counted(shape[0], "number") if len(shape) == 1 else f"{' x '.join(map(str, shape))} numbers"


def _rewritten(parameter: Parameter, index: Index, value: Any) -> Parameter | None:
    """The expression with another element, where it is a list written out."""
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
