"""Table: rows of text under a title, and how they look where there is nothing but text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP = "  "


@dataclass(frozen=True)
class Table:
    """Rows under a title; `wide` is the column that takes what a terminal's width leaves."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    wide: int = -1


def plain(table: Table) -> str:
    """A table in plain text, its columns two spaces apart."""
    head = [table.columns] if any(table.columns) else []
    lines = [*head, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    text = [GAP + GAP.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    return "\n".join([table.title, *text] if table.title else text)
