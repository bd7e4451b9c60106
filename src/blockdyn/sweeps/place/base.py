"""The base is the compiled diagram of a sweep with its run settings, before any scenario's changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...base.errors import BlockdynError
from ...diagrams.compiler.plan.layout import Scales
from ...diagrams.compiler.program import Program
from ...diagrams.model.errors import RunArgumentError
from ...diagrams.model.settings import OUTPUT, Settings
from ...diagrams.model.touch import touches_of
from ...diagrams.runs.settings import make_settings, solver_settings
from ...diagrams.runs.steps import addresses
from ...native.engine import Entries
from ...solvers.layout import Floats, Memory
from ...solvers.loop.run import Problem, Run, Settings as SolverSettings

REFUSALS = (BlockdynError, ValueError, TypeError, ArithmeticError, LookupError)
"""How a diagram refuses numbers; all but the first come from a user's own block."""


def reason_of(error: BaseException) -> str:
    """An error's message without the place in the file, which depends on the machine."""
    if not isinstance(error, BlockdynError):
        return f"{type(error).__name__}: {error}"
    at = getattr(error, "location", None)
    return str(error).removeprefix(f"{at}: ") if at else str(error)


ROW_BYTES = 1 << 16  # of a log buffer: rows are measured while they are in the processor's cache


@dataclass(frozen=True, eq=False)
class Base:
    """A program, its run settings, and the elements of w that a row holds; `ticks`: steps end at every tick,
    also at ticks that only read.
    """

    program: Program
    request: Settings
    settings: SolverSettings
    elements: tuple[int, ...]
    ticks: bool = False

    @property
    def native(self) -> bool:
        """True if scenarios run without Python: a compiled method, and no block that Python runs."""
        return self.settings.method.compiled and self.request.compiled and not len(self.program.callbacks)

    @cached_property
    def problem(self) -> Problem:
        return self.program.problem(list(self.elements), compiled=self.request.compiled, ticks=self.ticks)

    @cached_property
    def template(self) -> Run:
        """A run that is never advanced: the memory layout and the initial values."""
        return self.run(self.settings, self.problem, self.program.memory(*self.key))

    @cached_property
    def addresses(self) -> Entries:
        """Addresses of the program's functions; with a built-in step, if its size allows one."""
        return addresses(self.program)

    @property
    def key(self) -> tuple[int, int]:
        """Seed and scenario of the random streams."""
        return self.request.seed or 0, self.request.scenario

    def run(self, settings: SolverSettings, problem: Problem, memory: Memory) -> Run:
        """Arrays for a run with these settings."""
        return Run(problem, settings, memory, row_bytes=ROW_BYTES)

    def settings_with(
        self, changes: Mapping[str, Any], *, allowed: float | None = None, scales: Scales | None = None
    ) -> SolverSettings:
        """The settings with some of the run's arguments changed. Raises RunArgumentError."""
        request = replace(self.request, **changes)
        settings = solver_settings(self.program, request, allowed=allowed, scales=scales)
        return replace(settings, times=self.settings.times, refine=self.settings.refine)


def make_base(
    program: Program, simulation: Mapping[str, Any], elements: Sequence[int], *, refine: int = 1,
    times: Floats | None = None, ticks: bool = False,
) -> Base:  # fmt: skip
    """A base whose rows hold these elements of w; `times` are the times of signals kept on a grid.

    Raises RunArgumentError.
    """
    arguments = {name: value for name, value in simulation.items() if name not in OUTPUT}
    request = make_settings(program, arguments)
    if request.touches is not None and touches_of("touches", request.touches):
        expected = "none: the scenarios of a sweep differ from the start on, in its axes"
        raise RunArgumentError("touches", request.touches, expected)
    request = replace(
        request, refine=1, states=False, times=None, every=None, progress=False, log=None, stream=None
    )
    settings = replace(solver_settings(program, request), times=times, refine=refine)
    return Base(program, request, settings, tuple(elements), ticks)
