"""Fcn expressions and MATLAB functions become formulas of their inputs, one for each element of an output."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeAlias

import numpy as np

from ....blocks.contract.conditions import roles
from ....blocks.contract.errors import FormulaError
from ....blocks.contract.formula import CONSTANTS, TIME
from .algebra import arithmetic
from .arrays import TERM_WORK, Value, numbers
from .scripts import Runner
from .syntax import parse, parse_script
from .terms import MOST_ELEMENTS, Array, Scalar, Term, choice, elements, fold, lessen, objects, term
from .values import LIMIT, REFUSED, Variables, as_value
from .words import Call, Field, For, Function, If, Name, Node, Number, Statement, UnreadableText

Widths: TypeAlias = Mapping[str, int | tuple[int, int] | None]
MOST_STATEMENTS = 10_000  # carried out for one function, loops unrolled
LONG = 40  # characters of a formula that becomes a step of its own, where steps are allowed


@dataclass(frozen=True)
class FormulaText:
    """Formulas of the Expression block, one for each element of the output, column by column.

    `shape` has its rows and columns. `inputs` has the element, counted from 1 along the columns, for each
    name in the formulas, and `sources` the input to which the element belongs. `coefficients` are constant
    numbers by name.
    """

    texts: tuple[str, ...]
    shape: tuple[int, int]
    inputs: Mapping[str, int]
    sources: Mapping[str, str]
    coefficients: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class FunctionText:
    """A MATLAB function's outputs by name, in the order of its definition, each with its formulas.

    `steps` are formulas of one element that later steps and outputs have as inputs, by their names; there,
    `sources` has the step's name itself.
    """

    name: str
    outputs: Mapping[str, FormulaText]
    steps: Mapping[str, FormulaText] = field(default_factory=dict)


class Signals:
    """The inputs as arrays of formulas, with a name for each element, and the formulas of steps by name."""

    def __init__(self, widths: Widths) -> None:
        self.steps: dict[str, Term] = {}
        self.elements: dict[str, tuple[str, int]] = {}
        self.arrays: dict[str, Array] = {}
        for name, width in widths.items():
            rows, columns = width if isinstance(width, tuple) else (width or 1, 1)
            count = rows * columns
            if not 0 < count <= MOST_ELEMENTS:
                raise UnreadableText(
                    f"the input `{name}` has {count} elements; 1 to {MOST_ELEMENTS} are written"
                )
            names = [self._free(name if count == 1 else f"{name}{k + 1}") for k in range(count)]
            self.elements.update({each: (name, k + 1) for k, each in enumerate(names)})
            array = np.empty(count, object)
            array[:] = [Term(each) for each in names]
            self.arrays[name] = array.reshape(rows, columns, order="F")

    def _free(self, name: str) -> str:
        """A name that formulas can hold for an input, and that no other input has."""
        while name in self.elements or name in (TIME, *CONSTANTS) or keyword.iskeyword(name):
            name += "_"
        return name

    def step(self, variable: str, value: Value) -> Value:
        """A value whose long formulas become separate steps, named after a variable."""
        if not isinstance(value, np.ndarray) or value.dtype != object:
            return value
        result = value.copy()
        for place, each in np.ndenumerate(value):
            if isinstance(each, Term) and len(each.text) > LONG:
                name = self._free(f"{variable}_{len(self.steps) + 1}")
                self.elements[name] = (name, 1)
                self.steps[name] = each
                result[place] = Term(name)
        return result

    def written_steps(self, outputs: Mapping[str, FormulaText], text: str) -> dict[str, FormulaText]:
        """The steps that outputs need, each after the steps that it needs."""
        needed = {name for output in outputs.values() for name in output.inputs}
        steps: dict[str, FormulaText] = {}
        for name, each in reversed(self.steps.items()):
            if name in needed:
                steps[name] = self.written(np.array([[each]], object), text)
                needed |= steps[name].inputs.keys()
        return dict(reversed(steps.items()))

    def written(self, value: Value, text: str) -> FormulaText:
        """The formulas of a value. Raises UnreadableText for those that the Expression block refuses."""
        try:
            array = numbers(value)
            texts = tuple(term(each).text for each in objects(array).ravel(order="F"))
            names: dict[str, None] = {}
            for each in texts:
                names |= dict.fromkeys(roles(each)["output"].names)  # type: ignore[union-attr]
        except FormulaError as error:
            raise UnreadableText(str(error).replace("\n", "; "), text) from None
        except REFUSED as error:
            raise UnreadableText(str(error), text) from None
        sources = {name: self.elements[name] for name in names if name in self.elements}
        return FormulaText(
            texts, (int(array.shape[0]), int(array.shape[1])),
            {name: element for name, (_, element) in sources.items()},
            {name: source for name, (source, _) in sources.items()},
        )  # fmt: skip


def formula(
    text_or_node: str | Node, inputs: Widths | int | None = None, variables: Variables | None = None, *,
    fcn: bool = False, limit: int = LIMIT, files: Mapping[str, str] | None = None,
) -> FormulaText:  # fmt: skip
    """The formulas of an expression of input signals.

    `inputs` are the widths of the inputs by name, a number or (rows, columns); a number alone is the width of
    `u`, and None the largest index of `u` in the expression. Parts without signals are computed and written
    as numbers. With `fcn` the text is in the dialect of Fcn blocks: `u` is u(1), u[2] is u(2), `!`, ln, sgn,
    fabs and pow are read, == binds weaker than <. Comparisons have the value 1 or 0.
    A vector input is a column. `files` are texts of functions by name, as in files NAME.m. Raises
    UnreadableText for functions and operators without a formula.
    """
    text = text_or_node if isinstance(text_or_node, str) else ""
    node = parse(text, fcn=fcn) if isinstance(text_or_node, str) else text_or_node
    widths: Widths = {"u": inputs} if inputs is None or isinstance(inputs, int) else inputs
    widths = {name: width or _largest_index(node, name) for name, width in widths.items()}
    signals = Signals(widths)
    runner = FormulaRunner(variables, limit, text)
    runner.scope.update(signals.arrays)
    _add_files(runner, files or {})
    if fcn:
        runner.scalars = frozenset(widths)
        aliases = {"ln": "log", "sgn": "sign", "fabs": "abs"}
        for alias, name in aliases.items():
            runner.functions[alias] = lambda x, name=name: runner.function(name, (x,), node)
        runner.functions["pow"] = lambda x, y: arithmetic(runner.room, "^", x, y)
    return signals.written(runner.single(node), text)


def _largest_index(node: object, name: str) -> int:
    """The largest constant index of a variable in a tree; 1 without one."""
    if isinstance(node, tuple):
        return max((_largest_index(each, name) for each in node), default=1)
    if not isinstance(node, Node):
        return 1
    largest = max((_largest_index(getattr(node, each.name), name) for each in fields(node)), default=1)
    match node:
        case Call(target=Name(name=called), arguments=(Number(value=value),)) if called == name:
            return max(largest, int(min(value, 1e6)))
    return largest


class Undetermined:
    """A variable that only some branches of an `if` give a value of one size."""


class FormulaRunner(Runner):
    """Carries out statements on signals: both branches of a condition that depends on one."""

    scalars: frozenset[str] = frozenset()  # inputs that stand for their first element, as in Fcn blocks
    signals: Signals | None = None  # where long formulas become steps
    statements = branches = 0

    def store(self, target: Node, value: Value) -> None:
        super().store(target, value)
        while isinstance(target, (Call, Field)):
            target = target.target
        assert isinstance(target, Name)
        self.shorten(target.name)

    def shorten(self, name: str) -> None:
        """Long formulas of a variable become steps; in a branch they stay, to avoid needless computation."""
        if self.signals is not None and not self.branches and name in self.scope:
            self.scope[name] = self.signals.step(name, self.scope[name])

    def variable(self, name: str) -> Value | None:
        if isinstance(self.scope.get(name), Undetermined):
            raise ValueError(f"`{name}` has no value, or one of another size, in a branch of the `if` before")
        return super().variable(name)

    def named(self, name: str, node: Node) -> Value:
        value = super().named(name, node)
        return value[:1, :1] if name in self.scalars else value

    def perform(self, node: Node) -> None:
        self.statements += 1
        if self.statements > MOST_STATEMENTS:
            raise UnreadableText(
                f"more than {MOST_STATEMENTS} statements, loops unrolled", self.text, node.place
            )
        if isinstance(node, For):
            self.loop(node)
        else:
            super().perform(node)

    def run(self, statements: Sequence[Node]) -> None:
        """Statements one after another; those after a conditional `return` belong to the other branches."""
        for k, node in enumerate(statements):
            if _returns((node,)):
                return
            if isinstance(node, If):
                if _returns_inside(node):
                    after = tuple(statements[k + 1 :])
                    branches = tuple((test, self.continued(body, after)) for test, body in node.branches)
                    self.choose(node, branches, self.continued(node.otherwise, after))
                    return
                self.choose(node, node.branches, node.otherwise)
            else:
                self.perform(node)

    def continued(self, body: tuple[Node, ...], after: tuple[Node, ...]) -> tuple[Node, ...]:
        """The statements of a branch with those that follow the `if`."""
        return body if _returns(body) else (*body, *after)

    def choose(
        self, node: If, branches: Sequence[tuple[Node, Sequence[Node]]], otherwise: Sequence[Node]
    ) -> None:
        """The branches of a condition, merged element by element where it depends on a signal."""
        if not branches:
            self.run(otherwise)
            return
        test, body = branches[0]
        condition = self.truth(test)
        if not isinstance(condition, Term):
            if condition:
                self.run(body)
            else:
                self.choose(node, branches[1:], otherwise)
            return
        if self.signals is not None and not self.branches:
            condition = self.signals.step("condition", np.array([[condition]], object))[0, 0]
        self.room.spend(TERM_WORK * sum(getattr(value, "size", 1) for value in self.scope.values()))
        self.depth, self.branches = self.depth + 1, self.branches + 1
        self.perform_count(node)
        before = self.scope
        self.scope = dict(before)
        self.run(body)
        yes, self.scope = self.scope, dict(before)
        self.choose(node, branches[1:], otherwise)
        no = self.scope
        names = dict.fromkeys((*yes, *no))
        try:
            self.scope = {name: merge(condition, yes.get(name), no.get(name)) for name in names}
        except REFUSED as error:
            raise UnreadableText(str(error), self.text, node.place) from None
        self.depth, self.branches = self.depth - 1, self.branches - 1
        for name in self.scope:
            self.shorten(name)

    def perform_count(self, node: Node) -> None:
        """Count a condition as a statement, and bound its nesting."""
        self.statements += 1
        if self.statements > MOST_STATEMENTS or self.depth > 60:
            raise UnreadableText("too many conditions within one another", self.text, node.place)

    def truth(self, node: Node) -> Scalar:
        """A condition as `if` judges it: all elements are other than 0."""
        array = numbers(self.single(node))
        if array.size == 0:
            return 0.0
        if array.dtype != object:
            return float(bool((array != 0).all()))
        return fold("&", list(array.flat), 1.0)

    def loop(self, node: For) -> None:
        """A loop over constant columns, unrolled."""
        values = numbers(self.single(node.values))
        if values.dtype == object:
            raise UnreadableText(
                "a loop over a signal has no constant number of turns", self.text, node.place
            )
        if any(_returns_inside(each) for each in node.body):
            raise UnreadableText("`return` in a loop is not translated", self.text, node.place)
        for k in range(values.shape[1]):
            self.perform_count(node)
            self.scope[node.variable] = values[:, k : k + 1]
            self.run(node.body)


def _returns(body: Sequence[Node]) -> bool:
    """True if statements end with `return`."""
    return bool(body) and isinstance(body[-1], Statement) and body[-1].value == Name("return")


def _returns_inside(node: Node) -> bool:
    """True if a statement has `return` in it."""
    if isinstance(node, If):
        inner = [each for _, body in node.branches for each in body]
        return any(map(_returns_inside, (*inner, *node.otherwise)))
    return _returns((node,)) or (isinstance(node, For) and any(map(_returns_inside, node.body)))


def merge(condition: Term, yes: Value | None, no: Value | None) -> Value:
    """One of two values by a condition, element by element."""
    if yes is no:
        return yes
    if isinstance(yes, dict) and isinstance(no, dict) and yes.keys() == no.keys():
        return {name: merge(condition, yes[name], no[name]) for name in yes}
    if isinstance(yes, np.ndarray) and isinstance(no, np.ndarray) and yes.shape == no.shape:
        return lessen(elements(lambda a, b: choice(condition, a, b), yes, no))
    if isinstance(yes, str) and yes == no:
        return yes
    return Undetermined()


def function_formulas(
    text: str, widths: Widths, variables: Variables | None = None, *, steps: bool = False, limit: int = LIMIT,
    files: Mapping[str, str] | None = None,
) -> FunctionText:  # fmt: skip
    """The formulas of a MATLAB function, `function y = f(u, k) ... end`, for each element of its outputs.

    Inputs in `widths`, elements or (rows, columns), are signals; the other parameters take their constant
    values from `variables`. The function is carried out once on formulas: assignments to variables, their
    elements and fields, if and switch (both branches, chosen by `where`), for over constants (unrolled),
    return, and calls of functions in the same text or in `files`, texts by name. With `steps` long formulas
    of variables are written once, as steps; without, everything is one formula for each output, of at most
    2000 characters and 30 conditions. Raises UnreadableText with the line for anything else, such as
    persistent variables, while, and unknown functions.
    """
    definitions = _definitions(text)
    main = definitions[0]
    signals = Signals({name: width for name, width in widths.items() if name in main.inputs})
    runner = FormulaRunner(None, limit, text)
    runner.signals = signals if steps else None
    _add_files(runner, files or {})
    for each in definitions[1:]:
        runner.functions[each.name] = lambda *values, each=each: _call(runner, each, values)
    arguments = []
    for name in main.inputs:
        value = signals.arrays.get(name)
        if value is None and variables is not None:
            constant = variables(name) if callable(variables) else variables.get(name)
            value = None if constant is None else as_value(constant)
        if value is None and name != "~":
            raise UnreadableText(f"the input `{name}` has neither a width nor a value", text, main.place)
        arguments.append(value)
    results = _call(runner, main, arguments)
    pairs = zip(main.outputs, results, strict=True)
    outputs = {name: signals.written(value, text) for name, value in pairs}
    return FunctionText(main.name, outputs, signals.written_steps(outputs, text))


def _definitions(text: str) -> list[Function]:
    """The functions of a text. Raises UnreadableText if there is anything else."""
    statements = parse_script(text)
    definitions = [each for each in statements if isinstance(each, Function)]
    if not definitions or len(definitions) != len(statements):
        place = next((each.place for each in statements if not isinstance(each, Function)), 0)
        raise UnreadableText("the text has to consist of functions: `function y = f(u) ... end`", text, place)
    return definitions


def _add_files(runner: FormulaRunner, files: Mapping[str, str]) -> None:
    """Let a runner call the first function of each file, which sees the other functions of its own file."""
    for name, text in files.items():
        runner.functions[name] = lambda *values, name=name, text=text: _call_file(runner, name, text, values)


def _call_file(runner: FormulaRunner, name: str, text: str, values: Sequence[Value]) -> tuple[Value, ...]:
    """The results of the function in a file; an error names the file and its line."""
    outer, outer_text = runner.functions, runner.text
    try:
        definitions = _definitions(text)
        local = {
            each.name: lambda *values, each=each: _call(runner, each, values) for each in definitions[1:]
        }
        runner.functions, runner.text = {**outer, **local}, text
        return _call(runner, definitions[0], values)
    except UnreadableText as error:
        raise UnreadableText(f"{name}.m, line {error.line}: {error.problem}", outer_text, 0) from None
    finally:
        runner.functions, runner.text = outer, outer_text


def _call(runner: FormulaRunner, function: Function, values: Sequence[Value]) -> tuple[Value, ...]:
    """The results of a function for these arguments."""
    if len(values) > len(function.inputs):
        raise ValueError(f"{function.name} takes {len(function.inputs)} arguments, not {len(values)}")
    outer, ends, depth = runner.scope, runner.ends, runner.depth
    if depth > 60:
        raise ValueError(f"{function.name} is called too deep")
    runner.scope, runner.ends, runner.depth = dict(zip(function.inputs, values, strict=False)), [], depth + 1
    runner.scope.pop("~", None)
    try:
        runner.run(function.body)
        results = [runner.variable(name) for name in function.outputs]
    except REFUSED as error:
        raise UnreadableText(str(error), runner.text, function.place) from None
    finally:
        runner.scope, runner.ends, runner.depth = outer, ends, depth
    for name, value in zip(function.outputs, results, strict=True):
        if value is None:
            raise UnreadableText(f"the output `{name}` gets no value", runner.text, function.place)
    return tuple(results)
