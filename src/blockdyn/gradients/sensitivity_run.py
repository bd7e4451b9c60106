"""A run of a program with the derivatives of its signals, in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..diagrams.compiler.tangents import Tangents
from ..diagrams.runs.diagnose import explain, stopped_by
from ..diagrams.runs.owned import make_owned_objects
from ..diagrams.runs.prepared import calls
from ..native.tangent.frame import NotDifferentiable
from ..solvers import layout
from ..solvers.differentiated import Shadows
from ..solvers.layout import Floats
from ..solvers.loop.entry import followed_calls
from ..solvers.loop.run import Run
from ..solvers.steps.switching import gives_way
from ..solvers.variation.controlled import MOST_PARTS
from ..solvers.variation.fields import POINTS, Variation
from ..solvers.variation.instants import TICKS
from ..sweeps.place.base import Base
from .errors import GradientError
from .seeds import ARRAYS, InitialValues, timer_numbers


def make_variation(
    run: Run, loops: Sequence[tuple[int, int]], memory: tuple[Shadows, Shadows], lanes: int, *, implicit: bool
) -> Variation:
    """Workspace for this number of directions; `memory` are the two copies of the program's memory."""
    shadows, bare = memory
    s, n = run.work, run.memory.x.size
    cuts = np.array(loops, np.int64).reshape(-1, 2)
    sizes = [timer_numbers(timer, s.timer_integers, s.timer_floats).size for timer in s.timers]
    stages, unknowns = max(s.stages, s.other_stages, POINTS), len(cuts)
    square, all_points = (n, POINTS * n) if implicit else (0, 0)
    shapes = {
        "most": run.memory.g.shape, "held": run.memory.z.shape, "most_d": (lanes,), "sizes": (lanes,),
        "errors": (lanes,), "flow_time": (lanes,), "flow_x": (n + 1, lanes),
        "w_rate": run.memory.w.shape, "time_d": (lanes,), "instant_d": (lanes,), "before_d": (lanes,),
        "x": (n,), "begin": (n,), "slopes": (stages, n), "slopes_d": (n + 1, lanes),
        "begin_d": (n + 1, lanes), "trial_d": (n + 1, lanes), "stages_d": (stages, n + 1, lanes),
        "nodes_d": (6 * bool(len(s.delays)), n + 1, lanes), "timers_d": (sum(sizes), lanes),
        "loop": (unknowns, unknowns), "loop_right": (lanes, unknowns), "bare_time": (lanes,),
        "bare_x": (n + 1, lanes), "units_x": (n + 1, lanes), "jacobian": (POINTS, square, square),
        "matrix": (all_points, all_points), "right": (lanes, all_points),
    }  # fmt: skip
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    arrays |= {f"{name}_d": shadows.of(name) for name in ("x", "z", "w", "g")}
    arrays |= {f"{name}_row": arrays[f"{name}_d"].reshape(-1) for name in ("x", "begin", "trial", "slopes")}
    variation = Variation(
        arrays
        | {
            "stage_rows": arrays["stages_d"].reshape(stages, -1),
            "timers_at": np.cumsum([0, *sizes], dtype=np.int64), "cuts": cuts, "meets": np.full(2, -1),
            "bare_w": bare.of("w"), "bare_g": bare.of("g"),
            "loop_pivots": np.zeros(unknowns, np.int64), "pivots": np.zeros(all_points, np.int64),
        }
    )  # fmt: skip
    variation.shadows, variation.bare, variation.lanes = shadows.address, bare.address, lanes
    variation.spare = lanes - 1 if s.turning else -1
    return variation


