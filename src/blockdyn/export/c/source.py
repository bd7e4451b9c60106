"""Print the source of a program in C: its tables and functions, a start and a step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from textwrap import indent
from typing import Any

from ...blocks.contract.block import Block
from ...blocks.sinks.assertion import Assert
from ...blocks.sinks.stop import Stop
from ...solvers.events.timer import CYCLES, EXACT, fraction
from .content import Content
from .expressions import real, wrapped
from .header import prototype
from .instants import (
    CLEAR,
    FIRE,
    QUIET,
    ROUNDS,
    SETTLING,
    TURN,
    TURNS,
    announced_timers,
    fixed_timers,
    times,
)

LOCAL = frozenset((
    "self", "u", "y", "t", "q", "k", "p", "v", "status", "changed", "round", "settled", "times", "phases",
    "cycle", "before", "reason", "changes", "arrived", "side", "fires", "group", "onward", "passed", "h", "i",
    "j", "x", "nodes", "weights", "sum", "now", "steps",
))  # fmt: skip
HEAD = """\
/* NAME, by blockdyn: see NAME.h. C99; compile it with -ffp-contract=off, so that all bits stay the same.
   gcc with -mfma or -march=native needs -fno-tree-slp-vectorize as well. */
#include "NAME.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#if DBL_MANT_DIG != 53 || (defined FLT_EVAL_METHOD && FLT_EVAL_METHOD != 0)
#error "the results need doubles of 64 bits, and no more digits between operations"
#endif

#ifdef __FAST_MATH__
#error "-ffast-math changes results"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
"""
HELPERS = {
    "real_of": """\
static double real_of(int64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}
""",
    "bits_of": """\
static int64_t bits_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
""",
    "integer_of": """\
static int64_t integer_of(double number)
{
    return fabs(number) < 9223372036854775808.0 ? (int64_t)number : INT64_MIN;
}
""",
    "is_of_class": """\
