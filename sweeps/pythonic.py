"""Scenarios that need Python: implicit methods, and blocks that Python runs; one at a time."""

from __future__ import annotations

from ..diagrams.simulate import calls
from ..solvers import layout
from ..solvers.layout import Integers
from .base import Base
from .lane import Cancelled, ended
from .measures.compiled import Compiled
from .measures.native import Absorber
from .part import SUCCESSES, Part

SLICE = 200  # steps between two looks at whether somebody wants to stop


def run_in_python(base: Base, measures: Compiled, part: Part, cancelled: Integers) -> None:
    """Run the base as it is, and write what it came to into the part's only row. Raises Cancelled."""
    program, run = base.program, base.run(base.settings, base.problem, base.template.memory)
    begin, advance = calls(program, run, base.settings, base.implicit, base.request)
    absorber = Absorber(measures)
    program.callbacks.failure()
    program.callbacks.costs()
    status = begin()
    while status in (0, layout.FULL, layout.PAUSED):
        absorber.take(*run.empty_log())
        if cancelled[0]:
            raise Cancelled
        run.work.I[layout.BUDGET] = SLICE
        status = advance()
        if status == layout.DONE:
            break
    absorber.take(*run.empty_log())
    part.end[0], part.steps[0] = run.time, run.count(layout.STEPS)
    part.measures[0] = absorber.concluded(run.time)
    failure = program.callbacks.failure()
    if run.judge is not None and run.judge.failure is not None:
        failure = run.judge.failure
    if failure is not None and isinstance(failure[1], KeyboardInterrupt):
        raise failure[1]
    if status != layout.DONE:
        part.outcome[0], part.reason[0] = ended(base, run, status, failure)
        if part.outcome[0] >= SUCCESSES:
            part.measures[0] = float("nan")
