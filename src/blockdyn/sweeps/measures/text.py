"""Parse texts of measures: a signal, or a formula of signals, which contains paths unchanged."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...blocks.contract.errors import FormulaError
from ...blocks.contract.formula import CONSTANTS, constant_hint, parse, syntax_tree
from ..errors import UnknownPath
from .declaration import Measure
from .signals import NoSignal, Signal, Signals

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<path>[^\W\d]\w*(?:/[^\W\d]\w*)*(?:\.[^\W\d]\w*)*(?:\[[^\[\]]*\])?)(?P<call>\s*\()?"
    r"|(?P<rest>.)",
    re.DOTALL,
)
_WORDS = {"and", "or", "not", "if", "else", "t", *CONSTANTS}
VECTOR = "name one element, `{0}[0]`, or take its length, `norm({0})`"


@dataclass(frozen=True)
class Parameter:
    """A parameter of the diagram in a formula."""

    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Formula:
    """A formula over names, which stand for signals, parameters, norms of other formulas."""

    text: str
    inputs: Mapping[str, Signal | Parameter | Formula] = field(default_factory=dict, hash=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its value; norms are scalars. Raises ValueError if shapes are incompatible."""
        shapes = [() if isinstance(part, Formula) else part.shape for part in self.inputs.values()]
        return np.broadcast_shapes(*shapes)

    @property
    def alone(self) -> Signal | None:
        """The signal, if the formula is nothing else."""
        part = self.inputs.get(self.text)
        return part if isinstance(part, Signal) else None


def read_formula(measure: Measure, signals: Signals) -> tuple[Formula, bool]:
    """The formula of a measure, and whether its absolute value is meant: an outermost `abs` is removed,
    since the kernel computes it without an event at every zero.

    Raises SweepError, UnknownPath.
    """
    reader = _Reader(measure, signals)
    text = reader.replaced(measure.of)
    try:
        syntax_tree(_mask_paths(measure.of).strip(), measure.of.strip())
        tree = syntax_tree(text.strip())
    except FormulaError as error:
        raise measure.wrong(str(error)) from None
    absolute = _call_argument(tree, "abs") is not None
    formula = reader.formula(_call_argument(tree, "abs") or tree)
    shape = reader.shape(formula)
    if shape:
        alone = formula.alone
        shown = f"a {alone.size}" if alone else f"a signal of shape {shape}"
        name = measure.of if alone and not absolute else "plant.q"
        raise measure.wrong(f"`{measure.of}` is {shown}", f"expected: a scalar: {VECTOR.format(name)}")
    return formula, absolute


def _mask_paths(text: str) -> str:
    """The text with every path replaced by a name of equal length, so that positions do not change."""

    def name(token: re.Match[str]) -> str:
        path = token["path"]
        if path is None or path in _WORDS:
            return token[0]
        before, slash, function = path.rpartition("/")
        if token["call"] is None:
            return "u" + "_" * (len(path) - 1)
        return f"{'_' * len(before)}{slash}{function}{token['call']}"

    return _TOKEN.sub(name, text)


class _Reader:
    """Replaces paths by names u0, u1 ..., and norms by v0, v1 ..."""

    def __init__(self, measure: Measure, signals: Signals) -> None:
        self.measure, self.signals = measure, signals
        self.inputs: dict[str, Signal | Parameter | Formula] = {}

    def replaced(self, text: str) -> str:
        """The text with a plain name for every signal and parameter."""
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterator[str]:
        for token in _TOKEN.finditer(text):
            path = token["path"]
            if path is None:
                yield token[0]
            elif token["call"] is None:
                yield self._names(path)
            else:
                before, slash, function = path.rpartition("/")
                yield f"{self._names(before) if slash else ''}{slash}{function}{token['call']}"

    def _names(self, path: str) -> str:
        """A path, or several with division signs between them."""
        name = self._name(path)
        if name is not None:
            return name
        longest = re.match(r"[\w/]+", path)
        names = longest[0].split("/") if longest else []
        for count in range(len(names) - 1, 0, -1):
            head = "/".join(names[:count])
            name = self._name(head)
            if name is not None:
                return f"{name}/{self._names(path[len(head) + 1 :])}"
        parameters = list(self.signals.flat.parameters)
        wrong = self.signals.unknown(path, *parameters) + constant_hint(path)
        raise UnknownPath(
            f"measure `{self.measure.name}`: {wrong}",
            "expected: an output such as plant.y, an element plant.q[0], a field quad.pose.z, a named signal,"
            " or a formula of such",
            path=path, location=self.measure.location,
        )  # fmt: skip

    def _name(self, path: str) -> str | None:
        try:
            signal = self.signals.find(path)
        except NoSignal as error:
            text = f"measure `{self.measure.name}`: {error}"
            raise UnknownPath(text, path=path, location=self.measure.location) from None
        if signal is not None:
            return self._input(signal, "u")
        if path in self.signals.flat.parameters:
            return self._input(Parameter(path, np.shape(self.signals.flat.parameters[path])), "u")
        return path if path in _WORDS else None

    def _input(self, part: Signal | Parameter | Formula, letter: str) -> str:
        for name, other in self.inputs.items():
            if other == part:
                return name
        name = f"{letter}{len(self.inputs)}"
        self.inputs[name] = part
        return name

    def formula(self, tree: ast.expr) -> Formula:
        """The formula of a tree, its norms taken out."""
        text = ast.unparse(_Norms(self).visit(tree))
        try:
            names = parse(text).names
        except FormulaError as error:
            raise self.measure.wrong(f"`{self.measure.of}`: {error}") from None
        return Formula(text, {name: self.inputs[name] for name in names if name in self.inputs})

    def norm(self, call: ast.Call) -> ast.expr:
        if len(call.args) != 1 or call.keywords:
            raise self.measure.wrong("norm takes one argument", "expected: a vector, `norm(plant.q)`")
        inner = self.formula(call.args[0])
        if not self.shape(inner):
            raise self.measure.wrong("norm of a scalar", "expected: a vector; of a scalar take abs")
        return ast.Name(self._input(inner, "v"))

    def shape(self, formula: Formula) -> tuple[int, ...]:
        try:
            return formula.shape
        except ValueError:
            shapes = [f"{p.name}: {p.shape}" for p in formula.inputs.values() if not isinstance(p, Formula)]
            shape = f"`{self.measure.of}`: incompatible sizes: {', '.join(shapes)}"
            raise self.measure.wrong(shape) from None


class _Norms(ast.NodeTransformer):
    def __init__(self, reader: _Reader) -> None:
        self.reader = reader

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self.reader.norm(node) if _is_call(node, "norm") else self._deeper(node)

    def _deeper(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(item) for item in node.args]
        return node


def _is_call(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _call_argument(node: ast.expr, name: str) -> ast.expr | None:
    """The only argument of a call of `name`."""
    if isinstance(node, ast.Call) and _is_call(node, name) and len(node.args) == 1 and not node.keywords:
        return node.args[0]
    return None