/* As llvm.is.fpclass of LLVM: `classes` has a bit for each class. */
static bool is_of_class(double number, int classes)
{
    int64_t bits = bits_of(number), size = bits & INT64_MAX;
    int place;
    if (size > INT64_C(0x7FF0000000000000)) { /* not a number */
        place = size >= INT64_C(0x7FF8000000000000) ? 1 : 0;
    } else {
        place = size == 0 ? 6 : size < INT64_C(0x0010000000000000) ? 7 : 8;
        place = size == INT64_C(0x7FF0000000000000) ? 9 : place;
        place = bits < 0 ? 11 - place : place;
    }
    return ((classes >> place) & 1) != 0;
}
""",
}
"""Functions for which C has no operator, by the names under which the printed functions call them."""


def source(content: Content) -> str:
    """The text of NAME.c."""
    body, crossings = content.printed.text, content.plan.crossings
    parts = [
        HEAD.replace("NAME", content.name),
        "".join(_tables(content)),
        *_helpers(body),
        body,
        _settling(content) if crossings else "",
        *_integration(content),
        _function(f"void {content.name}_init({content.name} *self)", _begin(content)),
        "/* A step that failed is left out: all stays as it was, and the time goes on. */\n"
        + _function(
            f"static int leave_out({content.name} *self, const {content.name} *before, int reason)",
            _leave_out(content),
        ),
        _function(prototype(content), _step(content)),
    ]
    return "\n".join(part for part in parts if part)


def _helpers(body: str) -> list[str]:
    """The helpers that a text calls."""
    called = {name for name in HELPERS if re.search(rf"\b{name}\(", body)}
    if "is_of_class" in called:
        called.add("bits_of")
    return [text for name, text in HELPERS.items() if name in called]


def _function(head: str, statements: Iterable[str]) -> str:
    return f"{head}\n{{\n{indent(chr(10).join(statements), '    ')}\n}}\n"


def _tables(content: Content) -> Iterator[str]:
    """The initial values of an instance and of its zero crossings."""
    memory, plan = content.program.memory(content.seed), content.plan
    for each, array in (("x", memory.x), ("z", memory.z), ("p", memory.p), ("w", memory.w)):
        if each in content.sizes:
            yield _table("double", f"start_{each}", (real(repr(float(value))).text for value in array))
    if plan.crossings:
        yield f"enum {{ CROSSINGS = {plan.crossings} }};\n"
        yield _table("signed char", "crossing_direction", map(str, plan.crossing_direction))
        yield _table("signed char", "crossing_passage", (str(int(each)) for each in plan.crossing_passage))
        yield _table("signed char", "crossing_turns", (str(int(each)) for each in plan.crossing_turns))
        yield _table("int", "crossing_group", map(str, plan.crossing_first))


def _table(kind: str, name: str, values: Iterable[str]) -> str:
    text = f"static const {kind} {name}[] = {{{', '.join(values)}}};"
    return wrapped(text) + "\n"


def _begin(content: Content) -> Iterator[str]:
    """The statements of the start."""
    yield "memset(self, 0, sizeof *self);"
    for each, place in (("x", "self->x"), ("z", "self->z"), ("p", "&self->numbers"), ("w", "self->w")):
        if each in content.sizes:
            yield f"memcpy({place}, start_{each}, sizeof start_{each});"
    for number, placed in enumerate(content.plan.timers):
        if placed.timer.next:
            size = placed.states[1] - placed.states[0]
            yield f"for (int k = 0; k < {size}; k++) {{\n    self->passed_{number}[k] = NAN;\n}}"


def _leave_out(content: Content) -> Iterator[str]:
    """The statements of a step that failed: the instance is unchanged, except the time."""
    yield "*self = *before;"
    if "hit" in content.sizes:
        yield "memset(self->hit, 0, sizeof self->hit);"
    yield "self->steps++;"
    yield "return reason;"


def _call(content: Content, function: str, **other: str) -> str:
    """A call of a function of the program with the arrays of the instance, or with others by name."""
    special = {"p": "(double *)&self->numbers", "t": "t", **other}
    passed = (special.get(each, f"self->{each}") for each in content.printed.arguments[function])
    return f"{function}({', '.join(passed)})"


def _settling(content: Content) -> str:
    """The functions that mark the crossings whose side has changed."""
    return SETTLING.replace("NAME", content.name).replace("TURN", TURN * content.turns)


def _integration(content: Content) -> Iterator[str]:
    """The time of a step, and the step of the continuous states."""
    if content.method is None:
        return
    yield _function("static double time_at(uint64_t steps)", [f"return {_grid(content)};"])
    data: Any = content.method.data
    stages, rows = data.stages - 1, [[float(a) for a in row] for row in data.a[1:]]
    nodes = ", ".join(repr(float(c)) for c in data.c)
    padded = ([*row, *[0.0] * (stages - len(row))] for row in rows)
    weights = ", ".join(f"{{{', '.join(map(repr, row))}}}" for row in padded)
    sum_ = """\
            for (n = 1; n < j; n++) {
                sum += weights[j - 1][n] * (k[n][i] - k[0][i]);
            }
