"""A store has an identity, and detects results that a disk has changed."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import PrintableText
from ...base.files import read_regular
from ...base.words import short
from ...robots.errors import count_own_frames
from ..errors import StoreError
from .files import CHECKSUM, METADATA, ArrayFiles, put_json
from .layout import AXIS_ROWS, Arrays, Layout, place_axes, place_labels

MOST = 5  # differences that an error shows


def plain(identity: Mapping[str, Any]) -> dict[str, Any]:
    """The identity as read back from JSON: tuples are lists, NumPy's numbers numbers."""
    read: dict[str, Any] = json.loads(json.dumps(dict(identity), default=_plain_value))
    return read


def refuse_other(store: str, stored: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Raise StoreError, which names the first items that differ, if two identities are not the same."""
    unlike = list(differences(stored, current))
    if not unlike:
        return
    remainder = f"  and {len(unlike) - MOST} more" if len(unlike) > MOST else ""
    remedy = "continue with the versions that made the store"
    if not all(item.startswith("versions.") for item, _, _ in unlike):
        remedy = "run the sweep that it was made by"
    raise StoreError(
        f"the store {store} belongs to another sweep:",
        *(f"  {item}: {there} in the store, {here} in this sweep" for item, there, here in unlike[:MOST]),
        remainder,
        f"use another store for this sweep, or {remedy}",
    )


def differences(stored: object, current: object, at: str = "") -> Iterator[tuple[str, str, str]]:
    """Dotted name, stored and requested value of every difference; the order of keys does not matter.

    Named items of a list appear by name.
    """
    if isinstance(stored, Mapping) and isinstance(current, Mapping):
        for key in [*stored, *(key for key in current if key not in stored)]:
            below = f"{at}.{key}" if at else str(key)
            if key not in stored:
                yield below, "nothing", short(current[key])
            elif key not in current:
                yield below, short(stored[key]), "nothing"
            else:
                yield from differences(stored[key], current[key], below)
    elif (
        isinstance(stored, list)
        and isinstance(current, list)
        and (names := _names(stored)) != _names(current)
    ):
        yield at, short(names), short(_names(current))
    elif isinstance(stored, list) and isinstance(current, list) and len(stored) == len(current):
        for i, (one, other) in enumerate(zip(stored, current, strict=True)):
            yield from differences(one, other, f"{at}.{names[i]}" if names else f"{at}[{i}]")
    elif stored != current and not (stored != stored and current != current):  # NaN equals NaN here
        yield at, short(stored), short(current)


def _names(items: list[Any]) -> list[str]:
    """The names of items that all have one."""
    named = [
        item["name"] for item in items if isinstance(item, Mapping) and isinstance(item.get("name"), str)
    ]
    return named if len(named) == len(items) else []


def _plain_value(value: object) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return str(value)


SHOWN = 5  # damaged files that a warning names


class DamagedStore(PrintableText, UserWarning):
    """Files of a store have changed since they were written; their content is computed again."""


def mend(
    path: Path, files: Arrays, layout: Layout, done: Collection[int], document: Mapping[str, Any]
) -> None:
    """Compare every file of a store with its checksum, and remake the files that differ.

    A damaged chunk of scenarios is no longer done, so that its scenarios run again. Metadata are rewritten
    from the group's own metadata, `document`, for its arrays, and from the layout for axes and names. Whole
    files of other chunks are damage too: the checksums of a chunk's files are in one more file,
    the checksums of axes and names in `document`. Warns with DamagedStore, which names the files.
    """
    if files.checks is not None:
        (path / files.checks.name).mkdir(exist_ok=True)
    faults = [problem for chunk in sorted(done) for problem in _drop_damaged(path, files, chunk)]
    checksums = document["attributes"]["blockdyn_sweep"].get("checksums", {})
    expected_of = {place: bytes.fromhex(text) for place, text in checksums.items()}
    for name, expected in document["consolidated_metadata"]["metadata"].items():
        if (problem := _metadata_problem(path / name / METADATA, expected)) is not None:
            faults.append(f"{name}/{METADATA}: {problem}")
            put_json(path, path / name / METADATA, expected)
    for start in range(0, layout.count, AXIS_ROWS):
        damaged = _faults(path, files.axes.values(), start // AXIS_ROWS, expected_of)
        if damaged:
            place_axes(path, layout, files, start)
        faults += damaged
    if damaged := _faults(path, files.labels.values(), 0, expected_of):
        place_labels(path, layout, files)
        faults += damaged
    if faults:
        more = f"\n  and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        listed = "".join(f"\n  {problem}" for problem in faults[:SHOWN])
        text = f"files of the store {path} are damaged; what they held is computed again:{listed}{more}"
        warnings.warn(text, DamagedStore, stacklevel=count_own_frames())


def _drop_damaged(path: Path, files: Arrays, chunk: int) -> list[str]:
    """The faults of a chunk's files; if there are any, it no longer counts as done."""
    mark = files.always["done"]
    expected, faults = _expected_checksums(path, files, chunk)
    faults += _faults(path, (mark, *files.chunked), chunk, expected)
    if faults:
        mark.file(path, chunk).unlink(missing_ok=True)
    return faults


def _expected_checksums(path: Path, files: Arrays, chunk: int) -> tuple[dict[str, bytes], list[str]]:
    """The checksums with which a chunk's files were written, by place, and the damage of their list."""
    if files.checks is None:
        return {}, []
    faults = _faults(path, (files.checks,), chunk, {})
    if faults:
        return {}, faults
    number, *sums = np.asarray(files.checks.read(path, chunk)).ravel().tolist()
    if number != chunk:
        return {}, [f"{_place(path, files.checks, chunk)}: it is that of chunk {number}"]
    expected = {
        _place(path, array, chunk): int(value).to_bytes(CHECKSUM, "little")
        for array, value in zip(files.chunked, sums, strict=True)
    }
    mark = files.always["done"]
    return expected | {_place(path, mark, chunk): files.mark(chunk)[-CHECKSUM:]}, []


def _faults(path: Path, arrays: Iterable[ArrayFiles], chunk: int, expected: Mapping[str, bytes]) -> list[str]:
    """The faults of the arrays' files of a chunk; `expected` are checksums by place, where available."""
    places = [(_place(path, array, chunk), array) for array in arrays]
    faults = [(place, array.problem(path, chunk, expected.get(place))) for place, array in places]
    return [f"{place}: {problem}" for place, problem in faults if problem]


def _place(path: Path, array: ArrayFiles, chunk: int) -> str:
    return array.file(path, chunk).relative_to(path).as_posix()


def _metadata_problem(file: Path, metadata: dict[str, Any]) -> str | None:
    try:
        unchanged = json.loads(read_regular(file)) == metadata
    except FileNotFoundError:
        return "it is gone"
    except OSError as failure:
        return failure.strerror or str(failure)
    except ValueError:
        unchanged = False
    return None if unchanged else "it is not what was written"
