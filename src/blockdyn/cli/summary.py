"""Summary of a result on one screen: final values, statistics of the solver, places of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..base.words import visible
from ..diagrams.model.diagram import Diagram
from ..diagrams.results.provenance import file_names
from ..diagrams.results.table import list_displays
from .console import align_numbers

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.results.result import Result
    from ..diagrams.results.trace import Trace

MOST = 40  # rows
_INLINE = 4  # elements of a vector on one line


def summary(result: Result, files: list[str]) -> list[str | Table]:
    """The parts to print."""
    rows = [row for trace in result.signals.values() for row in _rows(trace)]
    more = f"  and {len(rows) - MOST} more; --out keeps them all" if len(rows) > MOST else ""
    numbers = align_numbers([row[1] for row in rows[:MOST]])
    table = Table("", ("signal", "final", "unit"), [(a, n, c) for (a, _, c), n in zip(rows, numbers)])
    parts: list[str | Table] = [_headline(result), ""]
    shown = list_displays(result)
    parts += [Table("", ("display", "final", "unit"), shown), ""] if shown else []
    parts.append(table)
    parts += [more] if more else []
    parts += [""] if rows else ["  nothing was logged"]
    parts += [f"  {line}" for line in _statistics(result)]
    parts += [f"  notice: {notice}" for notice in result.notices]
    parts += [f"  python: {path}: {reason}" for path, reason in _in_python(result)]
    parts += [f"  written: {', '.join(files)}"] if files else []
    left = [name for name in file_names(result.scopes) if name not in {Path(file).name for file in files}]
    parts += [f"  not written: {', '.join(left)}; --files FOLDER writes them"] if left else []
    return parts


def facts(result: Result, files: list[str]) -> dict[str, Any]:
    """The summary as plain data, for programs."""
    provenance, signals = result.provenance, result.signals
    return {
        "diagram": provenance.diagram,
        "complete": provenance.complete,
        "message": provenance.message,
        "final": {path: trace.final.tolist() if trace.samples else None for path, trace in signals.items()},
        "units": {path: trace.unit for path, trace in signals.items()},
        "solver": dict(provenance.solver),
        "statistics": dict(provenance.statistics),
        "events": len(result.events),
        "notices": list(result.notices),
        "display": {title: {"final": value, "unit": unit} for title, value, unit in list_displays(result)},
        "files": files,
    }


def compute_measures(result: Result, program: Program) -> tuple[dict[str, float], str]:
    """The measures that the diagram's file declares, of a complete run; or the reason why there are none."""
    source = program.source
    if not (result.complete and isinstance(source, Diagram) and "sweep" in source.sections):
        return {}, ""
    from ..sweeps.one_run import declared_figures

    try:
        return declared_figures(result, source), ""
    except BlockdynError as error:
        return {}, str(error).partition("\n")[0]


def of_measures(figures: Mapping[str, float], missing: str) -> list[str | Table]:
    """The measures of a run as a table, or the reason why there are none."""
    rows = [(name, f"{value:.6g}") for name, value in figures.items()]
    table: list[str | Table] = ["", Table("", ("measure", "value"), rows)] if rows else []
    return table + ([f"  without measures: {missing}"] if missing else [])


def _headline(result: Result) -> str:
    provenance = result.provenance
    start, end = provenance.solver.get("start", 0.0), provenance.statistics.get("end", 0.0)
    name, method = visible(provenance.diagram, lines=False), provenance.solver.get("method", "")
    headline = f"{name}: {start:g} to {end:g} s with {method}"
    if not provenance.complete:
        why = "" if provenance.stopped_by == "error" else f": {provenance.message}"
        return f"{headline}, INCOMPLETE{why}"
    return f"{headline}, {provenance.message}" if provenance.stopped_by else headline


def _rows(trace: Trace) -> Iterator[tuple[str, str, str]]:
    if not trace.samples:
        yield trace.path, "-", trace.unit
    elif trace.labels:
        several = len(set(trace.units)) > 1 or "," not in trace.unit
        yield trace.path, "", "" if several else trace.unit
        for label, value, unit in zip(trace.labels, trace.flat[-1], trace.units):
            yield f"  {label}", f"{value:.6g}", unit if several else ""
    elif trace.size <= _INLINE:
        numbers = ", ".join(f"{value:.6g}" for value in trace.flat[-1])
        yield trace.path, f"[{numbers}]" if trace.shape else numbers, trace.unit
    else:
        numbers = ", ".join(f"{value:.6g}" for value in trace.flat[-1][:_INLINE])
        yield trace.path, f"[{numbers}, ...] {'x'.join(map(str, trace.shape))}", trace.unit


def _statistics(result: Result) -> list[str]:
    statistics = result.statistics
    counts = [
        _count(statistics["steps"], "step"),
        f"{statistics['rejected']} rejected",
        _count(statistics["evaluations"], "evaluation"),
        _count(statistics["state events"], "zero crossing"),
        _count(statistics["time events"], "time event"),
    ]
    wall = statistics["wall time"]
    span = statistics["end"] - result.provenance.solver.get("start", 0.0)
    if wall <= 0.0:  # a live run, computed while it was watched
        return [", ".join(counts)]
    speed = f", {_round_number(span / wall)} times real time" if span > 0.0 else ""
    return [", ".join(counts), f"computed in {wall:.3g} s{speed}"]


def _round_number(number: float) -> str:
    """Two digits of a number, without an exponent."""
    return f"{float(f'{number:.2g}'):,.10g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _in_python(result: Result) -> list[tuple[str, str]]:
    return [
        (key.removeprefix("python "), str(value))
        for key, value in result.statistics.items()
        if key.startswith("python ")
    ]
