"""Report: one self-contained HTML page about an ensemble."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from ....base.visible import visible_html as escape

if TYPE_CHECKING:
    from ..ensemble import Ensemble

_THIN_SPACE = chr(0x202F)


def write(ensemble: Ensemble, path: str | PathLike[str]) -> None:
    """The work of `Ensemble.report`."""
    from ....base.atomic import check_place, replacing
    from ....diagrams.results.errors import ResultFileError

    check_place(path, ResultFileError)
    text = page(ensemble)
    with replacing(path, ResultFileError) as file:
        file.write(text.encode("utf-8", "replace"))


def page(ensemble: Ensemble) -> str:
    """The report as HTML."""
    from . import sections

    here = files(__name__)
    summary = ensemble.summary()
    name = str(ensemble.info.get("diagram") or "sweep")
    parts = (
        sections.failures, sections.statistics, sections.measures, sections.signals, sections.scenarios,
        sections.axes, sections.diagram, sections.declaration, sections.provenance,
    )  # fmt: skip
    return Template(here.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"{name}: sweep report"),
        style=here.joinpath("style.css").read_text(encoding="utf-8"),
        name=escape(name),
        headline=escape(_headline(ensemble)),
        tiles=_tiles(ensemble),
        sections="\n".join(part for part in (make(ensemble) for make in parts) if part),
        footer=escape(f"blockdyn {ensemble.info.get('versions', {}).get('blockdyn', '')}".strip())
        + (" · unfinished sweep" if summary.done < summary.count else ""),
    )


def _headline(ensemble: Ensemble) -> str:
    """How the scenarios are made, in a sentence."""
    dimensions = ensemble.design.dimensions
    sizes = " × ".join(f"{d.name} {d.size}" for d in dimensions) or "1 scenario"
    file = ensemble.info.get("file")
    return f"{Path(str(file)).name}: {sizes}" if file else sizes


def _tiles(ensemble: Ensemble) -> str:
    summary = ensemble.summary()
    failed = summary.done - summary.succeeded
    facts = [
        ("", f"{summary.count:,}", "scenarios"),
        ("", f"{summary.succeeded:,}", "succeeded"),
        ("alarm" if failed else "", f"{failed:,}", "failed"),
    ]
    if summary.done < summary.count:
        facts.append(("alarm", f"{summary.count - summary.done:,}", "not run"))
    wall = ensemble.info.get("wall")
    if wall:
        facts.append(("", f"{float(wall):.3g} s", "wall time"))
        facts.append(("", f"{summary.done / float(wall):,.0f}", "scenarios a second"))
    return "".join(
        f"<div class='tile {kind}'><b>{value.replace(',', _THIN_SPACE)}</b><span>{what}</span></div>"
        for kind, value, what in facts
    )
