"""Result files are .nc (NetCDF 4), .parquet or .csv; each is complete and self-describing."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ...base.checked import checked
from ...base.extras import remedy
from ...base.files import check_place, open_regular, replacing
from . import files_csv, files_netcdf, files_parquet
from .errors import ResultError, ResultFileError, bad_argument, unread
from .result import Result


class _Format(NamedTuple):
    write: Callable[[Result, BinaryIO], None]
    read: Callable[[BinaryIO], Result]
    package: str = ""  # the package that an extra installs


_FORMATS = {
    ".nc": _Format(files_netcdf.write, files_netcdf.read),
    ".parquet": _Format(files_parquet.write, files_parquet.read, "pyarrow"),
    ".csv": _Format(files_csv.write, files_csv.read),
}
_USE = f"use one of {', '.join(_FORMATS)}"
_ELSEWHERE = {
    ".mat": f'{_USE}; for MATLAB scipy.io.savemat("run.mat", {{"y": result["block"].values}})',
    ".xlsx": f'{_USE}; for Excel result.to_pandas().to_excel("run.xlsx")',
    ".json": f'{_USE}; as JSON result.to_pandas().to_json("run.json")',
    ".npz": f'{_USE}; for NumPy numpy.savez("run.npz", y=result["block"].values)',
}


@checked(bad_argument)
def save(result: Result, path: str | PathLike[str]) -> None:
    """Write the whole result: signals, states, events, Scopes and provenance.

    The suffix of the file names the format:

    .nc       NetCDF 4; one variable per signal, one time dimension for each set of sampling instants
    .parquet  one table: time, then a column for every element; empty where a signal was not sampled;
              needs the extra `parquet`
    .csv      the same table as text, every number to its last digit, under `#` lines with the record

    A file read back with `load_result` holds the same bits (CSV: except the payload of a NaN). The
    file is written completely or not at all, and the result is unchanged either way. Raises
    ResultFileError: unknown suffix, package missing, disk full, read-only, no permission, no folder.
    """
    if result.file is not None:
        raise ResultError(
            f"the rows of this result are in {result.file}; copy that file, or load it and save"
        )
    chosen = _choose_format("write", path)
    with replacing(path, ResultFileError) as file:
        chosen.write(result, file)


@checked(bad_argument)
def load_result(path: str | PathLike[str]) -> Result:
    """Read a result file written by `save`; the suffix names the format.

    The result has no dense output: `to_dataset`, `to_pandas` and `trace(path).at` interpolate
    linearly between its rows. `simulate(refine=8)` before `save` logs eight rows per step.
    Raises ResultFileError: unknown suffix, no such file, not a blockdyn result, damaged.
    """
    chosen = _choose_format("read", path)
    try:
        with open_regular(path) as file:
            return chosen.read(file)
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        ArithmeticError,
        EOFError,
        RuntimeError,
    ) as error:
        raise _make_damage_error(path, str(error)) from error
    except ResultError as error:
        raise _make_damage_error(path, str(error)) from error
    except OSError as error:
        if error.errno is None:
            raise _make_damage_error(path, str(error)) from error
        raise unread(path, error) from error


def of_run(path: str | PathLike[str]) -> Result | None:
    """The result that `save` wrote; None for any other file, except .nc, which is always a result."""
    try:
        return load_result(path)
    except ResultFileError:
        if Path(path).suffix.lower() == ".nc":
            raise
        return None


@checked(bad_argument)
def check_target(path: str | PathLike[str]) -> None:
    """Raise the errors of `save` before anything is written; call it before a long run.

    Unknown suffix, package missing, no such folder, a folder in the file's place, or no permission.
    """
    _choose_format("write", path)
    check_place(path, ResultFileError)


def _choose_format(action: str, path: str | PathLike[str]) -> _Format:
    suffix = Path(path).suffix.lower()
    if suffix in _ELSEWHERE:
        raise ResultFileError(
            action, path, f"the suffix {suffix!r} is not a known format", _ELSEWHERE[suffix]
        )
    if suffix not in _FORMATS or "\0" in str(path):
        raise ResultFileError(action, path, f"the suffix {suffix!r} is not a known format", _USE)
    chosen = _FORMATS[suffix]
    if chosen.package and remedy(chosen.package):
        raise ResultFileError(action, path, f"{suffix} files need {chosen.package}", remedy(chosen.package))
    return chosen


def _make_damage_error(path: str | PathLike[str], cause: str) -> ResultFileError:
    reason = " ".join(cause.split())[:300] or "it ends early"
    return ResultFileError(
        "read", path, f"not a complete result file: {reason}", "expected a file as Result.save wrote it"
    )
