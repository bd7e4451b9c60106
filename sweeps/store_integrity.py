"""Integrity of a store: what a disk or a power cut has changed is found before a sweep goes on in it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..robots.errors import outside
from .store_files import METADATA, put_json
from .store_layout import AXIS_ROWS, Arrays, Layout
from .store_making import place_axes, place_labels

SHOWN = 5  # damaged files that a warning names


class DamagedStore(UserWarning):
    """Files of a store that are not what was written into them; what they held is computed again."""


def mend(
    path: Path, files: Arrays, layout: Layout, done: Collection[int], metadata: Mapping[str, Any]
) -> None:
    """Compare every file of a store with its checksum, and make those again that do not agree.

    A damaged chunk of scenarios is no longer done, so that its scenarios run again. Metadata are written anew
    from what the group's own `metadata` say of its arrays, axes and names from the layout. Warns with
    DamagedStore, which names the files.
    """
    faults = [fault for chunk in sorted(done) for fault in _dropped(path, files, chunk)]
    for name, expected in metadata.items():
        if (fault := _metadata_fault(path / name / METADATA, expected)) is not None:
            faults.append(f"{name}/{METADATA}: {fault}")
            put_json(path, path / name / METADATA, expected)
    for start in range(0, layout.count, AXIS_ROWS):
        found = _faults(path, files.axes.values(), start // AXIS_ROWS)
        if found:
            place_axes(path, layout, files, start)
        faults += found
    if found := _faults(path, files.labels.values(), 0):
        place_labels(path, layout, files)
        faults += found
    if faults:
        more = f"\n  and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        listed = "".join(f"\n  {fault}" for fault in faults[:SHOWN])
        text = f"files of the store {path} are damaged; what they held is computed again:{listed}{more}"
        warnings.warn(text, DamagedStore, stacklevel=outside())


def _dropped(path: Path, files: Arrays, chunk: int) -> list[str]:
    """The faults of a chunk's files; where there are any, it counts as done no longer."""
    mark = files.always["done"]
    found = _faults(path, (mark, *files.chunked), chunk)
    if found:
        mark.file(path, chunk).unlink(missing_ok=True)
    return found


def _faults(path: Path, arrays: Any, chunk: int) -> list[str]:
    named = [(array.file(path, chunk).relative_to(path), array.fault(path, chunk)) for array in arrays]
    return [f"{file.as_posix()}: {fault}" for file, fault in named if fault]


def _metadata_fault(file: Path, metadata: dict[str, Any]) -> str | None:
    try:
        same = json.loads(file.read_text(encoding="utf-8")) == metadata
    except FileNotFoundError:
        return "it is gone"
    except ValueError:
        same = False
    return None if same else "it is not what was written"
