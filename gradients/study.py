"""Study: a diagram with the numbers by which its signals are derived, made ready to be run for any values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..diagrams.model.diagram import Diagram
from ..diagrams.model.open_inputs import require_given
from ..diagrams.runs.logged import Column, make_columns
from ..solvers.layout import Floats
from ..sweeps.place.base import make_base
from .followed import MOST, Course, Followed, Rows
from .seeds import Begin, Seeds
from .sides import Sides


class Study:
    """Signals of a diagram, and the paths of numbers that they are derived by.

    `values` are the numbers as they are, `columns` the signals, `differences` the paths of blocks, and
    `computed` those of numbers, of which something is a difference. `scenario` is that of the noise in runs
    to come; None: that of the settings.
    """

    scenario: int | None = None

    def __init__(
        self, diagram: Diagram, paths: Sequence[str], signals: Sequence[str] | None,
        simulation: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None, refine: int = 1,
    ) -> None:  # fmt: skip
        """Raises what is wrong with the diagram, a path or a setting, GradientError, NotDifferentiable."""
        arguments = dict(simulation)
        loops = arguments.pop("loops", None)
        program = diagram.compile(parameters, set, loops=loops)
        if signals is not None:
            program = program.with_log(list(signals))
        if inputs := arguments.pop("inputs", None):
            program = program.with_inputs(inputs)
        require_given(program.flat)
        columns = make_columns(program)
        self.program = program
        base = make_base(program, arguments, columns.elements, refine=refine, ticks=True)  # they are derived
        self.columns: dict[str, Column] = {column.name: column for column in columns.signals}
        self.start, self.stop = base.settings.start, base.settings.stop
        self._elements, self._refine = columns.elements, refine
        self._groups = [list(paths[first : first + MOST]) for first in range(0, len(paths), MOST)]
        fixed = {**(parameters or {}), **(set or {})}
        self._seeds = [Seeds(base, diagram, group, fixed, paths) for group in self._groups]
        self._followed = [Followed(base, len(group)) for group in self._groups]
        self._make_sides = cache(lambda path: Sides(base, diagram, path, fixed, paths))
        self.values = np.concatenate([np.zeros(0), *(seeds.values for seeds in self._seeds)])
        self.differences = self._followed[0].differences if self._followed else ()
        self.computed: tuple[str, ...] = ()

    def rows(
        self, values: Floats, times: Floats, fixed: Mapping[str, Any] | None = None, *, rates: bool = False,
        stops: bool = False,
    ) -> Rows:  # fmt: skip
        """All elements of the signals at growing times, and their derivatives; see `Followed.rows`.

        `fixed` are numbers at other paths, among those that `set` had.
        """
        parts: list[Rows] = []
        computed: list[str] = []

        def run(followed: Followed, begin: Begin) -> Rows:
            return followed.rows(begin, times.tolist(), self._elements, rates=rates, stops=stops)

        for (seeds, mine, others), followed in zip(self._parts(values, fixed), self._followed, strict=True):
            begin = seeds.at(mine, others, scenario=self.scenario)
            part = run(followed, begin)
            parts.append(part if part.met is None else self._one_by_one(part, seeds, mine, others, run))
            computed += begin.computed
        self.computed = tuple(computed)
        slopes = np.concatenate([part.slopes for part in parts], axis=2)
        moves = np.concatenate([part.moves for part in parts], axis=1)
        return Rows(parts[0].values, slopes, parts[0].rates, moves)

    def _one_by_one(
        self, part: Rows, seeds: Seeds, values: Floats, others: Mapping[str, Any],
        run: Callable[[Followed, Begin], Rows],
    ) -> Rows:  # fmt: skip
        """Rows in which events met, with the derivatives by each number found for itself."""
        numbers = dict(zip(seeds.paths, values.tolist(), strict=True))
        for i, path in enumerate(seeds.paths):
            rest = {**others, **{name: number for name, number in numbers.items() if name != path}}
            sides = self._make_sides(path)
            part.slopes[:, :, i], part.moves[:, i] = sides.slopes(numbers[path], rest, self.scenario, run)
        return part._replace(met=None)

    def course(self, values: Floats, fixed: Mapping[str, Any] | None = None) -> Course:
        """The run without derivatives; see `Followed.course`."""
        seeds, mine, others = next(self._parts(values, fixed))
        begin = seeds.at(mine, others, slopes=False, scenario=self.scenario)
        return self._followed[0].course(begin, self._refine)

    def present(self, fixed: Mapping[str, Any]) -> Floats:
        """The values of the paths as the diagram has them, with others at other paths."""
        return np.concatenate([np.zeros(0), *(seeds.present(fixed) for seeds in self._seeds)])

    def _parts(
        self, values: Floats, fixed: Mapping[str, Any] | None
    ) -> Iterator[tuple[Seeds, Floats, dict[str, Any]]]:
        """For each group of paths its seeds, its values, and the values of all that is not in it."""
        numbers = dict(zip(itertools.chain(*self._groups), values.tolist(), strict=True))
        first = 0
        for group, seeds in zip(self._groups, self._seeds, strict=True):
            others = {path: number for path, number in numbers.items() if path not in group}
            yield seeds, values[first : first + len(group)], {**(fixed or {}), **others}
            first += len(group)
