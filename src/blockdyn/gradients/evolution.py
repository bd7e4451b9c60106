"""CMA-ES tunes gains of diagrams and measures that have no derivatives.

Source: N. Hansen and A. Ostermeier, Evolutionary Computation 9(2) (2001) 159-195.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..base.extras import remedy
from ..diagrams.model.diagram import Diagram
from ..diagrams.values.view import View
from ..solvers.layout import Floats
from ..sweeps.sweep import Sweep
from .aims import Aims, limits_of, unmet, worst
from .errors import TuneError
from .seeds import present_values
from .tuned import Tuned

EVOLUTION = "evolution"
SPREAD = 0.3  # of the first points, by the size of each gain
UNMET, FAILED = 1.0, 1e12  # above all costs: least rank with unmet limits, and with failed runs


class Evolution:
    """The measures of all scenarios, of many gains at once, by sweeps."""

    def __init__(
        self, diagram: Diagram, paths: Sequence[str], measures: Mapping[str, Any],
        scenarios: Sequence[Mapping[str, Any]], fixed: dict[str, Any], simulation: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Raises TuneError without the extra `tune`."""
        if remedy("cma"):
            raise TuneError("without gradients tuning needs the package cma", remedy("cma"))
        import cma

        self._strategy = cma.CMAEvolutionStrategy
        view = View(diagram)
        self.values = np.array([*present_values(view, paths, fixed).values()])
        self._diagram, self._paths, self._measures = diagram, list(paths), measures
        self._scenarios, self._simulation = scenarios, simulation
        self._fixed = {path: value for path, value in fixed.items() if path not in paths}
        self.runs = 0

    def at(self, points: Sequence[Floats]) -> Floats:
        """Measures (points, scenarios, m); NaN where a run failed."""
        cases = self._scenarios
        axes: dict[str, Any] = {
            path: np.repeat([point[i] for point in points], len(cases)).tolist()
            for i, path in enumerate(self._paths)
        }
        for path in cases[0]:
            axes[path] = [case[path] for case in cases] * len(points)
        sweep = Sweep(
            self._diagram, axes, dict(self._measures), zip=[[*axes]], set=self._fixed, **self._simulation
        )
        ensemble = sweep.run(progress=False)
        self.runs += len(sweep)
        columns = [np.where(ensemble["failed"], np.nan, ensemble[name]) for name in self._measures]
        return np.stack(columns, axis=-1).reshape(len(points), len(cases), len(columns))

    def search(
        self, aims: Aims, begin: Floats, bounds: tuple[Floats, Floats], seed: int, points: int, reason: str
    ) -> Tuned:
        """The best gains of at most this number of generations."""
        sizes = np.where(begin != 0.0, np.abs(begin), 1.0)
        before = self.at([begin])[0]
        if np.any(np.isnan(before)):
            raise TuneError("runs fail, or measures have no value, where the search begins", "other starts")
        options = {
            "seed": seed + 1, "verbose": -9, "maxiter": points, "tolfun": 1e-9,
            "bounds": [(bounds[0] / sizes).tolist(), (bounds[1] / sizes).tolist()],
        }  # fmt: skip
        strategy = self._strategy(begin / sizes, SPREAD, options)
        size = abs(aims.cost(before)) or 1.0
        best, least, after = begin, _rank(aims, before, size), before
        while not strategy.stop():
            asked = strategy.ask()
            measured = self.at([np.clip(each * sizes, *bounds) for each in asked])
            ranks = [_rank(aims, each, size) for each in measured]
            strategy.tell(asked, ranks)
            k = int(np.argmin(ranks))
            if ranks[k] < least:
                best, least, after = np.clip(asked[k] * sizes, *bounds), ranks[k], measured[k]
        ended: Any = strategy.stop()
        named = dict(zip(self._paths, best.tolist(), strict=True))
        starts = dict(zip(self._paths, begin.tolist(), strict=True))
        measures = tuple(self._measures)
        return Tuned(
            named, starts, measures, before, after, worst(aims, before, after), limits_of(aims, measures),
            unmet(aims, after, measures), bounds, EVOLUTION, reason, self.runs, "maxiter" not in ended,
            ", ".join(ended),
        )  # fmt: skip


def _rank(aims: Aims, values: Floats, size: float) -> float:
    """The cost if all limits hold, squeezed below 1 by its size at the start; otherwise more, the more
    they are exceeded. The search looks at the order of ranks alone.
    """
    if np.any(np.isnan(values)):
        return FAILED
    over = float(np.maximum(aims.excess(values), 0.0).sum())
    if over > 0.0:
        return min(UNMET + over, FAILED)
    cost = aims.cost(values)
    return cost / (size + abs(cost))
