"""Course: a run that comes to given instants exactly, is touched there, and can go back to where it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...solvers import layout
from ...solvers.addressed import callables
from ...solvers.loop.entry import Calls
from ...solvers.loop.run import Run
from ..compiler.program import Program
from ..model.argument_errors import RunArgumentError
from ..model.settings import Settings
from ..model.touch import Touch, touches_of
from .instant import touch
from .marked import go_back, mark
from .retuning import Retuning, Written, settled

FEW, CHUNK = 2, 256  # steps between two marks on the way to an instant: at first, at most
GOING = (layout.FULL, layout.PAUSED)


def ready(program: Program, request: Settings) -> tuple[tuple[Touch, Written], ...]:
    """The touches of a run with what they write.

    Raises RunArgumentError for one that does not lie within the run, and what `Retuning.written` does.
    """
    touches = touches_of("touches", [] if request.touches is None else request.touches)
    for each in touches:
        if not request.start <= each.at <= request.stop:
            expected = f"an instant of the run, from {request.start:g} s to {request.stop:g} s"
            raise RunArgumentError("touches", each.at, expected)
    retuning, values = Retuning(program, request), dict[str, Any]()
    written = []
    for each in touches:
        written.append((each, retuning.written(each.set, values)))
        values = settled(values, each.set)
    return tuple(written)


class Course:
    """A run with its functions, and what takes its rows.

    The last step before a touch is cut at its instant; all steps before are those that the run takes without
    it. So the bits do not depend on when it was known that the touch would come. Steps of SciPy's methods
    cannot be taken back: there the instant is known from the touch before on.
    """

    def __init__(self, program: Program, run: Run, calls: Calls, take: Callable[[Run], None]) -> None:
        self.program, self.run = program, run
        self._calls, self._take = calls, take
        self._stop = float(run.work.t_end)

    def land(self, time: float) -> int:
        """Go on to an instant that lies ahead; 0, or the status with which the run ended before."""
        if not self.run.method.compiled:
            return self.cut(time)
        run, s = self.run, self.run.work
        steps, most, here = FEW, CHUNK, mark(run)
        while s.t < time:
            s.budget = steps
            status = self._calls[1]()
            if status == layout.FULL and s.phase == layout.WRITING and s.t_new <= time:
                status = self._written_out()
            if s.t == time:
                return 0
            beyond = s.t > time or (s.phase == layout.WRITING and s.t_new > time)
            if status in GOING and not beyond:
                if status == layout.FULL:
                    self._take(run)
                here, steps = mark(run), min(2 * steps, most)
                continue
            go_back(run, here)
            if steps == 1:
                return self.cut(time)
            steps = most = steps // 2
        return 0

    def touch(self, written: Written) -> int:
        """Touch the run at its time. Returns the status of the instant."""
        self.run.work.t_end = self._stop
        return touch(self.run, self._calls, lambda: written.into(self.run), self._evaluate)

    def _written_out(self) -> int:
        """Take the rows of a step that filled the log until all of it is written and accepted."""
        s = self.run.work
        status = layout.FULL
        while status == layout.FULL and s.phase == layout.WRITING:
            self._take(self.run)
            s.budget = 0
            status = int(self._calls[1]())
        return status

    def cut(self, time: float) -> int:
        """On to an instant at which steps are cut."""
        s = self.run.work
        if s.t == time:
            return 0
        s.t_end = time
        status: int = layout.PAUSED
        while status in GOING:
            s.budget = CHUNK
            status = self._calls[1]()
            if status == layout.FULL:
                self._take(self.run)
        s.t_end = self._stop
        return 0 if status == layout.DONE else status

    def _evaluate(self) -> int:
        run = self.run
        if run.judge is not None:
            return int(run.judge.evaluate(None, run.work.t, run.memory.x, run.work.scratch, run.memory))
        evaluate = callables(self.program.addresses)[1]
        return evaluate(None, run.work.t, run.memory.x, run.work.scratch, run.memory)
