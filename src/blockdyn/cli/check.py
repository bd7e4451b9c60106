"""`blockdyn check`: validate a diagram, and report its content."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..base.words import visible
from ..diagrams.model.diagram_error import DiagramError
from .console import complain, show, show_json
from .diagrams import compile_named, compiling, trust_of

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.compiler.report import EventFact, Report

_LONGEST = 48  # characters of a value


def check(arguments: Namespace) -> int:
    """Print the report; an invalid diagram raises BlockdynError."""
    from ..diagrams.compiler.report import make_report

    if arguments.fix or arguments.write:
        return _fix(arguments)
    program = _compile(arguments)
    with compiling():
        report = make_report(program)
    evaluated = str(program.instructions).splitlines() if arguments.explain else []
    if arguments.json:
        show_json(asdict(report) | ({"evaluated": evaluated} if arguments.explain else {}))
    else:
        show(*_parts(report))
        if evaluated:
            show("", "Evaluated", *(f"  {visible(line)}" for line in evaluated))
    return 0


def _fix(arguments: Namespace) -> int:
    """Show the fixes of a diagram's mistakes, and write them if requested; 1 if mistakes remain."""
    from ..diagrams.yaml import FOREIGN, fix

    path = arguments.diagram
    if not arguments.fix:
        raise BlockdynError("--write without --fix\nexpected: --fix --write, which writes the fixes")
    if Path(path).suffix.lower() in FOREIGN:
        raise BlockdynError(f"--fix: {path} is a file of another simulator\nexpected: a YAML diagram")
    fixed = fix(path, trust=trust_of(arguments))
    if fixed.fixes:
        show(*map(str, fixed.fixes), "", fixed.diff.rstrip("\n"), "")
    if arguments.write and fixed.fixes:
        fixed.save()
    counts = f"{len(fixed.fixes)} fix{'' if len(fixed.fixes) == 1 else 'es'}"
    written = " written" if arguments.write else f"; blockdyn check {path} --fix --write writes them"
    left = f"; {len(fixed.errors)} left that no fix mends" if fixed.errors else ""
    show(f"{path}: {counts}{written if fixed.fixes else ''}{left}")
    for error in fixed.errors:
        complain(error)
    return 1 if fixed.errors or (fixed.fixes and not arguments.write) else 0


def _compile(arguments: Namespace) -> Program:
    """Compile the diagram and draw it if requested; an error is drawn with its place."""
    if arguments.picture is None:
        return compile_named(arguments)
    from ..drawing.drawing import check_file
    from .graph import write

    check_file(arguments.picture)
    try:
        program = compile_named(arguments)
    except DiagramError as error:
        if error.diagram is not None:
            write(error.draw, arguments.picture)
        raise
    write(program.source.draw, arguments.picture)
    return program


def _parts(report: Report) -> list[str | Table]:
    from ..diagrams.compiler.report import HISTORY

    counts = ", ".join(
        f"{number} {noun}{'' if number == 1 else 's'}"
        for number, noun in (
            (len(report.blocks), "block"),
            (len(report.signals), "signal"),
            (sum(prod(state.shape) for state in report.states if state.changes != HISTORY), "state"),
            (len(report.clocks), "sample time"),
            (len(report.events), "event source"),
        )
    )
    parts: list[str | Table] = [f"{visible(report.name, lines=False)} is valid: {counts}"]
    for table in _tables(report):
        if table.rows:
            parts += ["", table]
    if report.notices:
        parts += ["", "Notices", *(f"  {text}" for text in report.notices)]
    return parts


def _tables(report: Report) -> list[Table]:
    return [
        Table("Parameters", ("", ""), [(name, value_text(v)) for name, v in report.parameters.items()]),
        Table(
            "Blocks",
            ("path", "type", "parameters"),
            [(block.path, block.type, _settings(block.parameters)) for block in report.blocks],
        ),
        Table(
            "Signals",
            ("path", "size", "unit", "changes", "logged as"),
            [(s.path, size_text(s.shape, s.fields), s.unit, s.changes, s.logged) for s in report.signals],
        ),
        Table(
            "States",
            ("path", "size", "unit", "initial", "changes"),
            [(s.path, size_text(s.shape), s.unit, value_text(s.initial), s.changes) for s in report.states],
            wide=3,
        ),
        Table(
            "Sample times",
            ("period", "offset", "blocks"),
            [(f"{c.period:g} s", f"{c.offset:g} s", ", ".join(c.blocks)) for c in report.clocks],
        ),
        Table("Events", ("block", "kind", "event"), [(e.path, e.kind, _event(e)) for e in report.events]),
        Table(
            "Order of evaluation",
            ("", "output", "from"),
            [(str(i), ", ".join(o.outputs), ", ".join(o.inputs)) for i, o in enumerate(report.order, 1)],
        ),
        Table("In Python, not compiled", ("block", "because"), list(report.python.items())),
        Table("Run", ("", ""), [(name, value_text(value)) for name, value in report.simulation.items()]),
    ]


def _event(event: EventFact) -> str:
    several = f", for each of {event.count} elements" if event.count > 1 else ""
    return event.what + several + (", ends the run" if event.ends_run else "")


def _settings(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value_text(value)}" for name, value in parameters.items())


def size_text(shape: tuple[int, ...], fields: tuple[str, ...] = ()) -> str:
    """A size in a table."""
    if fields:
        shown = ", ".join(fields[:3]) + (", ..." if len(fields) > 3 else "")
        return f"bus of {len(fields)}: {shown}"
    return "x".join(map(str, shape)) if shape else "scalar"


def value_text(value: object) -> str:
    """A value in a table: numbers in full, long lists cut."""
    if isinstance(value, float):
        short = f"{value:.6g}"
        return short if float(short) == value or value != value else repr(value)
    if isinstance(value, list):
        text = "[" + ", ".join(map(value_text, value)) + "]"
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 5]} ...]"
    return str(value)