FUNCTIONS = ("derivative", "evaluate", "react", "update", "remember")
LANES = (4, 8, 16, 32)  # numbers of directions with compiled code
MOST = LANES[-1] - 1  # one direction is spare
STATES = ("x", "z", "w")  # arrays of a program that a run changes
MOST_STATES = 100  # with an implicit method, whose equations of three points are solved as one dense system
AHEAD = 1e-12  # of a run: the time after which the side of a kink is determined
SAME = 1e-6  # relative, or of 1: largest change of a signal and its derivatives in this time
SOME = 3  # blocks of a clock that an error names
APART = (
    "parameters with which they are separate; at a slightly smaller or larger"
    " value one of the two derivatives holds"
)
STEPS = 10_000  # between two checks for an interrupt


class Rows(NamedTuple):
    """Elements of signals at requested times, (k, m), and derivatives with respect to each path, (k, m, n).

    `rates` (k, m) are the derivatives with respect to time, and `moves` (k, n) the derivatives of the last
    event time before each time; both 0 unless requested. `unknown` is the error of an event whose time
    has no derivative, NaN in `moves`, and `met` the error of two coinciding events: see `slopes_by_sides`.
    """

    values: Floats
    slopes: Floats
    rates: Floats
    moves: Floats
    unknown: NotDifferentiable | None = None
    met: NotDifferentiable | None = None


class StateDerivatives(NamedTuple):
    """The arrays x, z and w at a time, their derivatives along each direction, and the slopes of x there."""

    arrays: dict[str, Floats]
    derivatives: dict[str, Floats]
    rates: Floats


class SolverOutput(NamedTuple):
    """A run of the solver: its rows and events, see `solvers.layout`, its end time, s, and a flag that a
    block such as Stop ended it.
    """

    rows: Floats
    events: Floats
    end: float
    stopped: bool


