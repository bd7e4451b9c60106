"""Layout of a store: its arrays, their names and pieces, and how its folder is made."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.files import read_regular
from ..errors import StoreError
from .files import CHECKSUM, METADATA, SEAL, TEMPORARY, ArrayFiles, is_unsealed, put, put_json, seal_metadata
from .folder import make_durable
from .part import OUTCOMES

Values = NDArray[Any] | list[Any]
AXIS_ROWS = 65536  # scenarios in one file of an axis
ALWAYS = ("measures", "outcome", "reason", "end", "steps", "done")
CHECKS = ".checksums"
RESERVED = (*ALWAYS, "measure", "time", "scenario")


@dataclass(frozen=True)
class Layout:
    """Layout of a store: `count` scenarios in chunks of `chunk`.

    measures      names; `units` as many, or none
    signals       shape of each kept signal for one scenario: (times, *shape)
    times         the grid that kept signals share, s
    coordinates   coordinates(start, stop): axis name -> its values in these scenarios; to make a store
    """

    count: int
    chunk: int
    measures: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    signals: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    times: NDArray[np.float64] | None = None
    coordinates: Callable[[int, int], Mapping[str, Values]] | None = None

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The chunks, as (start, stop)."""
        return [(a, min(a + self.chunk, self.count)) for a in range(0, self.count, self.chunk)]

    def described(self) -> dict[str, Any]:
        """JSON data in which a store and the sweep that resumes it must agree."""
        times = None if self.times is None else [len(self.times), *(float(t) for t in self.times[[0, -1]])]
        return {
            "scenarios": self.count,
            "measures": list(self.measures),
            "units": list(self.units),
            "kept": {name: list(shape) for name, shape in self.signals.items()},
            "times": times,
        }


@dataclass(frozen=True)
class Arrays:
    """The arrays of a store: common to every store, kept signals, axes, and names of columns and times."""

    always: dict[str, ArrayFiles]
    signals: dict[str, ArrayFiles]
    axes: dict[str, ArrayFiles]
    labels: dict[str, ArrayFiles]
    checks: ArrayFiles | None  # not a Zarr array: a row for each chunk, its number and its files' checksums

    @property
    def chunked(self) -> list[ArrayFiles]:
        """The arrays written chunk by chunk, in this order; `done` follows them."""
        return [array for name, array in self.always.items() if name != "done"] + list(self.signals.values())

    def mark(self, chunk: int) -> bytes:
        """The bytes of `done` for a finished chunk."""
        done = self.always["done"]
        return done.encoded(np.ones(min(done.rows, done.shape[0] - chunk * done.rows), np.bool_))

    @property
    def all(self) -> list[ArrayFiles]:
        """Every array."""
        return [*self.always.values(), *self.signals.values(), *self.axes.values(), *self.labels.values()]


