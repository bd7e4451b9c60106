"""Layout of a store: which arrays it has, how they are named, and in what pieces they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .files import ArrayFiles
from .part import OUTCOMES

Values = NDArray[Any] | list[Any]
AXIS_ROWS = 65536  # scenarios in one file of an axis
ALWAYS = ("measures", "outcome", "reason", "end", "steps", "done")
CHECKS = ".checksums"
RESERVED = (*ALWAYS, "measure", "time", "scenario")


@dataclass(frozen=True)
class Layout:
    """What a store holds: `count` scenarios in chunks of `chunk`.

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
        """JSON-able; what must agree between a store and the sweep that goes on in it."""
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
    """The arrays of a store: those of every store, kept signals, axes, and what names columns and times."""

    always: dict[str, ArrayFiles]
    signals: dict[str, ArrayFiles]
    axes: dict[str, ArrayFiles]
    labels: dict[str, ArrayFiles]
    checks: ArrayFiles | None  # no array of Zarr's: a row for each chunk, its number and its files' checksums

    @property
    def chunked(self) -> list[ArrayFiles]:
        """What is written chunk by chunk, in this order; `done` comes behind them."""
        return [array for name, array in self.always.items() if name != "done"] + list(self.signals.values())

    def mark(self, chunk: int) -> bytes:
        """The bytes of `done` for a chunk that is."""
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
    flags = {"flag_values": list(range(len(OUTCOMES))), "flag_meanings": " ".join(_joined(OUTCOMES))}
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
    )  # `done` has no place in it, the chunk's number has
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
    """An axis as it is stored: texts as they are, other things than numbers in JSON."""
    if kind != "string":
        return np.asarray(values, kind)
    return [value if isinstance(value, str) else json.dumps(value, default=str) for value in values]


def _joined(names: tuple[str, ...]) -> list[str]:
    return [name.replace(" ", "_") for name in names]
