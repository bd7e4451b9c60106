"""The header of a program in C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...solvers.events.timer import fraction
from .content import Content, Field

ARRAYS = {"m": "int64_t", "hit": "int64_t", "fired": "int64_t", "fresh": "int64_t"}  # others are double


def header(content: Content) -> str:
    """The text of NAME.h."""
    name, upper = content.name, content.name.upper()
    period = f"{float(content.step):g} s"
    about = "\n".join(f" * {line}" for line in _about(content))
    structures = (("inputs", content.inputs), ("outputs", content.outputs), ("numbers", content.numbers))
    declared = "\n".join(_structure(f"{name}_{each}", fields) for each, fields in structures if fields)
    arrays = "\n".join(f"    {line};" for line in _arrays(content))
    return f"""\
/* {name}, by blockdyn.
 *
{about}
 */
#ifndef {upper}_H
#define {upper}_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

enum {{ /* what {name}_step returns */
    {upper}_OK = 0,
    {upper}_NOT_FINITE = 1, /* a signal is not finite; the step is left out: outputs and states stay */
    {upper}_FAILED = 2,     /* a block failed, or an Assert does not hold; the step is left out */
    {upper}_UNSETTLED = 3,  /* events at one instant have no end; the step is left out */
    {upper}_STOPPED = 4     /* a Stop block ends the run with this step */
}};

{declared}
typedef struct {{ /* one instance; several may work side by side */
    uint64_t steps; /* calls of {name}_step so far: the time is {period} times this */
    int begun;      /* 1 after the first step that was not left out */
{arrays}
}} {name};

/* Begins anew. */
void {name}_init({name} *self);

/* One step: the outputs for these inputs, then the states of the next step. Call it every {period}. */
{prototype(content)};

#ifdef __cplusplus
}}
#endif

#endif
"""


def prototype(content: Content) -> str:
    """The head of the function that makes a step."""
    name = content.name
    arguments = [f"{name} *self"]
    arguments += [f"const {name}_inputs *u"] if content.inputs else []
    arguments += [f"{name}_outputs *y"] if content.outputs else []
    return f"int {name}_step({', '.join(arguments)})"


def _about(content: Content) -> Iterator[str]:
    """The blocks with their types."""
    for unit in content.plan.units:
        if isinstance(unit.block, (Inport, Outport)):
            continue
        clocked = 0 <= unit.ticks < len(content.plan.clocks)
        ticks = f", every {float(fraction(content.plan.clocks[unit.ticks][0])):g} s" if clocked else ""
        summary = (type(unit.block).__doc__ or "").strip().partition("\n")[0]
        yield from wrap(f"{unit.path}: {unit.block.kind()}{ticks}. {summary}", 96, subsequent_indent="    ")
    if content.method:
        states = ", ".join(variable.name for variable in content.program.states)
        text = f"x, by {content.method.title} with a step of {float(content.step):g} s: {states}"
        yield from wrap(text, 96, subsequent_indent="    ")


def _arrays(content: Content) -> Iterator[str]:
    """The fields of an instance."""
    plan = content.plan
    if content.numbers:
        yield f"{content.name}_numbers numbers"
    for each, size in content.sizes.items():
        if each != "p":
            yield f"{ARRAYS.get(each, 'double')} {each}[{size}]"
    if plan.crossings:
        yield f"double before[{plan.crossings}]"
        yield f"signed char side[{plan.crossings}], arrived[{plan.crossings}]"
    if content.turns:
        yield f"signed char turned[{plan.crossings}]"
    for k, placed in enumerate(plan.timers):
        if placed.timer.next:
            yield f"double passed_{k}[{placed.states[1] - placed.states[0]}]"


def _structure(name: str, fields: Sequence[Field]) -> str:
    lines = []
    for field in fields:
        rows = f"{field.shape[0]} rows of {field.shape[1]}" if len(field.shape) == 2 else ""
        about = ", ".join(filter(None, (field.note, rows))).replace("*/", "* /")
        size = f"[{field.count}]" if field.shape else ""
        lines += wrap(
            f"double {field.name}{size};" + f" /* {about} */" * bool(about),
            100,
            initial_indent="    ",
            subsequent_indent=" " * 8,
        )
    return "typedef struct {\n" + "\n".join(lines) + f"\n}} {name};\n"
