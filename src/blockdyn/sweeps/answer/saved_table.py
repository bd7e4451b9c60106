"""An ensemble's table in a file: Parquet or CSV, one row a scenario."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.atomic import check_place, replacing
from ...base.extras import remedy
from ...diagrams.results.errors import ResultFileError
from ..errors import MissingPackage, SweepError

if TYPE_CHECKING:
    from .ensemble import Ensemble


def save_table(ensemble: Ensemble, path: str | PathLike[str]) -> None:
    """Write `Ensemble.to_frame()`; the file is whole, or not there. Raises SweepError, ResultFileError."""
    check_table(path)
    ending = Path(path).suffix.lower()
    frame = ensemble.to_frame()
    frame.index.name = "scenario"
    with replacing(path, ResultFileError) as file:
        if ending == ".csv":
            frame.to_csv(file)
        else:
            frame.to_parquet(file)


def check_table(path: str | PathLike[str]) -> None:
    """Raise what `save_table` would before anything is written: to be called before a long sweep."""
    ending = Path(path).suffix.lower()
    if ending not in (".parquet", ".csv"):
        raise SweepError(f"a table in {path}", "expected: a file that ends in .parquet or .csv")
    if ending == ".parquet" and remedy("pyarrow"):
        raise MissingPackage(f"a table in {path} needs pyarrow", remedy("pyarrow"), "or name a .csv file")
    check_place(path, ResultFileError)
