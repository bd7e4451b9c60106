"""The report of a sweep is one self-contained HTML page."""

from __future__ import annotations

import base64
import io
import json
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.resources import files
from os import PathLike
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from ...base.checked import checked
from ...base.errors import BlockdynError
from ...base.files import check_place, replacing
from ...base.words import visible_html as escape
from ...diagrams.results.errors import ResultFileError
from ...diagrams.results.provenance import plain
from ...sweeps.answer.factors import FAILED, axis_names, axis_values, varying_axes
from ...sweeps.answer.gathered import flat
from ...sweeps.answer.sensitivity import SALTELLI, Sensitivity
from ...sweeps.answer.tables import cell_text
from ...sweeps.errors import SweepError, bad_argument
from . import tornado

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble


_THIN_SPACE = chr(0x202F)
_RASTER_DPI = 110
_PIXELS = 92  # of the page per inch of a figure, so that letters have one size
_MOST_MEASURES = 8
_MOST_SIGNALS = 6
_MOST_AXES = 8
_WORST = 5
_LONGEST_TEXT = 60_000
_LARGEST_DRAWING = 400_000
_OWN_SECTION = {"diagram", "declaration", "times", "units", "file", "changed"}


@checked(bad_argument)
def report(ensemble: Ensemble, path: str | PathLike[str]) -> None:
    """Write one self-contained HTML page, completely or not at all.

    Declaration with the drawn diagram, provenance, statistics, failures by reason, figures, worst cases
    with the command that runs each again. The page needs no network and runs no script; text from
    the diagram or a run is escaped. It is light or dark as the reader's system is. Its size is
    bounded: only some of many measures, signals, axes and points are shown, and the page gives their number.

    Raises ResultFileError if the file cannot be written.
    """
    check_place(path, ResultFileError)
    text = page(ensemble)
    with replacing(path, ResultFileError) as file:
        file.write(text.encode("utf-8", "replace"))


def page(ensemble: Ensemble) -> str:
    """The report as HTML."""
    here = files(__package__ or "")
    summary = ensemble.summary()
    name = str(ensemble.info.get("diagram") or "sweep")
    parts = (
        failures, statistics, measures, signals, scenarios, axes, diagram, declaration, provenance,
    )  # fmt: skip
    return Template(here.joinpath("report.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"{name}: sweep report"),
        style=here.joinpath("report.css").read_text(encoding="utf-8"),
        name=escape(name),
        headline=escape(_headline(ensemble)),
        tiles=_tiles(ensemble),
        sections="\n".join(part for part in (make(ensemble) for make in parts) if part),
        footer=escape(f"blockdyn {ensemble.info.get('versions', {}).get('blockdyn', '')}".strip())
        + (" · unfinished sweep" if summary.done < summary.count else ""),
    )


def _headline(ensemble: Ensemble) -> str:
    """The origin of the scenarios in a sentence."""
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
        f"<div class='tile {kind}'><b>{value.replace(',', _THIN_SPACE)}</b><span>{label}</span></div>"
        for kind, value, label in facts
    )


def figure(draw: Callable[[], Figure], caption: str, *, shades: bool = False) -> str:
    """The picture of `draw` as HTML; if there is nothing to draw, the message of the error.

    `shades` preserves a picture with numbers coded by lightness on a dark page.
    """
    try:
        drawn = draw()
    except SweepError as reason:
        return f"<p class='note'>{escape(caption)}: {escape(' '.join(str(reason).split()))}</p>"
    kind = " class='shades'" if shades else ""
    width = round(_PIXELS * drawn.get_figwidth())
    image = f"<img width='{width}' src='data:image/svg+xml;base64,{_svg(drawn)}' alt='{escape(caption)}'>"
    return f"<figure{kind}>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _svg(drawn: Figure) -> str:
    """The figure with a transparent background, for the page; reproducible byte by byte."""
    for axes in drawn.axes:
        if not axes.patch.get_hatch():
            axes.set_facecolor("none")
    data = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "blockdyn"}):
        drawn.savefig(data, format="svg", facecolor="none", dpi=_RASTER_DPI, metadata={"Date": None})
    return base64.b64encode(data.getvalue()).decode("ascii")


def failures(ensemble: Ensemble) -> str:
    """Failures by reason, with the command to see one."""
    summary = ensemble.summary()
    if not summary.failures:
        return ""
    table = summary.reasons()
    rows = [(*row, command(ensemble, row[2])) for row in table.rows]
    body = _table((*table.header, "run the first again"), rows)
    notes = "".join(f"<p class='note'>{escape(note)}</p>" for note in table.notes)
    return _section("Failures by reason", body + notes)


