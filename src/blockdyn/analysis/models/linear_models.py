"""LinearModels: the linear models of a diagram along a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...base.hints import AttributeHints
from ...base.schema import is_number
from ...base.shown import NotebookText
from ...base.words import inflect
from ..errors import AnalysisError
from .linear_model import LinearModel, Matrix

STACKED = ("A", "B", "C", "D", "f_t", "g_t")


@dataclass(frozen=True, eq=False, repr=False)
class LinearModels(AttributeHints, NotebookText):
    """Linear models at k instants: `models[i]` is the model at `times[i]`, s.

    A (k, n, n), B (k, n, m), C (k, p, n) and D (k, p, m) stack all models; `stack` also has the names.
    """

    times: Matrix
    stack: LinearModel

    @property
    def A(self) -> Matrix:
        return self.stack.A

    @property
    def B(self) -> Matrix:
        return self.stack.B

    @property
    def C(self) -> Matrix:
        return self.stack.C

    @property
    def D(self) -> Matrix:
        return self.stack.D

    def __repr__(self) -> str:
        rows, columns = self.D.shape[-2:]
        sizes = (
            f"{inflect(self.A.shape[-1], 'state')}, {inflect(columns, 'input')}, {inflect(rows, 'output')}"
        )
        span = f" from {self.times[0]:g} to {self.times[-1]:g} s" if len(self) else ""
        return f"<LinearModels: {len(self)}{span}, {sizes}>"

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, i: int) -> LinearModel:
        places = range(len(self))
        if not is_number(i) or i not in (*places, *(-k - 1 for k in places)):
            expected = f"a number from 0 to {len(self) - 1}, of an instant in `times`"
            raise AnalysisError(f"models[{i!r:.40}]", expected)
        delays = self.stack.delays and self.stack.delays.combined(lambda _, array: array[i])
        return replace(self.stack, delays=delays, **{name: getattr(self.stack, name)[i] for name in STACKED})

    def __iter__(self) -> Iterator[LinearModel]:
        return (self[i] for i in range(len(self)))


def stack_models(models: Sequence[LinearModel]) -> LinearModel:
    """Stack models that have the same names along a new first dimension of their arrays."""
    arrays: dict[str, Any] = {name: np.stack([getattr(model, name) for model in models]) for name in STACKED}
    listed = [model.delays for model in models if model.delays is not None]
    delays = (
        listed[0].combined(lambda name, _: np.stack([getattr(d, name) for d in listed])) if listed else None
    )
    return replace(models[0], delays=delays, **arrays)
