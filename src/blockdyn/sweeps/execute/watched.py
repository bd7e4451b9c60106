"""The driver runs in a thread, which is abandoned if a scenario takes too long and does not return."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ...diagrams.runs.limited import GRACE, leave_behind
from ...solvers.layout import Integers
from ...solvers.loop.run import Run
from .driver import NEXT

CANCELLED, TIMED, LOST, AGAIN = 2, 3, 4, 5  # the driver's statuses, and two more
LOOK = 0.05  # s between two looks at most


def watched(
    drive: Callable[[], int], progress: Integers, run: Run, limit: float, cancelled: Integers, stop: Integers
) -> int:
    """Run scenarios from progress[NEXT] on, each for `limit` s of wall-clock time; the driver's status, or

        TIMED   that scenario took longer, and the driver stopped between two steps
        LOST    it took longer, or was cancelled, and machine code did not return: its thread is in
                `drive` from now on, which holds all that it needs

    `cancelled` is set from outside, `stop` is the flag that the driver checks.
    """
    while True:
        ended = _once(drive, progress, run, limit, cancelled, stop)
        if ended != AGAIN:
            return ended


def _once(
    drive: Callable[[], int], progress: Integers, run: Run, limit: float, cancelled: Integers, stop: Integers
) -> int:
    answer: list[int] = []
    stop[0] = 0
    thread = threading.Thread(target=lambda: answer.append(drive()), daemon=True)
    thread.start()
    scenario, since = int(progress[NEXT]), time.perf_counter()
    while True:
        thread.join(min(LOOK, limit / 4.0))
        if answer:
            return answer[0]
        now = time.perf_counter()
        if int(progress[NEXT]) != scenario:
            scenario, since = int(progress[NEXT]), now
        if cancelled[0] or now - since > limit:
            break
    stop[0] = 1
    run.work.budget = 0
    thread.join(GRACE)
    if not answer:
        leave_behind(thread)
        return LOST
    if answer[0] != CANCELLED or cancelled[0]:
        return answer[0]
    return TIMED if int(progress[NEXT]) == scenario else AGAIN
