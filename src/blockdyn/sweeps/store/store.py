"""A store holds the results of a sweep on disk: a Zarr group that grows by chunks and outlives its writer."""

from __future__ import annotations

import csv
import os
import shutil
import stat
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.extras import remedy
from ...base.files import bring_to_disk
from ..errors import StoreError, SweepError
from .files import CHECKSUM, METADATA, TEMPORARY, put
from .folder import Pause, make_durable, store_failure
from .integrity import mend, plain, refuse_other
from .layout import UNCHECKED, Layout, arrays, document_of, make
from .part import OUTCOMES, Part
from .tried import TRIED

if TYPE_CHECKING:
    import xarray as xr

GROUP = 65536  # rows that are in memory at once
PARQUET, CSV = "summary.parquet", "summary.csv"
Columns: TypeAlias = dict[str, Any]  # a column's numbers or texts by its name


class Store:
    """A folder with one Zarr group (format 3), readable by `xarray.open_zarr`, and a summary of its rows.

    Arrays along `scenario`, in chunks: measures, outcome (index into OUTCOMES, -1 for not run), reason, end
    in s, steps, the kept signals, the axes; `done` marks the finished scenarios. The attribute
    `blockdyn_sweep` holds the identity of the sweep.

    A chunk's `done` is written once the disk has its data, and every file is written under another name and
    then moved, so a process that is killed, or a power cut, leaves chunks that are whole or not done. Every
    chunk ends with a checksum: data that the disk has changed since are an error when read, and are run again
    when the sweep is resumed. Chunks may be written from any number of threads and processes, on any machine
    that sees the folder; a chunk written twice has the same bytes.

    Raises StoreError if the folder cannot be written or read, or holds another sweep.
    """

    def __init__(self, path: Path, document: Mapping[str, Any], times: Any = None) -> None:
        """Use `Store.open` or `Store.at`. `times` are the times of kept signals, s, if available."""
        sweep = document["attributes"]["blockdyn_sweep"]
        layout = sweep["layout"]
        self.path = path
        self.identity: dict[str, Any] = sweep["identity"]
        bare = Layout(layout["scenarios"], sweep["chunk"], tuple(layout["measures"]), tuple(layout["units"]))
        shapes = {name: tuple(shape) for name, shape in layout["kept"].items()}
        room = np.zeros(layout["times"][0]) if layout["times"] else None
        checked = sweep["format"] != UNCHECKED
        self.arrays = arrays(replace(bare, signals=shapes, times=room), sweep["axes"], checked=checked)
        if room is not None and times is None:
            times = np.asarray(self.arrays.labels["time"].read(path, 0))
        self.layout = replace(bare, signals=shapes, times=times)
        self._written: list[int] = []  # chunks whose data the disk may not have yet
        self._marks: list[Path] = []  # marks that the disk may not have yet
        self._pause = Pause()
        self._turn = threading.Lock()  # of the three above

    @classmethod
    def open(cls, path: str | Path, identity: Mapping[str, Any], layout: Layout, *, resume: bool) -> Store:
        """The store of a sweep: a new one, or with `resume` the existing one, in its chunks."""
        place = _place(path)
        with _failures(place, lambda: None):
            if not (place / METADATA).exists():
                make(place, plain(identity), layout)
                return cls.at(place)
            if not resume:
                raise StoreError(
                    f"a store exists at {place} already",
                    "continue in it with resume=True (blockdyn sweep --resume), or name another one",
                )
            document = document_of(place)
            sweep = document["attributes"]["blockdyn_sweep"]
            refuse_other(str(place), sweep["identity"], plain(identity))
            refuse_other(str(place), sweep["layout"], layout.described())
            store = cls(place, document, layout.times)
            store._drop_unfinished(replace(store.layout, coordinates=layout.coordinates), document)
            return store

    @classmethod
    def at(cls, path: str | Path) -> Store:
        """The existing store of any sweep, to write chunks of it or to read it."""
        place = _place(path)
        with _failures(place, lambda: None):
            return cls(place, document_of(place))

    @property
    def safe(self) -> int:
        """Number of finished scenarios."""
        return sum(stop - start for start, stop in self.finished())

    def finished(self) -> list[tuple[int, int]]:
        """The chunks that are done, as (start, stop)."""
        with self._failures():
            done = self._done()
        return [chunk for i, chunk in enumerate(self.layout.ranges) if i in done]

    def missing(self) -> list[tuple[int, int]]:
        """The chunks that are not done, as (start, stop)."""
        with self._failures():
            done = self._done()
        return [chunk for i, chunk in enumerate(self.layout.ranges) if i not in done]

    def write(self, part: Part) -> None:
        """Write the chunks that a part consists of, each with `done` once the disk has its data."""
        self.take(part)
        self.commit()

    def take(self, part: Part) -> None:
        """Write the data of the chunks that a part consists of.

        They are done at the next `commit`, which happens here unless more than a tenth of the time would go
        into waiting for the disk.
        """
        rows, count = self.layout.chunk, self.layout.count
        if part.start % rows or not (part.stop % rows == 0 or part.stop == count) or part.stop > count:
            raise StoreError(
                f"scenarios {part.start} to {part.stop} are not whole chunks of {rows}, of {count} in all"
            )
        columns: dict[str, Any] = {
            "measures": part.measures, "outcome": part.outcome, "reason": part.reason, "end": part.end,
            "steps": part.steps,
        }  # fmt: skip
        columns |= part.signals
        arrays = [*self.arrays.always.items(), *self.arrays.signals.items()]
        files = [(array, columns[name]) for name, array in arrays if name != "done"]
        with self._failures():
            for start in range(part.start, part.stop, rows):
                chunk, checks = start // rows, [start // rows]
                rows_here = slice(start - part.start, min(start + rows, part.stop) - part.start)
                for array, values in files:
                    data = array.encoded(values[rows_here])
                    put(self.path, array.file(self.path, chunk), data)
                    checks.append(int.from_bytes(data[-CHECKSUM:], "little"))
                if (checked := self.arrays.checks) is not None:
                    put(self.path, checked.file(self.path, chunk), checked.encoded(np.array([checks])))
                with self._turn:
                    self._written.append(chunk)
        if self._pause.over:
            self.commit()

    def commit(self) -> None:
        """Mark the taken chunks as done once the disk has their data."""
        done, checks = self.arrays.always["done"], self.arrays.checks
        files = self.arrays.chunked + ([] if checks is None else [checks])
        with self._failures(), self._turn, self._pause:
            chunks, self._written = self._written, []
            data = [array.file(self.path, i) for i in chunks for array in files]
            make_durable(data + self._marks)
            self._marks = [done.file(self.path, i) for i in chunks]
            for i in chunks:
                put(self.path, done.file(self.path, i), self.arrays.mark(i))

    def part(self, start: int, stop: int, *, with_signals: bool = True) -> Part:
        """The scenarios `start` to `stop` - 1, which must be finished; with their signals if requested."""
        measures = np.zeros((stop - start, 0))
        with self._failures():
            self._refuse_missing(start, stop)
            columns = {name: self._rows(array, start, stop) for name, array in self.arrays.always.items()}
            signals = (
                {n: self._rows(a, start, stop) for n, a in self.arrays.signals.items()}
                if with_signals
                else {}
            )
        return Part(
            start, columns.get("measures", measures), columns["outcome"], columns["reason"], columns["end"],
            columns["steps"], signals,
        )  # fmt: skip

    def coordinates(self, start: int, stop: int) -> dict[str, NDArray[Any] | list[str]]:
        """The axes in scenarios `start` to `stop` - 1; values that are not numbers as text or JSON."""
        with self._failures():
            return {name: self._rows(array, start, stop) for name, array in self.arrays.axes.items()}

    def dataset(self) -> xr.Dataset:
        """The group as xarray reads it, lazily: arrays are loaded when used.

        Raises SweepError without the extra `zarr`.
        """
        if remedy("zarr"):
            raise SweepError("a store as a dataset needs zarr", remedy("zarr"))
        import xarray as xr

        dataset: xr.Dataset = xr.open_zarr(self.path, chunks=None)
        return dataset

    @contextmanager
    def marked(self) -> Iterator[str]:
        """A file that exists during a run: a remote process that sees it shares this store's disk."""
        mark = self.path / TEMPORARY / f"mark-{uuid.uuid4().hex}"
        with self._failures():
            mark.touch()
        try:
            yield str(mark)
        finally:
            with suppress(OSError):
                mark.unlink()

    def close(self) -> None:
        """Write the summary: one row for each finished scenario."""
        self.commit()
        with self._failures():
            make_durable(self._marks)
            write_summary(self)

    def _done(self) -> set[int]:
        folder = self.path / self.arrays.always["done"].name
        names = (entry.name for entry in os.scandir(folder))
        return {int(name[2:]) for name in names if name.startswith("c.") and name[2:].isdigit()}

    def _rows(self, array: Any, start: int, stop: int) -> Any:
        pieces = []
        for chunk in range(start // array.rows, -(-stop // array.rows)):
            first = chunk * array.rows
            pieces.append(array.read(self.path, chunk)[max(0, start - first) : stop - first])
        if array.kind == "string":
            return [text for piece in pieces for text in piece]
        return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)

    def _refuse_missing(self, start: int, stop: int) -> None:
        done = self._done()
        missing = [
            i for i in range(start // self.layout.chunk, -(-stop // self.layout.chunk)) if i not in done
        ]
        if missing or not 0 <= start < stop <= self.layout.count:
            raise StoreError(
                f"scenarios {start} to {stop} are not all in the store {self.path}, which has {self.safe} of"
                f" {self.layout.count}",
                "finish the sweep with resume=True (blockdyn sweep --resume)",
            )

    def _drop_unfinished(self, layout: Layout, document: Mapping[str, Any]) -> None:
        """Drop chunks that have changed on disk, and files that were never moved."""
        (self.path / TEMPORARY).mkdir(exist_ok=True)
        mend(self.path, self.arrays, layout, self._done(), document)
        for remains in (self.path / TEMPORARY).iterdir():
            if stat.S_ISDIR(remains.lstat().st_mode):
                shutil.rmtree(remains)
            elif remains.name not in TRIED:
                remains.unlink(missing_ok=True)
        if self.missing():  # a store that cannot be written is refused before a scenario runs
            trial = self.path / TEMPORARY / "trial"
            trial.write_bytes(b"trial")
            trial.unlink()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        def safe() -> int:
            chunks = self.layout.ranges
            return sum(chunks[i][1] - chunks[i][0] for i in self._done())

        with _failures(self.path, safe, self.layout.count):
            yield


@contextmanager
def _failures(path: Path, safe: Any, count: int | None = None) -> Iterator[None]:
    """Turn an error of the operating system, or a file that is not whole, into a StoreError."""
    try:
        yield
    except OSError as failure:
        number: int | None = None
        with suppress(OSError):
            number = safe()
        raise store_failure(path, failure, number, count) from failure
    except ValueError as failure:
        raise StoreError(
            f"the store {path} is damaged: {failure}",
            "run the sweep again with resume=True (blockdyn sweep --resume): damaged chunks are run again",
        ) from failure


def _place(path: str | Path) -> Path:
    if "://" in str(path):
        raise StoreError(
            f"{path} is not a folder", "a store is a folder on a disk, which a cluster's workers may share"
        )
    return Path(path).absolute()


def write_summary(store: Store) -> None:
    """Scenario number, axes, measures, outcome, reason, end and steps of every finished scenario.

    It is Parquet if pyarrow is installed, otherwise CSV; an older one in the other format is removed.
    """
    file, other, write = (CSV, PARQUET, _write_csv) if remedy("pyarrow") else (PARQUET, CSV, _write_parquet)
    temporary = store.path / TEMPORARY / uuid.uuid4().hex
    try:
        write(temporary, _kinds(store), _groups(store))
        make_durable([temporary])
        os.replace(temporary, store.path / file)
        (store.path / other).unlink(missing_ok=True)
        bring_to_disk(store.path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def _write_parquet(path: Path, kinds: dict[str, str], groups: Iterable[Columns]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"float64": pa.float64(), "int64": pa.int64(), "bool": pa.bool_(), "string": pa.string()}
    schema = pa.schema([(column, types[kind]) for column, kind in kinds.items()])
    with pq.ParquetWriter(path, schema, write_page_checksum=True) as writer:
        for group in groups:
            writer.write_table(pa.table(group, schema=schema))


def _write_csv(path: Path, kinds: dict[str, str], groups: Iterable[Columns]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(kinds)
        for group in groups:
            texts = [np.asarray(values).tolist() for values in group.values()]
            writer.writerows(zip(*texts, strict=True))


def columns(store: Store) -> tuple[dict[str, str], list[str]]:
    """Column of each axis, and of each measure; names that coincide get a prefix with their kind."""
    taken = {"scenario", "outcome", "reason", "end", "steps"}
    axes = {}
    for name in store.arrays.axes:
        axes[name] = name if name not in taken else f"{name} (axis)"
    taken |= {*axes.values()}
    return axes, [name if name not in taken else f"{name} (measure)" for name in store.layout.measures]


def _kinds(store: Store) -> dict[str, str]:
    """The kind of each column of the table, by its name."""
    axes, measures = columns(store)
    kinds = {"scenario": "int64"}
    kinds |= {column: store.arrays.axes[name].kind for name, column in axes.items()}
    kinds |= dict.fromkeys(measures, "float64")
    return kinds | {"outcome": "string", "reason": "string", "end": "float64", "steps": "int64"}


def _groups(store: Store) -> Iterable[Columns]:
    """The table, a number of rows at a time."""
    spans = _spans(store.finished())
    for start in range(0, store.layout.count, GROUP):
        stop = min(start + GROUP, store.layout.count)
        within = [(max(a, start), min(b, stop)) for a, b in spans if a < stop and b > start]
        if within:
            yield _rows(store, within)


def _spans(chunks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Chunks that touch, as one."""
    spans: list[tuple[int, int]] = []
    for start, stop in chunks:
        if spans and spans[-1][1] == start:
            start = spans.pop()[0]
        spans.append((start, stop))
    return spans


def _rows(store: Store, spans: list[tuple[int, int]]) -> Columns:
    """The columns for the scenarios in these spans."""
    parts = [store.part(a, b, with_signals=False) for a, b in spans]
    coordinates = [store.coordinates(a, b) for a, b in spans]
    axes, measures = columns(store)
    table: Columns = {"scenario": np.concatenate([np.arange(a, b) for a, b in spans])}
    for name, column in axes.items():
        table[column] = [value for block in coordinates for value in block[name]]
        if store.arrays.axes[name].kind != "string":
            table[column] = np.concatenate([block[name] for block in coordinates])
    for i, column in enumerate(measures):
        table[column] = np.concatenate([part.measures[:, i] for part in parts])
    table["outcome"] = [OUTCOMES[code] for part in parts for code in part.outcome]
    table["reason"] = [text for part in parts for text in part.reason]
    table["end"] = np.concatenate([part.end for part in parts])
    table["steps"] = np.concatenate([part.steps for part in parts])
    return table