"""
    call = _call(content, "derivative", t="t + nodes[j] * h", x="x", dx="k[j]")
    text = f"""\
{wrapped(f"static const double nodes[] = {{{nodes}}};")}
{wrapped(f"static const double weights[][{stages}] = {{{weights}}};") if stages > 1 else ""}
double x[{content.plan.states}], k[{stages}][{content.plan.states}];
int i, j{", n" if stages > 1 else ""};
memcpy(x, self->x, sizeof x);
for (j = 0;; j++) {{
    if (j > 0) {{
        for (i = 0; i < {content.plan.states}; i++) {{
            double sum = nodes[j] * k[0][i];
{sum_ if stages > 1 else ""}            x[i] = self->x[i] + h * sum;
            if (!isfinite(x[i])) {{
                return 1;
            }}
        }}
    }}
    if (j == {stages}) {{
        memcpy(self->x, x, sizeof x);
        return 0;
    }}
    status = {call};
    if (status != 0) {{
        return status;
    }}
}}"""
    lines = ["int64_t status;", *(line for line in text.split("\n") if line)]
    note = f"/* The continuous states a time h later: {content.method.title}, {content.method.source}. */"
    time = "double t, " if _moves(content) else ""
    head = f"static int64_t advance({content.name} *self, {time}double h)"
    yield f"{wrapped(note)}\n{_function(head, lines)}"


def _moves(content: Content) -> bool:
    """True if the derivatives depend on the time."""
    return "t" in content.printed.arguments["derivative"]


def _grid(content: Content) -> str:
    """The time of a step as in a run with this step: exact where a block ticks or an input may change."""
    product = f"(double)steps * {float(content.step)!r}"
    exact = _time(content.step, "steps")
    due = []
    for placed in content.plan.timers:
        timer = placed.timer
        if timer.next or timer.times is not None:
            continue
        period = int(fraction(timer.period) / content.step)
        for phase in timer.phases:
            start = int((fraction(timer.offset) + fraction(phase)) / content.step)
            late = f"steps >= {start} && " if start else ""
            when = f"(steps - {start}) % {period} == 0" if start else f"steps % {period} == 0"
            due.append(late + when if period > 1 else f"steps >= {start}" if start else "")
    if content.inputs or "" in due or exact == product:
        return exact
    conditions = " || ".join(f"({each})" if "&&" in each else each for each in dict.fromkeys(due))
    return f"{conditions} ? {exact} : {product}" if due else product


def _step(content: Content) -> Iterator[str]:
    """The statements of a step."""
    plan, upper = content.plan, content.name.upper()
    quiet = _is_quiet(content)
    fixed = [*fixed_timers(plan.timers, content.step, quiet=quiet)]
    announced = [*announced_timers(plan.timers, quiet=quiet)]
    calls = [_call(content, each) for each in content.printed.arguments]
    reacts = "react" in content.printed.arguments
    yield f"{content.name} before;"
    yield "int64_t status;"
    if content.method and content.outputs:
        yield f"{content.name}_outputs now;"
    if plan.crossings or reacts:
        yield "int64_t changed = 1;"
        yield f"int round, q;\nbool settled{', fires' * quiet};" if plan.crossings else "int round;"
    if quiet:
        yield "int due = !self->begun;"
    if content.method:
        yield "double t = time_at(self->steps);"
    elif any(re.search(r"\bt\b", text) for text in (*fixed, *announced, *calls)):
        yield f"double t = {_time(content.step)};"
    numbers = {number.at: number.name for number in content.numbers}
    for port in content.inputs:
        target, value = f"self->numbers.{numbers[port.at]}", f"u->{port.name}"
        if quiet:
            ends = f"{target}, {value}" if port.shape else f"&{target}, &{value}"
            yield f"due = due || memcmp({ends}, sizeof {target}) != 0;"
        yield _copied(target, value, port.shape)
    yield from fixed
    yield "before = *self;"
    copied = "".join(f"    self->z[{to}] = self->w[{of}];\n" for of, to in plan.previous)
    if quiet:
        yield from announced
    if copied:
        yield f"if (self->begun{' && due' * quiet}) {{\n{copied}}}"
    if not quiet:
        yield from announced
    failed = f"    return leave_out(self, &before, {upper}_FAILED);\n"
    yield f"status = {_call(content, 'evaluate')};\nif (status < 0) {{\n{failed}}}"
    if plan.crossings:
        loop = "    for (q = 0; q < CROSSINGS; q++) {\n        self->fresh[q] = 1;\n    }"
        yield f"if (!self->begun) {{\n{loop}\n}}"
    if plan.crossings or reacts:
        yield "changed = due;\n" * quiet + _rounds(content, copied if quiet else None)
    yield f"if (status > 0) {{\n    return leave_out(self, &before, {upper}_NOT_FINITE);\n}}"
    if asserts := _holding(content, Assert):
        yield f"if ({asserts}) {{\n{failed}}}"
    yield f"if ({'due && ' * quiet}{_call(content, 'update')} < 0) {{\n{failed}}}"
    for port in content.outputs:
        place, target = f"self->w[{port.at}]", "now." if content.method else "y->"
        yield _copied(f"{target}{port.name}", f"&{place}" if port.shape else place, port.shape)
    if "hit" in content.sizes:
        yield "memset(self->hit, 0, sizeof self->hit);"
    if content.method:
        yield from _advance(content)
    yield "self->begun = 1;\nself->steps++;"
    if stops := _holding(content, Stop):
        yield f"if ({stops}) {{\n    return {upper}_STOPPED;\n}}"
    yield f"return {upper}_OK;"


def _advance(content: Content) -> Iterator[str]:
    """The statements that take the continuous states to the next step, and the outputs of this one."""
    upper = content.name.upper()
    moving = "t, " if _moves(content) else ""
    yield f"status = advance(self, {moving}time_at(self->steps + 1) - t);"
    if content.plan.previous or content.turns:  # signals just before the next step
        call = _call(content, "evaluate", t="time_at(self->steps + 1)")
        yield f"if (status == 0) {{\n    status = {call};\n}}"
    yield (
        "if (status != 0) {\n"
        f"    return leave_out(self, &before, status < 0 ? {upper}_FAILED : {upper}_NOT_FINITE);\n}}"
    )
    if content.turns:
        yield TURNS.rstrip()
    if content.outputs:
        yield "*y = now;"


def _time(step: Fraction, steps: str = "self->steps") -> str:
    """The time of a step, computed as in the engine's timers: an exact fraction, or a product of doubles."""
    if max(step.denominator, step.numerator) < EXACT / CYCLES:
        return f"(double)({times(step.numerator, steps)}) / {step.denominator}.0"
    return f"(double){steps} * {float(step)!r}"


