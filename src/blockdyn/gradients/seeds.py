"""Initial values of a run, and their derivatives with respect to the values at paths of its diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.annotations import real_array
from ..base.schema import is_number
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.setting import Number
from ..diagrams.values.overrides import changes
from ..diagrams.values.resolve import resolve
from ..diagrams.values.target import Overrides, Target
from ..diagrams.values.view import View
from ..native.tangent.frame import NotDifferentiable
from ..solvers import layout
from ..solvers.events.timer import LISTED
from ..solvers.layout import Floats, Integers
from ..sweeps.place.base import Base
from ..sweeps.place.placement import Overlay, Placement
from .errors import GradientError


def instants(base: Base, overlay: Overlay, row: int) -> Floats:
    """The numbers that determine instants, of one row, in the order of `InitialValues.timers`."""
    run = base.template
    words = run.begin.copy()
    words.view(np.float64)[overlay.float_at] = overlay.floats[row]
    words[overlay.integer_at] = overlay.integers[row]
    at = {name: run.place(name) for name in ("timers", "timer_integers", "timer_floats")}
    work = run.work
    table = words[at["timers"] :][: work.timers.size].reshape(work.timers.shape)
    integers = words[at["timer_integers"] :][: work.timer_integers.size]
    floats = words.view(np.float64)[at["timer_floats"] :][: work.timer_floats.size]
    return np.concatenate([np.zeros(0), *(timer_numbers(timer, integers, floats) for timer in table)])


def timer_numbers(timer: Integers, integers: Integers, floats: Floats) -> Floats:
    """Numbers that determine a timer's instants: offset, period and phases, a list of instants, or none."""
    kind, data, count = (int(timer[i]) for i in (layout.RATIONAL, layout.DATA, layout.COUNT))
    if kind == LISTED:
        return floats[data : data + count]
    if kind == 1:
        parts: list[Any] = [timer[layout.OFFSET], timer[layout.PERIOD], *integers[data : data + count]]
        return np.array(parts, np.float64) / float(timer[layout.DENOMINATOR])
    return floats[data : data + 2 + count] if kind == 0 else floats[:0]


ARRAYS = ("x", "z", "w", "p")
STEP = 2e-3
"""Step of a value for a difference, relative to its size: the error of the formulas and the rounding
error are then both about 1e-12 of it."""
SEEN = 1e-5  # relative: the difference of a number that a step changes by less has an error above 1e-11
LONGER, TINY = 1e3, 1e-6
CENTRAL = {1: 8 / 12, -1: -8 / 12, 2: -1 / 12, -2: 1 / 12}
PLAIN = {1: 0.0}  # if the value itself is the number
FORWARD = {0: -25 / 12, 1: 4.0, 2: -3.0, 3: 4 / 3, 4: -1 / 4}
"""Weights of differences of order 4, by the number of steps from the point. Source: Fornberg, Mathematics of
Computation 51 (1988) 699-706, tables 1 and 3."""


class InitialValues(NamedTuple):
    """Initial words of a run, and derivatives of its arrays with respect to each path, (size, k).

    `timers` are the derivatives of instants: for each timer offset, period and phases, or the instants of a
    list, one row each. `computed` are the paths with effects from differences.
    """

    words: Integers
    seeds: dict[str, Floats]
    timers: Floats
    computed: tuple[str, ...]


