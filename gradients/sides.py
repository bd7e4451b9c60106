"""Sides: the derivative by a number with which two events meet, as that a little below and above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..diagrams.model.diagram import Diagram
from ..native.tangent.refused import NotDifferentiable
from ..solvers.layout import Floats
from ..sweeps.place.base import Base
from .followed import APART, Followed, Rows
from .seeds import Begin, Seeds, beside

ASIDE = 1e-7  # of the number: so far beside it the events are apart, and derivatives hardly others
AGREE = 1e-4  # relative: two derivatives that are one, but for the errors of two runs
UNSEEN = 1e-6  # of the largest derivative: one that is smaller is not compared
ERRORS = 100.0  # tolerances of the run: what two runs may differ by


class Sides:
    """One number of a diagram; the events of its runs are in the order of one side, or of the other.

    If both orders lead to the same state with the same derivative, they commute, and that is the derivative.
    """

    def __init__(
        self, base: Base, diagram: Diagram, path: str, fixed: Mapping[str, Any], all_paths: Sequence[str]
    ) -> None:
        self._path, self._base = path, base
        self._seeds, self._followed = Seeds(base, diagram, [path], fixed, all_paths), Followed(base, 1)

    def slopes(
        self, value: float, others: Mapping[str, Any], scenario: int | None,
        run: Callable[[Followed, Begin], Rows],
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """The derivatives of the elements that `run` has rows of, (k, m), and of instants, (k,).

        Raises NotDifferentiable where the order of events decides, and what runs raise.
        """

        def at(number: float) -> Rows:
            return run(self._followed, self._seeds.at(np.array([number]), others, scenario=scenario))

        here = at(value)
        if here.met is None:
            return here.slopes[:, :, 0], here.moves[:, 0]
        step = ASIDE * (abs(value) or 1.0)
        try:
            below, above = at(beside(value, -step)), at(beside(value, step))
        except BlockdynError:
            raise here.met from None
        if not self._agree(below, above, step):
            raise NotDifferentiable(
                f"{here.met.reason}, with `{self._path}` below or above {value:g}",
                here.met.paths, APART,
            )  # fmt: skip
        return (below.slopes + above.slopes)[:, :, 0] / 2.0, (below.moves + above.moves)[:, 0] / 2.0

    def _agree(self, below: Rows, above: Rows, step: float) -> bool:
        """Whether values go on from one side to the other, and derivatives too."""
        for one, other in ((below.slopes, above.slopes), (below.moves[:, None], above.moves[:, None])):
            size = np.maximum(np.abs(one), np.abs(other))
            size = np.maximum(size.max(axis=0, initial=0.0), UNSEEN * size.max(initial=0.0))
            if np.any(np.abs(one - other) > AGREE * size):
                return False
        settings = self._base.settings
        error = settings.rtol * np.maximum(np.abs(below.values), np.abs(above.values)) + np.max(settings.atol)
        moved = 4.0 * step * np.abs(above.slopes[:, :, 0])
        return bool(np.all(np.abs(above.values - below.values) <= ERRORS * error + moved))
