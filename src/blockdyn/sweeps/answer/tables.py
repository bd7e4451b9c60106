"""Tables of an ensemble: rows of text and numbers, as plain text, HTML, pandas and files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.extras import remedy
from ...base.files import check_place, replacing
from ...base.hints import AttributeHints
from ...base.text_table import laid_out
from ...base.words import nearest, visible, visible_html as escape
from ...diagrams.results.errors import ResultFileError
from ..errors import SweepError
from ..store.part import OUTCOMES
from .factors import axis_values
from .gathered import NOT_RUN

if TYPE_CHECKING:
    import pandas as pd

    from .ensemble import Ensemble


_LONGEST = 100


@dataclass(frozen=True, eq=False, repr=False)
class Table(AttributeHints):
    """Rows under a header; numbers are right-aligned, with five digits.

    `table[0]` is a row, `table["kp"]` a column.

    title   text above the table; empty for none
    header  names of the columns
    rows    cells: text, numbers, None for an empty cell
    notes   lines below
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    notes: Sequence[str] = field(default_factory=tuple)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> Sequence[Any]:
        """Raises SweepError for a missing column or row."""
        if isinstance(key, str):
            if key not in self.header:
                columns = ", ".join(self.header)
                raise SweepError(f"no column {key!r}{nearest(key, self.header)}\nexpected: one of {columns}")
            at = list(self.header).index(key)
            return [row[at] for row in self.rows]
        try:
            return self.rows[key]
        except (IndexError, TypeError):
            raise SweepError(f"no row {key!r}: the table has {len(self.rows)}") from None

    def _hint(self, name: str) -> str:
        return f"\nuse table[{name!r}], the column" if name in self.header else ""

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return iter(self.rows)

    def __str__(self) -> str:
        cells = [list(self.header), *([cell_text(cell) for cell in row] for row in self.rows)]
        body = laid_out(cells, self._right()) if self.rows else []
        return "\n".join(
            [
                *([visible(self.title)] if self.title else []),
                *body,
                *(f"  {visible(note)}" for note in self.notes),
            ]
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self) -> str:
        """The table as HTML, every text escaped."""
        kinds = ["number" if right else "text" for right in self._right()]
        aligned = [f"text-align:{'right' if right else 'left'}" for right in self._right()]
        head = "".join(
            f"<th class='{kind}' style='{align}'>{escape(name)}</th>"
            for name, kind, align in zip(self.header, kinds, aligned)
        )
        body = "".join(
            "<tr>"
            + "".join(
                f"<td class='{kind}' style='{align}'>{escape(cell_text(cell, longest=300))}</td>"
                for cell, kind, align in zip(row, kinds, aligned)
            )
            + "</tr>"
            for row in self.rows
        )
        title = f"<div>{escape(self.title)}</div>" if self.title else ""
        notes = "".join(f"<div class='note'>{escape(note)}</div>" for note in self.notes)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if self.rows else ""
        return f"{title}{table}{notes}"

    def to_frame(self) -> pd.DataFrame:
        """The rows as a pandas.DataFrame, numbers with all their digits."""
        import pandas as pd

        return pd.DataFrame([list(row) for row in self.rows], columns=list(self.header))

    def _right(self) -> list[bool]:
        """True for each column that has only numbers."""
        return [
            bool(self.rows) and all(cell is None or _is_number(cell) for cell in column)
            for column in zip(*self.rows)
        ] or [False] * len(self.header)


def cell_text(cell: Any, longest: int = _LONGEST) -> str:
    """A cell as text: one line, numbers to five digits, None as a dash."""
    if cell is None or (_is_number(cell) and math.isnan(cell)):
        return "-"
    if isinstance(cell, (int, np.integer)) and not isinstance(cell, bool):
        return str(int(cell))
    if _is_number(cell):
        return f"{float(cell):.5g}"
    text = visible(" ".join(str(cell).split()))
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _is_number(cell: ArrayLike) -> bool:
    return isinstance(cell, (int, float, np.integer, np.floating)) and not isinstance(cell, bool)


def frame(ensemble: Ensemble) -> pd.DataFrame:
    """Axes, measures, outcome in words, reason, end in s, steps; the index is the scenario's number.

    A measure with the name of an axis or of another column becomes `measure_NAME`.
    """
    import pandas as pd

    gathered = ensemble.gathered
    words = ["not run", *OUTCOMES]
    codes = (gathered.outcome - NOT_RUN).astype(np.int64)
    outcome = pd.Categorical.from_codes(codes, categories=pd.Index(words))
    fixed: dict[str, Any] = {
        "outcome": outcome, "reason": gathered.reason, "end": gathered.end, "steps": gathered.steps,
    }  # fmt: skip
    columns: dict[str, Any] = dict(axis_values(ensemble.design))
    for number, name in enumerate(ensemble.measures):
        called = f"measure_{name}" if name in columns or name in fixed else name
        columns[called] = gathered.measures[:, number]
    index = pd.RangeIndex(gathered.count, name="scenario")
    return pd.DataFrame(columns | fixed, index=index)


def save_table(ensemble: Ensemble, path: str | PathLike[str]) -> None:
    """Write `Ensemble.to_frame()`; completely or not at all. Raises SweepError, ResultFileError."""
    check_table(path)
    ending = Path(path).suffix.lower()
    frame = ensemble.to_frame()
    frame.index.name = "scenario"
    with replacing(path, ResultFileError) as file:
        if ending == ".csv":
            frame.to_csv(file)
        else:
            frame.to_parquet(file)


def check_table(path: str | PathLike[str]) -> None:
    """Raise the errors of `save_table` before anything is written: call it before a long sweep."""
    ending = Path(path).suffix.lower()
    if ending not in (".parquet", ".csv"):
        raise SweepError(f"a table in {path}", "expected: a file that ends in .parquet or .csv")
    if ending == ".parquet" and remedy("pyarrow"):
        raise SweepError(f"a table in {path} needs pyarrow", remedy("pyarrow"), "or name a .csv file")
    check_place(path, ResultFileError)