def statistics(ensemble: Ensemble) -> str:
    """One row per measure."""
    if not ensemble.measures:
        return ""
    table = ensemble.summary().statistics()
    note = "<p class='note'>Statistics of the scenarios that succeeded; failed scenarios are left out.</p>"
    return _section("Measures", f"<div class='scroll'>{table.to_html()}</div>{note}")


def measures(ensemble: Ensemble) -> str:
    """Each measure: its histogram, its sensitivities, its worst scenarios."""
    names = ensemble.measures[:_MOST_MEASURES]
    if not names:
        return ""
    body = "".join(_measure(ensemble, measure) for measure in names)
    more = len(ensemble.measures) - len(names)
    note = f"<p class='note'>{more} more measures are in the table above only.</p>" if more else ""
    return _section("Distribution, sensitivity and worst scenarios", body + note)


def signals(ensemble: Ensemble) -> str:
    """Envelopes of kept signals, with the worst scenario by the first measure."""
    if not ensemble.signals:
        return ""
    worst = ensemble.measures[0] if ensemble.measures else None
    if worst is not None and not np.isfinite(ensemble[worst][ensemble.gathered.succeeded]).any():
        worst = None
    names = ensemble.signals[:_MOST_SIGNALS]
    drawn = "".join(
        figure(partial(ensemble.plot.envelope, name, worst=worst, show=False), f"{name} over time")
        for name in names
    )
    more = len(ensemble.signals) - len(names)
    note = f"<p class='note'>{more} more signals were kept.</p>" if more else ""
    return _section("Signals over time", f"<div class='figures'>{drawn}</div>{note}")


def scenarios(ensemble: Ensemble) -> str:
    """All scenarios: heat maps of grids, parallel coordinates, pass and fail."""
    plot = ensemble.plot
    explicit = [
        next(iter(d.coordinates))
        for d in ensemble.design.dimensions
        if d.size > 1 and len(d.coordinates) == 1
    ]
    vary = varying_axes(ensemble.design)
    drawn = []
    if len(explicit) >= 2:
        y, x = explicit[:2]
        for name in [*ensemble.measures[:2], *([FAILED] if ensemble.gathered.failed.any() else [])]:
            label = "fraction of scenarios that failed" if name == FAILED else name
            drawn.append(
                figure(partial(plot.heat, name, x, y, show=False), f"{label} over {x} and {y}", shades=True)
            )
    elif len(vary) >= 2 and ensemble.gathered.failed.any():
        x, y = vary[:2]
        drawn.append(
            figure(partial(plot.scatter, x, y, show=False), "scenarios that succeeded and that failed")
        )
    wide = ""
    if vary and ensemble.measures:
        wide = figure(
            partial(plot.parallel, show=False), "scenarios as lines across axes and measures", shades=True
        )
    if not drawn and not wide:
        return ""
    return _section("Scenarios", f"<div class='figures'>{''.join(drawn)}</div>{wide}")


def axes(ensemble: Ensemble) -> str:
    """Axes of the sweep: targets and values of every axis."""
    rows = []
    by_name = {axis.name: axis for axis in ensemble.design.axes}
    for dimension in ensemble.design.dimensions:
        for name, values in dimension.coordinates.items():
            axis = by_name.get(name) or by_name.get(name.rsplit("[", 1)[0])
            targets = ", ".join(axis.paths) if axis else name
            rows.append(
                (name, targets, "sampled" if axis and axis.sampled else dimension.name, _values(flat(values)))
            )
    if not rows:
        return ""
    return _section("Axes", _table(("axis", "targets", "dimension", "values"), rows))


def diagram(ensemble: Ensemble) -> str:
    """The drawing of the diagram, if the ensemble holds it and it can be drawn."""
    if ensemble.diagram is None:
        return ""
    try:
        svg = ensemble.diagram.draw().svg
    except BlockdynError:  # without V8
        return ""
    if len(svg) > _LARGEST_DRAWING:
        return ""
    data = base64.b64encode(svg.encode()).decode("ascii")
    image = f"<img src='data:image/svg+xml;base64,{data}' alt='the diagram'>"
    return _section("Diagram", f"<figure class='drawing'>{image}</figure>")


def declaration(ensemble: Ensemble) -> str:
    """The declaration in its original form."""
    text = ensemble.info.get("declaration")
    if not text:
        return ""
    text = str(text)
    cut = f"\n... {len(text) - _LONGEST_TEXT} more characters" if len(text) > _LONGEST_TEXT else ""
    return _section("Declaration", f"<pre>{escape(text[:_LONGEST_TEXT] + cut)}</pre>")