class Seeds:
    """Computes the initial values of a run for values at paths."""

    def __init__(
        self, base: Base, diagram: Diagram, paths: Sequence[str], fixed: Mapping[str, Any],
        all_paths: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """`fixed` are constant values at other paths, as are `all_paths` that are not in `paths`.

        Raises UnknownPath, GradientError.
        """
        self._view, self.paths, self._original_fixed = View(diagram), tuple(paths), fixed
        view = self._view
        others = [path for path in all_paths if path not in self.paths]
        fixed = {**present_values(view, others, fixed), **fixed}
        self._base, self._fixed = base, {path: fixed[path] for path in fixed if path not in self.paths}
        targets = {path: resolve(view, path) for path in (*self.paths, *self._fixed)}
        for path, value in [*self._fixed.items()]:
            if targets[path].kind == "state" and not is_number(value):  # as the base begins
                del targets[path], self._fixed[path]
        for path in self.paths:
            target = targets[path]
            if target.kind == "setting":
                expected = "a number of the diagram, by its path"
                raise GradientError(f"`{path}` is a setting of the run", expected)
            if target.integral or target.structural:
                raise NotDifferentiable(f"`{path}`, which changes the structure of the diagram")
        self.values = self.present({})
        numeric = [*self.paths, *(path for path, value in self._fixed.items() if is_number(value))]
        work = base.template.work
        self._of_clocks = np.repeat(
            work.timers[:, layout.HIT] >= 0,
            [timer_numbers(timer, work.timer_integers, work.timer_floats).size for timer in work.timers],
        )
        self._placement = Placement(base, targets, numeric, common=True)

    def present(self, fixed: Mapping[str, Any]) -> Floats:
        """The values of `paths` in the diagram, for `fixed` values at other paths. Raises GradientError."""
        return np.array([*present_values(self._view, self.paths, {**self._original_fixed, **fixed}).values()])

    def at(
        self, values: Floats, fixed: Mapping[str, Any] | None = None, *, slopes: bool = True,
        scenario: int | None = None,
    ) -> InitialValues:  # fmt: skip
        """Initial values of a run for values in the order of `paths`; `fixed` are values for fixed paths.

        Without `slopes` it has no derivatives. `scenario` selects the noise [as in the settings]. Raises
        GradientError, NotDifferentiable.
        """
        self._scenario = scenario
        self._fixed |= fixed or {}
        k = len(self.paths) if slopes else 0
        steps = np.array([float(f"{STEP * (abs(value) or 1.0):.0e}") for value in values])
        schemes = self._schemes(values, steps, k)
        steps, overlay = self._resolved(values, steps, schemes)
        refused = {_owner(row, schemes) for row in overlay.refused}
        if None in refused:
            reason, _, expected = str(overlay.refused[0]).partition("\nexpected: ")
            actual = f"the diagram does not take these values: {reason}"
            raise GradientError(actual, expected or "values that it takes")
        if refused:  # at a limit of a parameter's range
            schemes = [FORWARD if i in refused else scheme for i, scheme in enumerate(schemes)]
            overlay = self._overlay(values, steps, schemes)
            if overlay.refused:
                steps = np.where([i in refused for i in range(k)], -steps, steps)
                overlay = self._overlay(values, steps, schemes)
        for row in [*overlay.refused, *overlay.recompiled]:
            owner = _owner(row, schemes)
            path = self.paths[owner or 0]
            raise NotDifferentiable(f"`{path}`, which changes the structure of the diagram")
        if not slopes:
            return InitialValues(self._words(overlay), {}, np.zeros((0, 0)), ())
        return self._begin(overlay, values, steps, schemes)

    def _schemes(self, values: Floats, steps: Floats, k: int) -> list[dict[int, float]]:
        """The formula for each path: most paths change only numbers that equal their value."""
        if k == 0:
            return []
        overlay = self._overlay(values, steps, [PLAIN] * k)
        if overlay.refused or overlay.recompiled:
            return [CENTRAL] * k
        begin, still = overlay.floats[0], instants(self._base, overlay, 0)
        schemes = []
        for i, row in enumerate(overlay.floats[1:]):
            itself = (begin == values[i]) & (row == nearby_value(values[i], steps[i]))
            same = (row == begin) | (np.isnan(row) & np.isnan(begin))
            plain = abs(values[i]) >= TINY and np.any(itself) and np.all(itself | same)
            plain = plain and np.array_equal(instants(self._base, overlay, i + 1), still)
            schemes.append(PLAIN if plain else CENTRAL)
        return schemes

    def _resolved(
        self, values: Floats, steps: Floats, schemes: Sequence[dict[int, float]]
    ) -> tuple[Floats, Overlay]:
        """The steps, longer if a number computed from a value near 0 barely changes beyond rounding."""
        overlay, most = self._overlay(values, steps, schemes), STEP * np.maximum(np.abs(values), 1.0)
        while not (overlay.refused or overlay.recompiled):
            change = _relative_change(overlay, values, steps, schemes)
            hidden = (change < SEEN) & ((change > 0.0) | (np.abs(values) < TINY))
            longer = np.where(hidden, np.minimum(LONGER * steps, most), steps)
            if np.all(longer == steps):
                break
            further = self._overlay(values, longer, schemes)
            if further.refused or further.recompiled:
                break
            steps, overlay = longer, further
        return steps, overlay

    def _overlay(self, values: Floats, steps: Floats, schemes: Sequence[dict[int, float]]) -> Overlay:
        """The numbers at the point, then at its neighbours for each path."""
        table = np.tile(values, (1 + sum(map(len, schemes)), 1))
        row = 1
        for i, scheme in enumerate(schemes):
            for offset in scheme:
                table[row, i] = nearby_value(values[i], offset * steps[i])
                row += 1
        columns: dict[str, Any] = {path: table[:, i] for i, path in enumerate(self.paths)}
        columns |= {path: [value] * len(table) for path, value in self._fixed.items()}
        return self._placement.overlay(0, columns, len(table), scenario=self._scenario)

    def _words(self, overlay: Overlay) -> Integers:
        words: Integers = self._base.template.begin.copy()
        words.view(np.float64)[overlay.float_at] = overlay.floats[0]
        words[overlay.integer_at] = overlay.integers[0]
        return words

    def _begin(
        self, overlay: Overlay, values: Floats, steps: Floats, schemes: Sequence[dict[int, float]]
    ) -> InitialValues:
        run, words = self._base.template, self._words(overlay)
        slopes = np.zeros((overlay.float_at.size, len(self.paths)))
        moving = len(overlay.floats) if overlay.integer_at.size else 1  # timers differ only if integers do
        timers = [instants(self._base, overlay, row) for row in range(moving)]
        if len({each.size for each in timers}) > 1:
            raise NotDifferentiable("a parameter that changes the number of events", self.paths)
        of_timers = np.zeros((timers[0].size, len(self.paths)))
        computed, row = [], 1
        for i, scheme in enumerate(schemes):
            rows = overlay.floats[row : row + len(scheme)]
            moved = np.array([nearby_value(values[i], offset * steps[i]) for offset in scheme])
            plain = (overlay.floats[0] == values[i]) & np.all(rows == moved[:, None], axis=0)
            slopes[:, i] = np.where(plain, 1.0, _difference(rows, scheme, steps[i]))
            if moving > 1:
                around = np.array(timers[row : row + len(scheme)])
                of_timers[:, i] = _difference(around, scheme, steps[i])
            if np.any(of_timers[self._of_clocks, i]):
                raise NotDifferentiable(f"`{self.paths[i]}`, by which clocks tick")
            if np.any(slopes[~plain, i]) or np.any(of_timers[:, i]):
                computed.append(self.paths[i])
            row += len(scheme)
        seeds = {}
        for name in ARRAYS:
            place, size = run.place(name), getattr(run.memory, name).size
            inside = (overlay.float_at >= place) & (overlay.float_at < place + size)
            seeds[name] = np.zeros((size, len(self.paths)))
            seeds[name][overlay.float_at[inside] - place] = slopes[inside]
        return InitialValues(words, seeds, of_timers, tuple(computed))


def _relative_change(
    overlay: Overlay, values: Floats, steps: Floats, schemes: Sequence[dict[int, float]]
) -> Floats:
    """The largest relative change of a computed number by a step of each value."""
    change, row = np.full(len(steps), np.inf), 1
    for i, scheme in enumerate(schemes):
        rows = overlay.floats[row : row + len(scheme)]
        row += len(scheme)
        if scheme is PLAIN:
            continue
        moved = np.array([nearby_value(values[i], offset * steps[i]) for offset in scheme])
        computed = np.any(rows != moved[:, None], axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            each = np.abs(rows - overlay.floats[0]) / np.abs(overlay.floats[0])
        change[i] = np.nanmax(each[:, computed], initial=0.0)  # 0 / 0: no change
    return change


def nearby_value(value: float, step: float) -> float:
    """A value near another; both are short decimals, which timers convert to fractions."""
    return float(f"{value + step:.14g}")


def _difference(rows: Floats, scheme: dict[int, float], step: float) -> Floats:
    """The derivative by a formula; 0 without a change, and for values that are not finite."""
    with np.errstate(invalid="ignore"):
        slopes = np.array([*scheme.values()]) @ rows / step
    still = np.all(rows == rows[:1], axis=0)
    return np.where(still | ~np.isfinite(slopes), 0.0, slopes)


def _owner(row: int, schemes: Sequence[dict[int, float]]) -> int | None:
    """Index of the path whose value differs from the point in a row; None for the point itself."""
    before = 1
    for i, scheme in enumerate(schemes):
        if before <= row < before + len(scheme):
            return i
        before += len(scheme)
    return None


def present_values(view: View, paths: Sequence[str], fixed: Mapping[str, Any]) -> dict[str, float]:
    """The present numbers at paths; `fixed` values replace the diagram's values. Raises GradientError."""
    meant = changes(view.diagram, {}, fixed, view=view) if fixed else Overrides()
    return {path: _present(view, resolve(view, path), path, fixed, meant) for path in paths}


def _present(
    view: View, target: Target, path: str, fixed: Mapping[str, Any], meant: Overrides
) -> float:  # fmt: skip
    value: Any
    if path in fixed:
        return float(Number().read(path, fixed[path]))
    if target.kind == "state":
        value = view.initial(target.block, target.name, meant.parameters, meant.set)
    else:
        value = view.number(target.block, target.name, meant.parameters, meant.set)
    index = next((step for step in target.steps if isinstance(step, tuple)), None)
    if target.machines is not None:
        value, index = target.machines.value(value, target.steps), None
    if value is None:
        raise GradientError(f"the diagram has no number at `{path}`", "one for it in `set`")
    try:
        array = real_array(value)
    except (TypeError, ValueError, OverflowError):
        array = np.full((), np.nan)
    if index is not None:
        array = np.asarray(array[index])
    number = float(array.ravel()[0]) if array.size == 1 else np.nan
    if not np.isfinite(number):
        actual = repr(value) if array.size == 1 else f"an array of shape {array.shape}"
        raise GradientError(
            f"`{path}` is {actual:.80}", f"one finite number, such as `{path}[0]` of a vector"
        )
    return number
