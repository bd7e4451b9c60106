"""Facts of a run as HTML: its settings, its end, and the data needed to run it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...base.words import visible_html as escape
from ...diagrams.results.result import Result
from ...diagrams.results.table import list_displays

_TIMES = {"start", "stop", "end", "max_step", "first_step", "fixed_step", "wall time", "max_time"}


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
