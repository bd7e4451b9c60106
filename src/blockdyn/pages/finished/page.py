"""Page of a finished run: one HTML file with scopes, events, film, drawing and facts; it loads nothing."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.checked import checked
from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...base.files import check_place, replacing
from ...base.shown import frame_page
from ...base.words import visible_html as escape
from ...diagrams.results.errors import ResultError, ResultFileError, bad_argument
from ...diagrams.results.result import Result
from ...diagrams.results.table import list_displays
from ...plots.films.page import MOST_SAMPLES as FILM_SAMPLES
from ...robots.errors import RobotError
from ..document import document, script
from .scopes import MOST_SAMPLES, Lines, scopes

_TIMES = {"start", "stop", "end", "max_step", "first_step", "fixed_step", "wall time", "max_time"}


def drawing(result: Result) -> str:
    """The drawn diagram as HTML, or the command that installs its drawing tool; empty without a diagram."""
    held = result.provenance.source is not None or result.provenance.description
    return draw_on_page(result.draw) if held else ""


def draw_on_page(draw: Callable[[], Drawing]) -> str:
    """A drawing as HTML, or the command that installs the package that draws it."""
    if install := remedy("py_mini_racer"):
        how = html.escape(install)
        return f'<p class="quiet">The diagram is not drawn: {how} installs the package that draws it.</p>'
    try:
        svg = draw().svg
    except BlockdynError:
        return ""
    return f'<h2>Diagram</h2><div class="diagram" tabindex="0">{svg}</div>'


def film(result: Result) -> dict[str, Any] | None:
    """The scene that the viewer shows, or None if nothing is found that moves."""
    from ...plots.films.animation import animation

    try:
        shown = animation(result)
        times = shown.times(most=FILM_SAMPLES)
        films = shown.films(times)
    except (ResultError, RobotError):
        return None
    from ...plots.films.page import scene

    return scene(films, shown.labels, shown.title)


if TYPE_CHECKING:
    from ...drawing.drawing import Drawing

_SHOW = "blockdynFinished.show();"
_SIZE = (1000, 700)  # in a notebook, pixels


@dataclass(frozen=True)
class RunPage:
    """The page of a run that was written; a notebook shows it."""

    file: Path

    def _repr_html_(self) -> str | None:
        """The page itself, in a frame; nothing where the file is gone."""
        return frame_page(self.file, _SIZE)


@checked(bad_argument)
def write_page(result: Result, file: str | PathLike[str]) -> RunPage:
    """Write the run as one HTML file, which any browser opens without a network.

    It contains the Scopes, or all signals by their units, which zoom together; the events; the film of
    the moving bodies; the drawn diagram; and all you need to repeat the run. The file appears complete
    under its name or not at all. Raises ResultFileError, and ResultError if the rows are on disk.
    """
    if result.file is not None and not result.signals:
        raise ResultError(
            f"page: the rows of this result are in {result.file}; blockdyn.load_result reads them, if memory"
            " holds them"
        )
    check_page(file)
    with replacing(file, ResultFileError) as target:
        target.write(page(result).encode("utf-8"))
    return RunPage(Path(file))


def check_page(file: str | PathLike[str]) -> None:
    """Raise ResultFileError if no page can be written: another suffix, no such folder, no permission."""
    suffix = Path(file).suffix.lower()
    if suffix != ".html":
        raise ResultFileError("write", file, f"the suffix {suffix!r} is not .html", "use .html")
    check_place(file, ResultFileError)


def page(result: Result) -> str:
    """The HTML of a run."""
    data, thinned = _data(result)
    scripts = [script("finished"), _SHOW]
    if data["film"] is not None:
        from ...plots.films.page import script as film_script

        scripts.insert(0, film_script())
    title = result.provenance.diagram or "a run"
    main = (
        f"<h1>{html.escape(title)}</h1>",
        headline(result, thinned),
        '<noscript><p class="warn">Scopes, events and film need JavaScript.</p></noscript>',
        *(f'<div id="{place}"></div>' for place in ("toolbar", "film", "scopes", "events")),
        drawing(result),
        facts(result),
        '<div id="keys"></div>',
    )
    return document(title, "\n".join(main), scripts, data=data)


def _data(result: Result) -> tuple[dict[str, Any], int]:
    """Data for the script, and the number of thinned lines."""
    time = result.time
    start, stop = (float(time[0]), float(time[-1])) if time.size else (0.0, 0.0)
    elements = sum(trace.size for trace in result.signals.values())
    lines = Lines(stop, MOST_SAMPLES // max(1, elements))
    shown = scopes(result, lines)
    names: dict[str, int] = {}
    events = [
        (
            event.time,
            names.setdefault(event.path, len(names)),
            names.setdefault(event.kind, len(names)),
            " ".join(filter(None, (event.detail, event.direction))),
        )
        for event in result.events
    ]
    data = {
        "title": result.provenance.diagram,
        "start": start,
        "stop": stop,
        "times": lines.times,
        "lines": lines.lines,
        "scopes": shown,
        "names": list(names),
        "events": events,
        "film": film(result),
    }
    return data, lines.thinned


def headline(result: Result, thinned: int) -> str:
    """End of the run, values of Displays, incidents on the way, and omissions of the page."""
    provenance = result.provenance
    how = provenance.message or provenance.stopped_by or ("complete" if provenance.complete else "stopped")
    ended = f'<p class="{"quiet" if provenance.complete else "warn"}">{escape(how)}</p>'
    notices = [*provenance.notices]
    if thinned:
        lines = "one line" if thinned == 1 else f"{thinned} lines"
        notices.append(f"{lines} thinned for this page: every peak is kept, the result has all samples")
    shown = [f"{title}: {value} {unit}".rstrip() for title, value, unit in list_displays(result)]
    ended += "".join(f"<p><strong>{escape(line)}</strong></p>" for line in shown)
    return ended + "".join(f'<p class="warn">{escape(notice)}</p>' for notice in notices)


def facts(result: Result) -> str:
    """Tables of the provenance, and the diagram as YAML."""
    provenance = result.provenance
    seed = {} if provenance.seed is None else {"seed": provenance.seed}
    solver = {name: value for name, value in provenance.solver.items() if name != "touches"}
    touched = {f"{touch['at']:g} s": _changes(touch["set"]) for touch in result.touched}
    tables = (
        _table("Run", _with_units({**provenance.statistics, **seed})),
        _table("Solver", _with_units(solver)),
        _table("Parameters", provenance.parameters),
        _table("Changed parameters", provenance.changed),
        _table("Changes during the run", touched),
        _table("Versions", provenance.versions),
    )
    text = provenance.description
    diagram = (
        f"<details><summary>The diagram as YAML</summary><pre>{escape(text)}</pre></details>" if text else ""
    )
    return f'<h2>Run details</h2><div class="facts">{"".join(tables)}</div>{diagram}'


def _with_units(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values; names of times with their unit."""
    return {f"{name} (s)" if name in _TIMES else name: value for name, value in values.items()}


def _table(title: str, values: Mapping[str, Any]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(_text(value))}</td></tr>'
        for name, value in values.items()
        if value is not None and value != "" and not (isinstance(value, (Mapping, Sequence)) and not value)
    )
    return f"<div><h3>{escape(title)}</h3><table><tbody>{rows}</tbody></table></div>" if rows else ""


def _changes(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{path} = {_text(value)}" for path, value in values.items())


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 400 else f"{text[:400]} ..."
