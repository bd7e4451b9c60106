"""Convert signals to one pandas table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked
from .columns import cells
from .dataset import on_grid
from .errors import bad_argument
from .trace import Method, Trace, merged_time

if TYPE_CHECKING:
    import pandas as pd

    from .result import Result


@checked(bad_argument)
def to_pandas(
    result: Result,
    path: str | Sequence[str] | None = None,
    *,
    times: ArrayLike | None = None,
    dt: float | None = None,
    method: Method = "auto",
) -> pd.Series | pd.DataFrame:
    """Signals as a table: the index is the time in s.

    path   none: all signals, a column for each element, `plant.y[0]`, `uav.position[x]`; a list of paths:
           only these. One path: a Series for a scalar, else a DataFrame with columns named after the
           labels if there are any
    times  (m,) instants, or `dt`, a period in s: one row for each of them, with values from the dense
           output if available; `method` as in `to_dataset`

    Without `times` and `dt` there is a row for each instant at which anything was logged, and NaN where a
    signal was not. An event has two rows, just before and just after it.
    Raises ResultError for an impossible grid, UnknownSignal.
    """
    import pandas as pd

    names = [path] if isinstance(path, str) else list(result.signals) if path is None else list(path)
    traces = {name: result.trace(name) for name in names}
    if times is not None or dt is not None:
        traces, _ = on_grid(result, traces, times, dt, method)
    if isinstance(path, str):
        return _make_frame(traces[path])
    time = merged_time([trace.time for trace in traces.values()])
    columns = {
        name: cell.values
        for trace in traces.values()
        for name, cell in zip(trace.names, cells(trace, time), strict=True)
    }
    return pd.DataFrame(columns, index=pd.Index(time, name="time", dtype=np.float64))


def _make_frame(trace: Trace) -> pd.Series | pd.DataFrame:
    import pandas as pd

    index = pd.Index(trace.time, name="time")
    if not trace.shape:
        return pd.Series(trace.values, index=index, name=trace.path)
    return pd.DataFrame(trace.flat, index=index, columns=list(trace.labels or trace.columns))
