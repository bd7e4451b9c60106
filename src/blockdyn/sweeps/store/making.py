"""Making a store: its folder, the metadata of its arrays, its axes; the group's own metadata makes it one."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import StoreError
from .durable import make_durable
from .files import CHECKSUM, METADATA, TEMPORARY, ArrayFiles, put, put_json, sealed
from .layout import AXIS_ROWS, Arrays, Layout, arrays, kind_of, stored_axis

FORMAT = 2  # raised when an older blockdyn could not read the store
UNCHECKED = 1  # the format without checksums, in which stores of earlier versions go on


def make(path: Path, identity: dict[str, Any], layout: Layout) -> None:
    """Make a store without scenarios; killed before its end, it leaves what the next attempt replaces."""
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
    put_json(path, path / METADATA, sealed(group))
    make_durable([path / METADATA])


def _clear(path: Path) -> None:
    """An empty folder with a place for files that are being written; what an attempt left behind goes."""
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is a file, where a store is a folder", "name another path")
    if path.is_dir() and any(path.iterdir()):
        if not (path / TEMPORARY).is_dir():
            raise StoreError(
                f"the folder {path} is no store, and not empty", "name one that is empty or not there"
            )
        if any((path / "done").glob("c.*")):
            raise StoreError(
                f"the store {path} has finished scenarios, but its {METADATA} is gone",
                "bring this file back from a copy, or remove the folder and begin anew",
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
    """What names the columns of `measures`, and the times of kept signals."""
    if measure := files.labels.get("measure"):
        put(path, measure.file(path, 0), measure.encoded(layout.measures))
    if time := files.labels.get("time"):
        put(path, time.file(path, 0), time.encoded(np.asarray(layout.times)))


def place_axes(path: Path, layout: Layout, files: Arrays, start: int) -> None:
    """The values of the axes in the scenarios from `start` on, as many as a file takes."""
    if layout.coordinates is None:
        return
    values = layout.coordinates(start, min(start + AXIS_ROWS, layout.count))
    for name, array in files.axes.items():
        data = array.encoded(stored_axis(values[name], array.kind))
        put(path, array.file(path, start // AXIS_ROWS), data)


def _group(files: Arrays, attributes: dict[str, Any]) -> dict[str, Any]:
    """The group's metadata, with that of its arrays inside: one file says all to a reader."""
    inside = {array.name: array.metadata for array in files.all}
    consolidated = {"kind": "inline", "must_understand": False, "metadata": inside}
    return {
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes,
        "consolidated_metadata": consolidated,
    }
