"""Map the values of scenarios to the places in memory where they differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...diagrams.compiler.filling import stream
from ...diagrams.compiler.plan.layout import Scales
from ...diagrams.compiler.plan.unit import Unit
from ...diagrams.runs.prepared import initial_states
from ...diagrams.values.change import Change
from ...diagrams.values.direct import Direct, direct
from ...diagrams.values.overrides import overrides
from ...diagrams.values.target import Target
from ...solvers import layout
from ...solvers.events.timer import Timer, pack
from ...solvers.fields import Real
from ...solvers.layout import Floats, Integers, Work
from ...solvers.loop.run import Run
from .base import REFUSALS, Base, reason_of
from .component import Combination, Component

Columns = Mapping[str, Any]
"""Values by path: one for each scenario of a range."""
REMEMBERED = 4096
FLOATS, INTEGERS = ("atol", "rtol", "timer_floats"), ("timers", "timer_integers")  # arrays, besides numbers


@dataclass
class Overlay:
    """Places at which scenarios differ from the base, and the numbers there; one row per scenario.

    `recompiled` scenarios need their own program, `refused` ones have numbers that the diagram rejects,
    with the reason; both by their row.
    """

    float_at: Integers
    floats: Floats
    integer_at: Integers
    integers: Integers
    recompiled: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def unchanged() -> Overlay:
    """A scenario equal to its base."""
    none = np.zeros(0, np.int64)
    return Overlay(none, np.zeros((1, 0)), none, np.zeros((1, 0), np.int64))


class Placement:
    """Map from the targets of a sweep to the memory of its base.

    Numbers that a block uses unchanged are written directly, all scenarios at once; `numeric` are the paths
    whose values are single numbers. Where a block computes something from them (a robot's table, an inverse),
    the block is rebuilt, once for every combination of values. Timers, tolerances and spans are computed by
    the solver's own set-up.
    """

    def __init__(
        self, base: Base, targets: Mapping[str, Target], numeric: Collection[str], *, common: bool = False
    ) -> None:
        self._base, self._common = base, common
        self._overrides = partial(overrides, targets)
        plan = base.program.plan
        changes = {
            path: Change.of(base.program, [target])
            for path, target in targets.items()
            if target.kind in ("parameter", "block")
        }
        reached = {path: change.reach.blocks for path, change in changes.items()}
        alone = [path for path, blocks in reached.items() if len(blocks) == 1 and path in numeric]
        by_path = {path: direct(changes[path], targets[path]) for path in alone}
        self._direct: list[Direct] = _side_by_side(
            reached, {p: direct_target for p, direct_target in by_path.items() if direct_target}
        )
        settled = {direct_target.path for direct_target in self._direct}
        indirect = {path: blocks for path, blocks in reached.items() if path not in settled}
        room = base.program.room()
        self._components = [
            Component(group, Change.of(base.program, [targets[p] for p in group]), self._overrides, room)
            for group in _meeting(indirect)
        ]
        self._settings = tuple(p for p, t in targets.items() if t.kind == "setting" and t.name != "seed")
        self._seed = next((p for p, t in targets.items() if t.kind == "setting" and t.name == "seed"), None)
        states = {path: target for path, target in targets.items() if target.kind == "state"}
        remade = {block for blocks in indirect.values() for block in blocks}
        for path, target in states.items():
            free = path in numeric and target.block not in remade
            direct_target = direct(Change.of(base.program, [target]), target) if free else None
            if direct_target is not None:
                self._direct.append(direct_target)
        settled = {target.path for target in self._direct}
        moved = bool(base.request.initial) and any(targets[path].name == "start" for path in self._settings)
        self._states = moved or not settled.issuperset(states)
        self._state_targets = [target for target in self._direct if target.path in states]
        self._random = [unit for unit in plan.units if unit.block.random]
        reached_units = {unit.index for component in self._components for unit in component.change.units}
        others = [unit.block.longest_step() for unit in plan.units if unit.index not in reached_units]
        timed = self._settings or any(_times(unit) for c in self._components for unit in c.change.units)
        self._timing = Timing(base, min(others, default=np.inf)) if timed else None
        self._lock = Lock()  # blocks are rebuilt in workspace that threads share
        self._lay_out()

    def _lay_out(self) -> None:
        """The places of everything, in the order in which `overlay` gives the numbers."""
        run = self._base.template
        start = {name: run.place(name) for name in ("p", "x", "z", "w")}
        at: list[Any] = [[start[name] + i for name, places in d.at for i in places] for d in self._direct]
        for component in self._components:
            at += [start[name] + places for name, places in component.places]
        if self._timing is not None:
            at.append(self._timing.float_at)
        at += [[start["p"] + unit.numbers_at["stream"] + i for i in range(2)] for unit in self._random]
        self._state_at: Integers = np.zeros(0, np.int64)
        if self._states:
            base = self._base
            begun = initial_states(base.program, base.request.initial, base.settings.start)
            arrays = ("x", "z", "w") if any(where.array == "w" for where, _ in begun) else ("x", "z")
            ranges = ((start[name], getattr(run.memory, name).size) for name in arrays)
            self._state_at = np.concatenate([first + np.arange(size) for first, size in ranges])
            at.append(self._state_at)
        numbers = {} if self._states else self._begun()
        self._begun_numbers: Floats = np.array([*numbers.values()], np.float64)
        at.append([*numbers])
        at.append([])
        self.float_at: Integers = np.concatenate([np.asarray(part, np.int64) for part in at])
        self.integer_at: Integers = self._timing.integer_at if self._timing else np.zeros(0, np.int64)

    def _begun(self) -> dict[int, float]:
        """Initial states of the diagram's run, by place, except the states that targets set."""
        base = self._base
        run = base.template
        begun: dict[int, float] = {}
        for where, numbers in initial_states(base.program, base.request.initial, base.settings.start):
            place = run.place(where.array) + where.start
            begun |= dict(zip(range(place, place + numbers.size), numbers.ravel().tolist(), strict=True))
        for target in self._state_targets:
            for name, element in target.places:
                begun.pop(run.place(name) + element, None)
        return begun

    def overlay(self, start: int, columns: Columns, count: int, *, scenario: int | None = None) -> Overlay:
        """Numbers of the scenarios from `start` on; all have the noise of `scenario`, if given."""
        one = self._base.request.scenario if scenario is None and self._common else scenario
        begin = self._base.template.begin
        overlay = Overlay(
            self.float_at, np.empty((count, self.float_at.size)),
            self.integer_at, np.empty((count, self.integer_at.size), np.int64),
        )  # fmt: skip
        at = 0
        for target in self._direct:
            width = sum(len(places) for _, places in target.at)
            values = np.asarray(columns[target.path], np.float64)
            overlay.floats[:, at : at + width] = values[:, None]
            at += width
            for row in np.flatnonzero(target.refused(values)).tolist():
                overlay.refused[row] = self._reason({target.path: float(values[row])})
        if self._components or self._timing or self._states or self._random:
            overlay.floats[:, at:] = begin.view(np.float64)[self.float_at[at:]]
            overlay.integers[:] = begin[self.integer_at]
            with self._lock:
                for k in range(count):
                    of_row = {path: column[k] for path, column in columns.items()}
                    self._value(overlay, k, start + k if one is None else one, of_row, at)
        if self._begun_numbers.size:
            overlay.floats[:, -self._begun_numbers.size :] = self._begun_numbers
        overlay.recompiled = [k for k in overlay.recompiled if k not in overlay.refused]
        return overlay

    def _value(self, overlay: Overlay, k: int, scenario: int, values: dict[str, Any], at: int) -> None:
        """Everything of one scenario that is not direct."""
        row = overlay.floats[k]
        parts: list[Combination] = []
        for component in self._components:
            part = component.combination(tuple(values[path] for path in component.paths))
            parts.append(part)
            if part.refused:
                overlay.refused.setdefault(k, part.refused)
            elif part.recompiled:
                overlay.recompiled.append(k)
            if part.numbers is None:
                return
            row[at : at + part.numbers.size] = part.numbers
            at += part.numbers.size
        if self._timing is not None:
            simulation = self._overrides({path: values[path] for path in self._settings}).simulate
            timed = self._timing.timed(simulation, parts)
            if timed.refused:
                overlay.refused.setdefault(k, timed.refused)
            elif timed.recompiled:
                overlay.recompiled.append(k)
            if timed.floats is None or timed.integers is None:
                return
            row[at : at + timed.floats.size] = timed.floats
            at += timed.floats.size
            overlay.integers[k] = timed.integers
        seed = self._base.request.seed or 0 if self._seed is None else int(values[self._seed])
        for unit in self._random:
            row[at : at + 2] = stream(seed, scenario, unit.path)
            at += 2
        if self._states:
            self._initial(overlay, k, values)

    def _initial(self, overlay: Overlay, k: int, values: dict[str, Any]) -> None:
        """All states of one scenario: from its blocks, then its diagram's run, then its targets."""
        run = self._base.template
        full = run.begin.view(np.float64).copy()
        full[self.float_at[: -self._state_at.size]] = overlay.floats[k, : -self._state_at.size]
        try:
            changes, base = self._overrides(values), self._base
            at = changes.simulate.get("start", base.settings.start)
            begun = (base.request.initial, changes.initial)
            states = (state for initial in begun for state in initial_states(base.program, initial, at))
            for where, numbers in states:
                place = run.place(where.array) + where.start
                full[place : place + numbers.size] = numbers
        except BlockdynError as error:
            overlay.refused.setdefault(k, reason_of(error))
        overlay.floats[k, -self._state_at.size :] = full[self._state_at]

    def _reason(self, values: dict[str, Any]) -> str:
        """The reason why the diagram rejects these values, in the words of the block."""
        changes = self._overrides(values)
        try:
            self._base.program.source.compile(changes.parameters, changes.set)
        except REFUSALS as error:
            return reason_of(error)
        return ""


def _meeting(reached: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Targets in groups, so that no block is reached by two of them."""
    groups: list[tuple[list[str], set[str]]] = []
    for path, blocks in reached.items():
        paths, all_blocks = [path], {*blocks}
        for group in [g for g in groups if not g[1].isdisjoint(all_blocks)]:
            groups.remove(group)
            paths = [*group[0], *paths]
            all_blocks |= group[1]
        groups.append((paths, all_blocks))
    return [tuple(paths) for paths, _ in groups]


def _side_by_side(
    reached: Mapping[str, tuple[str, ...]], direct_targets: Mapping[str, Direct]
) -> list[Direct]:
    """Targets whose blocks are reached only by such targets, each with its own places."""
    chosen = []
    for path, target in direct_targets.items():
        block = reached[path][0]
        others = [
            direct_targets.get(other)
            for other, blocks in reached.items()
            if block in blocks and other != path
        ]
        if all(other is not None and {*other.places}.isdisjoint(target.places) for other in others):
            chosen.append(target)
    return chosen


def _times(unit: Unit) -> bool:
    """True if a unit's numbers can affect the solver's event times, its longest step or its tolerances."""
    block = unit.block
    scaled = any(state.scale for state in block.states)
    return block.sampled or scaled or block.timers() is not None or np.isfinite(block.longest_step())


@dataclass(frozen=True)
class TimingValues:
    """The numbers at the places of `Timing`; see `Combination` for `recompiled` and `refused`."""

    floats: Floats | None = None
    integers: Integers | None = None
    recompiled: bool = False
    refused: str = ""


class Timing:
    """Computes the solver's numbers for a scenario from its settings and the requirements of its blocks.

    `longest` is the longest step that the blocks no target reaches allow.
    """

    def __init__(self, base: Base, longest: float) -> None:
        self._base, self._longest = base, longest
        run = base.template
        self.float_at = run.places(*Work.names(Real), *FLOATS)
        counts = run.place("modes") + run.work.timers[:, layout.MODE]
        self.integer_at = np.concatenate([run.places(*INTEGERS), counts, run.places("most_steps")])
        self._timings: dict[Any, TimingValues] = {}

    def timed(self, settings: Mapping[str, Any], combinations: Sequence[Combination]) -> TimingValues:
        """The numbers for these settings and the blocks found."""
        timers = tuple(item for part in combinations for item in part.timers)
        clocks = tuple(item for part in combinations for item in part.clocks)
        scales = tuple(item for part in combinations for item in part.scales)
        longest = min((part.longest for part in combinations if part.longest is not None), default=np.inf)
        key = (repr(sorted(settings.items())), timers, clocks, scales, longest)
        timed = self._timings.get(key)
        if timed is None:
            timed = self._make(
                settings, dict(timers), dict(clocks), dict(scales), min(longest, self._longest)
            )
            if len(self._timings) >= REMEMBERED:
                self._timings.clear()
            self._timings[key] = timed
        return timed

    def _make(
        self, changes: Mapping[str, Any], timers: dict[int, Timer], clocks: dict[int, tuple[float, float]],
        scales: Scales, longest: float,
    ) -> TimingValues:  # fmt: skip
        base = self._base
        plan = base.program.plan
        try:
            settings = base.settings_with(changes, allowed=longest, scales=scales)
        except BlockdynError as error:
            return TimingValues(refused=reason_of(error))
        problem = base.problem
        if timers or clocks:
            again = _clocks(plan, clocks)
            if again is None:
                return TimingValues(recompiled=True)
            listed = []
            for placed, owner in zip(plan.timers, plan.timer_owner, strict=True):
                if placed.clock >= 0:
                    period, offset = again[placed.clock]
                    timer = Timer(period=period, offset=offset)
                else:
                    timer = timers.get(owner, placed.timer)
                listed.append(placed._replace(timer=timer, reads=placed.reads and not base.ticks))
            problem = replace(problem, timers=pack(listed))
        if settings.method is not base.settings.method:
            return TimingValues(recompiled=True)
        run = base.run(settings, problem, base.program.room())
        if run.words.size != base.template.words.size or _shapes(run) != _shapes(base.template):
            return TimingValues(recompiled=True)
        return TimingValues(run.floats[self.float_at], run.words[self.integer_at])


def _shapes(run: Run) -> list[tuple[int, ...]]:
    return [getattr(run.work, name).shape for name in FLOATS + INTEGERS]


def _clocks(plan: Any, changed: dict[int, tuple[float, float]]) -> list[tuple[float, float]] | None:
    """Period and offset of every clock, or None if sampled blocks share clocks differently than before."""
    clocks: dict[int, tuple[float, float]] = {}
    for unit in plan.units:
        if unit.clock < 0:
            continue
        clock = changed.get(unit.index) or (float(unit.numbers["sample_time"]), float(unit.numbers["offset"]))
        if clocks.setdefault(unit.clock, clock) != clock:
            return None
    periods = [clocks[i] for i in range(len(plan.clocks))]
    return periods if len({*periods}) == len(periods) else None
