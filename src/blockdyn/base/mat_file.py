"""MAT files are read as trees of numbers, and their structures with time as columns; nothing is executed."""

from __future__ import annotations

import io
import math
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .csv_file import DataFileError, unreadable
from .data_file import MOST, TIMES, Floats, Series, check_size, convert_to_seconds
from .files import read_regular

MAT = "a MAT file of version 4, 5, 7 or 7.3 (HDF5)"
CLOCK = re.compile(r"t|time|tout|timestamp", re.IGNORECASE)
DEEPEST = 40  # levels of structures
MATRIX, COMPRESSED = 14, 15  # types of elements
LISTS, SHORTEST = (1, 2, 3), 32  # classes: cells, structures, objects; bytes of a matrix


def read_mat(file: Path) -> dict[str, Any]:
    """The variables of a MAT file: numbers, arrays of numbers, texts, and mappings for structures.

    Vectors lose dimensions of length 1; structures in an array are a list. Raises DataFileError.
    Source: MathWorks, MAT-File Format; read by SciPy and, version 7.3, by h5py.
    """
    from scipy.io import loadmat

    try:
        content = read_regular(file)
        if b"\x89HDF\r\n\x1a\n" in (content[:8], content[512:520]):
            import h5py

            with h5py.File(file, "r") as archive:
                return _hdf5_tree(file, archive, 0)
        tree = loadmat(io.BytesIO(_unpack(content)), simplify_cells=True)  # type: ignore[arg-type]
    except DataFileError:
        raise
    except Exception as error:  # noqa: BLE001  whatever another's reader raises for a broken file
        raise unreadable(file, error, MAT) from None
    return {name: value for name, value in tree.items() if not name.startswith("__")}


def _unpack(content: bytes) -> bytes:
    """A MAT file of version 5 with its variables unpacked. Raises ValueError for too large ones."""
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None:  # version 4, in which nothing is packed
        return content
    parts, place, left = [content[:128]], 128, MOST
    while place < len(content):
        kind, size = struct.unpack_from(f"{order}II", content, place)
        element = content[place : place + 8 + size]
        if len(element) < 8 + size:
            raise ValueError("the file is cut off")
        place += 8 + size
        if kind == COMPRESSED:
            unpacker = zlib.decompressobj()
            element = unpacker.decompress(element[8:], left)
            if unpacker.unconsumed_tail or not unpacker.eof:
                raise ValueError(f"its variables take more than {MOST} bytes, or are cut off")
        left -= len(element)
        _check_nesting(element, order)
        parts.append(element)
    return b"".join(parts)


def _check_nesting(element: bytes, order: str) -> None:
    """Raise ValueError for a variable that nests deeper, or claims more parts, than SciPy's reader bears."""
    levels = [(0, len(element), 0)]
    while levels:
        place, end, depth = levels.pop()
        if depth > DEEPEST:
            raise ValueError(f"structures nest deeper than {DEEPEST} levels")
        while place + 8 <= end:
            kind, size = struct.unpack_from(f"{order}II", element, place)
            if kind >> 16:  # a small element: its numbers are in its head
                place += 8
                continue
            if kind == MATRIX and size >= SHORTEST:
                (count,) = struct.unpack_from(f"{order}I", element, place + 28)
                parts = struct.unpack_from(f"{order}{count // 4}i", element, place + 32)
                if element[place + (16 if order == "<" else 19)] in LISTS and math.prod(parts) > size // 8:
                    raise ValueError(f"a list claims {math.prod(parts)} parts, more than it has bytes")
                levels.append((place + 8, min(place + 8 + size, end), depth + 1))
            place += 8 + size + -size % 8


def _hdf5_tree(file: Path, group: Any, depth: int) -> dict[str, Any]:
    """A group of HDF5 as `read_mat` gives a structure; links to other files are left out."""
    import h5py

    if depth > DEEPEST:
        raise ValueError(f"structures nest deeper than {DEEPEST} levels")
    tree: dict[str, Any] = {}
    for name in group:
        if name.startswith("#") or not isinstance(group.get(name, getlink=True), h5py.HardLink):
            continue
        item = group[name]
        if isinstance(item, h5py.Group):
            tree[name] = _hdf5_tree(file, item, depth + 1)
        elif (
            isinstance(item, h5py.Dataset) and item.dtype.kind in "iufb" and "MATLAB_empty" not in item.attrs
        ):
            check_size(file, float(item.size or 0) * item.dtype.itemsize)
            tree[name] = np.squeeze(item[()].T)
    return tree


