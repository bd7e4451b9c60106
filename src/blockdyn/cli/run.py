"""`blockdyn run`: run a diagram, report its end, write and draw the result.

With `--live` the run is watched and changed in a browser while it runs.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.errors import RunArgumentError
from ..diagrams.model.settings import IN_FILES
from . import interrupts
from .console import OutputError, complain, note, show, show_json, silence
from .diagrams import compile_named, compiling, inputs, load_named, read_log, touches
from .outputs import (
    draw,
    draw_diagram,
    prepare,
    prepare_drawing,
    prepare_files,
    prepare_page,
    prepare_picture,
    write,
)
from .summary import compute_measures, facts, of_measures, summary

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.results.result import Result


def run(arguments: Namespace) -> int:
    """Run, write, draw, print; the computed part is stored and reported even if the run or a file fails."""
    if arguments.out is not None:
        prepare(arguments.out)
    if arguments.page is not None:
        prepare_page(arguments.page)
    if arguments.plot:
        prepare_picture(arguments.plot)
    if arguments.picture is not None:
        prepare_drawing(arguments.picture)
    arguments.inputs = inputs(arguments.inputs)
    arguments.touches = touches(arguments.touches, arguments.touched)
    settings = {
        name: value
        for name in IN_FILES
        if name != "loops" and (value := getattr(arguments, name)) is not None
    }  # `loops` is compiled
    check_live(arguments)
    program, settings, values = _prepare(arguments, settings)
    prepare_files(program, arguments)
    if arguments.live:
        result, failure = run_live(program, settings, arguments)
    else:
        result, failure = simulate(program, settings)
    files, problems = _keep(result, program, arguments)
    problems = [failure, *problems] if failure else problems
    figures, missing = compute_measures(result, program)
    try:
        if arguments.json:
            report = facts(result, files) | ({"values": values} if values else {})
            report |= {"measures": figures} if figures else {}
            show_json(report | {"errors": [str(problem) for problem in problems]})
        else:
            headline, *lines = summary(result, files)
            table = of_measures(figures, missing)
            show(headline, *_of_scenario(arguments.scenario, values), *table, *lines)
    except OutputError as error:
        silence()
        problems.append(error)
    for problem in problems:
        complain(problem)
    if result.provenance.stopped_by == "interrupt" and not result.complete:
        return interrupts.status()
    return 2 if problems else 0


def _prepare(
    arguments: Namespace, settings: dict[str, Any]
) -> tuple[Program, dict[str, Any], dict[str, Any]]:
    """The program and its settings: the diagram's, or the settings of one scenario of the sweep that it
    declares, and then the values of its axes.
    """
    k = arguments.scenario
    if k is None or "sweep" not in load_named(arguments).sections:
        if arguments.number is not None:
            raise BlockdynError(
                "--number without a scenario of a sweep\n"
                "expected: --scenario K, and a file that declares a sweep, whose number it then is"
            )
        settings |= {} if k is None else {"scenario": k}
        return _compile(arguments, settings), settings, {}
    from .sweep import declaration

    sweep = declaration(arguments)
    program, overrides = sweep.prepared(k)
    settings.pop("seed", None)  # the seed of a sweep seeds its runs
    return program, overrides | settings | {"log": read_log(arguments)}, sweep.scenario(k)


def _compile(arguments: Namespace, settings: Mapping[str, Any]) -> Program:
    """The program; a wrong log or input is reported together with the other errors of the run."""
    try:
        return compile_named(arguments)
    except (DiagramError, RunArgumentError) as error:
        from ..diagrams.runs.wrong_arguments import report_with

        log = read_log(arguments)
        if log or arguments.inputs:
            without = Namespace(**{**vars(arguments), "log": None, "inputs": None})
            report_with(error, lambda: compile_named(without), {**settings, "log": log})
        raise


def _of_scenario(k: int | None, values: Mapping[str, Any]) -> list[str | Table]:
    """The values of a scenario, by path."""
    rows = [
        (path, f"{value:.6g}" if isinstance(value, float) else str(value)) for path, value in values.items()
    ]
    return ["", Table("", (f"scenario {k}", "value"), rows)] if rows else []


def simulate(program: Program, settings: dict[str, Any]) -> tuple[Result, BlockdynError | None]:
    """The result; of a failed run, the samples so far and the error."""
    from ..diagrams.runs.prepared import prepare_run
    from .precompile import loop_beside

    prepared = prepare_run(program, settings)
    method = prepared.settings.method
    with compiling(), loop_beside(method.steps) if method.compiled else nullcontext():
        _code = prepared.program.code
    try:
        return program.simulate(**settings), None
    except BlockdynError as error:
        partial = getattr(error, "partial", None)
        if partial is None:
            raise
        return partial, error


def _keep(result: Result, program: Program, arguments: Namespace) -> tuple[list[str], list[BlockdynError]]:
    """Write and draw as requested: the files that were written, the errors of the others."""
    files: list[str] = []
    problems: list[BlockdynError] = []
    drawn = partial(draw, style=arguments.style, events=not arguments.no_events, paths=arguments.plotted)
    pictured = partial(draw_diagram, diagram=program.source)
    for target, keep in (
        (arguments.out, write), (arguments.page, write),
        (arguments.plot, drawn), (arguments.picture, pictured),
    ):  # fmt: skip
        if target is not None:
            file, problem = keep(result, target)
            files += [file] if file else []
            problems += [problem] if problem else []
    if arguments.files is not None:
        try:
            files += map(str, result.write_files(arguments.files, overwrite=arguments.overwrite))
        except BlockdynError as error:
            problems.append(error)
    return files, problems


def check_live(arguments: Namespace) -> None:
    """Raise BlockdynError for options that only a live run has."""
    if arguments.live:
        return
    for option in ("pace", "port", "no_browser", "when_closed"):
        if getattr(arguments, option):
            option = f"--{option.replace('_', '-')}"
            raise BlockdynError(f"{option} without --live\nexpected: --live, or no {option}")


def run_live(
    program: Program, settings: dict[str, Any], arguments: Namespace
) -> tuple[Result, BlockdynError | None]:
    """The result of a run that was served until a viewer or Ctrl-C ended it, and the reason of a failure."""
    from ..pages.live.run import LiveRun
    from ..pages.live.server import Server

    with compiling():
        live = LiveRun(program, pace=arguments.pace or 1.0, **settings)
    server = Server(
        live, port=arguments.port or 0, when_closed=arguments.when_closed or "go",
        opened=lambda url: _open_page(url, browser=not arguments.no_browser, quiet=arguments.json),
    )  # fmt: skip
    with suppress(KeyboardInterrupt):  # the samples so far are the result
        server.run()
    return live.result(), live.error if live.at_end else None


def _open_page(url: str, *, browser: bool, quiet: bool) -> None:
    """Print the address of the page, separately from the JSON that follows, and open the page."""
    if quiet:
        note(url)
    else:
        show(f"live at {url}", "Ctrl-C ends the run and keeps its result")
    if browser:
        import webbrowser

        webbrowser.open(url)
