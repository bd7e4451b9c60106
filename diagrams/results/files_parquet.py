"""Results as Parquet: one table, null where a signal was not sampled, the record in the schema's metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

from .columns import Cells, Column, batches, columns, make_columns, traces_from
from .record import Heading, read as read_record, write_record
from .result import Result
from .trace import FloatArray

_RECORD = b"blockdyn_result"
_STORED: dict[str, Any] = {"use_dictionary": False, "compression": "zstd", "write_page_checksum": True}


def write(result: Result, file: BinaryIO) -> None:
    """Write the result, one row group per batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(columns(result)).with_metadata({_RECORD: write_record(result)})
    with pq.ParquetWriter(file, schema, **_STORED) as table:
        for time, cells in batches(result):
            arrays = [pa.array(time), *(_array(part) for part in cells)]
            table.write_batch(pa.record_batch(arrays, schema=schema))


def read(file: BinaryIO) -> Result:
    """Read a file that `write` wrote."""
    import pyarrow.parquet as pq

    source = pq.ParquetFile(file, page_checksum_verification=True)
    text = (source.metadata.metadata or {}).get(_RECORD)
    if text is None:
        raise ValueError(f"it has no metadata {_RECORD.decode()}")
    table = source.read()
    record = read_record(text.decode())
    time, *columns = (_cells(column) for column in table.columns)
    if time.sampled is not None:
        raise ValueError("a row has no time")
    return record.result(traces_from(time.values, columns, record.headings))


class Table:
    """A table with one row group per chunk; its record goes into the footer."""

    def __init__(self, file: BinaryIO, signals: Sequence[Heading], states: Sequence[Heading]) -> None:
        import pyarrow.parquet as pq

        self._schema = _schema(make_columns(signals, states))
        self._table = pq.ParquetWriter(file, self._schema, **_STORED)
        self._groups = 0

    def bound(self, rows: int) -> int:
        """The maximum number of bytes of this number of rows and the footer."""
        width = len(self._schema)
        return width * (9 * rows + 4096) + 512 * width * (self._groups + 2)

    def write(self, block: FloatArray) -> None:
        """Append rows: time, then one column per element."""
        import pyarrow as pa

        arrays = [pa.array(column) for column in np.ascontiguousarray(block.T)]
        self._table.write_batch(pa.record_batch(arrays, schema=self._schema))
        self._groups += 1

    def close(self, record: str, rows: int) -> None:
        """Write the footer."""
        self._table.add_key_value_metadata({_RECORD: record})
        self._table.close()


def _schema(columns: Sequence[Column]) -> Any:
    import pyarrow as pa

    fields = [pa.field("time", pa.float64(), nullable=False, metadata={"unit": "s"})]
    for column in columns:
        described = {"unit": column.unit, "kind": column.kind}
        fields.append(pa.field(column.name, pa.float64(), metadata=described))
    return pa.schema(fields)


def _array(cells: Cells) -> Any:
    import pyarrow as pa

    missing = None if cells.sampled is None else ~cells.sampled
    return pa.array(np.ascontiguousarray(cells.values), mask=missing)


def _cells(column: Any) -> Cells:
    """A column's numbers; pyarrow's own null mask separates a missing sample from a sample that is NaN."""
    array = column.combine_chunks()
    values = array.to_numpy(zero_copy_only=False) if not array.null_count else array.fill_null(0.0).to_numpy()
    sampled = array.is_valid().to_numpy(zero_copy_only=False) if array.null_count else None
    return Cells(np.asarray(values, dtype=np.float64), sampled)
