"""Write the signals of ToFile blocks, each into its own file, in the caller's folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ...base.checked import checked
from ...base.extras import remedy
from ...base.files import replacing
from ...blocks.sinks.to_file import SUFFIXES, ToFile
from . import files_netcdf
from .columns import Columns, instants
from .errors import ResultError, ResultFileError, bad_argument
from .provenance import file_names
from .result import Result
from .trace import Trace


@checked(bad_argument)
def write_files(result: Result, folder: str | PathLike[str], *, overwrite: bool = False) -> tuple[Path, ...]:
    """Write the signals of the diagram's ToFile blocks, each into its named file, in this folder.

    folder     an existing folder, or a new one in an existing folder
    overwrite  whether existing files are replaced; links are never followed

    A file is written completely or not at all. Returns the files. Raises ResultError if two blocks name one
    file or the rows are on disk, ResultFileError for an existing file, no folder, no permission, a
    full disk.
    """
    if result.file is not None and not result.signals:
        raise ResultError(f"write_files: the rows of this result are in {result.file}: load it first")
    places = check_files(file_names(result.scopes), folder, overwrite=overwrite)
    figures = [figure for figure in result.scopes if figure.form == "file"]
    if not places:
        return ()
    with_folder(folder)
    for place, figure in zip(places, figures):
        with replacing(place, ResultFileError) as file:
            _write(result, [result.trace(path) for path in figure.traces], place.suffix.lower(), file)
    return places


def check_files(
    names: Sequence[str], folder: str | PathLike[str], *, overwrite: bool = False
) -> tuple[Path, ...]:
    """The files of these names in the folder. Raises as `write_files`, before a byte is written."""
    for number, name in enumerate(names):
        ToFile(file=name)  # names from a result file must satisfy the same rule
        if name.lower() in [other.lower() for other in names[:number]]:
            raise ResultError(f"two ToFile blocks name the file {name!r}\nexpected: one block a file")
    places = tuple(Path(folder) / name for name in names)
    for place in places:
        if place.is_symlink():
            raise ResultFileError("write", place, "it is a link, and links are not followed", "remove it")
        if place.exists() and not overwrite:
            said = "overwrite=True, `blockdyn run --overwrite`, or another folder"
            raise ResultFileError("write", place, "it exists already", said)
        if place.suffix.lower() == ".parquet" and remedy("pyarrow"):
            raise ResultFileError("write", place, ".parquet files need pyarrow", remedy("pyarrow"))
    return places


def with_folder(folder: str | PathLike[str]) -> None:
    """Make the folder if it does not exist. Raises ResultFileError."""
    try:
        Path(folder).mkdir(exist_ok=True)
    except OSError as error:
        expected = "a folder, or the name of a new one in a folder that is there"
        raise ResultFileError("write", folder, error.strerror or str(error), expected) from error


def _write(result: Result, traces: Sequence[Trace], suffix: str, file: BinaryIO) -> None:
    writers: dict[str, Callable[[Columns, BinaryIO], None]] = {
        ".csv": _as_csv, ".npz": _as_npz, ".parquet": _as_parquet,
    }  # fmt: skip
    if suffix in writers:
        writers[suffix](instants(result, traces, "t"), file)
        return
    assert suffix in SUFFIXES
    alone: dict[str, Any] = {"states": {}, "scopes": (), "flights": (), "finals": {}, "resample": None}
    signals = {path: trace for path, trace in result.signals.items() if trace in traces}
    files_netcdf.write(replace(result, signals=signals, **alone), file)


def _as_csv(columns: Columns, file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(zip(*(column.tolist() for column in columns.values())))
    text.detach()


def _as_npz(columns: Columns, file: BinaryIO) -> None:
    np.savez_compressed(file, **columns)  # type: ignore[arg-type]


def _as_parquet(columns: Columns, file: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({name: pa.array(column) for name, column in columns.items()}), file)
