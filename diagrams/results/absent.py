"""Absent: what users look for in a result under a name that it does not have, and where that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result

TABLE = {
    "t times": "`time`",
    "x y": '`result["block"]` for a signal, `states` for all states',
    "df to_dataframe to_frame": '`to_pandas("signal")`, or `to_dataset().to_dataframe()` for all',
    "to_csv to_excel to_parquet write": '`save("run.csv")`, or .parquet or .nc',
    "savefig show figure": '`plot(file="run.png")`, which returns the figure',
    "xy phase": '`plot_xy("x", "v")`',
    "html": '`page("run.html")`',
}
"""Such names, and what they are here."""


def absent(result: Result, name: str) -> str:
    """What to say of an attribute that a result does not have."""
    text = f"a Result has no attribute {name!r}"
    if name.startswith("_") or name in result.__dataclass_fields__:
        return text
    for names, place in TABLE.items():
        if name in names.split():
            return f"{text}\nhere it is {place}"
    if any(name in (path, path.rpartition(".")[0]) for path in result.signals):
        return f"{text}\na signal is found by its path: result[{name!r}]"
    return text
