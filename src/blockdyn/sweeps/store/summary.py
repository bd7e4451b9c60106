"""Summary of a store: one table in a file, a row for each finished scenario, written in bounded groups."""

from __future__ import annotations

import csv
import os
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.extras import remedy
from ...base.files import bring_to_disk
from .files import TEMPORARY
from .folder import make_durable
from .part import OUTCOMES

if TYPE_CHECKING:
    from .store import Store

GROUP = 65536  # rows that are in memory at once
PARQUET, CSV = "summary.parquet", "summary.csv"
Columns: TypeAlias = dict[str, Any]  # a column's numbers or texts by its name


def write_summary(store: Store) -> None:
    """Scenario number, axes, measures, outcome, reason, end and steps of every finished scenario.

    It is Parquet where pyarrow is installed, otherwise CSV, and the older one of the other kind goes.
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
