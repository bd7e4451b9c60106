"""An ensemble as a table of pandas, one row a scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..store.part import OUTCOMES
from .factors import axis_values
from .gathered import NOT_RUN

if TYPE_CHECKING:
    import pandas as pd

    from .ensemble import Ensemble


def frame(ensemble: Ensemble) -> pd.DataFrame:
    """Axes, measures, outcome in words, reason, end in s, steps; the index is the scenario's number.

    A measure whose name is that of an axis or of another column becomes `measure_NAME`.
    """
    import pandas as pd

    gathered = ensemble.gathered
    words = ["not run", *OUTCOMES]
    codes = (gathered.outcome - NOT_RUN).astype(np.int64)
    outcome = pd.Categorical.from_codes(codes, categories=pd.Index(words))
    fixed: dict[str, Any] = {
        "outcome": outcome, "reason": gathered.reason, "end": gathered.end, "steps": gathered.steps,
    }  # fmt: skip
    columns: dict[str, Any] = dict(axis_values(ensemble.design))
    for number, name in enumerate(ensemble.measures):
        called = f"measure_{name}" if name in columns or name in fixed else name
        columns[called] = gathered.measures[:, number]
    index = pd.RangeIndex(gathered.count, name="scenario")
    return pd.DataFrame(columns | fixed, index=index)
