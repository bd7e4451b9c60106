"""Derivatives in a sweep are computed for one scenario after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.schema import is_number
from ..diagrams.model.diagram import Diagram
from ..diagrams.values.overrides import overrides
from ..diagrams.values.reach import Reach
from ..diagrams.values.resolve import resolve
from ..diagrams.values.target import Target
from ..diagrams.values.view import View
from ..solvers.layout import Floats
from ..sweeps.measures.declaration import GRADIENT, MARGINS
from ..sweeps.place.base import reason_of
from .measure_derivatives import Loops, MeasureDerivatives

if TYPE_CHECKING:
    from ..sweeps.execute.task import Task


class SweepDerivatives:
    """Derivatives of measures of a sweep, and margins, one scenario at a time.

    Compiled parts are reused until the settings and options of a scenario change.
    """

    def __init__(self, task: Task) -> None:
        """Raises the errors of `MeasureDerivatives`."""
        measures = task.measures
        self._task = task
        asked = [(i, each) for i, each in enumerate(measures.measures) if each.kind == GRADIENT]
        self.columns = [i for i, _ in asked]
        self._margins = [each for each in measures.measures if each.kind in MARGINS]
        self.columns += [measures.measures.index(each) for each in self._margins]
        self._places = [(measures.derived.index(each.of), each.to) for _, each in asked]
        declared = measures.described()
        self._declared = {name: declared[name] for name in measures.derived}
        self._groups = side_by_side(task.diagram, list(dict.fromkeys(each.to for _, each in asked)))
        self._key = ""
        self._measured(first := task.design.scenario(0))
        self._loops.open(self._all_numbers(first))

    def at(self, k: int) -> tuple[Floats, str]:
        """The values of `columns` in scenario k, NaN for undefined ones, and the reason.

        Raises the errors of a run.
        """
        scenario = self._task.design.scenario(k)
        lacking: dict[str, str] = {}
        slopes: dict[str, Floats] = {}
        for paths, measured in zip(self._groups, self._measured(scenario), strict=True):
            numbers = {path: value for path, value in scenario.items() if path in self._numbers}
            measured.study.scenario = 0 if self._task.common else k
            values = measured.study.present(numbers)
            fixed = {path: value for path, value in numbers.items() if path not in paths}
            columns = measured.run(values, fixed, lacking=lacking).slopes.T
            slopes |= dict(zip(paths, columns, strict=True))
        values = np.array([slopes[path][row] for row, path in self._places])
        try:
            margins, _ = self._loops.at(self._all_numbers(scenario), ())
        except BlockdynError as error:
            margins = np.full(len(self._margins), np.nan)
            lacking[""] = reason_of(error)
        return np.concatenate([values, margins]), "; ".join(dict.fromkeys(lacking.values()))

    def _all_numbers(self, scenario: Mapping[str, Any]) -> dict[str, Any]:
        """A scenario without the settings of its run, which loops do not need."""
        targets = self._task.targets
        return {path: value for path, value in scenario.items() if targets[path].kind != "setting"}

    def _measured(self, scenario: Mapping[str, Any]) -> list[MeasureDerivatives]:
        """Measures of each group of paths, compiled for the settings of a scenario."""
        task = self._task
        compiled = {path: value for path, value in scenario.items() if self._is_compiled(path, value)}
        if (key := repr(compiled)) != self._key:
            changes = overrides(task.targets, compiled)
            simulation = {**task.simulation, **changes.simulate}
            if changes.initial:
                simulation["initial"] = {**(simulation.get("initial") or {}), **changes.initial}
            self._loops = Loops(task.diagram, self._margins, simulation)
            self._numbers = {path: value for path, value in scenario.items() if path not in compiled}
            self._groups_measured = [
                MeasureDerivatives(
                    task.diagram, self._declared, paths, simulation, parameters=changes.parameters,
                    set={**changes.set, **self._numbers},
                )
                for paths in self._groups
            ]  # fmt: skip
            self._key = key
        return self._groups_measured

    def _is_compiled(self, path: str, value: object) -> bool:
        target = self._task.targets[path]
        return target.kind == "setting" or target.structural or target.integral or not is_number(value)


def side_by_side(diagram: Diagram, paths: Sequence[str]) -> list[list[str]]:
    """Groups of independent paths: in a group no path is computed from another."""
    view = View(diagram)
    targets = {path: resolve(view, path) for path in paths}
    groups: list[list[str]] = []
    for path, target in targets.items():
        free = (g for g in groups if not any(_meet(view, target, targets[other]) for other in g))
        group = next(free, None)
        if group is None:
            groups.append(group := [])
        group.append(path)
    return groups


def _meet(view: View, first: Target, second: Target) -> bool:
    """True if one of two numbers may be computed from the other."""
    inside = [target for target in (first, second) if target.kind != "parameter"]
    if len(inside) == 2 and all(view.nodes[target.block].child is None for target in inside):
        return False
    if not inside and all(is_number(view.declared("", target.name)) for target in (first, second)):
        return False
    reached = [
        {t.block} if t.kind == "state" else {*Reach.of(view.diagram, [t]).blocks} for t in (first, second)
    ]
    return not reached[0].isdisjoint(reached[1])
