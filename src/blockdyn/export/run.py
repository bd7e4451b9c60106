"""The exported run of a diagram: its image, and the words that sliders set."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..blocks.continuous.delayed import DelayBlock
from ..diagrams.compiler.emit.writer import STACK as STACK_OF_A_FUNCTION
from ..diagrams.model.diagram import Diagram
from ..diagrams.runs.prepared import PreparedRun, prepare_run
from ..diagrams.runs.simulate import simulate_diagram
from ..diagrams.values.programs import program_of
from ..native.target import Target
from ..pages.live.controls import REFUSALS, Control
from ..pages.live.run import with_refine
from ..solvers.fields import Floats, Integers
from ..solvers.loop.run import Run, is_sparse
from ..solvers.methods import METHODS
from .errors import ExportError, obstacles_of
from .image import Image, image_of
from .module import run_object
from .settable import Settable
from .wasm import data_end, imported_functions, link

WASM = Target("wasm32-unknown-unknown", "generic", "+simd128")
STACK = 8 * STACK_OF_A_FUNCTION  # bytes, shared by functions that call each other
MOST_BYTES = 1 << 30
FUNCTIONS = frozenset(("asinh", "acosh", "atanh", "cbrt", "memcpy", "memmove", "memset"))
"""Functions that a page offers to the module: `environment` in front/src/simulated/engine.ts."""
NUMBERS = 101  # of a slider, if other numbers are computed from its own
SOME = [0, 1, 33, 67, 99, 100]  # of these, where every word is the number itself
NO_PART = "stream", "max_time", "touches"  # arguments that an exported run does not have
LONGEST = 10.0  # s of the clock, of the run that shows whether one is stiff
TRIALS = 3  # joint settings of sliders that are compared with runs


def with_tangents(run: Run) -> Run:
    """A run with room for the Jacobian also if its method needs it only where the run is stiff."""
    if run.method.stiff is not None:
        run.differentiate()
    return run


@dataclass(frozen=True)
class Slider:
    """A control, the words of the image that follow from its number, and their values.

    numbers  evenly from the control's `low` to its `high`
    table    the values at these numbers (numbers, words); none if all words are the number itself, which
             is then free: code in the image computes what follows from it
    """

    control: Control
    words: tuple[int, ...]
    numbers: Floats
    table: Integers | None = None

    def number(self, part: float) -> float:
        """The number at a part of the way from the control's low to its high."""
        if self.table is None:
            return self.control.low + part * (self.control.high - self.control.low)
        return float(self.numbers[round(part * (len(self.table) - 1))])

    def write(self, words: Integers, part: float) -> None:
        """Write the words of a table at a part of the way."""
        if self.table is not None:
            words[[*self.words]] = self.table[round(part * (len(self.table) - 1))]