class SensitivityRun:
    """A program prepared to run with derivatives in some directions, one run at a time.

    `differences` are the paths of blocks that Python runs, whose derivatives are differences.
    """

    def __init__(self, base: Base, directions: int) -> None:
        """Raises NotDifferentiable, GradientError."""
        program, method = base.program, base.settings.method
        if not method.compiled:
            expected = "a method whose steps can be differentiated, such as dopri5, rodas5p, or auto"
            raise GradientError(f"the method is {method.name}", expected)
        implicit = method.kind == "implicit" or gives_way(method, program.plan.states)
        if implicit and program.plan.states > MOST_STATES:
            expected = f"an explicit method, such as method='dopri5', or at most {MOST_STATES} states"
            raise GradientError(f"the method is {method.name}, with {program.plan.states} states", expected)
        self._base, self._directions = base, directions
        spare = int(base.problem.turns.any())
        lanes = next(lanes for lanes in LANES if directions + spare <= lanes)
        functions = FUNCTIONS if program.plan.delays else FUNCTIONS[:-1]
        tangents = Tangents(program, *functions, lanes=lanes)
        self.differences = tangents.differences
        self._run = run = base.run(base.settings, base.problem, program.memory(*base.key))
        self._shadows, self._bare = Shadows(run.memory, lanes), Shadows(run.memory, lanes)
        self._variation = make_variation(
            run, tangents.loops, (self._shadows, self._bare), lanes, implicit=implicit
        )
        room = [0] * (len(FUNCTIONS) - len(functions))
        words = [*tangents.addresses, *room, self._variation.address]
        self._begin, self._advance, self._look = followed_calls(program.addresses, run, words)
        self._tangents = tangents  # owns the memory at the addresses

    def course(self, begin: InitialValues, refine: int) -> SolverOutput:
        """The run without derivatives, `refine` rows per step. Raises GradientError, errors of a run."""
        run, base = self._run, self._base
        run.words[:] = begin.words
        run.work.refine = refine
        first, later = calls(base.program, run, base.request)
        pieces = []
        with make_owned_objects(base.program, run.memory.p):
            status = first() or layout.PAUSED
            while status in (layout.FULL, layout.PAUSED):
                pieces.append(run.empty_log())
                run.work.budget = STEPS
                status = later()
        stopped = status == layout.STOPPED and stopped_by(base.program, run)[1] is None
        if status != layout.DONE and not stopped:
            self._failed(status)
        pieces.append(run.empty_log())
        rows, events = (np.concatenate(part) for part in zip(*pieces, strict=True))
        return SolverOutput(rows, events, run.time, stopped)

    def rows(
        self, begin: InitialValues, times: Sequence[float], elements: Sequence[int], *, rates: bool = False,
        stops: bool = False,
    ) -> Rows:  # fmt: skip
        """Elements of w at increasing times, s. If a block `stops` the run, later times have the values at
        that instant. Raises NotDifferentiable, GradientError, the errors of a run.
        """
        run, v = self._run, self._variation
        k, m, n = len(times), len(elements), self._directions
        rows = Rows(np.empty((k, m)), np.empty((k, m, n)), np.zeros((k, m)), np.zeros((k, n)))
        ahead = self._ahead(begin, elements) if k and times[0] <= self._base.settings.start else None
        self._start(begin)
        v.rated = int(rates)
        values, slopes, unknown = rows.values, rows.slopes, None
        with make_owned_objects(self._base.program, run.memory.p):
            status = self._begin()
            for k, time in enumerate(times):
                status = self._on(time) if status == 0 else status
                ended = stops and status == layout.STOPPED and stopped_by(self._base.program, run)[1] is None
                if status != 0 and not ended:
                    self._failed(status)
                if self._look() < 0:
                    self._failed(layout.KERNEL_FAILED)
                values[k] = run.memory.w[elements]
                slopes[k] = v.w_d[elements, :n]
                if rates:
                    rows.moves[k] = v.instant_d[:n] if v.crossing < 0 else np.nan
                    unknown = self._grazing(v.crossing) if v.crossing >= 0 else unknown
                    rows.rates[k] = v.w_rate[elements]
        self._refuse_events()
        if ahead is not None and np.allclose(ahead[0], values[0], rtol=SAME, atol=SAME):
            other = ~np.isclose(ahead[1], slopes[0], rtol=SAME, atol=SAME)  # on the side of the run
            slopes[0][other] = ahead[1][other]
        if not np.all(np.isfinite(slopes)):
            k = int(np.argmin(np.isfinite(slopes).all(axis=(1, 2))))
            by = self.differences if np.any(np.isnan(slopes[k])) else ()
            raise NotDifferentiable(f"a derivative that is not finite at {float(times[k]):g} s or before", by)
        return rows._replace(unknown=unknown, met=self._met())

    def _ahead(self, begin: InitialValues, elements: Sequence[int]) -> tuple[Floats, Floats] | None:
        """Elements and their derivatives after a run has determined its side of a kink."""
        start, stop = self._base.settings.start, self._base.settings.stop
        soon = start + max(AHEAD * (stop - start), 8.0 * float(np.spacing(abs(start))))
        self._start(begin)
        with make_owned_objects(self._base.program, self._run.memory.p):
            if self._begin() != 0 or self._on(soon) != 0 or self._look() < 0:
                return None
            slopes = self._variation.w_d[elements, : self._directions].copy()
            return self._run.memory.w[elements].copy(), slopes

    def carried(self, begin: InitialValues, time: float) -> StateDerivatives:
        """The states at a time, s. Raises NotDifferentiable, GradientError, the errors of a run."""
        run, v, n = self._run, self._variation, self._directions
        self._start(begin)
        with make_owned_objects(self._base.program, run.memory.p):
            status = self._begin()
            status = self._on(time) if status == 0 else status
            if status != 0:
                self._failed(status)
            arrays = {name: getattr(run.memory, name).copy() for name in STATES}
            derivatives = {name: self._shadows.of(name)[:, :n].copy() for name in STATES}
            if self._look() < 0:
                self._failed(layout.KERNEL_FAILED)
            rates = v.x.copy()
        self._refuse_events()
        if met := self._met():
            raise met
        return StateDerivatives(arrays, derivatives, rates)

    def _refuse_events(self) -> None:
        v = self._variation
        if v.grazed:
            raise self._grazing(v.grazing)
        if v.singular:
            self._refuse_singular()

    def _met(self) -> NotDifferentiable | None:
        v = self._variation
        if not v.met:
            return None
        if v.meets[1] == -1:
            path, name = self._crossing(v.meets[0])
            reason = f"its event `{name}`, where it only touches its level, at {v.met_at:g} s or just before"
            return NotDifferentiable(reason, [path], APART)
        reason = (
            f"two events at {v.met_at:g} s whose times depend differently on the"
            " parameter: the derivative depends on their order"
        )
        owners = [owner for number in v.meets if number != -1 for owner in self._owners(int(number))]
        return NotDifferentiable(reason, [*dict.fromkeys(owners)], APART)

    def _owners(self, number: int) -> list[str]:
        """The path of the block of a crossing or timer; for a clock the paths of some of its blocks."""
        if number >= 0:
            return [self._crossing(number)[0]]
        plan, timer = self._base.program.plan, TICKS - number
        unit = plan.timer_owner[timer]
        if unit >= 0:
            return [plan.units[unit].path]
        clock = self._run.work.timers[timer, layout.HIT]
        return [unit.path for unit in plan.units if unit.clock == clock][:SOME]

    def _crossing(self, number: int) -> tuple[str, str]:
        """The path of a crossing's block, and its name."""
        plan = self._base.program.plan
        unit, name = plan.crossing_owner[number]
        return plan.units[unit].path, name

    def _start(self, begin: InitialValues) -> None:
        self._run.words[:] = begin.words
        self._run.work.refine = 0
        v = self._variation
        for _, array in v.arrays():
            if array.dtype == np.float64:
                array[:] = 0.0
        for name in ARRAYS:
            self._shadows.of(name)[:] = 0.0
            self._shadows.of(name)[:, : self._directions] = begin.seeds[name]
        v.timers_d[:, : self._directions] = begin.timers
        v.grazed = v.met = v.singular = v.carried = v.endless = v.first_stage = v.rated = 0
        v.meets[:], v.before_at = -1, -np.inf
        v.length, v.tried = 0.0, np.nan

    def _on(self, time: float) -> int:
        """Continue to a time, and end a step there; returns 0, or the status of the end of the run."""
        s = self._run.work
        stop, status = float(s.t_end), layout.PAUSED
        if s.t >= time:
            return 0
        s.t_end = time
        while status in (layout.PAUSED, layout.FULL):
            s.budget, s.rows, s.event_rows = STEPS, 0, 0
            status = self._advance()
        s.t_end = stop
        return 0 if status == layout.DONE else int(status)

    def _failed(self, status: int) -> None:
        program, run = self._base.program, self._run
        if status == layout.STOPPED:
            path, error = stopped_by(program, run)
            if error is None:
                actual = f"{path} ends the run at {run.time:g} s"
                raise GradientError(actual, "times, or a `stop` of the run, before that")
            raise error
        if self._variation.endless:
            actual = f"from {run.time:g} s on derivatives change too fast for {MOST_PARTS} parts of one step"
            raise GradientError(actual, "an implicit method, such as rodas5p")
        raise explain(program, run, status, program.callbacks.failure())

    def _refuse_singular(self) -> None:
        at, loops = self._variation.singular_at, self._base.program.plan.loops
        ports = [port for loop in loops for port in loop.ports]
        system = "an algebraic loop whose equations are" if loops else "a Jacobian of steps that is"
        raise NotDifferentiable(f"{system} singular at {at:g} s", ports)

    def _grazing(self, number: int) -> NotDifferentiable:
        path, name = self._crossing(number)
        reason = "turns" if self._run.work.turns[number] else "only touches its level"
        return NotDifferentiable(f"its event `{name}`, where it {reason}", [path])