def read_mat_series(
    file: Path, names: Sequence[str] | None, time: str, scale: float | None
) -> dict[str, Series]:
    """Columns of a MAT file by name, each over the time of its structure or of an enclosing one.

        t, y (n, 2)                               y[0], y[1]
        out.time, out.signals.values              out; with `label` also out.speed
        out.time, out.signals(2).values           out.signals[1].values, and by its label
        ts.Time, ts.Data                          ts
        log.time, log.imu.gyro (n, 3)             log.imu.gyro[0] ...

    `t`, `time`, `tout` and `timestamp` hold times, in any case; `time` names another vector by its path, such
    as `ans[0]`, the first row of the matrix that To File writes. Without `names` all columns are read.
    """
    from .log_file import no_column

    columns: dict[str, tuple[Floats | None, Floats]] = {}
    _collect(read_mat(file), "", None, columns)
    chosen = None
    if time != TIMES:
        if time not in columns:
            raise no_column(file, time, [*columns])
        chosen = columns[time][1]
    series = {}
    for name in columns if names is None else names:
        if name not in columns:
            raise no_column(file, name, [*columns])
        clock, values = columns[name]
        times = clock if chosen is None else chosen
        if names is None and times is values:  # a clock
            continue
        if times is None or times.size != values.size or name == time:
            if names is None:
                continue
            actual = f"no vector of {values.size} times belongs to {name}"
            raise DataFileError(str(file), actual, f"`time` as one of {', '.join([*columns][:20])}")
        series[name] = Series(convert_to_seconds(times, TIMES, scale, str(file)), values)
    if not series:
        raise no_column(file, None, [*columns])
    return series


def _collect(node: Mapping[str, Any], path: str, times: Floats | None, columns: dict[str, Any]) -> None:
    """Add the columns of a structure and of nested ones; `times` come from the enclosing structure."""
    vectors = {key: value for key, value in node.items() if CLOCK.fullmatch(key) and np.ndim(value) == 1}
    clock = next(iter(sorted(vectors)), None)
    if clock is not None and _is_numbers(vectors[clock]):
        times = np.asarray(vectors[clock], np.float64)
    for key, value in node.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, Mapping):
            _collect(value, name, times, columns)
        elif _is_numbers(value) and key != clock:
            columns |= _split(name, np.asarray(value), times)
        elif key == clock:
            columns[name] = times, np.asarray(times)
        if key == "signals":
            _collect_signals(value, path, times, columns)
        elif key.lower() == "data" and path and clock is not None and _is_numbers(value):
            columns |= _split(path, np.asarray(value), times)


def _collect_signals(signals: Any, path: str, times: Floats | None, columns: dict[str, Any]) -> None:
    """Add the columns of Simulink's structure with time: by place, by label, and a lone one by its name."""
    listed = [signals] if isinstance(signals, Mapping) else list(np.atleast_1d(np.asarray(signals, object)))
    for place, signal in enumerate(listed):
        values = signal.get("values") if isinstance(signal, Mapping) else None
        if not _is_numbers(values):
            continue
        names = [path] if len(listed) == 1 else [f"{path}.signals[{place}].values"]
        if isinstance(label := signal.get("label"), str) and label:
            names.append(f"{path}.{label}")
        for name in names:
            columns |= _split(name, np.asarray(values), times)


def _split(name: str, values: Any, times: Floats | None) -> dict[str, tuple[Floats | None, Floats]]:
    """The elements of an array over time, as columns; times run along its first or, else, its last axis."""
    array = values.astype(np.float64)
    if array.ndim < 2:
        return {name: (times, np.atleast_1d(array))}
    length = max(array.shape) if times is None else times.size
    if array.shape[0] != length and array.shape[-1] == length:
        array = np.moveaxis(array, -1, 0)
    return {
        f"{name}[{', '.join(map(str, index))}]": (times, array[(slice(None), *index)])
        for index in np.ndindex(array.shape[1:])
    }


def _is_numbers(value: Any) -> bool:
    """True if a value is a number or an array of real numbers."""
    return np.asarray(value).dtype.kind in "iufb" and np.size(value) > 0
