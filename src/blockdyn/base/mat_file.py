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
VALUES = 1_000_000  # of the properties of objects, each as often as it is referred to
OPAQUE, REFERENCE = 17, 0xDD000000  # the class of objects; what an array that refers to objects begins with
NAMELESS = b"\x01\x00\x00\x00\x00\x00\x00\x00"
NAMED = b"\x01\x00\x01\x00x\x00\x00\x00"


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
        bare, opaque = _unpack(content)
        tree = loadmat(io.BytesIO(bare), simplify_cells=True)  # type: ignore[arg-type]
    except DataFileError:
        raise
    except Exception as error:  # noqa: BLE001  whatever another's reader raises for a broken file
        raise unreadable(file, error, MAT) from None
    objects = _read_objects(opaque, tree.get("__function_workspace__"))
    return {name: value for name, value in tree.items() if not name.startswith("__")} | objects


def _unpack(content: bytes) -> tuple[bytes, list[bytes]]:
    """A MAT file of version 5 with its variables unpacked, and separately its variables that are objects.

    Raises ValueError for too large ones.
    """
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None:  # version 4, in which nothing is packed
        return content, []
    parts, place, left, opaque = [content[:128]], 128, MOST, list[bytes]()
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
        of_object = order == "<" and len(element) > SHORTEST and element[16] == OPAQUE
        (opaque if of_object else parts).append(element)
    return b"".join(parts), opaque


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


def _read_objects(opaque: Sequence[bytes], workspace: Any) -> dict[str, Any]:
    """Variables that hold objects, by name: `timeseries` and the like as structures; None for unread ones."""
    result: dict[str, Any] = {}
    store: _ObjectStore | None = None
    for element in opaque:
        parts = _split_element(element, 24)
        name = parts[0].decode("latin-1")
        result[name] = None
        try:
            store = store or _ObjectStore(np.asarray(workspace, np.uint8).tobytes())
            ids = np.frombuffer(_split_element(parts[3], 16)[2], "<u4")
            result[name] = store.value(ids, 0)
        except Exception:  # noqa: BLE001  the layout is not published: what does not fit is not read
            continue
    return result


def _split_element(element: bytes, place: int) -> list[bytes]:
    """The contents of the parts of an element from a place on."""
    parts = []
    while place + 8 <= len(element):
        kind, size = struct.unpack_from("<II", element, place)
        if kind >> 16:  # a small element: its numbers are in its head
            parts.append(element[place + 4 : place + 4 + (kind >> 16)])
            place += 8
        else:
            parts.append(element[place + 8 : place + 8 + size])
            place += 8 + size + -size % 8
    return parts


