"""Branches: where the functions of a user's blocks jump without an event, found in their source."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from .plan.unit import HELD, Unit, role_arguments
from .program import Program

JUMPS = (
    "abs", "absolute", "amax", "amin", "argmax", "argmin", "ceil", "clip", "copysign", "digitize", "fabs",
    "floor", "fmod", "heaviside", "max", "maximum", "min", "minimum", "mod", "piecewise", "remainder", "rint",
    "round", "searchsorted", "select", "sign", "trunc", "where",
)  # fmt: skip
"""Functions, of Python and NumPy, whose value or slope jumps."""
SIZES = ("shape", "size", "ndim")  # attributes that do not change during a run
DEEPEST = 5  # functions that call functions
SHOWN = 3  # places of one block


@dataclass(frozen=True)
class Branch:
    """A place where a function jumps as its arguments change."""

    function: str
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"`{self.text}` ({self.function}, {Path(self.file).name}, line {self.line})"


def branch_notices(program: Program) -> Iterator[str]:
    """One sentence for every block whose own functions jump where the solver sees no event."""
    if not program.plan.states:
        return  # no state, no error control: nothing is cut short
    for unit in program.plan.units:
        places = list(dict.fromkeys(_branches_of(unit)))
        if places:
            more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
            yield (
                f"{unit.path} branches on {', '.join(map(str, places[:SHOWN]))}{more}: no event marks that"
                " place, so that steps go across it and shrink there; write it with what has events"
                " (Expression, Switch, Compare, Relay), or as a class with a mode and a crossing"
            )


def _branches_of(unit: Unit) -> Iterator[Branch]:
    block = unit.block
    if type(block).__module__.startswith("blockdyn.") and not _functions(unit):
        return
    if unit.clock >= 0 or unit.mode_count or unit.crossing_slots:
        return
    names = {*unit.inputs, *(state.name for state in block.states), "t"}
    flows = any(rate != HELD for rate in unit.rate.values())
    for role, function in _functions(unit).items():
        if role == "derivative" or (role.startswith("output") and flows):
            yield from branches(function, names.intersection(role_arguments(unit.functions[role])))


def _functions(unit: Unit) -> dict[str, FunctionType]:
    """The functions that a user wrote, by role."""
    plain = {role: _python(function) for role, function in unit.functions.items()}
    return {role: function for role, function in plain.items() if function is not None}


def _python(function: Any) -> FunctionType | None:
    """The Python function inside, unless it is a library's."""
    function = getattr(function, "function", function)  # a Callback
    function = inspect.unwrap(getattr(function, "py_func", function)) if callable(function) else None
    if not isinstance(function, FunctionType):
        return None
    top = (function.__module__ or "").partition(".")[0]
    return None if top in ("blockdyn", "numpy", "scipy", "math", "numba") else function


def branches(function: FunctionType, moving: set[str], depth: int = 0) -> Iterator[Branch]:
    """The places where a function of these moving arguments jumps."""
    tree = _tree(function)
    if tree is None:
        yield from _in_bytecode(function)
        return
    finder = _Finder(function, moving, depth)
    for statement in tree.body if isinstance(tree, ast.FunctionDef) else [ast.Expr(tree.body)]:
        finder.visit(statement)
    yield from finder.found


def _tree(function: FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    """The syntax of a function, its lines those of the file; None where it cannot be told."""
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


def _in_bytecode(function: FunctionType) -> Iterator[Branch]:
    """Comparisons and jumping functions in a function without a source."""
    code = function.__code__
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = (step.positions.lineno if step.positions else None) or line
        jumps = step.opname.startswith("LOAD") and step.argval in JUMPS
        if step.opname == "COMPARE_OP" or jumps:
            yield Branch(function.__name__, code.co_filename, line, str(step.argval))


class _Finder(ast.NodeVisitor):
    """Follows the moving names through a function, statement by statement."""

    def __init__(self, function: FunctionType, moving: set[str], depth: int) -> None:
        self.function, self.moving, self.depth = function, set(moving), depth
        self.found: list[Branch] = []

    def moves(self, node: ast.AST) -> bool:
        """Whether the value of an expression changes during a run."""
        if isinstance(node, ast.Name):
            return node.id in self.moving
        if isinstance(node, ast.Attribute) and node.attr in SIZES:
            return False
        if isinstance(node, ast.Call) and _called(node) == "len":
            return False
        return any(self.moves(child) for child in ast.iter_child_nodes(node))

    def note(self, node: ast.expr) -> None:
        text = ast.unparse(node)
        text = text if len(text) <= 50 else text[:47] + "..."
        code = self.function.__code__
        self.found.append(Branch(self.function.__name__, code.co_filename, node.lineno, text))

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.value, node.targets)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._assigned(node.value, [node.target])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned(node.value, [node.target])

    def visit_For(self, node: ast.For) -> None:
        self._assigned(node.iter, [node.target])
        for statement in (*node.body, *node.body):  # what moves at the end may be read at the begin
            self.visit(statement)

    def _assigned(self, value: ast.expr, targets: list[ast.expr]) -> None:
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
        """What must hold is no branch."""

    def _tested(self, test: ast.expr) -> None:
        before = len(self.found)
        self.visit(test)
        if len(self.found) == before and self.moves(test):
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

    def visit_Call(self, node: ast.Call) -> None:
        before = len(self.found)
        self.generic_visit(node)
        moving = [self.moves(argument) for argument in node.args]
        if not any(moving):
            return
        inner = _python(self._resolved(node.func))
        if inner is not None and self.depth < DEEPEST:
            names = role_arguments(inner)
            reached = {name for name, moves in zip(names, moving, strict=False) if moves}
            self.found += branches(inner, reached, self.depth + 1)
        elif _called(node) in JUMPS and len(self.found) == before:
            self.note(node)

    def _resolved(self, node: ast.expr) -> Callable[..., Any] | None:
        """The function that a name or a module's attribute stands for."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return getattr(self._resolved(node.value), node.attr, None)
        if not isinstance(node, ast.Name):
            return None
        closed = inspect.getclosurevars(self.function)
        return {**closed.globals, **closed.nonlocals}.get(node.id)


def _called(node: ast.Call) -> str:
    """The last word of what is called."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))
