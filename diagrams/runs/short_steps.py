"""Short steps: what made the steps of a run so short, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...solvers.layout import Floats
from ...solvers.methods.method import Method
from ...solvers.steps.stability import limited
from ...solvers.steps.switching import MOST_STATES
from ..compiler.branches import branch_notices
from ..compiler.program import Program

MANY = 1000  # steps from which a cause is looked for
AT_ONCE = 2**16  # steps whose lengths are in memory at the same time: half a megabyte beside a long log
OFTEN = 10  # changes of the method
PILED = 30.0  # how many times more steps than the longest one suggests are too many


def piled(times: Floats) -> bool:
    """Whether the steps that end at these times are crowded: most are far shorter than the longest one."""
    if len(times) < MANY:
        return False
    parts = (times[i : i + AT_ONCE + 1] for i in range(0, len(times) - 1, AT_ONCE))
    longest = max(np.diff(part).max() for part in parts)
    return bool(len(times) * longest > PILED * (times[-1] - times[0]))


def causes(program: Program, totals: Mapping[str, int], *, failed: bool = False) -> list[str]:
    """One sentence each; of a run that `failed` for its steps, or whose steps piled up, also what may have
    been the cause. A branch, at which a stiff method is as slow, comes first.
    """
    sentences = []
    steps, rejected = totals["steps"], totals["rejected"]
    if failed or rejected > max(steps, MANY):
        sentences += list(branch_notices(program))
    if limited(totals) and not totals["switches"]:
        sentences.append(
            "most steps were as short as the stability of the method demands, not the error: the diagram is"
            f" stiff, and a stiff method takes far fewer ({fitting(program.plan.states)}, for one)"
        )
    return sentences


def meanwhile(totals: Mapping[str, int], states: int) -> str:
    """What to add to the progress of a run that takes long because its diagram is stiff."""
    if totals["switches"] or not limited(totals):
        return ""
    return f"; stiff: {fitting(states)} takes far fewer steps"


def fitting(states: int) -> str:
    """The method for so many stiff states."""
    return "method='auto'" if states <= MOST_STATES else "method='bdf'"


def changes(method: Method, totals: Mapping[str, int]) -> list[str]:
    """A sentence if two methods took turns so often that one alone is likely to be faster."""
    if method.stiff is None or totals["switches"] < OFTEN:
        return []
    return [
        f"the method changed {totals['switches']} times: {method.stiff.name} took"
        f" {totals['implicit_steps']} of {totals['steps']} steps; compare with method={method.stiff.name!r}"
    ]


def approximations(program: Program, totals: Mapping[str, int]) -> list[str]:
    """What of the Jacobians of a run was not exact, in a sentence each."""
    if not totals["jacobians"] or "differentiated" not in program.__dict__:
        return []
    differentiated, sentences = program.differentiated, []
    if differentiated.refusal:
        sentences.append(f"the Jacobian was a difference, because the diagram has {differentiated.refusal}")
    if differentiated.differences:
        paths = ", ".join(differentiated.differences)
        sentences.append(f"the part of these blocks in the Jacobian was a difference: {paths}")
    return sentences
