"""Along: a run that stops at instants, where its derivatives can be taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagrams.compiler.program import Program
from ..diagrams.runs.owned import make_owned
from ..diagrams.runs.prepared import prepare_run
from ..diagrams.touches.course import Course
from ..solvers.addressed import bare
from ..solvers.loop.run import Run
from .errors import AnalysisError
from .models.linear_model import Matrix


def stops_along(program: Program, instants: Matrix, *, signals: bool = True) -> Iterator[tuple[float, Run]]:
    """The run at each of growing instants, none before its start, with its `signals` those there.

    Steps end at the instants. Raises AnalysisError, and what runs raise.
    """
    begin = float(program.flat.simulation.get("start") or 0.0)
    end = float(instants[-1]) if instants.size else begin
    arguments: dict[str, Any] = {"stop": end, "progress": False}
    prepared = prepare_run(program, arguments)
    run, calls = prepared.run()
    m, s = run.memory, run.work
    s.refine = 0  # no rows between the ends of steps
    course = Course(prepared.program, run, calls, _forget)
    evaluate = bare(prepared.program.addresses)[1]
    x, scratch, memory = m.x.ctypes.data, s.scratch.ctypes.data, m.address
    with make_owned(prepared.program, m.p):
        status = calls[0]()
        for instant in instants.tolist():
            if status == 0 and instant > begin:
                status = course.cut(instant)
            if status != 0 or s.t != instant:
                program.simulate(**arguments)  # it says why
                raise AnalysisError(f"the run ends at {s.t:g} s", "times up to its end")
            if signals:
                evaluate(instant, x, scratch, memory)
            yield instant, run


def _forget(run: Run) -> None:
    """Make room in the log."""
    run.work.rows = run.work.event_rows = 0
