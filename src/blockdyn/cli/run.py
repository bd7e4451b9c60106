"""`blockdyn run`: run a diagram, tell how it ended, write and draw the result."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from ..native.errors import BlockdynError
from . import interrupts
from .compiling import compiling
from .console import OutputError, complain, show, show_json, silence
from .diagrams import compiled, loaded
from .outputs import draw, prepare, prepare_picture, write
from .summary import facts, summary

if TYPE_CHECKING:
    from ..diagrams.program import Program
    from ..diagrams.results.result import Result

_SETTINGS = (
    "stop", "start", "method", "rtol", "atol", "max_step", "first_step", "step", "every", "refine", "seed",
    "on_zeno",
)  # fmt: skip


class ScenarioIsWhole(BlockdynError):
    """--param or --set beside a scenario of a sweep."""

    def __init__(self, scenario: int) -> None:
        super().__init__(
            f"--param or --set with --scenario {scenario}\n"
            "expected: one or the other; the numbers of a scenario are those of the sweep"
        )


def run(arguments: Namespace) -> int:
    """Run, write, draw, print; what was computed is kept and told, also when the run or the writing fails."""
    if arguments.out is not None:
        prepare(arguments.out)
    if arguments.plot:
        prepare_picture(arguments.plot)
    settings = {name: getattr(arguments, name) for name in _SETTINGS if getattr(arguments, name) is not None}
    program, settings = _made(arguments, settings)
    result, failure = simulated(program, settings)
    files, problems = _keep(result, arguments)
    problems = [failure, *problems] if failure else problems
    try:
        if arguments.json:
            show_json(facts(result, files) | {"errors": [str(problem) for problem in problems]})
        else:
            show(*summary(result, files))
    except OutputError as error:
        silence()
        problems.append(error)
    for problem in problems:
        complain(problem)
    if result.provenance.stopped_by == "interrupt" and not result.complete:
        return interrupts.status()
    return 2 if problems else 0


def _made(arguments: Namespace, settings: dict[str, Any]) -> tuple[Program, dict[str, Any]]:
    """The program and its settings: the diagram's, or those of one scenario of the sweep that it declares."""
    if arguments.scenario is None:
        return compiled(arguments), settings
    diagram = loaded(arguments)
    if diagram.sweep is None:
        return compiled(arguments), settings | {"scenario": arguments.scenario}
    from ..sweeps.sweep import Sweep

    if arguments.param or arguments.set:
        raise ScenarioIsWhole(arguments.scenario)
    program, own = Sweep(diagram).prepared(arguments.scenario)
    paths = arguments.log
    if paths:
        program = program.with_log([path.strip() for text in paths for path in text.split(",")])
    return program, own | settings


def simulated(program: Program, settings: dict[str, Any]) -> tuple[Result, BlockdynError | None]:
    """The result; of a failed run, what it has and why it failed."""
    from ..diagrams.request import make_request, make_settings
    from ..solvers.compiled import native_loop

    _, implicit = make_settings(program, make_request(program, settings))
    with compiling():
        if implicit is None:
            native_loop()
        _code = program.code
    try:
        return program.simulate(**settings), None
    except BlockdynError as error:
        partial = getattr(error, "partial", None)
        if partial is None:
            raise
        return partial, error


def _keep(result: Result, arguments: Namespace) -> tuple[list[str], list[BlockdynError]]:
    """Write and draw what was asked for: the files that came to be, the errors of those that did not."""
    files: list[str] = []
    problems: list[BlockdynError] = []
    for target, keep in ((arguments.out, write), (arguments.plot, draw)):
        if target is not None:
            file, problem = keep(result, target)
            files += [file] if file else []
            problems += [problem] if problem else []
    return files, problems
