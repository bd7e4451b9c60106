"""Functions of a program with a built-in step of the default method, for thousands of runs.

Compilation is slower and execution faster: the equations are written into every stage of the step.
"""

from __future__ import annotations

from functools import partial

from ...base.memory import undisturbed
from ...native.engine import Entries
from ..compiler.code import compile_text
from ..compiler.emit.functions import NAMES, Text
from ..compiler.emit.written import NAMES as STEPS, step_functions
from ..compiler.plan.unit import Source
from ..compiler.program import Program
from .logged import make_columns

MOST_STATES, MOST_TASKS = 48, 120  # limits for the processor's cache and LLVM's compile time


def addresses(program: Program) -> Entries:
    """Addresses of the functions of a program: six, or eight with `stages` and `quarters` for its log.

    A diagram that is large, or calls Python, keeps its six.
    """
    plan = program.plan
    if plan.states > MOST_STATES or len(plan.order) > MOST_TASKS or len(program.callbacks):
        return program.addresses
    columns: dict[tuple[str, str], tuple[Source, int]] = {}
    for column in make_columns(program).signals:
        source = Source(column.unit.index, column.port)
        columns.setdefault((column.unit.path, column.port), (source, column.size.count))
    with undisturbed():
        text = Text(plan, program.instructions, partial(step_functions, columns=list(columns.values())))
    return compile_text(text, (*NAMES, *STEPS)).entries((*NAMES, *STEPS))
