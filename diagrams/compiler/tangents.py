"""The tangent of a program computes its signals or derivatives and their derivatives in machine code."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.memory import undisturbed
from ...blocks.contract.owned import Foreign
from ...native.engine import Entries
from ...native.kernel import Kernel
from ...native.tangent.code import LANES, names_of, refusal, tangent_kernel, tangent_name, tangent_object
from ...native.tangent.frame import CODE, NotDifferentiable
from ...solvers.differentiated import DifferentiatedProgram
from .code import compile_text
from .emit.body import function_path
from .emit.functions import Text
from .instructions.functions import Instructions
from .instructions.instruction import Crossings, IfEnabled, Open, Output, Slopes, open_loops

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .instructions.instruction import Instruction
    from .program import Program

ARGUMENTS = "dppp"  # (t, x, dx, memory)
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 7)


class Tangents:
    """Functions of a program for several directions at once; its algebraic loops are open.

    addresses     of the tangent of each function: (t, its tangents, x, ..., dx, ..., memory, its
                  Shadows), all but t as addresses, to the function's result, below 0 where a block fails
    call          the first of these tangents as a function
    loops         for each unknown of the loops, the places in w of its guess and of its result
    differences   paths of blocks that are called back, with finite-difference tangents
    text          the functions, before they are differentiated
    """

    def __init__(self, program: Program, *names: str, lanes: int = LANES, crossings: bool = True) -> None:
        """`names` are the functions. Without `crossings` those without a tangent are left out.

        Raises NotDifferentiable.
        """
        self._program = program
        in_python = dict(_foreign(program))
        self._instructions = {name: open_loops(getattr(program.instructions, name)) for name in names}
        if not crossings:
            for name, instructions in self._instructions.items():
                self._instructions[name] = tuple(
                    each
                    for each in instructions
                    if not isinstance(each, Crossings)
                    or function_path(each.unit.path, "crossing") not in in_python
                )
        every = [each for instructions in self._instructions.values() for each in instructions]
        self.loops: list[tuple[int, int]] = list(dict.fromkeys(_loops(every)))
        self.timed = _reads_time(every)
        entries = dict.fromkeys(names, ARGUMENTS)
        while True:
            text = self._written(in_python)
            _refuse_histories(program, names, text.callbacks.reasons)
            try:
                self._code = compile_text(text, names_of(names, lanes), partial(_tangents, entries, lanes))
                break
            except NotDifferentiable:
                fresh = _refusals(text)
                if not fresh:
                    raise
                in_python |= fresh
        self.text = text  # with the functions that it calls
        self.differences: tuple[str, ...] = tuple(text.callbacks.reasons)
        self.addresses = tuple(self._code.addresses[tangent_name(name, lanes)] for name in names)
        self.call: Any = _CALL(self.addresses[0])

    def _written(self, in_python: dict[str, str]) -> Text:
        with undisturbed():
            alone = Instructions((), (), (), (), (), ())._replace(**self._instructions)
            return Text(self._program.plan, alone, in_python=in_python)


def tangent_of_program(program: Program, name: str, lanes: int) -> tuple[Kernel, list[tuple[int, int]]]:
    """The tangent of a function for code of any processor, and the places of its loops, see `Tangents`.

    Raises NotDifferentiable.
    """
    opened = open_loops(getattr(program.instructions, name))
    with undisturbed():
        text = Text(program.plan, Instructions((), (), (), (), (), ())._replace(**{name: opened}))
    kernels = [*text.kernels.values()]
    return tangent_kernel(text.text, kernels, name, ARGUMENTS, lanes), list(dict.fromkeys(_loops(opened)))


def differentiate_program(program: Program) -> DifferentiatedProgram:
    """The functions of a program with the tangent of its derivatives, or none if it has no tangent."""
    none = np.zeros((0, 2), np.int64)
    try:
        tangents = Tangents(program, "derivative", crossings=False)
    except NotDifferentiable as error:
        return DifferentiatedProgram(_with(program, 0), none, True, refusal=error.reason)
    cuts = np.array(tangents.loops, np.int64).reshape(-1, 2)
    return DifferentiatedProgram(
        _with(program, tangents.addresses[0]), cuts, tangents.timed, tangents.differences, owner=tangents
    )


def _with(program: Program, tangent: int) -> Entries:
    """Addresses of the functions of a program, and of this one."""
    code = np.concatenate([program.addresses, [0, 0, tangent]]).view(Entries)
    code.code = program.code
    return code


def _tangents(entries: dict[str, str], lanes: int, text: str, kernels: list[Kernel], level: int) -> bytes:
    return tangent_object(text, kernels, entries, max(level, 1), lanes)


def _refusals(text: Text) -> dict[str, str]:
    """Blocks whose code cannot be differentiated, with reasons: differences can replace their tangents."""
    refused: dict[str, str] = {}
    for symbol, kernel in text.kernels.items():
        reason = refusal(kernel)
        if reason is not None:
            refused |= dict.fromkeys(sorted(text.users[symbol]), reason.reason)
    return refused


def _foreign(program: Program) -> Iterator[tuple[str, str]]:
    """Foreign functions without a tangent, by path with the reason; modes have none."""
    for unit in program.plan.units:
        for role, function in unit.functions.items():
            if isinstance(function, Foreign) and function.tangent is None and role != "mode":
                yield function_path(unit.path, role), "a foreign function, known by its address alone"


def _refuse_histories(program: Program, names: Iterable[str], in_python: Mapping[str, str]) -> None:
    """Raise NotDifferentiable for a history kept in Python: finite differences are impossible."""
    for unit in program.plan.units if "remember" in names else ():
        if "remember" in unit.functions and unit.path in in_python:
            reason = f"a history that Python keeps: {in_python[unit.path]}"
            raise NotDifferentiable(reason, [unit.path], CODE)


def _reads_time(instructions: Iterable[Instruction]) -> bool:
    """True if any of these reads the time."""
    for each in instructions:
        if isinstance(each, Open):
            asks = _reads_time(each.body)
        elif isinstance(each, IfEnabled):
            asks = _reads_time((*each.body, *each.otherwise))
        elif isinstance(each, Output | Slopes):
            role = each.role if isinstance(each, Output) else "derivative"
            asks = "t" in each.unit.names[role]
        else:
            asks = False
        if asks:
            return True
    return False


def _loops(instructions: Iterable[Instruction]) -> Iterator[tuple[int, int]]:
    """For each unknown of the open loops, the places in w of its guess and of its result."""
    for each in instructions:
        if isinstance(each, IfEnabled):
            yield from _loops((*each.body, *each.otherwise))
        elif isinstance(each, Open):
            at = each.loop.values_at
            for _, place, size in each.unknowns:
                start = each.loop.opened_at + place
                yield from zip(range(at, at + size), range(start, start + size), strict=True)
                at += size
            yield from _loops(each.body)
