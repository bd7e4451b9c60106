"""Find the places in a Python function's source where its value jumps as its arguments change."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

JUMPS = (
    "abs", "absolute", "all", "allclose", "amax", "amin", "any", "argmax", "argmin", "argsort", "bool",
    "bool_", "ceil", "clip", "copysign", "count_nonzero", "digitize", "divmod", "equal", "fabs", "fix",
    "floor", "floor_divide", "fmax", "fmin", "fmod", "greater", "greater_equal", "heaviside", "int",
    "int8", "int16", "int32", "int64", "int_", "intp", "isclose", "less", "less_equal", "logical_and",
    "logical_not", "logical_or", "logical_xor", "max", "maximum", "median", "min", "minimum", "mod",
    "modf", "nanmax", "nanmin", "not_equal", "piecewise", "remainder", "rint", "round", "searchsorted",
    "select", "sign", "signbit", "sort", "sorted", "trunc", "uint8", "uint16", "uint32", "uint64",
    "uintp", "unwrap", "where",
)  # fmt: skip
"""Functions and methods, of Python and NumPy, whose value or slope jumps."""
SIZES = ("shape", "size", "ndim")  # attributes that do not change during a run
DEEPEST = 5  # levels of nested calls


@dataclass(frozen=True)
class Branch:
    """A place where a function jumps as its arguments change, with its syntax if there is a source."""

    function: str
    file: str
    line: int
    text: str
    syntax: ast.expr | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"`{self.text}` ({self.function}, {Path(self.file).name}, line {self.line})"


def branches(function: FunctionType, moving: set[str], depth: int = 0) -> Iterator[Branch]:
    """The places where a function of these moving arguments, or fields of groups (`room.speed`), jumps."""
    tree = syntax_of(function)
    if tree is None:
        yield from _in_bytecode(function)
        return
    finder = _Finder(function, moving, depth, {}, function.__name__)
    for statement in body_of(tree):
        finder.visit(statement)
    yield from finder.branches


def _in_bytecode(function: FunctionType) -> Iterator[Branch]:
    """Comparisons and jumping functions in a function without a source."""
    codes = [function.__code__]
    for code in codes:  # the list grows during the loop, by the functions inside
        codes += [inside for inside in code.co_consts if isinstance(inside, CodeType)]
        line = code.co_firstlineno
        for step in dis.get_instructions(code):
            line = (step.positions.lineno if step.positions else None) or line
            jumps = step.opname.startswith("LOAD") and step.argval in JUMPS
            cuts = step.opname.startswith("BINARY") and step.argrepr.rstrip("=") in ("//", "%")
            if step.opname == "COMPARE_OP" or jumps or cuts:
                yield Branch(code.co_name, code.co_filename, line, step.argrepr if cuts else str(step.argval))


class _Finder(ast.NodeVisitor):
    """Follows the moving names through a function, statement by statement.

    `inner` are the functions defined inside it, by name; `name` is the name of the function.
    """

    def __init__(
        self, function: FunctionType, moving: set[str], depth: int, inner: Mapping[str, Inner], name: str
    ) -> None:
        self.function, self.moving, self.depth = function, set(moving), depth
        self.inner, self.name = dict(inner), name
        self.branches: list[Branch] = []

    def moves(self, node: ast.AST) -> bool:
        """True if the value of an expression changes during a run."""
        if isinstance(node, ast.Attribute) and node.attr in SIZES:
            return False
        path = _path(node)
        if path:  # a group moves if one of its fields moves, and each field if the group does
            return any(f"{path}.".startswith(f"{m}.") or m.startswith(f"{path}.") for m in self.moving)
        if isinstance(node, ast.Call) and _get_call_name(node) == "len":
            return False
        return any(self.moves(child) for child in ast.iter_child_nodes(node))

    def note(self, node: ast.expr) -> None:
        text = ast.unparse(node)
        text = text if len(text) <= 50 else text[:47] + "..."
        code = self.function.__code__
        self.branches.append(Branch(self.name, code.co_filename, node.lineno, text, node))

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.value, node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._assigned(node.value, [node.target])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned(node.value, [node.target])

    def visit_For(self, node: ast.For) -> None:
        self._assigned(node.iter, [node.target])
        for statement in (*node.body, *node.body):  # names that move at the end may be read at the beginning
            self.visit(statement)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assigned(node.value, [node.target])

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> None:
        for loop in node.generators:
            self._assigned(loop.iter, [loop.target])
            for test in loop.ifs:
                self._tested(test)
        self.visit(node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.visit_ListComp(node)

    def _assigned(self, value: ast.expr, targets: list[ast.expr]) -> None:
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(value, ast.Lambda) and len(names) == len(targets):
            self._defined(value, names)
            return
        self.visit(value)
        if self.moves(value):
            self.moving |= {
                part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
            }

    def visit_If(self, node: ast.If) -> None:
        if any(not isinstance(statement, ast.Raise) for statement in node.body):
            self._tested(node.test)
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def visit_While(self, node: ast.While) -> None:
        self._tested(node.test)
        for statement in (*node.body, *node.body):
            self.visit(statement)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._tested(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion is not a branch."""

    def _tested(self, test: ast.expr) -> None:
        before = len(self.branches)
        self.visit(test)
        if len(self.branches) == before and self.moves(test):
            self.note(test)

    def visit_Compare(self, node: ast.Compare) -> None:
        names = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
        if self.moves(node) and not any(isinstance(op, names) for op in node.ops):
            self.note(node)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, (ast.Mod, ast.FloorDiv)) and self.moves(node):
            self.note(node)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for part in node.values[:-1]:
            self._tested(part)
        self.visit(node.values[-1])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        (self._tested if isinstance(node.op, ast.Not) else self.visit)(node.operand)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._defined(node, [node.name])

    def _defined(self, function: Inner, names: list[str]) -> None:
        """A function inside: its name moves if the body reads a name around it that moves."""
        self.inner |= dict.fromkeys(names, function)
        around = _Finder(
            self.function, self.moving.difference(named_in(function)), self.depth, self.inner, self.name
        )
        if any(around.moves(part) for part in body_of(function)):
            self.moving.update(names)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._handed_on(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._handed_on(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._handed_on(node)
        self.generic_visit(node)

    def _handed_on(self, node: ast.expr) -> None:
        """A function that is passed to another one instead of called: any of its arguments may move."""
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return
        function = self._function(node)
        if function is not None:
            self._followed(function, set(named_in(function)))

    def _function(self, node: ast.expr) -> Inner | FunctionType | None:
        """The function that an expression stands for, of those that a user wrote."""
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, ast.Name) and node.id in self.inner:
            return self.inner[node.id]
        return plain_python(self._resolved(node))

    def _followed(self, function: Inner | FunctionType, moving: set[str]) -> None:
        if self.depth >= DEEPEST:
            return
        if isinstance(function, FunctionType):
            self.branches += branches(function, moving, self.depth + 1)
            return
        name = getattr(function, "name", "<lambda>")
        seen = self.moving.difference(named_in(function)) | moving
        inside = _Finder(self.function, seen, self.depth + 1, self.inner, name)
        for part in body_of(function):
            inside.visit(part)
        self.branches += inside.branches

    def visit_Call(self, node: ast.Call) -> None:
        before = len(self.branches)
        function = self._function(node.func)
        for part in (*node.args, *node.keywords, *([node.func] if function is None else [])):
            self.visit(part)
        of_method = isinstance(node.func, ast.Attribute) and self.moves(node.func.value)
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        moving = of_method or any(map(self.moves, values))
        if isinstance(function, Inner) or (function is not None and moving and self.depth < DEEPEST):
            self._followed(function, self._reached(node, named_in(function)))
        elif moving and len(self.branches) == before and _jumps(node):
            self.note(node)

    def _reached(self, node: ast.Call, names: Sequence[str]) -> set[str]:
        """The arguments that move in a call of a function."""
        if any(self.moves(part) for part in node.args if isinstance(part, ast.Starred)):
            return set(names)
        placed = {name for name, part in zip(names, node.args, strict=False) if self.moves(part)}
        named = {keyword.arg for keyword in node.keywords if self.moves(keyword.value)}
        return set(names) if None in named else placed.union(filter(None, named))

    def _resolved(self, node: ast.expr) -> Callable[..., Any] | None:
        """The function that a name or a module's attribute stands for."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return getattr(self._resolved(node.value), node.attr, None)
        if not isinstance(node, ast.Name):
            return None
        if node.id in self.moving:
            return None
        return self._outside.get(node.id)

    @cached_property
    def _outside(self) -> Mapping[str, Any]:
        """Values of the names that the function does not define."""
        closed = inspect.getclosurevars(self.function)
        return {**closed.globals, **closed.nonlocals}


def _path(node: ast.AST) -> str:
    """`a.b.c` for the field of a group, or a name; otherwise empty."""
    if isinstance(node, ast.Attribute):
        outer = _path(node.value)
        return f"{outer}.{node.attr}" if outer else ""
    return node.id if isinstance(node, ast.Name) else ""


def _get_call_name(node: ast.Call) -> str:
    """The last word of the name of a called function."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _jumps(node: ast.Call) -> bool:
    """True if a call is of a function or a conversion that jumps."""
    casts = _get_call_name(node) == "astype" and any(
        word in ast.unparse(part) for part in (*node.args, *node.keywords) for word in ("int", "bool")
    )
    return casts or _get_call_name(node) in JUMPS


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
    """The syntax of a function, with the line numbers of its file; None if it is not unique."""
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
