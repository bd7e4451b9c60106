"""A table shows rows of text under a title, in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .words import visible

GAP = "  "
LINE = 110  # letters


@dataclass(frozen=True)
class Table:
    """Rows under a title; `wide` is the column that takes the remaining width of a terminal."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    wide: int = -1


def laid_out(rows: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> list[str]:
    """Rows as lines, indented, with two spaces between columns; `right` marks the right-aligned columns.

    Control characters of a terminal are escaped.
    """
    cells = [[visible(cell, lines=False) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    ending = right or [False] * len(widths)
    return [
        GAP
        + GAP.join(
            cell.rjust(width) if at_right else cell.ljust(width)
            for cell, width, at_right in zip(row, widths, ending)
        ).rstrip()
        for row in cells
    ]


def plain(table: Table) -> str:
    """A table in plain text, with two spaces between columns."""
    head = [table.columns] if any(table.columns) else []
    text = laid_out([*head, *table.rows])
    return "\n".join([visible(table.title, lines=False), *text] if table.title else text)


def in_lines(parts: Sequence[str | Table]) -> str:
    """Sentences and tables below one another; sentences are broken into lines, the tables are not."""
    from textwrap import fill

    return "\n".join(
        plain(part)
        if isinstance(part, Table)
        else "\n".join(fill(line, LINE, subsequent_indent=GAP) for line in visible(part).split("\n"))
        for part in parts
    )


def without_empty_columns(table: Table) -> Table:
    """The table without the columns that hold nothing."""
    filled = [i for i in range(len(table.columns)) if any(row[i] for row in table.rows)]
    rows = [tuple(row[i] for i in filled) for row in table.rows]
    return Table(table.title, tuple(table.columns[i] for i in filled), rows)
