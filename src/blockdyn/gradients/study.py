"""A study prepares a diagram to run with derivatives by some of its numbers, for any values.

If both orders of the events lead to the same values with the same derivatives, the events commute, and these
are the derivatives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import BlockdynError
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.inputs import require_given
from ..diagrams.runs.logged import Column, make_columns
from ..native.tangent.frame import NotDifferentiable
from ..solvers.layout import Floats
from ..sweeps.place.base import make_base
from .seeds import Seeds, nearby_value
from .sensitivity_run import APART, MOST, Rows, SensitivityRun, SolverOutput

ASIDE = 1e-7  # of the number: at this distance the events are separate, and derivatives almost equal
AGREE = 1e-4  # relative: equal derivatives, up to the errors of two runs
UNSEEN = 1e-6  # of the largest derivative, or of a value by its number: smaller ones are not compared
ERRORS = 100.0  # tolerances of the run: largest difference of two runs


class Side(NamedTuple):
    """Values that depend on one number, and their derivatives with respect to it; see `Rows`."""

    values: Floats
    slopes: Floats
    met: NotDifferentiable | None


def slopes_by_sides(
    path: str, number: float, at: Callable[[float], Side], tolerance: tuple[float, float]
) -> tuple[Floats, NotDifferentiable | None]:
    """The derivatives of the values `at` a number, NaN if they depend on the order of events, with its error.

    `tolerance` is the tolerance of the runs, relative and absolute. Raises the errors of runs.
    """
    here = at(number)
    if here.met is None:
        return here.slopes, None
    step = ASIDE * (abs(number) or 1.0)
    error = NotDifferentiable(
        f"{here.met.reason}, with `{path}` below or above {number:g}", here.met.paths, APART
    )
    try:
        below, above = at(nearby_value(number, -step)), at(nearby_value(number, step))
    except BlockdynError:
        return np.full(here.slopes.shape, np.nan), error
    one = _agree(below, above, number, step, tolerance)
    return np.where(one, (below.slopes + above.slopes) / 2.0, np.nan), error


def _agree(
    below: Side, above: Side, number: float, step: float, tolerance: tuple[float, float]
) -> NDArray[np.bool_]:
    """True where values and derivatives are continuous across the number; the first axis is time."""
    value, size = (np.maximum(np.abs(a), np.abs(b)) for a, b in zip(below[:2], above[:2], strict=True))
    jump, bend = np.abs(above.values - below.values), np.abs(above.slopes - below.slopes)
    goes_on = jump <= ERRORS * (tolerance[0] * value + tolerance[1]) + 4.0 * step * size
    if size.ndim == 2:
        value, size = value.max(axis=0), size.max(axis=0)
    largest = np.maximum(size, UNSEEN * np.nanmax(size, initial=0.0))
    bound = np.maximum(AGREE * largest, UNSEEN * value / (abs(number) or 1.0))
    return np.asarray(goes_on & (bend <= bound))


class Single(NamedTuple):
    """A study for one path of another study, with fixed numbers at the other paths."""

    path: str
    study: Study
    fixed: Mapping[str, Any]


class Study:
    """Signals of a diagram, and the paths of the numbers by which they are differentiated.

    `values` are the present numbers, `columns` the signals, `differences` the paths of blocks, and
    `computed` the paths of numbers, whose effect is partly a difference. `scenario` selects the noise of
    later runs; None: as in the settings.
    """

    scenario: int | None = None

    def __init__(
        self, diagram: Diagram, paths: Sequence[str], signals: Sequence[str] | None,
        simulation: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None, refine: int = 1,
    ) -> None:  # fmt: skip
        """Raises the errors of the diagram, a path or a setting, GradientError, NotDifferentiable."""
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
        base = make_base(program, arguments, columns.elements, refine=refine, ticks=True)  # with derivatives
        self.columns: dict[str, Column] = {column.name: column for column in columns.signals}
        self.start, self.stop = base.settings.start, base.settings.stop
        self._elements, self._refine = columns.elements, refine
        self._groups = [list(paths[first : first + MOST]) for first in range(0, len(paths), MOST)]
        fixed = {**(parameters or {}), **(set or {})}
        self._make_seeds = partial(Seeds, base, diagram, fixed=fixed, all_paths=paths)
        self._seeds = [self._make_seeds(group) for group in self._groups]
        self._followed = [SensitivityRun(base, len(group)) for group in self._groups]
        self._one, self._only = cache(partial(SensitivityRun, base, 1)), cache(self._make_only)
        loosest = [float(np.max(each, initial=0.0)) for each in (base.settings.rtol, base.settings.atol)]
        self.tolerance = max(loosest[0], base.settings.tightest), loosest[1]
        self.values = np.concatenate([np.zeros(0), *(seeds.values for seeds in self._seeds)])
        self.differences = self._followed[0].differences if self._followed else ()
        self.computed: tuple[str, ...] = ()

    def rows(self, values: Floats, times: Floats, fixed: Mapping[str, Any] | None = None) -> Rows:
        """Like `rows_as_met`, if coinciding events commute. Raises NotDifferentiable if they do not."""
        rows = self.rows_as_met(values, times, fixed)
        if rows.met is None:
            return rows
        for i, at in enumerate(self.singles(values, fixed)):

            def side(number: float, at: Single = at) -> Side:
                one = at.study.rows_as_met(np.array([number]), times, at.fixed)
                return Side(one.values, one.slopes[:, :, 0], one.met)

            slopes, error = slopes_by_sides(at.path, values[i], side, self.tolerance)
            if error is not None and np.any(np.isnan(slopes)):
                raise error
            rows.slopes[:, :, i] = slopes
        return rows._replace(met=None)

    def rows_as_met(
        self, values: Floats, times: Floats, fixed: Mapping[str, Any] | None = None, *, rates: bool = False,
        stops: bool = False,
    ) -> Rows:  # fmt: skip
        """All elements of the signals at increasing times, and their derivatives; see `SensitivityRun.rows`.

        `fixed` are numbers at other paths in `set`.
        """
        parts: list[Rows] = []
        computed: list[str] = []
        for (seeds, mine, others), followed in zip(self._parts(values, fixed), self._followed, strict=True):
            begin = seeds.at(mine, others, scenario=self.scenario)
            parts.append(followed.rows(begin, times.tolist(), self._elements, rates=rates, stops=stops))
            computed += begin.computed
        self.computed = tuple(computed)
        slopes = np.concatenate([part.slopes for part in parts], axis=2)
        moves = np.concatenate([part.moves for part in parts], axis=1)
        met = next((part.met for part in parts if part.met is not None), None)
        return parts[0]._replace(slopes=slopes, moves=moves, met=met)

    def singles(self, values: Floats, fixed: Mapping[str, Any] | None = None) -> Iterator[Single]:
        """For each path its own study, and the numbers fixed in it."""
        paths = [*itertools.chain(*self._groups)]
        numbers = dict(zip(paths, values.tolist(), strict=True))
        for path in paths:
            study = self._only(path)
            study.scenario = self.scenario
            others = {name: number for name, number in numbers.items() if name != path}
            yield Single(path, study, {**(fixed or {}), **others})

    def _make_only(self, path: str) -> Study:
        study = copy(self)
        study._groups, study._seeds, study._followed = [[path]], [self._make_seeds([path])], [self._one()]
        study.values = study._seeds[0].values
        return study

    def course(self, values: Floats, fixed: Mapping[str, Any] | None = None) -> SolverOutput:
        """The run without derivatives; see `SensitivityRun.course`."""
        seeds, mine, others = next(self._parts(values, fixed))
        begin = seeds.at(mine, others, slopes=False, scenario=self.scenario)
        return self._followed[0].course(begin, self._refine)

    def present(self, fixed: Mapping[str, Any]) -> Floats:
        """The values of the paths in the diagram, for `fixed` values at other paths."""
        return np.concatenate([np.zeros(0), *(seeds.present(fixed) for seeds in self._seeds)])

    def _parts(
        self, values: Floats, fixed: Mapping[str, Any] | None
    ) -> Iterator[tuple[Seeds, Floats, dict[str, Any]]]:
        """For each group of paths its seeds, its values, and the values of the other paths."""
        numbers = dict(zip(itertools.chain(*self._groups), values.tolist(), strict=True))
        first = 0
        for group, seeds in zip(self._groups, self._seeds, strict=True):
            others = {path: number for path, number in numbers.items() if path not in group}
            yield seeds, values[first : first + len(group)], {**(fixed or {}), **others}
            first += len(group)