class _ObjectStore:
    """The objects of a file: their classes and properties, by number.

    MATLAB keeps them after all variables, in a list: first a table of names, classes, objects and properties,
    then the values of properties. Source of the layout: https://github.com/foreverallama/matio.
    """

    def __init__(self, workspace: bytes) -> None:
        from scipy.io import loadmat

        element = workspace[8:]
        if element[40:48] == NAMELESS:  # SciPy reads only variables with a name
            element = element[:40] + NAMED + element[48:]
        header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
        _check_nesting(element, "<")
        tree = loadmat(io.BytesIO(header + element))  # type: ignore[arg-type]
        self.cells = tree["x"][0, 0]["MCOS"][0]["arr"].ravel()
        table = self.cells[0].tobytes()
        _, count, *self.at = struct.unpack_from("<10I", table)
        self.table = np.frombuffer(table[: len(table) // 4 * 4], "<u4")
        self.names = ["", *(n.decode() for n in table[40 : self.at[0]].split(b"\0")[:count])]
        self.classes = self._rows(0, 4)
        self.objects = self._rows(2, 6)
        self.saved, self.plain = self._properties(1), self._properties(3)
        self.left = VALUES

    def _rows(self, part: int, width: int) -> Any:
        rows = self.table[self.at[part] // 4 : self.at[part + 1] // 4]
        return rows[: rows.size // width * width].reshape(-1, width)

    def _properties(self, part: int) -> list[Any]:
        """Rows (name, kind, value) for each object; a block takes a multiple of eight bytes."""
        blocks, place, end = [], self.at[part] // 4, self.at[part + 1] // 4
        while place < end:
            count = int(self.table[place])
            blocks.append(self.table[place + 1 : place + 1 + 3 * count].reshape(count, 3))
            place += (2 + 3 * count) // 2 * 2
        return blocks

    def value(self, raw: Any, depth: int) -> Any:
        """A value without dimensions of length 1; objects as structures, several as a list."""
        self.left -= 1
        if depth > DEEPEST or self.left < 0:
            raise ValueError(f"more than {DEEPEST} levels of objects, or more than {VALUES} values")
        if not isinstance(raw, np.ndarray):
            return raw
        flat = raw.ravel()
        if raw.dtype == np.uint32 and flat.size > 3 and flat[0] == REFERENCE:
            ids = flat[2 + int(flat[1]) : -1]
            made = [self.structure(int(number), depth + 1) for number in ids]
            return made[0] if len(made) == 1 else made
        if raw.dtype.kind == "U":
            return str(flat[0]) if flat.size else ""
        if raw.dtype.names:
            items = [{name: self.value(each[name], depth + 1) for name in raw.dtype.names} for each in flat]
            return items[0] if len(items) == 1 else items
        return [self.value(each, depth + 1) for each in flat] if raw.dtype == object else np.squeeze(raw)

    def structure(self, number: int, depth: int) -> Any:
        """An object: a timeseries as Time and Data, a data set as its elements by name, others as is."""
        of_class, _, _, saved, plain, _ = self.objects[number]
        rows = self.saved[saved] if saved else self.plain[plain]
        fields: dict[str, Any] = {
            self.names[name]: self.value(self.cells[value + 2], depth) if kind == 1 else int(value)
            for name, kind, value in rows.tolist()
        }
        if self.names[self.classes[of_class][1]] == "timeseries":
            clock = fields["TimeInfo"]
            times = np.atleast_1d(clock["Time_"])
            if not times.size:
                times = float(clock["Start_"]) + float(clock["Increment_"]) * np.arange(int(clock["Length"]))
            return {"Time": times, "Data": fields["Data_"], "Name": fields.get("Name", "")}
        if set(fields) == {"any"} and isinstance(fields["any"], dict):  # as its class saves itself
            fields = fields["any"]
        storage = fields.get("Storage_", fields.get("Storage"))
        if isinstance(storage, Mapping) and "Elements" in storage:
            return _by_name(storage["Elements"])
        if isinstance(fields.get("Values"), Mapping):
            return {**fields["Values"], "Name": fields.get("Name", "")}
        return fields


def _by_name(elements: Any) -> dict[str, Any]:
    """The elements of a data set by their names, or by their numbers, from 0."""
    named: dict[str, Any] = {}
    for k, each in enumerate(elements if isinstance(elements, list) else [elements]):
        name = each.get("Name") if isinstance(each, Mapping) else ""
        named[name if name and name not in named else f"[{k}]"] = each
    return named


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
        if "MATLAB_object_decode" in item.attrs:
            tree[name] = None
        elif isinstance(item, h5py.Group):
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
    tree = read_mat(file)
    _collect(tree, "", None, columns)
    unread = [name for name, value in tree.items() if value is None]
    if not columns and not unread:
        raise DataFileError(str(file), "it holds no numbers", "arrays of numbers, or structures with time")
    if unread and (not columns or any(name.partition(".")[0] in unread for name in names or ())):
        actual = f"{', '.join(unread[:10])}: objects of MATLAB, which are not read"
        raise DataFileError(str(file), actual, "structures, as x = struct('Time', x.Time, 'Data', x.Data)")
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