def _holding(content: Content, kind: type[Block]) -> str:
    """The condition that a block of one type ends the run."""
    plan = content.plan
    ends = zip(plan.stop_modes, plan.stop_owner, strict=True)
    modes = [mode for mode, owner in ends if isinstance(plan.units[owner].block, kind)]
    return " || ".join(f"self->m[{mode}] != 0" for mode in modes)


def _copied(target: str, value: str, shape: tuple[int, ...]) -> str:
    """A statement that copies a number or an array."""
    return f"memcpy({target}, {value}, sizeof {target});" if shape else f"{target} = {value};"


def _is_quiet(content: Content) -> bool:
    """True if some steps may be without an event: nothing ticks, and no input changes."""
    fixed = (each.timer for each in content.plan.timers if not each.timer.next and each.timer.times is None)
    every = (
        fraction(timer.period) == content.step and (timer.offset, *timer.phases) == (0, 0) for timer in fixed
    )
    return content.method is not None and not any(every)


def _rounds(content: Content, left: str | None) -> str:
    """The rounds of events at an instant; with `left`, statements for the signals just before it, only if an
    event is due.
    """
    react = _call(content, "react") if "react" in content.printed.arguments else "0"
    again = "".join(f"{text}\n" for text in announced_timers(content.plan.timers, again=True))
    crossed = bool(content.plan.crossings)
    fire = FIRE if left is not None else FIRE.replace("fires = ", "")
    text = ROUNDS.replace("FIRE", fire * crossed).replace("CLEAR", CLEAR * crossed)
    quiet = QUIET if crossed else "        if (!due) {\n            break;\n        }\n"
    quiet = quiet.replace("LEFT", indent(left or "", " " * 8))
    text = text.replace("QUIET", "" if left is None else quiet)
    words = {
        "NAME": content.name.upper(), "EVALUATE": _call(content, "evaluate"), "REACT": react,
        "PASSAGES": "true" if any(content.plan.crossing_passage) else "false",
        "DONE": "changed == 0 && settled" if crossed else "changed == 0",
        "RING": indent(again, " " * 12),
    }  # fmt: skip
    text = re.sub("|".join(words), lambda match: words[match[0]], text)
    text += "    memcpy(self->before, self->g, sizeof self->g);\n" * crossed
    return "\n".join(line.removeprefix("    ") for line in text.rstrip().split("\n"))
