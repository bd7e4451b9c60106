"""Results as Parquet: one table, null where a signal was not sampled, the record in the schema's metadata."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from .columns import Cells, batches, columns, traces_from
from .record import read as read_record
from .record import written
from .result import Result

_RECORD = b"blockdyn_result"
_STORED: dict[str, Any] = {"use_dictionary": False, "compression": "zstd", "write_page_checksum": True}


def write(result: Result, file: BinaryIO) -> None:
    """Write the result, one row group a batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [pa.field("time", pa.float64(), nullable=False, metadata={"unit": "s"})]
    for column in columns(result):
        described = {"unit": column.unit, "kind": column.kind}
        fields.append(pa.field(column.name, pa.float64(), metadata=described))
    schema = pa.schema(fields, metadata={_RECORD: written(result)})
    with pq.ParquetWriter(file, schema, **_STORED) as table:
        for time, cells in batches(result):
            arrays = [pa.array(time), *(_array(part) for part in cells)]
            table.write_batch(pa.record_batch(arrays, schema=schema))


def read(file: BinaryIO) -> Result:
    """Read what `write` wrote."""
    import pyarrow.parquet as pq

    table = pq.read_table(file, page_checksum_verification=True)
    text = (table.schema.metadata or {}).get(_RECORD)
    if text is None:
        raise ValueError(f"its schema has no metadata {_RECORD.decode()}")
    record = read_record(text.decode())
    time, *others = (_cells(column) for column in table.columns)
    if time.sampled is not None:
        raise ValueError("a row has no time")
    return record.result(traces_from(time.values, others, record.headings))


def _array(cells: Cells) -> Any:
    import pyarrow as pa

    missing = None if cells.sampled is None else ~cells.sampled
    return pa.array(np.ascontiguousarray(cells.values), mask=missing)


def _cells(column: Any) -> Cells:
    """A column's numbers; pyarrow's own null mask tells a missing sample from a sample that is NaN."""
    whole = column.combine_chunks()
    values = whole.to_numpy(zero_copy_only=False) if not whole.null_count else whole.fill_null(0.0).to_numpy()
    sampled = whole.is_valid().to_numpy(zero_copy_only=False) if whole.null_count else None
    return Cells(np.asarray(values, dtype=np.float64), sampled)
