"""Find the Python function inside a block's function, and its syntax with the lines of its file."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import FunctionType
from typing import Any

Inner = ast.FunctionDef | ast.Lambda
"""A function that is defined inside another."""


def plain_python(function: object) -> FunctionType | None:
    """The Python function inside, unless it is a library's."""
    function = getattr(function, "function", function)  # a Callback
    function = inspect.unwrap(getattr(function, "py_func", function)) if callable(function) else None
    if not isinstance(function, FunctionType):
        return None
    top = (function.__module__ or "").partition(".")[0]
    return None if top in ("blockdyn", "numpy", "scipy", "math", "numba") else function


def syntax_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    """The syntax of a function, with the line numbers of its file; None where it is not unique."""
    try:
        lines, first = inspect.getsourcelines(function)
        module = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None
    ast.increment_lineno(module, max(first - 1, 0))
    kind = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    fitting = [
        node
        for node in ast.walk(module)
        if isinstance(node, kind) and [a.arg for a in (*node.args.posonlyargs, *node.args.args)] == names
        and getattr(node, "name", "<lambda>") == function.__name__
    ]  # fmt: skip
    return fitting[0] if len(fitting) == 1 else None


def body_of(function: Inner) -> list[Any]:
    """The statements of a function, or the expression of a lambda."""
    return function.body if isinstance(function, ast.FunctionDef) else [function.body]


def named_in(function: Inner | FunctionType) -> list[str]:
    """The names of its arguments."""
    if isinstance(function, FunctionType):
        return list(inspect.signature(function).parameters)
    declared = function.args
    return [argument.arg for argument in (*declared.posonlyargs, *declared.args, *declared.kwonlyargs)]
