"""Find functions of a user's own that write to objects that outlive a run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType

from .function_source import syntax_of
from .program import Program

CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "add", "discard")
)
"""Methods of containers that change them."""


def memory_notices(program: Program) -> Iterator[str]:
    """One sentence for every block whose function, run by Python, writes to something outside of it."""
    for unit in program.plan.units:
        if unit.path not in program.callbacks.reasons:
            continue
        written: dict[str, int] = {}
        for function in unit.functions.values():
            written |= dict(_find_writes(getattr(function, "function", function)))
        if written:
            places = ", ".join(f"`{name}` (line {line})" for name, line in written.items())
            yield (
                f"{unit.path} writes to {places}, which outlives the run: a run, or a scenario of a sweep,"
                " may depend on those before it; keep it in a state of a block, see docs/writing-blocks.md"
            )


def _find_writes(function: object) -> Iterator[tuple[str, int]]:
    """Names that a function writes to, except its own variables, and the lines."""
    owner = ""
    if not isinstance(function, FunctionType):  # an object that is called, or a method
        if _module(type(function)) in ("blockdyn", "numpy", "numba"):
            return
        method = function if inspect.ismethod(function) else vars(type(function)).get("__call__")
        function = getattr(method, "__func__", method)
        owner = "self"
    if not isinstance(function, FunctionType) or _module(function) == "blockdyn":
        return
    syntax = syntax_of(function)
    if syntax is None:
        return
    code = function.__code__
    local_names = {*code.co_varnames[bool(owner) :], *code.co_cellvars}
    for node in ast.walk(syntax):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from ((name, node.lineno) for name in node.names)
        for target in _targets(node):
            base = target
            while isinstance(base, (ast.Subscript, ast.Attribute)):
                base = base.value
            if base is not target and isinstance(base, ast.Name) and base.id not in local_names:
                yield base.id, target.lineno


def _module(definition: object) -> str:
    """The package that a function or a type comes from; empty for one made of text."""
    return (definition.__module__ or "").partition(".")[0]


def _targets(node: ast.AST) -> list[ast.expr]:
    """Expressions that a piece of a function assigns to, or changes."""
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return [node.target]
    call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING
    return [node.func] if call and isinstance(node, ast.Call) else []