def arrays(layout: Layout, axes: Mapping[str, str], *, checked: bool = True) -> Arrays:
    """The arrays for a layout, with checksums; `axes` gives the data type of each axis."""
    taken = {name.casefold() for name in RESERVED}
    n, rows, scenario = layout.count, layout.chunk, ("scenario",)
    flags = {"flag_values": list(range(len(OUTCOMES))), "flag_meanings": " ".join(_join_words(OUTCOMES))}
    always = {
        "outcome": ArrayFiles("outcome", "int8", (n,), rows, scenario, flags),
        "reason": ArrayFiles("reason", "string", (n,), rows, scenario),
        "end": ArrayFiles("end", "float64", (n,), rows, scenario, {"units": "s"}),
        "steps": ArrayFiles("steps", "int64", (n,), rows, scenario),
        "done": ArrayFiles("done", "bool", (n,), rows, scenario),
    }
    labels = {}
    if m := len(layout.measures):
        always["measures"] = ArrayFiles("measures", "float64", (n, m), rows, (*scenario, "measure"))
        units = {"units": list(layout.units)} if layout.units else {}
        labels["measure"] = ArrayFiles("measure", "string", (m,), m, ("measure",), units)
    if layout.times is not None:
        size = (len(layout.times),)
        labels["time"] = ArrayFiles("time", "float64", size, *size, ("time",), {"units": "s"})
    trajectories = {}
    for path, shape in layout.signals.items():
        name = zarr_name(path, taken)
        dims = [f"{name}_{i}" for i in range(len(shape))]
        if layout.times is not None and shape[:1] == (len(layout.times),):
            dims[0] = "time"
        trajectories[path] = ArrayFiles(
            name, "float64", (n, *shape), rows, (*scenario, *dims), {"path": path}
        )
    described = {}
    for path, kind in axes.items():
        name = zarr_name(path, taken)
        described[path] = ArrayFiles(name, kind, (n,), min(n, AXIS_ROWS), scenario, {"path": path})
    groups = (always, trajectories, described, labels)
    checked_groups = [{n: replace(a, checked=checked) for n, a in group.items()} for group in groups]
    numbers = (
        -(-n // rows),
        len(always) + len(trajectories),
    )  # without a place for `done`, with one for the chunk's number
    checks = ArrayFiles(CHECKS, "int64", numbers, 1, ()) if checked else None
    return Arrays(checked_groups[0], checked_groups[1], checked_groups[2], checked_groups[3], checks)


def zarr_name(path: str, taken: set[str]) -> str:
    """A name that every file system takes, unlike those taken; the path itself where possible."""
    name = re.sub(r"[^\w.\-\[\],]", "_", path.replace("/", ".")).lstrip("._") or "axis"
    candidate, number = name, 2
    while candidate.casefold() in taken:
        candidate, number = f"{name}_{number}", number + 1
    taken.add(candidate.casefold())
    return candidate


def kind_of(values: Values) -> str:
    """The data type of an axis: numbers stay numbers, everything else is text."""
    kinds = {"f": "float64", "i": "int64", "u": "int64", "b": "bool"}
    return kinds.get(values.dtype.kind, "string") if isinstance(values, np.ndarray) else "string"


def stored_axis(values: Values, kind: str) -> NDArray[Any] | list[str]:
    """An axis as it is stored: numbers and texts unchanged, other values in JSON."""
    if kind != "string":
        return np.asarray(values, kind)
    return [value if isinstance(value, str) else json.dumps(value, default=str) for value in values]


def _join_words(names: tuple[str, ...]) -> list[str]:
    return [name.replace(" ", "_") for name in names]


def document_of(place: Path) -> dict[str, Any]:
    """The metadata of the existing store. Raises StoreError, OSError."""
    if not (place / METADATA).is_file():
        raise StoreError(f"there is no store at {place}", "name the folder that a sweep has written")
    damaged = f"the store {place} is damaged: {place / METADATA} is not what was written"
    remedy = "bring this file back from a copy; without it the sweep of the store is unknown"
    try:
        document: dict[str, Any] = json.loads(read_regular(place / METADATA))
        if SEAL in document["attributes"] and is_unsealed(document):
            raise StoreError(damaged, remedy)
        sweep = document["attributes"]["blockdyn_sweep"]
        version = sweep["format"]
    except (KeyError, TypeError):
        if (place / TEMPORARY).is_dir():  # present in stores
            raise StoreError(damaged, remedy) from None
        raise StoreError(f"{place} is not a store of a sweep", "name another folder") from None
    except ValueError:
        raise StoreError(damaged, remedy) from None
    if version not in (UNCHECKED, FORMAT):
        raise StoreError(
            f"the store {place} has format {version}; this blockdyn reads and writes format {FORMAT}",
            "use the version of blockdyn that wrote it",
        )
    if version != UNCHECKED and is_unsealed(document):
        raise StoreError(damaged, remedy)
    return document


FORMAT = 2  # raised when an older blockdyn could not read the store
UNCHECKED = 1  # the format without checksums, in which stores of earlier versions continue


def make(path: Path, identity: dict[str, Any], layout: Layout) -> None:
    """Make a store without scenarios; if it is killed before its end, the next attempt replaces its files."""
    _clear(path)
    axes = {} if layout.coordinates is None else layout.coordinates(0, min(layout.count, AXIS_ROWS))
    kinds = {name: kind_of(values) for name, values in axes.items()}
    files = arrays(layout, kinds)
    if files.checks is not None:
        (path / files.checks.name).mkdir()
    for array in files.all:
        (path / array.name).mkdir()
        put_json(path, path / array.name / METADATA, array.metadata)
    place_labels(path, layout, files)
    for start in range(0, layout.count, AXIS_ROWS):
        place_axes(path, layout, files, start)
    sweep = {
        "format": FORMAT,
        "identity": identity,
        "layout": layout.described(),
        "chunk": layout.chunk,
        "axes": kinds,
        "checksums": _checksums(path, [*files.axes.values(), *files.labels.values()]),
    }
    names = " ".join(array.name for array in files.axes.values())
    make_durable([file for file in path.rglob("*") if file.is_file()])
    group = _group(files, {"blockdyn_sweep": sweep, "coordinates": names})
    put_json(path, path / METADATA, seal_metadata(group))
    make_durable([path / METADATA])


def _clear(path: Path) -> None:
    """An empty folder with a place for unfinished files; files of an earlier attempt are removed."""
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is a file, where a store is a folder", "name another path")
    if path.is_dir() and any(path.iterdir()):
        if not (path / TEMPORARY).is_dir():
            raise StoreError(
                f"the folder {path} is not a store, and not empty", "name one that is empty or not there"
            )
        if any((path / "done").glob("c.*")):
            raise StoreError(
                f"the store {path} has finished scenarios, but its {METADATA} is gone",
                "bring this file back from a copy, or remove the folder and start again",
            )
        for remains in path.iterdir():  # the folder itself stays: this sweep holds it
            shutil.rmtree(remains) if remains.is_dir() else remains.unlink()
    (path / TEMPORARY).mkdir(parents=True)


def _checksums(path: Path, files: Iterable[ArrayFiles]) -> dict[str, str]:
    """The checksum of every file of these arrays, by its place in the store."""
    checksums = {}
    for array in files:
        for chunk in range(-(-array.shape[0] // array.rows)):
            file = array.file(path, chunk)
            checksums[file.relative_to(path).as_posix()] = file.read_bytes()[-CHECKSUM:].hex()
    return checksums


def place_labels(path: Path, layout: Layout, files: Arrays) -> None:
    """Write the names of the columns of `measures`, and the times of kept signals."""
    if measure := files.labels.get("measure"):
        put(path, measure.file(path, 0), measure.encoded(layout.measures))
    if time := files.labels.get("time"):
        put(path, time.file(path, 0), time.encoded(np.asarray(layout.times)))


def place_axes(path: Path, layout: Layout, files: Arrays, start: int) -> None:
    """The values of the axes in the scenarios from `start` on, as many as a file holds."""
    if layout.coordinates is None:
        return
    values = layout.coordinates(start, min(start + AXIS_ROWS, layout.count))
    for name, array in files.axes.items():
        data = array.encoded(stored_axis(values[name], array.kind))
        put(path, array.file(path, start // AXIS_ROWS), data)


def _group(files: Arrays, attributes: dict[str, Any]) -> dict[str, Any]:
    """The group's metadata with the metadata of its arrays inside: a reader needs one file."""
    inside = {array.name: array.metadata for array in files.all}
    consolidated = {"kind": "inline", "must_understand": False, "metadata": inside}
    return {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes,
        "consolidated_metadata": consolidated,
    }
