"""Frame: signals as pandas has them, one table for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...base.checked import checked
from .columns import cells
from .dataset import on_grid
from .errors import bad_argument
from .merge import merged_time
from .trace import Method, Trace

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
    """The work of `Result.to_pandas`."""
    import pandas as pd

    names = [path] if isinstance(path, str) else list(result.signals) if path is None else list(path)
    traces = {name: result.trace(name) for name in names}
    if times is not None or dt is not None:
        traces, _ = on_grid(result, traces, times, dt, method)
    if isinstance(path, str):
        return _one(traces[path])
    time = merged_time([trace.time for trace in traces.values()])
    columns = {
        name: cell.values
        for trace in traces.values()
        for name, cell in zip(trace.names, cells(trace, time), strict=True)
    }
    return pd.DataFrame(columns, index=pd.Index(time, name="time", dtype=np.float64))


def _one(trace: Trace) -> pd.Series | pd.DataFrame:
    import pandas as pd

    index = pd.Index(trace.time, name="time")
    if not trace.shape:
        return pd.Series(trace.values, index=index, name=trace.path)
    return pd.DataFrame(trace.flat, index=index, columns=list(trace.labels or trace.columns))
