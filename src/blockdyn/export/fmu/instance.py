"""An instance of an FMU in memory: its own numbers, then the run of the diagram, three times.

The block of an instance begins with `Instance` and its arrays. Then the words of the run's image follow: as
the run now is; with the values that were chosen for its start, or for the next event; and as it was before a
step that a communication point cut short. The buffers of the log are last.

Compiled functions read and write the caller's arrays by address, and call functions by name. Those names have
the prefix of `interface.TRAMPOLINES`; none of them exists in this process.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...native.pieces import NOWHERE
from ...solvers.calls import structure_at
from ...solvers.fields import Count, Counts, Real, Reals, Structure

MODEL_EXCHANGE, CO_SIMULATION = 0, 1  # kinds, as FMI 2.0 numbers them
OK, WARNING, DISCARD, ERROR = range(4)  # statuses of calls
INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEPS, STEP_FAILED, TERMINATED, FAILED = (
    1 << k for k in range(8)
)
"""States of an instance, FMI 2.0.4, sections 3.2.3 and 4.2.4."""
BEFORE_RUN = INSTANTIATED | INITIALIZATION
OTHER_CODE = 20  # after the statuses of solvers.layout: a parameter needs another export
SLOPED, MOVED, STALE = 1, 2, 3
"""Since signals were computed, time and states have changed, and derivatives and zero crossings have been
computed, or not; or inputs have changed, too, or events happened.
"""
CHOSEN = 1 << 8  # next to the states in which a variable can be set: its value is the chosen one at any time
INDICATOR = 1 << 9  # in the same place: an event indicator; these are the last variables


class Instance(Structure):
    """The numbers of an instance that are not its run's."""

    logger = Count()  # the address of the tool's function for messages
    environment = Count()  # its first argument
    name = Count()  # the address of its second argument
    kind = Count()
    state = Count()
    dirty = Count()  # SLOPED, MOVED or STALE if signals are not those of this instant
    touched = Count()  # 1: chosen values wait for the next event
    marked = Count()  # 1: `mark` is the run before a step that a communication point cut short
    early = Count()  # 1: the tool accepts a step that ends before its communication point
    trouble = Count()  # the status of solvers.layout with which the run failed
    stopped = Count()  # 1: a Stop block has ended the run
    signals_d = Count()  # the word of the first tangent of w
    memory = Count()  # addresses of the run's Memory and Work
    work = Count()
    end = Real()  # of the run, s: steps before it do not depend on communication points
    first = Counts(dimensions=1)  # per variable: its first entry in `places`; then their number
    places = Counts(dimensions=1)  # indices of words of the block
    settable = Counts(dimensions=1)  # per variable: the states in which it can be set
    slopes = Reals(dimensions=1)
    scale = Reals(dimensions=1)  # the largest value of each zero crossing so far
    kept = Reals(dimensions=1)  # numbers of zero crossings that other values do not change
    seeds = Counts(dimensions=1)  # per variable: the word of its tangent as a known one, or 0
    answers = Counts(dimensions=1)  # per variable: the word of its tangent as an unknown one, or 0
    cuts = Counts(dimensions=2)  # unknowns of algebraic loops: words of the tangents of guess and result
    loop = Reals(dimensions=2)  # the matrix of the loops by columns, and a right side
    pivots = Counts(dimensions=1)
    states_d = Reals(dimensions=1)  # tangents of states, derivatives, and the time
    slopes_d = Reals(dimensions=1)
    time_d = Reals(dimensions=1)
    shadows = Counts(dimensions=1)  # the tangents of the run's memory, which come from `shadows_of`
    live = Counts(dimensions=1)  # the run, three times
    chosen = Counts(dimensions=1)
    mark = Counts(dimensions=1)


class Model(Structure):
    """The constants of an FMU."""

    template = Count()  # the address of an instance's first words, without the second and third run
    addresses = Count()  # the address of the list of words that are addresses
    identity = Count()  # the address of its text
    count = Count()  # of these addresses
    image = Count()  # words before the run
    run = Count()  # words of the run
    bytes = Count()  # of an instance
    kinds = Count()  # the sum of 1 << kind of the kinds that the FMU has


instance_at = structure_at(Instance)
model_at = structure_at(Model)

_WORD, _HALF, _BYTE, _REAL = ir.IntType(64), ir.IntType(32), ir.IntType(8), ir.DoubleType()


def _reader(element: Any, kind: Any) -> Any:
    """An intrinsic, (address, index) -> an element of an array."""

    @intrinsic
    def read(typing_context, address, index):  # type: ignore[no-untyped-def]
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = builder.inttoptr(values[0], element.as_pointer())
            value = builder.load(builder.gep(array, [values[1]]), align=1)
            if element in (_WORD, _REAL):
                return value
            return builder.sext(value, _WORD) if element is _HALF else builder.zext(value, _WORD)

        return kind(types.int64, types.int64), emit

    return read


def _writer(element: Any, kind: Any) -> Any:
    """An intrinsic, (address, index, value), that writes an element of an array."""

    @intrinsic
    def write(typing_context, address, index, value):  # type: ignore[no-untyped-def]
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = builder.inttoptr(values[0], element.as_pointer())
            number = values[2] if element in (_WORD, _REAL) else builder.trunc(values[2], element)
            builder.store(number, builder.gep(array, [values[1]]), align=1)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, kind), emit

    return write


get_word, get_number, get_byte = (
    _reader(_WORD, types.int64),
    _reader(_HALF, types.int64),
    _reader(_BYTE, types.int64),
)
get_real = _reader(_REAL, types.float64)
set_word, set_number, set_byte = (
    _writer(_WORD, types.int64),
    _writer(_HALF, types.int64),
    _writer(_BYTE, types.int64),
)
set_real = _writer(_REAL, types.float64)


def _external(name: str, reals: int, words: int) -> Any:
    """The call of a function, (doubles, then words) -> word."""
    llvm.add_symbol(name, NOWHERE)  # for numba's linker, whose copy never runs

    def typed(typing_context: Any, *arguments: Any) -> Any:
        signature = types.int64(*[types.float64] * reals, *[types.int64] * words)

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = ir.FunctionType(_WORD, [_REAL] * reals + [_WORD] * words)
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)

        return signature, emit

    names = ", ".join(f"a{i}" for i in range(reals + words))
    space: dict[str, Any] = {"typed": typed}
    exec(
        f"def call(context{', ' if names else ''}{names}):\n    return typed(context, {names})\n", space
    )  # its count
    return intrinsic(space["call"])


run = _external("fmu_run", 0, 3)
"""(what, memory, work) -> status, see `export.module`."""
derivative = _external("fmu_derivative", 1, 3)
"""(t, address of x, of dx, memory) -> 0, or a negative number."""
evaluate = _external("fmu_evaluate", 1, 3)
"""(t, address of x, of dx, memory) -> 0, 1 if a signal is not finite, or a negative number."""
tangent = _external("fmu_tangent", 1, 7)
"""(t, address of its tangent, of x, its tangents, dx, its tangents, memory, its tangents): `evaluate` with
the tangents of signals and derivatives; the result is its own."""
compute = _external("fmu_compute", 0, 1)
"""(address of a run's words) -> 0 once the words that follow from parameters are written, 1 if a parameter is
beyond a branch of the code that computes them."""
allocate = _external("fmu_allocate", 0, 1)
"""(bytes) -> address of so many zeros, or 0."""
release = _external("fmu_release", 0, 1)
model = _external("fmu_model", 0, 0)
"""() -> address of `Model`."""
