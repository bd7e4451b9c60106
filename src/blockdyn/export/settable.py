"""Settable numbers of an exported run: their words in its image, and code for the words computed from them.

A number that a block uses unchanged is a word. From others a block computes words, such as the matrices of a
TransferFunction: `trace` runs that code on Numbers, see `traced`, and `code` prints it for LLVM. A number is
settable if every word that follows from it is the number itself or traced, which trials compare with the
diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..blocks.contract.block import is_open
from ..blocks.contract.mappings import MappingExpression
from ..blocks.contract.parameter_expression import Parameter
from ..blocks.contract.parts import OF_SIZES
from ..blocks.routing.inport import Inport
from ..diagrams.compiler.alike import CLOCK, PARTS, Likeness
from ..diagrams.compiler.plan.unit import Unit
from ..diagrams.compiler.program import Program
from ..diagrams.model.values import as_value
from ..diagrams.values.view import View
from ..solvers.fields import WORD, Integers
from ..solvers.loop.run import Run
from .module import evaluate, leaves_of, print_function
from .traced import LEAF, NotTraced, Number, Trace, is_traced, trace_part, trace_value

COMMON = -1  # index of the leaf that is the absolute tolerance of all states
MOST_ELEMENTS = 36  # of one array
NEAR = 2.0**-10  # relative change of a number in a first trial
TRIALS, SPREAD = 3, 0.1  # joint trials, and their part of the values
SETTABLE_PARTS = {name for name, kind in PARTS.items() if kind == "number"} | {"timers"}

Words = Callable[[Mapping[str, float]], "Integers | None"]
"""The words of the run with other values by path; None if that is other code, or is refused."""


@dataclass(frozen=True)
class Setting:
    """A number of the diagram that can be set.

    words     indices in the image that are the number itself
    computed  indices that are computed from it, and perhaps from others
    parts     names of the arrays that have these words
    """

    path: str
    value: float
    unit: str
    words: tuple[int, ...]
    computed: tuple[int, ...]
    tunable: bool


@dataclass
class _Leaf:
    """A number that may be settable."""

    path: str
    unit: str
    number: Number
    parts: set[str] = field(default_factory=set)  # of blocks that read it
    words: set[int] = field(default_factory=set)


class Settable:
    """The numbers of a run that can be set, and the words computed from them."""

    def __init__(
        self, program: Program, run: Run, image: Integers, words_of: Words, *, atol: Any = None,
        states: bool = True,
    ) -> None:  # fmt: skip
        """`states`: initial states may be computed, too; `atol` is the absolute tolerance of the run."""
        self._states = states
        self._atol = float(atol) if np.ndim(atol) == 0 and atol is not None else np.nan
        self._program, self._run, self._image, self._words_of = program, run, image, words_of
        self._trace = Trace()
        self._leaves: dict[str, _Leaf] = {}
        self._view = View(program.source)
        self._values: dict[tuple[str, str], Any] = {}
        self._formulas: dict[int, Number] = {}  # by word
        self._tunable: set[int] = set()  # words of parameters
        self._set = {*program.flat.changed, *program.flat.overriding}

    # ---- tracing ----

    def _leaf(self, path: str, unit: str, value: Any) -> Any:
        """Leaves for a number, or for the elements of an array."""
        array = np.asarray(value, np.float64)
        if not 0 < array.size <= MOST_ELEMENTS or not np.all(np.isfinite(array)):
            return value
        traced = np.empty(array.shape, object)
        for index in np.ndindex(array.shape):
            name = f"{path}[{', '.join(map(str, index))}]" if index else path
            number = Number.leaf(self._trace, len(self._leaves), float(array[index]))
            self._leaves[name] = _Leaf(name, unit, number)
            traced[index] = number
        return traced if array.ndim else traced.item()

    def _parameter(self, path: str, name: str) -> Any:
        """The traced value of a parameter of the diagram or a subsystem."""
        key = path, name
        if key not in self._values:
            self._values[key] = self._view.scopes[path].numbers[name]  # of one that uses itself
            try:
                self._values[key] = self._declared_parameter(path, name)
            except NotTraced:
                self._values[key] = None
        return self._values[key]

    def _declared_parameter(self, path: str, name: str) -> Any:
        scope = self._view.scopes[path]
        place = path
        if scope.owner is None:
            declared: Any = scope.diagram.parameters[name]
            if name in self._set or not isinstance(declared, Parameter):
                rule = scope.diagram.rules.get(name)
                number = self._program.flat.parameters[name]
                return self._leaf(name, _unit(rule), number)
        else:
            if f"{path}.{name}" in self._set:
                return self._leaf(f"{path}.{name}", "", scope.numbers[name])
            overrides = scope.owner.block.overrides  # type: ignore[union-attr]
            declared = scope.diagram.parameters[name]
            if name in overrides:
                declared = as_value(overrides[name], path, name)
                place = path.rpartition("/")[0]
            if not isinstance(declared, Parameter):
                return self._leaf(f"{path}.{name}", "", declared)
        return self._expression(declared, place)

    def _expression(self, value: Parameter, path: str) -> Any:
        """The traced value of an expression in a scope. Raises NotTraced."""
        names = {name: self._parameter(path, name) for name in value.formula.names}
        if any(number is None for number in names.values()):
            raise NotTraced("an expression")
        return trace_value(value.formula, names)

    def _block(self, unit: Unit) -> None:
        """Trace the numbers of a block."""
        block, path = unit.block, unit.path
        values: dict[str, Any] = {}
        for name, rule in block.rules().items():
            declared = self._view.declared(path, name)
            if f"{path}.{name}" in self._set:
                declared = getattr(block, name)
            if isinstance(declared, Parameter):
                try:
                    value = self._expression(declared, path.rpartition("/")[0])
                except NotTraced:
                    continue
                values[name] = declared.finished(value)
                if not rule.number and not isinstance(declared, MappingExpression):
                    self._refuse(value, f"{path}.{name}, which is no number, follows from it")
                    del values[name]
            elif rule.number and declared is not None and not (block.sampled and name in CLOCK):
                values[name] = self._leaf(f"{path}.{name}", _unit(rule), declared)
        values = {name: x for name, x in values.items() if is_traced(x) or isinstance(x, dict)}
        for name, value in values.items():
            parts = Likeness(unit, {name}).parts - SETTABLE_PARTS
            if is_traced(value) and parts:
                self._require(unit, values, name, parts)
        numbers = self._numbers(unit, values)
        for name, number in numbers.items():
            if is_traced(number):
                self._place(unit, name, np.array(number, object))
        if self._atol == self._atol:
            self._scale(unit, numbers)

    def _require(self, unit: Unit, values: Mapping[str, Any], name: str, parts: set[str]) -> None:
        """Require that a number changes neither the code of a block nor its states."""
        try:
            for part in sorted(parts):
                arguments = (dict(unit.in_sizes),) if part in OF_SIZES else ()
                trace_part(unit.block, values, part, *arguments)
        except NotTraced:
            self._refuse(values[name], f"the code of {unit.path} depends on it")

    def _numbers(self, unit: Unit, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The traced numbers of a block, as far as its code can be traced; the others are independent."""
        traceable = dict(values)
        if values and self._trace_numbers(unit, values) is None:
            traceable = {
                name: value for name, value in values.items() if self._trace_numbers(unit, {name: value})
            }
        numbers = self._trace_numbers(unit, traceable) if traceable else {}
        alone = {name: value for name, value in values.items() if is_traced(value)}
        return {**alone, **(numbers or {})}

    def _trace_numbers(self, unit: Unit, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """The numbers of a block for which some parameters are traced, None if its code cannot be."""
        before = dict(self._trace.required)
        try:
            numbers: dict[str, Any] = trace_part(unit.block, values, "numbers")
        except NotTraced:
            self._trace.required = before
            return None
        return numbers

    def _refuse(self, value: Any, reason: str) -> None:
        """Mark all numbers of a traced value as not settable."""
        numbers = value.values() if isinstance(value, dict) else np.ravel(np.array(value, object))
        for leaf in leaves_of(number for number in numbers if isinstance(number, Number)):
            self._refused.setdefault(leaf, reason)

    @cached_property
    def _refused(self) -> dict[int, str]:
        return {}

    def _place(self, unit: Unit, name: str, value: Any) -> None:
        """Record the words of a traced number of a block."""
        for place in unit.number_places:
            if place.number != name:
                continue
            part = self._run.memory if place.array in self._run.memory.fields else self._run.work
            first = (part.place(place.array) - self._run.memory.address) // WORD + place.start
            count = prod(place.shape)
            if value.ndim and value.shape != place.shape and value.size != 1:
                continue
            for k, number in enumerate(np.broadcast_to(value.ravel(), count)):
                initial = place.array == "x" and not self._states
                if isinstance(number, Number) and (number.name == LEAF or not initial):
                    self._formulas[first + k] = number
                    if place.role == "parameter" and name not in unit.changing:
                        self._tunable.add(first + k)

    def _scale(self, unit: Unit, numbers: Mapping[str, Any]) -> None:
        """Trace the absolute tolerances of states whose scales are: the common one times the scale."""
        first = (self._run.work.place("atol") - self._run.memory.address) // WORD
        common = Number.leaf(self._trace, COMMON, self._atol)
        for state in unit.block.states:
            array, at = unit.states_at[state.name]
            if array != "x" or not state.scale or not is_traced(numbers.get(state.scale)):
                continue
            scales = np.broadcast_to(np.array(numbers[state.scale], object), unit.state_shapes[state.name])
            for k, scale in enumerate(scales.ravel()):
                self._formulas[first + at + k] = common * scale
                self._tunable.add(first + at + k)

    # ---- choice ----

    @cached_property
    def settings(self) -> list[Setting]:
        """The settable numbers: of the diagram, then of its subsystems and blocks."""
        for name in self._view.scopes[""].diagram.parameters:
            if np.ndim(self._program.flat.parameters.get(name, np.nan)) <= 2:
                self._parameter("", name)
        for unit in self._program.plan.units:
            if unit.path in self._view.nodes and not isinstance(unit.block, Inport):
                self._block(unit)
        for leaf in self._leaves.values():
            self._try(leaf)
        self._compare()
        return [self._setting(leaf) for leaf in self._settable_leaves() if leaf.words]

    def is_expression(self, path: str, name: str) -> bool:
        """True if a parameter of a block follows from others by an expression, or is an input."""
        if path not in self._view.nodes or is_open(self._view.declared(path, name)):
            return True
        return isinstance(self._view.nodes[path].block, Inport)

    @property
    def reasons(self) -> dict[str, str]:
        """Reasons why other numbers cannot be set, by path."""
        self.settings  # noqa: B018  first
        paths = [leaf.path for leaf in self._leaves.values()]
        return {paths[k].partition("[")[0]: reason for k, reason in self._refused.items()}

    def _settable_leaves(self) -> list[_Leaf]:
        return [leaf for k, leaf in enumerate(self._leaves.values()) if k not in self._refused]

    def _try(self, leaf: _Leaf) -> None:
        """Change one number: every word that changes must be the number or traced."""
        k = leaf.number.operands[0]
        if k in self._refused:
            return
        value = leaf.number.value
        other = value * (1.0 + NEAR) if value else NEAR
        words = self._words_of({leaf.path: other})
        if words is None or words.size != self._image.size:
            self._refused[k] = "another value needs other code, or is no valid one"
            return
        changed = np.flatnonzero(words != self._image)
        bits = np.float64(other).view(np.int64)
        for word in changed.tolist():
            if word in self._formulas:
                leaf.words.add(word)
            elif words[word] == bits and self._image[word] == np.float64(value).view(np.int64):
                self._formulas[word] = leaf.number
                leaf.words.add(word)
            else:
                self._refused[k] = self._reason(word)
                return
        if not leaf.words:
            self._refused[k] = "no run reads it"

    def _reason(self, word: int) -> str:
        """The reason why a changing word is not traced."""
        p = (self._run.memory.place("p") - self._run.memory.address) // WORD
        for unit in self._program.plan.units:
            for place in unit.number_places:
                if place.array == "p" and place.words.start <= word - p < place.words.stop:
                    return f"{unit.path} computes {place.number} from it by more than arithmetic"
        return "clocks, initial states or steps follow from it"

    def _compare(self) -> None:
        """Compare joint values with the diagram; numbers that differ are not settable."""
        random = np.random.default_rng(0)
        for _ in range(TRIALS):
            while not self._agrees(random, self._settable_leaves()):
                pass

    def _agrees(self, random: Any, leaves: list[_Leaf]) -> bool:
        """True if the words for random values equal the diagram's; otherwise refuse some numbers."""
        if not leaves:
            return True
        values = [*(leaf.number.value for leaf in self._leaves.values()), self._atol]
        for leaf in leaves:
            k, value = leaf.number.operands[0], leaf.number.value
            factor = random.uniform(1.0 - SPREAD, 1.0 + SPREAD)
            values[k] = value * factor if value else SPREAD * random.uniform()
        words = self._words_of({leaf.path: values[leaf.number.operands[0]] for leaf in leaves})
        if words is None:
            half = len(leaves) // 2
            if half == 0:
                self._refused[leaves[0].number.operands[0]] = "other values are not valid"
                return False
            halves = [self._agrees(random, part) for part in (leaves[:half], leaves[half:])]
            return all(halves) and half < 4
        chosen = {leaf.number.operands[0] for leaf in leaves}
        computed = evaluate([*self._formulas.values(), *self._trace.required], values)
        wrong = {
            leaf
            for word, number in self._formulas.items()
            if np.float64(computed[number]).view(np.int64) != words[word]
            for leaf in leaves_of([number]) & chosen
        }
        for condition, outcome in self._trace.required.items():
            if bool(computed[condition]) != outcome:
                wrong |= leaves_of([condition]) & chosen
        changed = {*np.flatnonzero(words != self._image).tolist()} - self._formulas.keys()
        if changed and not wrong:
            wrong = chosen
        self._refused |= dict.fromkeys(wrong, "numbers follow from it in another order of operations")
        return not wrong

    def _setting(self, leaf: _Leaf) -> Setting:
        raw = tuple(sorted(word for word in leaf.words if self._formulas[word] is leaf.number))
        computed = tuple(sorted(leaf.words - {*raw}))
        return Setting(
            leaf.path, leaf.number.value, leaf.unit, raw, computed, leaf.words <= self._tunable
        )  # fmt: skip

    def words_with(self, values: Mapping[str, float]) -> Integers | None:
        """The words of the run with these settings; None beyond a branch of the code that computes them."""
        leaves = [values.get(leaf.path, leaf.number.value) for leaf in self._leaves.values()]
        settable = {leaf.number.operands[0] for leaf in self._settable_leaves()}
        computed = evaluate([*self._formulas.values(), *self._trace.required], [*leaves, self._atol])
        for condition, outcome in self._trace.required.items():
            if bool(computed[condition]) != outcome and leaves_of([condition]) & settable:
                return None
        words = self._image.copy()
        for word, number in self._formulas.items():
            if number.name == LEAF or word in self.computed:
                words[word] = np.float64(computed[number]).view(np.int64)
        return words

    # ---- code ----

    def code(self, name: str, places: Mapping[str, int], text: str) -> str:
        """LLVM text of a function, (address of the image) -> 0, or 1 if a value is beyond a branch.

        places  by the path of a setting the index of the word that has its number; "" for the common
                absolute tolerance
        text    of the module, whose declarations are not repeated
        """
        chosen = {leaf.number.operands[0]: leaf.path for leaf in self._settable_leaves()}
        chosen[COMMON] = ""
        return print_function(name, self.computed, self._trace, chosen, places, text)

    @cached_property
    def computed(self) -> dict[int, Number]:
        """The words that are computed from settable numbers, with their operations."""
        settable = {leaf.number.operands[0] for leaf in self._settable_leaves() if self.settings}
        return {
            word: number
            for word, number in self._formulas.items()
            if number.name != LEAF and leaves_of([number]) & settable
        }


def _unit(rule: Any) -> str:
    """The unit of a rule, unless it is relative to another one."""
    unit = "" if rule is None else rule.unit
    return unit if unit != "1" and "[" not in unit else ""
