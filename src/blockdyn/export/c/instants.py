"""The instant of a step in C: timers that are due, zero crossings that change sides, reactions of blocks.

The text does the same as `solvers.loop.instant` at the instants of steps only: crossings are not located
between them. A crossing has turned if its value rises from one step to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import indent

from ...solvers.events.timer import NEAR, PlacedTimer, fraction
from .expressions import real

SETTLING = """\
static int sign(double v)
{
    return (v > 0.0) - (v < 0.0);
}

/* A crossing begins anew: its side, and how it has passed while its block was disabled. */
static int begin_anew(NAME *self, int q, int arrived, int64_t changes)
{
    int before = self->side[q], side = sign(self->g[q]), passed;
    self->side[q] = (signed char)side;
    if (side == 0 && !crossing_passage[q]) {
        bool onward = crossing_direction[q] * arrived > 0 && changes < 4;
        self->side[q] = (signed char)(onward ? arrived : -crossing_direction[q]);
    }
    passed = side != 0 ? side : crossing_direction[q];
    if (changes < 4 || crossing_passage[q] || passed == before || crossing_direction[q] == -passed) {
        return 0;
    }
    return passed;
}

/* Marks the crossings whose side has changed. */
static bool fire(NAME *self, bool settled)
{
    bool some = false;
    int q, p;
    for (q = 0; q < CROSSINGS; q++) {
        double v = self->g[q];
        int64_t changes = self->fresh[q];
        int arrived = self->arrived[q], side = self->side[q];
        bool fires;
        if (crossing_passage[q] && !settled) {
            continue;
        }
        self->arrived[q] = 0;
        if (changes != 0) {
            self->fresh[q] = 0;
            if (arrived != 0 && changes < 4) {
                self->side[q] = (signed char)(crossing_direction[q] != 0 ? arrived : 0);
            }
            if (changes != 2) {
                self->arrived[q] = (signed char)begin_anew(self, q, arrived, changes);
                continue;
            }
            side = self->side[q];
        }
        if (crossing_turns[q]) {
TURN            continue;
        }
        if (side == 0) {
            fires = !(v == 0.0 || crossing_passage[q] || v * crossing_direction[q] < 0.0);
        } else {
            fires = !(crossing_direction[q] != 0 && crossing_direction[q] == side) && side * v < 0.0;
        }
        if (fires) {
            self->fired[q] = 1;
            if (side == 0) {
                self->arrived[q] = 2;
            }
            self->side[q] = (signed char)sign(v);
        } else {
            if (v == 0.0 && self->before[q] != 0.0 && crossing_direction[q] * side <= 0) {
                self->arrived[q] = (signed char)-side;
            }
            if (side == 0 || side * v < 0.0) {
                self->side[q] = (signed char)sign(v);
            }
        }
    }
    for (q = 0; q < CROSSINGS; q++) { /* crossings that passed zero explain what their block does */
        int group = crossing_group[q];
        some = some || self->fired[q] == 1;
        for (p = group; self->fired[q] == 1 && p < CROSSINGS && crossing_group[p] == group; p++) {
            if (self->arrived[q] == 0 || self->arrived[p] == 1 || self->arrived[p] == -1) {
                self->arrived[p] = 0;
            }
        }
    }
    return some;
}
"""

TURN = """\
            self->fired[q] = self->turned[q];
            self->turned[q] = 0;
"""

TURNS = """\
for (q = 0; q < CROSSINGS; q++) { /* a value that rises has turned; less than 1e-13 of it is rounding */
    double rise = crossing_direction[q] * (self->g[q] - self->before[q]);
    self->turned[q] = crossing_turns[q] && rise > 1e-13 * fabs(self->g[q]);
}
"""

ROUNDS = """\
    for (round = 0;; round++) {
FIREQUIET        changed = REACT;
CLEAR        if (changed < 0) {
            return leave_out(self, &before, NAME_FAILED);
        }
        if (DONE) {
            break;
        }
        if (round == 200) {
            return leave_out(self, &before, NAME_UNSETTLED);
        }
        if (changed != 0) {
RING            status = EVALUATE;
            if (status < 0) {
                return leave_out(self, &before, NAME_FAILED);
            }
        }
    }
"""

FIRE = """\
        settled = !changed || !PASSAGES;
        fires = fire(self, settled);
"""

QUIET = """\
        if (round == 0 && !due) { /* without an event the states only move on */
            if (!fires) {
                break;
            }
            due = 1;
LEFT        }
"""

CLEAR = """\
        for (q = 0; q < CROSSINGS; q++) {
            self->fired[q] = 0;
            if (self->arrived[q] == 2) {
                self->arrived[q] = 0;
            }
        }
"""


def fixed_timers(timers: Sequence[PlacedTimer], step: Fraction, *, quiet: bool) -> Iterator[str]:
    """The statements that count the instants that are determined in advance.

    quiet: they mark steps with events, `due`
    """
    due_now = "due = 1;\n" * quiet
    for placed in timers:
        timer, mode = placed.timer, f"self->m[{placed.mode}]"
        tick = f"{mode}++;\n" + (f"self->hit[{placed.clock}] = 1;\n" if placed.clock >= 0 else "") + due_now
        if timer.next:
            continue
        if timer.times is not None:
            listed = ", ".join(real(repr(float(time))).text for time in timer.times)
            due = f"{mode} < {len(timer.times)} && times[{mode}] <= t + {NEAR!r} * t"
            yield (
                f"{{\n    static const double times[] = {{{listed}}};\n"
                f"    while ({due}) {{\n{indent(f'{mode}++;{chr(10)}{due_now}', ' ' * 8)}    }}\n}}"
            )
            continue
        period = int(fraction(timer.period) / step)
        starts = [int((fraction(timer.offset) + fraction(phase)) / step) for phase in timer.phases]
        if (period, starts) == (1, [0]):
            yield tick.rstrip()
        elif len(starts) == 1:
            due = " + ".join(filter(None, (str(starts[0] or ""), times(period, mode))))
            yield f"if ((int64_t)self->steps == {due}) {{\n{indent(tick, ' ' * 4)}}}"
        else:
            listed, n = ", ".join(map(str, starts)), len(starts)
            due = f"{times(period, 'cycle')} + phases[{mode} - {n} * cycle]"
            yield (
                f"{{\n    static const int64_t phases[] = {{{listed}}};\n    int64_t cycle = {mode} / {n};\n"
                f"    if ((int64_t)self->steps == {due}) {{\n{indent(tick, ' ' * 8)}    }}\n}}"
            )


def announced_timers(
    timers: Sequence[PlacedTimer], *, again: bool = False, quiet: bool = False
) -> Iterator[str]:
    """The statements that count the instants that states announce, at the first step at or after them.

    again: a reaction at this instant has announced them, perhaps for this very instant
    quiet: they mark steps with events, `due`
    """
    due = "t" if again else f"t + {NEAR!r} * t"
    for number, placed in enumerate(timers):
        if placed.timer.next:
            first, end = placed.states
            yield f"""\
for (int k = {first}; k < {end}; k++) {{
    if (self->z[k] <= {due} && self->z[k] != self->passed_{number}[k - {first}]) {{
        self->z[k] = self->z[k] > t ? t : self->z[k];
        self->passed_{number}[k - {first}] = self->z[k];
        self->m[{placed.mode}]++;
{"        due = 1;" + chr(10) if quiet else ""}    }}
}}"""


def times(factor: int, text: str) -> str:
    """A product of C, without a factor of 1."""
    return text if factor == 1 else f"{factor} * {text}"
