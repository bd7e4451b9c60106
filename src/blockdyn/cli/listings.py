"""Commands that print facts of blockdyn: gallery, methods, version, schema, documentation."""

from __future__ import annotations

import platform
import webbrowser
from argparse import Namespace
from pathlib import Path

from ..base.data_file import TIMES, is_log, read_series
from ..base.errors import BlockdynError
from ..base.log_file import read_topics
from ..base.text_table import Table
from ..diagrams.runs.ended import versions
from ..diagrams.yaml import json_schema
from ..diagrams.yaml.finding import gallery_files, unknown_diagram
from ..diagrams.yaml.source import parse
from ..solvers.methods import DEFAULT, methods as all_methods
from .console import show, show_json


def gallery(arguments: Namespace) -> int:
    """List the gallery, print the YAML of one diagram, or draw it."""
    files = gallery_files()
    if arguments.name is not None:
        if arguments.name not in files:
            raise unknown_diagram(arguments.name, [])
        if arguments.picture is not None:
            from ..diagrams.yaml import load
            from .graph import write

            return write(load(files[arguments.name]).draw, arguments.picture)
        show(files[arguments.name].read_text(encoding="utf-8").rstrip("\n"))
        return 0
    rows = []
    for name, path in files.items():
        entries = parse(path.read_text(encoding="utf-8"), str(path)).entries
        doc = entries.get("doc")
        said = _first_sentence(str(doc.node.value)) if doc else ""
        rows.append((name, "sweep" if "sweep" in entries else "", said))
    hints = (
        "`blockdyn run NAME` runs one, `blockdyn gallery NAME` prints its YAML,",
        "`blockdyn sweep NAME` runs the scenarios of one that declares a sweep.",
    )
    show(Table("Gallery", ("", "", ""), rows), "", *hints)
    return 0


def _first_sentence(text: str) -> str:
    """The text up to the first full stop that is followed by a space."""
    return " ".join(text.split()).partition(". ")[0].rstrip(".")


def methods(arguments: Namespace) -> int:
    """List them: name, other names, steps, order, title."""
    rows = [
        (each.name, " ".join(each.aliases), each.kind, str(each.order), each.title) for each in all_methods()
    ]
    show(
        Table("Methods", ("name", "also", "kind", "order", ""), rows),
        "",
        f"{DEFAULT} is taken where none is named; fixed and multistep ones need a `step`.",
    )
    return 0


FIELDS = 6  # of a topic that a line lists


def log(arguments: Namespace) -> int:
    """List the topics of a log, or the columns of a table or of the names, with rows, times and range."""
    file, names = Path(arguments.file), arguments.columns or None
    if names is None and is_log(file) and file.suffix.lower() != ".mat":
        topics = read_topics(file)
        if arguments.json:
            show_json([topic._asdict() for topic in topics])
            return 0
        rows = []
        for name, columns, count, first, last in topics:
            fields = [each.removeprefix(f"{name}.") for each in columns]
            more = f" and {len(fields) - FIELDS} more" if len(fields) > FIELDS else ""
            times = ["" if each is None else f"{each:.6g}" for each in (first, last)]
            rows.append((name, str(count), *times, ", ".join(fields[:FIELDS]) + more))
        heads = ("topic", "rows", "from (s)", "to (s)", "fields")
        show(Table(file.name, heads, rows), "", f"`blockdyn log {file} TOPIC.FIELD` shows a column.")
        return 0
    series = read_series(file, names, time=arguments.time or TIMES, time_scale=arguments.time_scale)
    ranges = {
        name: {
            "rows": len(each.time), "from": float(each.time[0]), "to": float(each.time[-1]),
            "least": float(each.values.min()), "largest": float(each.values.max()),
        }
        for name, each in series.items()
    }  # fmt: skip
    if arguments.json:
        show_json(ranges)
        return 0
    lines = [(name, *(f"{value:.6g}" for value in each.values())) for name, each in ranges.items()]
    show(Table(file.name, ("column", "rows", "from (s)", "to (s)", "least", "largest"), lines))
    return 0


def version(arguments: Namespace) -> int:
    """Print the versions in one line."""
    from .. import __version__

    packages = ", ".join(f"{name} {number}" for name, number in versions().items() if name != "blockdyn")
    show(f"blockdyn {__version__} (Python {platform.python_version()}, {packages})")
    return 0


def schema(arguments: Namespace) -> int:
    """Print the schema, with the block types of this installation."""
    show_json(json_schema())
    return 0


PLACE = Path("build", "site", "index.html")  # where `python -m tools.website` puts it


def docs(_: Namespace) -> int:
    """Open the site of the repository around the working folder or this package. Raises BlockdynError."""
    roots = [Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents]
    page = next((root / PLACE for root in roots if (root / PLACE).is_file()), None)
    if page is None:
        raise BlockdynError(
            "the documentation site is not here: it is 40 MB, and the installed package comes without it\n"
            'build it in a copy of the repository: pip install ".[docs]" && python -m tools.website\n'
            "without it: `blockdyn blocks NAME`, `blockdyn gallery NAME`, `blockdyn COMMAND --help`"
        )
    show(str(page))
    webbrowser.open(page.as_uri())
    return 0
