"""Blocks: a page for each block of the library, and one for each family, from their declarations."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import blockdyn as bd
from blockdyn.base.text_table import Table, without_empty_columns
from blockdyn.blocks.contract.registry import Family, families, type_name
from blockdyn.cli.blocks import parameter_rows
from blockdyn.cli.responses import draw_response
from blockdyn.cli.specimen import describe_ports, documentation, specimen
from blockdyn.diagrams.yaml.finding import gallery_files
from blockdyn.drawing.drawing import draw_block

from . import staged
from .prose import cell, figure, markdown
from .staging import toctree

TYPE = re.compile(r"\btype: (\w+)")
MOST = 6  # pages of the gallery that a block's page names


def write(out: Path) -> None:
    """The reference, into a folder of its own."""
    out.mkdir()
    library = [family for family in families() if not family.package]
    seen = _in_gallery()
    rows = []
    for family in library:
        (out / f"{family.name}.md").write_text(_family(family, out, seen), encoding="utf-8")
        names = " · ".join(f"[{type_name(kind)}]({type_name(kind)}.md)" for kind in family.types)
        rows.append(f"**[{_titled(family)}]({family.name}.md)**\n\n{names}")
    text = (
        "# Blocks\n\nEvery block of the library, by family. `blockdyn blocks` lists them,"
        " `blockdyn blocks --search WORD` finds one by what it is called here or elsewhere, and"
        " `blockdyn blocks NAME` shows what its page says. In the unit of a parameter, `[u]` is the unit of"
        " `u`, and `1` is a number without one.\n\n"
    )
    listed = toctree("", tuple(family.name for family in library))
    (out / "index.md").write_text(text + "\n\n".join(rows) + "\n" + listed, encoding="utf-8")


def _titled(family: Family) -> str:
    return family.doc.partition(":")[0].rstrip(".") or family.name


def _in_gallery() -> dict[str, list[str]]:
    """The pages of the gallery whose diagrams have a block, by its type."""
    pages: dict[str, list[str]] = {}
    for name, file in gallery_files().items():
        for kind in sorted(set(TYPE.findall(Path(str(file)).read_text(encoding="utf-8")))):
            pages.setdefault(kind, []).append(name)
    return pages


def _family(family: Family, out: Path, seen: dict[str, list[str]]) -> str:
    """The page of a family; each block's own is written on the way."""
    rows = []
    for kind in family.types:
        name = type_name(kind)
        (out / f"{name}.md").write_text(_page(kind, family.name, out, seen.get(name, [])), encoding="utf-8")
        rows.append((f"[{name}]({name}.md)", cell(documentation(kind)[0].partition("\n")[0])))
    listed = toctree("", tuple(type_name(kind) for kind in family.types))
    return f"# {_titled(family)}\n\n{_table(('', ''), rows)}\n{listed}"


def _page(kind: type[bd.Block], family: str, out: Path, seen: list[str]) -> str:
    name = type_name(kind)
    text, example = documentation(kind)
    block = specimen(kind)
    names = {*block.rules(), *(each.name for each in (*block.input_ports(), *block.output_ports()))}
    parts = [f"# {name}", markdown(text, names), figure(draw_block(block))]
    ports = ("name", "size", "unit", "meaning")
    tables = [
        Table("Inputs", ports, describe_ports(block, "input_ports")),
        Table("Outputs", ports, describe_ports(block, "output_ports")),
        Table("Parameters", ("name", "default", "unit", "range", "meaning"), parameter_rows(kind)),
        Table("States", ("name", "unit", "initial"), [(s.name, s.unit, s.initial) for s in block.states]),
    ]
    for table in tables:
        if table.rows:
            short = without_empty_columns(table)
            rows = [tuple(map(cell, row)) for row in short.rows]
            parts += [f"## {table.title}", _table(tuple(short.columns), rows)]
    if example:
        parts += ["## Example", f"```yaml\n{example}\n```"]
    if part := staged.part(name, out):
        parts.append(part)
    else:
        picture, caption = draw_response(kind, family)
        if picture:
            (out / f"{name}.svg").write_text(picture, encoding="utf-8")
            parts.append(f"![{caption}]({name}.svg)\n\n{caption}")
    if seen:
        parts.append(
            f"In the gallery: {', '.join(f'[{name}](../gallery/{name}.md)' for name in seen[:MOST])}."
        )
    return "\n\n".join([*parts, _source(kind)]) + "\n"


def _source(kind: type[bd.Block]) -> str:
    """The class as Python has it, with the link to its source, and the file."""
    file = Path(inspect.getfile(kind)).parts
    path = "/".join(file[file.index("blocks", len(file) - 4) :])
    fields = [
        field.name if field.default is dataclasses.MISSING else f"{field.name}={_default(field.default)}"
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
    ]
    signature = f"```{{py:class}} {kind.__name__}({', '.join(fields)})\n:module: blockdyn\n```"
    return f"## In Python\n\n{signature}\n\nThe source is in `{path}`."


def _default(value: object) -> str:
    text = repr(value)
    return text if len(text) < 40 and "<" not in text and "\n" not in text else "..."


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
