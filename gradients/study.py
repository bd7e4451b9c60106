"""Study: a diagram with the numbers by which its signals are derived, made ready to be run for any values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..diagrams.model.diagram import Diagram
from ..diagrams.runs.logged import Column, make_columns
from ..solvers.layout import Floats
from ..sweeps.place.base import make_base
from .followed import MOST, Followed, Rows
from .seeds import Seeds


class Study:
    """Signals of a diagram, and the paths of numbers that they are derived by.

    `values` are the numbers as they are, `columns` the signals, `differences` the paths of blocks, and
    `computed` those of numbers, of which something is a difference.
    """

    def __init__(
        self, diagram: Diagram, paths: Sequence[str], signals: Sequence[str] | None,
        simulation: Mapping[str, Any], *, parameters: Mapping[str, Any] | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Raises what is wrong with the diagram, a path or a setting, GradientError, NotDifferentiable."""
        arguments = dict(simulation)
        loops = arguments.pop("loops", None)
        program = diagram.compile(parameters, set, loops=loops)
        if signals is not None:
            program = program.with_log(list(signals))
        if inputs := arguments.pop("inputs", None):
            program = program.with_inputs(inputs)
        base = make_base(program, arguments, [])
        columns = make_columns(program)
        self.columns: dict[str, Column] = {column.name: column for column in columns.signals}
        self.start, self.stop = base.settings.start, base.settings.stop
        self._elements = columns.elements
        self._groups = [list(paths[first : first + MOST]) for first in range(0, len(paths), MOST)]
        fixed = {**(parameters or {}), **(set or {})}
        self._seeds = [Seeds(base, diagram, group, fixed) for group in self._groups]
        self._followed = [Followed(base, len(group)) for group in self._groups]
        self.values = np.concatenate([np.zeros(0), *(seeds.values for seeds in self._seeds)])
        self.differences = self._followed[0].differences if self._followed else ()
        self.computed: tuple[str, ...] = ()

    def rows(self, values: Floats, times: Floats) -> Rows:
        """All elements of the signals at growing times, and their derivatives; see `Followed.rows`."""
        parts: list[Rows] = []
        computed: list[str] = []
        first = 0
        for group, seeds, followed in zip(self._groups, self._seeds, self._followed, strict=True):
            begin = seeds.at(values[first : first + len(group)])
            parts.append(followed.rows(begin, times.tolist(), self._elements))
            computed += begin.computed
            first += len(group)
        self.computed = tuple(computed)
        return Rows(parts[0].values, np.concatenate([part.slopes for part in parts], axis=2))
