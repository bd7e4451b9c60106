"""Console: text and tables, plain in pipes and files, in bold and dim on a terminal.

Text may come from a file: control characters of a terminal are shown as escapes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from ..base.text_table import GAP, Table, plain
from ..base.words import visible


class OutputError(BlockdynError):
    """Standard output does not accept text."""

    def __init__(self, error: OSError) -> None:
        remedy = "free some space or send it elsewhere"
        super().__init__(f"cannot write to standard output: {error.strerror}; {remedy}")


def show(*parts: str | Table) -> None:
    """Write lines and tables to standard output. Empty tables are left out."""
    shown = [_escape(part) for part in parts if isinstance(part, str) or part.rows]
    if sys.stdout.isatty():
        _show_in_style(shown)
    else:
        _write("".join(f"{part if isinstance(part, str) else plain(part)}\n" for part in shown))


def show_json(facts: object) -> None:
    """Write facts as JSON; numbers that JSON lacks are the texts "nan", "inf" and "-inf"."""
    _write(visible(json.dumps(for_json(facts), indent=2, ensure_ascii=False, allow_nan=False)) + "\n")


def note(text: str, *, before: str = "", end: str = "\n") -> None:
    """Write to standard error at once; `before` and `end` are not escaped."""
    sys.stderr.write(before + visible(text) + end)
    sys.stderr.flush()


def complain(error: object) -> None:
    """Write a message to standard error, in red on a terminal.

    Below it stands the place in the user's own code that raised, where there is one.
    """
    text = str(error)
    cause = error.__cause__ if isinstance(error, BaseException) else None
    if cause is not None and cause.__traceback__ is not None:
        text += _find_user_line(cause)
    red = sys.stderr.isatty()
    note(text, before="\x1b[31m" if red else "", end="\x1b[0m\n" if red else "\n")


def align_numbers(numbers: Sequence[str]) -> list[str]:
    """Numbers with their decimal points in one column; lists of numbers begin at its left."""
    heads = [0 if text.startswith("[") else len(text.partition(".")[0].partition("e")[0]) for text in numbers]
    widest = max(heads, default=0)
    return [" " * (widest - head if head else 0) + text for head, text in zip(heads, numbers)]


def _escape(part: str | Table) -> str | Table:
    """A part without characters that steer a terminal; a cell of a table is one line."""
    if isinstance(part, str):
        return visible(part)
    rows = [tuple(visible(cell, lines=False) for cell in row) for row in part.rows]
    return replace(part, title=visible(part.title, lines=False), rows=rows)


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough: the command ends as it would have
        silence()
    except OSError as error:
        raise OutputError(error) from None


def silence() -> None:
    """Discard standard output: the buffered text has lost its reader, or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _find_user_line(cause: BaseException) -> str:
    """The last line of the user's code in the traceback of an exception; '' without such a line."""
    from sysconfig import get_path
    from traceback import extract_tb

    if isinstance(cause, BlockdynError):
        return ""
    folders = [get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    foreign = ("<", *(os.path.join(folder, "") for folder in (*folders, str(Path(__file__).parents[1]))))
    frames = [frame for frame in extract_tb(cause.__traceback__) if not frame.filename.startswith(foreign)]
    if not frames:
        return ""
    last = frames[-1]
    return f"\nraised in {last.filename}:{last.lineno}, {last.name}: {(last.line or '').strip()}"


def _show_in_style(parts: Sequence[str | Table]) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        if isinstance(part, str):
            console.print(Text(part), soft_wrap=True)
            continue
        if part.title:
            console.print(Text(part.title, style="bold"))
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(part.columns))
        for i, column in enumerate(part.columns):
            wide = i == part.wide % len(part.columns)
            grid.add_column(Text(column), header_style="dim", style="" if i else "cyan", no_wrap=not wide)
        for row in part.rows:
            grid.add_row(*map(Text, row))
        console.print(Padding(grid, (0, 0, 0, len(GAP))))


def for_json(value: object) -> Any:
    """The value with keys as text, and with "nan", "inf" and "-inf" for numbers that JSON lacks."""
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, dict):
        return {str(key): for_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [for_json(item) for item in value]
    return value
