"""A task holds everything that a worker needs to run any scenario of a sweep, compiled once per process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.compiler.compile import compile_diagram
from ...diagrams.compiler.program import Program
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.inputs import require_given
from ...diagrams.runs.logged import make_columns
from ...diagrams.runs.prepared import initial_states
from ...diagrams.values.overrides import overrides
from ...diagrams.values.target import Overrides, Target
from ...solvers.layout import Floats, Integers
from ..declare.design import Design
from ..measures.declared import Measures
from ..measures.prepared import KernelData
from ..place.base import REFUSALS, Base, make_base, reason_of
from ..place.placement import Overlay, Placement, unchanged
from ..store.part import OUTCOMES, Part, empty
from .driver import native_driver
from .lane import Lane, SignalGrid
from .lanes import Gradients, Lanes, make_lane

if TYPE_CHECKING:
    from ...diagrams.results.result import Result

REFUSED, TIMED = OUTCOMES.index("refused"), OUTCOMES.index("time limit")


def new_flag() -> Integers:
    """A flag that cancels a run, initially not set."""
    return np.zeros(1, np.int64)


@dataclass(frozen=True, eq=False)
class Task:
    """The diagram with its measures, the scenarios, and how each is run.

    `diagram` has the blocks that measures need. `simulation` are arguments of `Diagram.simulate`, `common`
    is true if random streams are the same in every scenario.
    """

    diagram: Diagram
    design: Design
    targets: Mapping[str, Target]
    measures: Measures
    keeping: SignalGrid
    simulation: Mapping[str, Any]
    common: bool = False

    @cached_property
    def base(self) -> Base:
        """The compiled diagram as declared; settings that only axes give are taken from scenario 0."""
        program = compile_diagram(self.diagram, loops=self.simulation.get("loops"))
        return self._base(program, self._settings | self._first)

    @property
    def _first(self) -> dict[str, Any]:
        settings = {path: target for path, target in self.targets.items() if target.kind == "setting"}
        simulation = overrides(settings, {path: self.design.scenario(0)[path] for path in settings}).simulate
        declared = {*self.diagram.simulation, *self.simulation}
        return {name: value for name, value in simulation.items() if name not in declared}

    @property
    def _settings(self) -> dict[str, Any]:
        return {name: value for name, value in self.simulation.items() if name != "loops"}

    def _base(self, program: Program, simulation: Mapping[str, Any]) -> Base:
        require_given(program.flat, frozenset(target.block for target in self.targets.values()))
        program = program.with_log(list(self.measures.signals))
        refine = (
            self.compiled.refine if "compiled" in self.__dict__ else self.measures.compiled(program).refine
        )
        return make_base(program, simulation, make_columns(program).elements, refine=refine)

    @cached_property
    def compiled(self) -> KernelData:
        """The measures over the base's rows."""
        return self.measures.compiled(self.base.program)

    @cached_property
    def grid(self) -> Base | None:
        """The same diagram with rows on the grid of the signals that are kept."""
        if not self.keeping.signals:
            return None
        program = compile_diagram(self.diagram, loops=self.simulation.get("loops"))
        return self._grid(program, self._settings | self._first)

    def _grid(self, program: Program, simulation: Mapping[str, Any]) -> Base:
        program = program.with_log(list(self.keeping.signals))
        times = self.keeping.times(self.base.settings.start, self.base.settings.stop)
        return make_base(program, simulation, make_columns(program).elements, times=times)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every kept signal for one scenario: times first."""
        times = self.times
        return (
            {} if self.grid is None or times is None else self.keeping.shapes(self.grid.program, times.size)
        )

    @property
    def times(self) -> Floats | None:
        """The common times of the signals that are kept, s."""
        return None if self.grid is None else self.grid.settings.times

    @property
    def units(self) -> dict[str, str]:
        """The units of the signals that are kept."""
        return {} if self.grid is None else self.keeping.units(self.grid.program)

    @cached_property
    def placement(self) -> Placement:
        return self._placement(self.base)

    @cached_property
    def grid_placement(self) -> Placement:
        assert self.grid is not None
        return self._placement(self.grid)

    def _placement(self, base: Base) -> Placement:
        first = self.design.columns(0, 1)
        numeric = [path for path, values in first.items() if isinstance(values, np.ndarray)]
        return Placement(base, self.targets, numeric, common=self.common)

    @cached_property
    def _lanes(self) -> dict[bool, Lanes]:
        grids = {} if self.grid is None else {True: Lanes(self.grid, self.compiled)}
        return {False: Lanes(self.base, self.compiled), **grids}

    @cached_property
    def _gradients(self) -> Gradients:
        return Gradients(self)

    def ready(self) -> None:
        """Compile everything that the scenarios need before threads start.

        Raises the errors of compiling the diagram, SweepError, NotDifferentiable, and RunArgumentError.
        """
        assert self.placement is not None
        assert self.compiled is not None
        if self.measures.behind:
            self._gradients.ready()
        if self.grid is not None:
            assert self.grid_placement is not None
        if self.base.native:
            native_driver()
            for lanes in self._lanes.values():
                lanes.ready(new_flag())

    def __getstate__(self) -> dict[str, Any]:
        """State that is sent to another process: the description, nothing compiled."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    # ---- running ----

    @property
    def parallel(self) -> bool:
        """True if threads help: scenarios run without Python."""
        return self.base.native

    def run(
        self, start: int, stop: int, cancelled: Integers | None = None, trying: Integers | None = None
    ) -> Part:
        """The scenarios [start, stop). Raises Cancelled.

        trying[0] is the number, from 1 on, of the running scenario, and 0 after the last.
        """
        cancelled = new_flag() if cancelled is None else cancelled
        trying = new_flag() if trying is None else trying
        part = empty(start, stop, len(self.measures.names), self.shapes)
        columns = self.design.columns(start, stop)
        overlay = self.placement.overlay(start, columns, stop - start)
        separate = {*overlay.recompiled}
        for row, reason in overlay.refused.items():
            part.outcome[row], part.reason[row] = REFUSED, reason
        rows = np.array(
            [k for k in range(stop - start) if k not in separate and k not in overlay.refused], np.int64
        )
        if self.base.native:
            self._natively(part, overlay, rows, columns, (cancelled, trying))
        else:
            separate = {*separate, *rows.tolist()}
        for row in sorted(separate):
            trying[0] = start + row + 1
            self._alone(part, start, row, cancelled)
        trying[0] = 0
        if self.measures.behind:
            self._gradients.take(part, cancelled)
        self.measures.finish(part.measures)
        return part

    def _natively(
        self, part: Part, overlay: Overlay, rows: Integers, columns: Mapping[str, Any],
        flags: tuple[Integers, Integers],
    ) -> None:  # fmt: skip
        """Scenarios in machine code; `flags` are `cancelled` and `trying`."""

        def measured(lane: Lane, rows_left: Integers) -> int:
            return lane.measure(overlay, rows_left, part)

        self._lanes[False].do(rows, *flags, measured)
        if self.grid is None:
            return
        rows = rows[part.outcome[rows] != TIMED]
        again = self.grid_placement.overlay(part.start, columns, len(part.outcome))
        pieces: list[Floats] = []

        def copied(lane: Lane, rows_left: Integers) -> int:
            piece, n = lane.keep(again, rows_left, part.start)
            pieces.append(piece)
            return n

        self._lanes[True].do(rows, *flags, copied)
        if not pieces:
            return
        trajectories = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
        begins = next(
            (t.path for t in self.targets.values() if (t.kind, t.name) == ("setting", "start")), None
        )
        if begins is not None:
            trajectories[self.times < np.asarray(columns[begins])[rows, None]] = np.nan
        self.keeping.distribute(self.grid.program, trajectories, part, rows)

    def _alone(self, part: Part, start: int, row: int, cancelled: Integers) -> None:
        """Run a scenario that needs its own program, or Python."""
        try:
            base = self.alone(start + row)
            measures = self.measures.compiled(base.program)
        except REFUSALS as error:
            part.outcome[row], part.reason[row] = REFUSED, reason_of(error)
            return
        one = empty(start + row, start + row + 1, len(self.measures.names), {})
        make_lane(base, measures, cancelled).measure(unchanged(), np.zeros(1, np.int64), one)
        for name in ("measures", "outcome", "end", "steps"):
            getattr(part, name)[row] = getattr(one, name)[0]
        part.reason[row] = one.reason[0]
        if self.grid is not None and part.outcome[row] != TIMED:
            self._keep_alone(part, start, row, cancelled)

    def _keep_alone(self, part: Part, start: int, row: int, cancelled: Integers) -> None:
        try:
            base = self._compiled_base(start + row, self._grid)
        except BlockdynError:  # a structure without these signals
            return
        times = self.times
        assert times is not None
        lane = make_lane(base, self.compiled, cancelled)
        trajectory = lane.keep(unchanged(), np.zeros(1, np.int64), start + row)[0][0]
        trajectory[times < base.settings.start] = np.nan
        self.keeping.distribute(base.program, trajectory[None], part, np.array([row]))

    def alone(self, k: int) -> Base:
        """Scenario k compiled separately. Raises the errors of compiling it."""
        return self._compiled_base(k, self._base)

    def _compiled(self, k: int) -> tuple[Program, dict[str, Any], Overrides]:
        """Scenario k compiled separately, the settings of its run, and all that its values change."""
        changed = overrides(self.targets, self.design.scenario(k))
        loops = self.simulation.get("loops")
        program = compile_diagram(self.diagram, parameters=changed.parameters, set=changed.set, loops=loops)
        settings = {**self._settings, **changed.simulate, "scenario": 0 if self.common else k}
        return program, settings, changed

    def _compiled_base(self, k: int, make: Any) -> Base:
        program, settings, changed = self._compiled(k)
        base: Base = make(program, settings)
        memory = base.template.memory
        for initial in filter(None, (base.request.initial, changed.initial)):
            for where, values in initial_states(base.program, initial, base.settings.start):
                getattr(memory, where.array)[where.place] = values
        base.template.begin[:] = base.template.words
        return base

    def result(self, k: int, **settings: Any) -> Result:
        """Scenario k alone, with its whole result. Raises the errors of the run."""
        program, scenario_settings = self.prepared(k)
        if "initial" in settings:
            settings["initial"] = {**scenario_settings.get("initial", {}), **settings["initial"]}
        return program.simulate(**{**scenario_settings, **settings})

    def prepared(self, k: int) -> tuple[Program, dict[str, Any]]:
        """The program of scenario k and the arguments of its run. Raises the errors of compiling it."""
        program, settings, changed = self._compiled(k)
        return program, settings | ({"initial": changed.initial} if changed.initial else {})
