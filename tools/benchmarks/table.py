"""The table: case, engine, medians, ratio to ours, required, met, error, note."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .contract import Row

HEADINGS = ("case", "engine", "median", "cpu", "peer/ours", "(cpu)", "required", "met", "error")
PACKAGES = (
    "blockdyn", "numpy", "scipy", "numba", "bdsim", "roboticstoolbox-python", "pathsim", "jaxonomy", "drake",
    "pydiffsol", "scikit-sundae",
)  # fmt: skip


def cells(row: Row) -> tuple[str, ...]:
    met = {True: "met", False: "NOT MET", None: ""}[row.met]
    return (
        row.case,
        row.engine,
        "-" if row.wall is None else f"{row.wall:.4g} {row.unit}",
        "" if row.cpu is None else f"{row.cpu:.4g}",
        "" if row.ratio is None else f"{row.ratio:.4g}",
        "" if row.cpu_ratio is None else f"{row.cpu_ratio:.4g}",
        row.required,
        met,
        "" if row.error is None else f"{row.error:.1e}",
    )


def table(rows: Iterable[Row]) -> str:
    """Columns in plain text; a case's name once; notes numbered below."""
    notes: dict[str, int] = {}
    lines: list[tuple[str, ...]] = [(*HEADINGS, "note")]
    before = ""
    for row in rows:
        mark = f"[{notes.setdefault(row.note, len(notes) + 1)}]" if row.note else ""
        first, *others = cells(row)
        lines.append(("" if first == before else first, *others, mark))
        before = first
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    left = {0, 1, len(widths) - 1}
    text = [
        "  ".join(
            c.ljust(w) if k in left else c.rjust(w) for k, (c, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    text.insert(1, "-" * len(text[0]))
    return "\n".join(
        [*(t.rstrip() for t in text), "", *(f"[{number}] {note}" for note, number in notes.items())]
    )


def installed() -> dict[str, str]:
    """Versions of what is compared; 'not installed' is said, not left out."""
    installed_versions = {}
    for name in PACKAGES:
        try:
            installed_versions[name] = version(name)
        except PackageNotFoundError:
            installed_versions[name] = "not installed"
    return installed_versions


def machine() -> dict[str, object]:
    """What the times depend on."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else None
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": load,
        "packages": installed(),
    }


def processor() -> str:
    info = Path("/proc/cpuinfo")
    if sys.platform == "linux" and info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def as_json(rows: Iterable[Row]) -> str:
    return json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=1)
