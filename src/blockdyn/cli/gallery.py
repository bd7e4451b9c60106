"""`blockdyn gallery`: the ready diagrams."""

from __future__ import annotations

from argparse import Namespace

from ..base.text_table import Table
from ..diagrams.yaml.finding import UnknownDiagram, gallery_files
from ..diagrams.yaml.reader import parse
from .console import show


def gallery(arguments: Namespace) -> int:
    """List the gallery, print the YAML of one diagram, or draw it."""
    files = gallery_files()
    if arguments.name is not None:
        if arguments.name not in files:
            raise UnknownDiagram(arguments.name, [])
        if arguments.picture is not None:
            from ..diagrams.yaml import load
            from .graph import picture

            return picture(load(files[arguments.name]), arguments.picture)
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
    """Up to the first full stop that a space follows."""
    return " ".join(text.split()).partition(". ")[0].rstrip(".")