def provenance(ensemble: Ensemble) -> str:
    """Origin of the numbers."""
    facts = {name: value for name, value in ensemble.info.items() if name not in _OWN_SECTION}
    rows = [(name, _fact(value)) for name, value in facts.items() if value is not None]
    return _section("Provenance", _table(("", ""), rows)) if rows else ""


def command(ensemble: Ensemble, number: int) -> _Command:
    """The command that runs a scenario again; in Python if the file does not declare it."""
    file, changed = ensemble.info.get("file"), ensemble.info.get("changed", {})
    if not file or changed is None:
        return _Command(f"ensemble.result({number})")
    options = "".join(f" --{name} {value}" for name, value in changed.items())
    return _Command(f"blockdyn run {shlex.quote(str(file))} --scenario {number}{options}")


class _Command(str):
    """Text to be typed."""


def _measure(ensemble: Ensemble, measure: str) -> str:
    plot = ensemble.plot
    indices = _sensitivity(ensemble, measure)
    drawn = [figure(partial(plot.histogram, measure, show=False), "scenarios by value")]
    if isinstance(indices, Sensitivity):
        drawn.append(figure(partial(tornado.drawn, indices, False), indices.method))
        order = [indices.names[i] for i in np.argsort(-indices.strength, kind="stable")]
    else:
        drawn.append(f"<p class='note'>Sensitivity: {escape(indices)}</p>")
        order = []
    axes = axis_names(ensemble.design)
    order = [*(name for name in order if name in axes), *(name for name in axes if name not in order)]
    names = order[:_MOST_AXES]
    worst = ensemble.worst(measure, _WORST)
    values = axis_values(ensemble.design, names, np.array([row[0] for row in worst.rows], dtype=np.intp))
    rows = [
        (row[0], row[1], *(values[name][place] for name in names), command(ensemble, row[0]))
        for place, row in enumerate(worst.rows)
    ]
    hidden = len(axes) - len(names)
    note = f"<p class='note'>{hidden} axes that matter less are not shown.</p>" if hidden > 0 else ""
    table = _table(("scenario", measure, *names, "run it again"), rows) if rows else ""
    figures = f"<div class='figures'>{''.join(drawn)}</div>"
    return f"<div class='measure'><h3>{escape(measure)}</h3>{figures}{table}{note if rows else ''}</div>"


def _sensitivity(ensemble: Ensemble, measure: str) -> Sensitivity | str:
    """Sobol indices if the design permits them, else rank correlations; or the reason for neither."""
    if ensemble.design.sampling == SALTELLI:
        with suppress(SweepError):  # without SALib, or with too few successful scenarios
            return ensemble.sensitivity(measure, "sobol")
    try:
        return ensemble.sensitivity(measure)
    except SweepError as reason:
        return " ".join(str(reason).split())


def _section(heading: str, body: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{body}</section>"


def _table(header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A table with commands as code; empty headings are omitted."""
    numbers = [
        all(isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool) for cell in column)
        for column in zip(*rows)
    ] or [False] * len(header)
    kinds = ["number" if number else "text" for number in numbers]
    align = ["right" if number else "left" for number in numbers]
    head = "".join(
        f"<th class='{kind}' style='text-align:{side}'>{_breakable(name)}</th>"
        for name, kind, side in zip(header, kinds, align)
    )
    head = f"<thead><tr>{head}</tr></thead>" if any(header) else ""
    body = "".join(
        "<tr>"
        + "".join(
            f"<td class='command'><code>{escape(cell)}</code></td>"
            if isinstance(cell, _Command)
            else f"<td class='{kind}' style='text-align:{side}'>{escape(cell_text(cell, longest=400))}</td>"
            for cell, kind, side in zip(row, kinds, align)
        )
        + "</tr>"
        for row in rows
    )
    return f"<div class='scroll'><table>{head}<tbody>{body}</tbody></table></div>"


def _breakable(name: str) -> str:
    """The name as HTML that may break after dots and slashes."""
    return escape(name).replace(".", ".<wbr>").replace("/", "/<wbr>").replace("_", "_<wbr>")


def _values(values: np.ndarray[Any, Any]) -> str:
    if values.dtype.kind in "fiu":
        distinct = np.unique(values)
        if len(values) > 12:
            span = f"{distinct[0]:.5g} to {distinct[-1]:.5g}"
            return f"{len(distinct)} values from {span}, mean {values.mean():.5g}"
        return ", ".join(f"{value:.5g}" for value in values)
    listed = [str(value) for value in values[:12]]
    return ", ".join([*listed, *([f"{len(values) - 12} more"] if len(values) > 12 else [])])


def _fact(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_fact(item)}" for name, item in value.items())
    if isinstance(value, float):
        return f"{value:.5g}"
    return value if isinstance(value, str) else json.dumps(plain(value))
