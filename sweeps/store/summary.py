"""Summary of a store: one Parquet file, a row for each finished scenario, written in bounded groups."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ...diagrams.results.atomic import bring_to_disk
from .durable import make_durable
from .files import TEMPORARY
from .part import OUTCOMES

if TYPE_CHECKING:
    from .store import Store

GROUP = 65536  # rows that are in memory at once
FILE = "summary.parquet"


def write_summary(store: Store) -> None:
    """Scenario number, axes, measures, outcome, reason, end and steps of every finished scenario."""
    import pyarrow.parquet as pq

    temporary = store.path / TEMPORARY / uuid.uuid4().hex
    try:
        spans = _spans(store.finished())
        with pq.ParquetWriter(temporary, _schema(store), write_page_checksum=True) as writer:
            for start in range(0, store.layout.count, GROUP):
                stop = min(start + GROUP, store.layout.count)
                own = [(max(a, start), min(b, stop)) for a, b in spans if a < stop and b > start]
                if own:
                    writer.write_table(_rows(store, own))
        make_durable([temporary])
        os.replace(temporary, store.path / FILE)
        bring_to_disk(store.path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def columns(store: Store) -> tuple[dict[str, str], list[str]]:
    """Column of each axis, and of each measure; where names meet, they say what they are."""
    taken = {"scenario", "outcome", "reason", "end", "steps"}
    axes = {}
    for name in store.arrays.axes:
        axes[name] = name if name not in taken else f"{name} (axis)"
    taken |= {*axes.values()}
    return axes, [name if name not in taken else f"{name} (measure)" for name in store.layout.measures]


def _schema(store: Store) -> Any:
    import pyarrow as pa

    kinds = {"float64": pa.float64(), "int64": pa.int64(), "bool": pa.bool_(), "string": pa.string()}
    axes, measures = columns(store)
    fields = [("scenario", pa.int64())]
    fields += [(column, kinds[store.arrays.axes[name].kind]) for name, column in axes.items()]
    fields += [(column, pa.float64()) for column in measures]
    fields += [
        ("outcome", pa.string()),
        ("reason", pa.string()),
        ("end", pa.float64()),
        ("steps", pa.int64()),
    ]
    return pa.schema(fields)


def _spans(chunks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Chunks that touch, as one."""
    spans: list[tuple[int, int]] = []
    for start, stop in chunks:
        if spans and spans[-1][1] == start:
            start = spans.pop()[0]
        spans.append((start, stop))
    return spans


def _rows(store: Store, spans: list[tuple[int, int]]) -> Any:
    """A table of the scenarios in these spans."""
    import pyarrow as pa

    parts = [store.part(a, b, kept=False) for a, b in spans]
    coordinates = [store.coordinates(a, b) for a, b in spans]
    axes, measures = columns(store)
    table: dict[str, Any] = {"scenario": np.concatenate([np.arange(a, b) for a, b in spans])}
    for name, column in axes.items():
        table[column] = [value for found in coordinates for value in found[name]]
        if store.arrays.axes[name].kind != "string":
            table[column] = np.concatenate([found[name] for found in coordinates])
    for i, column in enumerate(measures):
        table[column] = np.concatenate([part.measures[:, i] for part in parts])
    table["outcome"] = [OUTCOMES[code] for part in parts for code in part.outcome]
    table["reason"] = [text for part in parts for text in part.reason]
    table["end"] = np.concatenate([part.end for part in parts])
    table["steps"] = np.concatenate([part.steps for part in parts])
    return pa.table(table, schema=_schema(store))
