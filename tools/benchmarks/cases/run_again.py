"""What running a diagram again costs: with the same arguments, another `stop`, other numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from statistics import median
from typing import Any

from ..contract import Row, Settings
from ..measure import Sample
from ..rounds import against, alone, interleaved

CASE = "run again"
ROUNDS = 300  # at least: a run takes some 10 us
NEARBY = 1e-9  # relative: so close that every run takes the same steps


def rows(settings: Settings) -> list[Row]:
    import blockdyn as bd

    numbers = {"parameters": {"k": 2.0}, "set": {"scaled.k": 2.0}}
    return [
        *_rows(settings, "five library blocks", _loop(bd.Gain(bd.expression("k"))), numbers),
        *_rows(settings, "one a Python function", _loop(bd.Function(lambda u: 2.0 * u)), numbers),
        *_rows(
            settings, "quadrotor", bd.load("quadrotor"),
            {"parameters": {"pace": 1.5}, "set": {"turbulence.wind": 3.0}},
        ),
    ]  # fmt: skip


def _loop(law: Any) -> Any:
    """A lag that follows a step."""
    import blockdyn as bd

    d = bd.Diagram("loop", parameters={"k": 2.0})
    error, lag = d.add("error", bd.Sum("+-")), d.add("lag", bd.Integrator(0.0))
    d.connect(d.add("step", bd.Step(time=0.5)), error["u0"])
    d.connect(error["y"], d.add("law", law), lag, d.add("scaled", bd.Gain(bd.expression("k"))))
    d.connect(lag, error["u1"])
    return d


def _rows(settings: Settings, name: str, diagram: Any, numbers: dict[str, dict[str, float]]) -> list[Row]:
    """Each against the native loop alone; the note has the difference in processor time."""
    from blockdyn.diagrams.runs.prepared import prepare_run

    run, (begin, advance) = prepare_run(diagram.compile(), {"stop": 1.0}).run()
    nearby = (1.0 + NEARBY * i for i in count())

    def itself() -> None:
        run.reset()
        run.work.budget = 10**9
        begin()
        advance()

    def other(argument: str) -> Callable[[], object]:
        def again() -> object:
            factor = next(nearby)
            changed = {path: value * factor for path, value in numbers[argument].items()}
            return diagram.simulate(stop=1.0, **{argument: changed})

        return again

    runs: dict[str, Callable[[], object]] = {
        "the run itself": itself,
        "the same arguments": lambda: diagram.simulate(stop=1.0),
        "another stop": lambda: diagram.simulate(stop=next(nearby)),
        **{f"other {argument}": other(argument) for argument in numbers},
    }
    samples = interleaved(runs, max(settings.runs, ROUNDS))
    case, base = f"{CASE}: {name}", samples.pop("the run itself")

    def more(sample: Sample) -> str:
        extra = 1e3 * (median(sample.cpu) - median(base.cpu))
        return f"its time / that of the run; {extra:.2f} ms of processor time more"

    return [
        alone(case, "ours: the run itself", base),
        *(against(case, f"ours: {run}", s, base, None, note=more(s)) for run, s in samples.items()),
    ]
