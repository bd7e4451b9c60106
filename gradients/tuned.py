"""Tuned: gains that a tuning found, and what the measures were before and are now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..base.shown import Shown
from ..base.text_table import Table, plain
from ..solvers.layout import Floats


@dataclass(frozen=True, repr=False, eq=False)
class Tuned(Shown):
    """Numbers of a diagram at which a measure is least.

    values, starts   by path; `values` go to `simulate(set=tuned.values)`
    measures         names; `before` and `after` are their values, (scenarios, measures), and `worst` the
                     worst of these, before and after, of each measure
    unmet            limits that no point of the search met: measure, and the worst value that is left
    method           "gradient" or "evolution"; `reason` says why there are no gradients
    runs             how many runs it took, one a scenario and point
    converged        whether the search ended at a minimum; `message` says how it ended
    """

    values: Mapping[str, float]
    starts: Mapping[str, float]
    measures: tuple[str, ...]
    before: Floats
    after: Floats
    worst: tuple[Floats, Floats]
    unmet: Mapping[str, float]
    method: str
    reason: str
    runs: int
    converged: bool
    message: str

    def __repr__(self) -> str:
        gains = [(path, f"{self.starts[path]:.6g}", f"{value:.6g}") for path, value in self.values.items()]
        parts = [plain(Table("", ("", "start", "found"), gains)).rstrip()]
        heads = ("", "mean before", "worst before", "mean", "worst")
        rows = [
            (name, *(f"{number:.5g}" for number in numbers))
            for name, *numbers in zip(
                self.measures,
                self.before.mean(axis=0),
                self.worst[0],
                self.after.mean(axis=0),
                self.worst[1],
                strict=True,
            )
        ]
        parts.append(plain(Table("", heads, rows)).rstrip())
        parts += [f"the limit of {name} is not met: {value:.5g}" for name, value in self.unmet.items()]
        state = "" if self.converged else f", not converged: {self.message}"
        why = f" ({self.reason.splitlines()[0]})" if self.reason else ""
        return "\n".join([*parts, f"by {self.method}{why}, {self.runs} runs{state}"])