class Export:
    """A diagram with the arguments of its run, and the image of that run."""

    def __init__(
        self, diagram: Diagram, parameters: Mapping[str, Any], set: Mapping[str, Any],
        arguments: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.diagram, self._parameters, self._set = diagram, parameters, set
        self._compiled = {name: arguments[name] for name in ("loops", "inputs") if name in arguments}
        self.program = program_of(diagram, parameters, set, **self._compiled)
        self.arguments = with_refine(self.program, {n: v for n, v in arguments.items() if n != "loops"})
        if prepare_run(self.program, self.arguments).settings.method is METHODS["auto"] and not self._stiff():
            self.arguments["method"] = "dopri5"  # the same steps

    @cached_property
    def prepared(self) -> PreparedRun:
        return prepare_run(self.program, self.arguments)

    def obstacles(self) -> list[tuple[str, str]]:
        """Every block and setting that cannot leave Python, with the reason."""
        program, method = self.prepared.program, self.prepared.settings.method
        obstacles = obstacles_of(program)
        sparse = any(is_sparse(each.wants, program.plan.states) for each in (method, method.stiff) if each)
        if sparse or not method.compiled:
            reason = "its Jacobian is sparse" if sparse else "its steps run in Python"
            obstacles.append(("method", f"{method.name}; {reason}"))
        elif self.run.differentiated is not None and self.run.differentiated.differences:
            reason = f"its derivative is a difference, and {method.name} needs a derivative"
            named = dict(obstacles)
            obstacles += [(path, reason) for path in self.run.differentiated.differences if path not in named]
        for name in NO_PART:
            if getattr(self.prepared.request, name) is not None:
                obstacles.append((name, "an exported run has none"))
        return obstacles

    def _stiff(self) -> bool:
        """True if the method that takes over where a run is stiff does so in this one."""
        if obstacles_of(self.program):
            return False
        arguments = {name: each for name, each in self.arguments.items() if name not in NO_PART}
        arguments |= {"parameters": self._parameters, "set": self._set, "max_time": LONGEST}
        try:
            with warnings.catch_warnings(action="ignore"):
                result = simulate_diagram(self.diagram, **arguments)
        except BlockdynError:
            return False
        return int(result.statistics["implicit steps"]) > 0

    def delays(self) -> list[str]:
        """The paths of blocks that read a history of their input."""
        units = self.prepared.program.plan.units
        return [unit.path for unit in units if isinstance(unit.block, DelayBlock)]

    def check(self) -> None:
        """Raise ExportError, with every block and setting that cannot leave Python for a page."""
        program, obstacles = self.prepared.program, self.obstacles()
        if obstacles:
            raise ExportError(program.flat.name, obstacles)
        missing = sorted({*imported_functions(self.code)} - FUNCTIONS)
        if missing:
            named = ", ".join(missing)
            obstacles = [("the diagram", f"its code calls {named}, which no browser has")]
            raise ExportError(
                program.flat.name, obstacles, "smaller arrays in functions (malloc), or other functions"
            )
        if data_end(self.code) + STACK + self.image.bytes > MOST_BYTES:
            raise ExportError(
                program.flat.name,
                [("the diagram", f"its run takes {self.image.bytes} bytes")],
                "1 GB at most",
            )

    @cached_property
    def code(self) -> bytes:
        """The run as a WebAssembly module."""
        program, names = self.prepared.program, ["run", "compute"]
        more = self.settable.code("compute", self._places[0], program.text.text)
        return link(run_object(program, self.run, WASM, more, names), names)

    @cached_property
    def run(self) -> Run:
        return with_tangents(self.prepared.arrays())

    @cached_property
    def image(self) -> Image:
        """The image of the run; settings that are not words of it follow its words."""
        return image_of(self.run, self._places[1])

    @cached_property
    def _plain(self) -> Image:
        return image_of(self.run)

    @cached_property
    def settable(self) -> Settable:
        """The numbers that can be set, compared with the diagram."""

        def words_of(values: Mapping[str, float]) -> Integers | None:
            image = self.with_values(values)
            return None if image is None else image.words

        atol = self.prepared.request.atol
        return Settable(self.prepared.program, self.run, self._plain.words, words_of, atol=atol)

    @cached_property
    def _places(self) -> tuple[dict[str, int], Floats]:
        """By the path of a setting the index of its number; the numbers that follow the words of the run."""
        settings, size = self.settable.settings, self._plain.words.size
        places = {setting.path: setting.words[0] for setting in settings if setting.words}
        without = [setting for setting in settings if not setting.words]
        places |= {setting.path: size + k for k, setting in enumerate(without)}
        atol = self.prepared.request.atol
        numbers = [*(setting.value for setting in without), atol if np.ndim(atol) == 0 else 0.0]
        return {**places, "": size + len(without)}, np.array(numbers, np.float64)

    def prepared_with(self, values: Mapping[str, float]) -> PreparedRun | None:
        """The run with other values by path; None if that changes the code or is refused."""
        parameters = {name: value for name, value in self._parameters.items() if name not in values}
        try:
            with warnings.catch_warnings(action="ignore"):
                program = program_of(self.diagram, parameters, {**self._set, **values}, **self._compiled)
                other = prepare_run(program, self.arguments)
                same = other.program.text.text == self.prepared.program.text.text
        except REFUSALS:
            return None
        return other if same else None

    def with_values(self, values: Mapping[str, float]) -> Image | None:
        """The image of the run with other values by path; None if that changes the code or is refused."""
        other = self.prepared_with(values)
        try:
            image = image_of(with_tangents(other.arrays())) if other is not None else None
        except REFUSALS:
            return None
        alike = image is not None and image.words.size == self._plain.words.size
        return image if alike and np.array_equal(image.addresses, self._plain.addresses) else None  # type: ignore[union-attr]

    def slider(self, control: Control, *, table: bool) -> Slider | None:
        """The slider of a control; if others are computed from its number by more than arithmetic, with a
        `table` or none.
        """
        setting = next((each for each in self.settable.settings if each.path == control.path), None)
        numbers = np.linspace(control.low, control.high, NUMBERS)
        if setting is not None:
            chosen, rows = self._accept_numbers(control, numbers[SOME])
            written = [self.settable.words_with({control.path: float(number)}) for number in chosen]
            equal = [a is not None and np.array_equal(a, b) for a, b in zip(written, rows, strict=True)]
            if len(rows) > 1 and all(equal):
                control = replace(control, low=float(chosen[0]), high=float(chosen[-1]))
                words = self._places[0][control.path], *setting.words[1:]
                return Slider(control, words, chosen)
        chosen, rows = self._accept_numbers(control, numbers) if table else (numbers, [])
        if len(rows) < 2:
            return None
        control = replace(control, low=float(chosen[0]), high=float(chosen[-1]))
        table_rows = np.array(rows)
        changed = np.flatnonzero(np.any(table_rows != self._plain.words, axis=0))
        if not changed.size or np.isin(changed, self._plain.addresses).any():
            return None
        return Slider(control, tuple(changed.tolist()), chosen, table_rows[:, changed])

    def _accept_numbers(self, control: Control, numbers: Floats) -> tuple[Floats, list[Integers]]:
        """The numbers that the diagram takes, in one row, with the words of its run."""
        images = (self.with_values({control.path: float(number)}) for number in numbers)
        rows = {k: image.words for k, image in enumerate(images) if image is not None}
        accepted = [*rows]
        if len(accepted) < 2 or accepted != [*range(accepted[0], accepted[-1] + 1)]:
            return numbers[:0], []
        return numbers[accepted], [*rows.values()]

    def agree(self, sliders: Sequence[Slider]) -> bool:
        """True if the words that sliders write together are the words of the run with all these values."""
        words = [word for each in sliders for word in each.words]
        if len({*words}) < len(words):
            return False
        random = np.random.default_rng(0)
        for _ in range(TRIALS):
            parts = [random.uniform() for _ in sliders]
            values = {e.control.path: e.number(part) for e, part in zip(sliders, parts, strict=True)}
            free = {each.control.path: values[each.control.path] for each in sliders if each.table is None}
            expected = self.settable.words_with(free)
            other = self.with_values(values)
            if expected is None or other is None:
                return False
            for each, part in zip(sliders, parts, strict=True):
                each.write(expected, part)
            if not np.array_equal(other.words, expected):
                return False
        return True
