"""Measured: below the page of the benchmarks, the rows of their last run, and the file that holds them."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

from blockdyn.base.text_table import Table, without_empty_columns

from .structure import ROOT

ROWS = ROOT / "tools" / "benchmarks" / "measured.json"
UNBROKEN_SPACE, UNBROKEN_HYPHEN = "\u00a0", "\u2011"  # a narrow column breaks numbers at the others
HEADINGS = (
    "engine",
    "median",
    "processor time",
    "peer / ours",
    "in processor time",
    "required",
    "error",
    "note",
)


def write(page: Path) -> None:
    """Complete the page. The file is what `python -m tools.benchmarks --json` wrote."""
    measured = json.loads(ROWS.read_text(encoding="utf-8"))
    shutil.copy(ROWS, page.parent)
    about = measured["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in about["packages"].items())
    parts = [
        "## Measured",
        f"On {about['date']}: {about['processor']}, {about['cores']} cores shared with others,"
        f" {about['system']}, Python {about['python']}, {packages}. What is required and was not met says so."
        f" All rows, unrounded: {{download}}`{ROWS.name}`.",
    ]
    for case, rows in itertools.groupby(measured["rows"], key=lambda row: row["case"]):
        table = without_empty_columns(Table("", HEADINGS, [_cells(row) for row in rows]))
        lines = [_line(table.columns), _line("---" for _ in table.columns), *map(_line, table.rows)]
        parts.append(f"**{case}**\n\n" + "\n".join(lines))
    page.write_text(page.read_text(encoding="utf-8") + "\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    failed = ", NOT MET" if row["met"] is False else ""
    return (
        row["engine"], _number(row["wall"], f" {row['unit']}"), _number(row["cpu"], f" {row['unit']}"),
        _number(row["ratio"]), _number(row["cpu_ratio"]), row["required"] + failed,
        "" if row["error"] is None else f"{row['error']:.1e}".replace("-", UNBROKEN_HYPHEN), row["note"],
    )  # fmt: skip


def _number(value: float | None, unit: str = "") -> str:
    text = "" if value is None else f"{value:.4g}{unit}"
    return text.replace(" ", UNBROKEN_SPACE).replace("-", UNBROKEN_HYPHEN)


def _line(cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", r"\|") for cell in cells) + " |"
