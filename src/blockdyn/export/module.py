"""Combine a program and the loop that runs it into one LLVM module, for any processor."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import BlockdynError
from ..diagrams.compiler.emit.functions import NAMES, Text
from ..diagrams.compiler.program import Program
from ..diagrams.compiler.tangents import ARGUMENTS
from ..native import cache as store
from ..native.elementary import definitions
from ..native.elementary.called import FUNCTIONS as ELEMENTARY
from ..native.elementary.names import OF_TWO, PREFIX, declaration
from ..native.engine import join_module
from ..native.fingerprint import of_sources, toolchain
from ..native.kernel import Kernel
from ..native.tangent.code import tangent_kernel, tangent_name
from ..native.target import Target, optimise
from ..solvers import layout
from ..solvers.loop.compiled import loop_kernel
from ..solvers.loop.run import Run
from ..solvers.methods.method import Family, Method
from ..solvers.steps.switching import join_families
from ..solvers.variation.fields import DERIVATIVE
from .traced import EVALUATE, LEAF, Number, Trace

WORDS = Target("x86_64-unknown-linux-gnu")  # whose addresses are words, as in the image of a run
LEVEL = 3

# run(what, memory, work) -> a status of `solvers.layout`; what: `BEGIN`, `ADVANCE`
_RUN = """
@program = internal constant [{count} x i64] [{table}]
declare i32 @{loop}(ptr, ptr, i64, i64, i64, i64)
define i64 @run(i64 %what, i64 %memory, i64 %work) {{
  %result = alloca i64
  store i64 0, ptr %result
  %exception = alloca ptr
  %table = ptrtoint ptr @program to i64
  br label %advance
advance:
  %status = call i32 @{loop}(ptr %result, ptr %exception, i64 %what, i64 %table, i64 %memory, i64 %work)
  %value = load i64, ptr %result
  %whole = icmp eq i32 %status, 0
  %told = select i1 %whole, i64 %value, i64 {failed}
  %switched = icmp eq i64 %told, {switched}
  br i1 %switched, label %advance, label %end
end:
  ret i64 %told
}}
"""
TANGENT = "derivative"  # the function whose tangent an implicit method calls


def run_text(loop: Kernel, *, tangent: bool = False) -> str:
    """The text of `run` for a loop; a program has the functions that it names, and the `tangent` of its
    derivative.
    """
    functions = [f"i64 ptrtoint (ptr @{name} to i64)" for name in NAMES]
    functions += ["i64 0"] * (DERIVATIVE - len(NAMES))
    declared = ""
    if tangent:
        symbol = tangent_name(TANGENT)
        functions[-1] = f"i64 ptrtoint (ptr @{symbol} to i64)"
        declared = f"declare i64 @{symbol}(double{', ptr' * 7})"
    return declared + _RUN.format(
        loop=loop.symbol, table=", ".join(functions), count=len(functions),
        failed=layout.KERNEL_FAILED, switched=layout.SWITCHED,
    )  # fmt: skip


def family_of(method: Method) -> Family:
    """The steps of a method, with those of the one that takes over from it."""
    return method.steps if method.stiff is None else join_families(method.steps, method.stiff.steps)


def tangent_text(run: Run) -> Text | None:
    """The function whose tangent the method of a run calls, if it calls one."""
    if run.differentiated is None or not run.differentiated.exact:
        return None
    tangents: Any = run.differentiated.owner
    text: Text = tangents.text
    return text


def tangent_of(text: Text) -> Kernel:
    """The tangent of the function."""
    return tangent_kernel(text.text, [*text.kernels.values()], TANGENT, ARGUMENTS)


def run_object(
    program: Program, run: Run, target: Target, more: str = "", names: Sequence[str] = ("run",)
) -> bytes:
    """Relocatable code of `run`, with all that it calls except a few functions of the C library; and with the
    functions of more text, if `names` has them. It is kept in the store.
    """
    loop, moving = loop_kernel(family_of(run.method)), tangent_text(run)
    text = "\n".join([program.text.text, run_text(loop, tangent=moving is not None), more])
    kernels = [*program.text.kernels.values(), loop]
    symbols = sorted(kernel.symbol for kernel in kernels)
    differentiated = moving and (moving.text, sorted(moving.kernels))
    facts = _version(), str(target), text, symbols, list(names), differentiated
    key = sha256(repr(facts).encode()).hexdigest()
    stored = store.read(f"{key}.object")
    if stored is not None:
        return stored
    data = _compile(text, kernels if moving is None else [*kernels, tangent_of(moving)], names, target)
    if not len(program.text.callbacks):
        store.write(f"{key}.object", data)
    return data


@cache
def _version() -> str:
    """What the code depends on apart from the program, the loop and the target."""
    return toolchain() + of_sources(Path(__file__))


def _compile(text: str, kernels: list[Kernel], names: Sequence[str], target: Target) -> bytes:
    machine = WORDS.machine(LEVEL)
    module = join_module(text, kernels, names, WORDS, machine)
    definitions.link(module)
    optimise(module, machine, LEVEL - 1, loops=False)
    if re.search(r"(getelementptr|load|alloca)[^\n]*\{[^}\n]*ptr", str(module)):
        raise BlockdynError("LLVM keeps structures of addresses\nexpected: llvmlite 0.46 or newer")
    return _emit(module, target)


def _emit(module: Any, target: Target) -> bytes:
    """The code for a processor whose addresses may be shorter; they still occupy one word."""
    machine = target.machine(LEVEL)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))


# ---- operations of traced numbers ----


def order(numbers: Iterable[Number]) -> Iterator[Number]:
    """Numbers with all that they are computed from, operands first."""
    done: set[Number] = set()
    stack = [(number, False) for number in numbers]
    while stack:
        number, ready = stack.pop()
        if ready:
            yield number
        elif number not in done:
            done.add(number)
            stack.append((number, True))
            stack += [(x, False) for x in number.operands if isinstance(x, Number)]


def leaves_of(numbers: Iterable[Number]) -> set[int]:
    """The indices of the leaves that numbers are computed from."""
    return {number.operands[0] for number in order(numbers) if number.name == LEAF}


def evaluate(numbers: Iterable[Number], leaves: list[float]) -> dict[Number, float]:
    """The values of numbers for values of the leaves; NaN without a value."""
    values: dict[Number, float] = {}
    for number in order(numbers):
        if number.name == LEAF:
            values[number] = leaves[number.operands[0]]
            continue
        operands = [values[x] if isinstance(x, Number) else x for x in number.operands]
        try:
            values[number] = float(EVALUATE[number.name](*operands))
        except (ArithmeticError, ValueError):
            values[number] = np.nan
    return values


_FORMS = {
    "add": "fadd double {0}, {1}", "sub": "fsub double {0}, {1}", "mul": "fmul double {0}, {1}",
    "div": "fdiv double {0}, {1}", "neg": "fneg double {0}",
    "abs": "call double @llvm.fabs.f64(double {0})", "sqrt": "call double @llvm.sqrt.f64(double {0})",
    "lt": "fcmp olt double {0}, {1}", "le": "fcmp ole double {0}, {1}", "eq": "fcmp oeq double {0}, {1}",
    "select": "select i1 {0}, double {1}, double {2}",
    **{
        name: f"call double @{PREFIX}{name}({'double {0}, double {1}' if name in OF_TWO else 'double {0}'})"
        for name in ELEMENTARY
    },
}  # fmt: skip
_DECLARED = re.compile(r"^declare [^@\n]*@([\w.]+)\(", re.MULTILINE)


def constant(value: float) -> str:
    """A number in LLVM's syntax, exact to the bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def print_function(
    name: str, computed: Mapping[int, Number], trace: Trace, chosen: Mapping[int, str],
    places: Mapping[str, int], text: str,
) -> str:  # fmt: skip
    """LLVM text of the function that writes computed words, see `settable.Settable.code`."""
    lines = [f"define i64 @{name}(i64 %image) {{", "  %words = inttoptr i64 %image to ptr"]
    names: dict[Number, str] = {}
    required = {
        condition: outcome
        for condition, outcome in trace.required.items()
        if leaves_of([condition]) & chosen.keys()
    }
    used: set[str] = set()
    for k, number in enumerate(order([*computed.values(), *required])):
        if number.name == LEAF:
            path = chosen.get(number.operands[0])
            if path is None:
                names[number] = constant(number.value)
                continue
            names[number] = f"%n{k}"
            lines.append(f"  %at{k} = getelementptr i64, ptr %words, i64 {places[path]}")
            lines.append(f"  %n{k} = load double, ptr %at{k}")
            continue
        names[number] = f"%n{k}"
        operands = [names[x] if isinstance(x, Number) else constant(x) for x in number.operands]
        used.add(number.name)
        lines.append(f"  %n{k} = {_FORMS[number.name].format(*operands)}")
    for k, (word, number) in enumerate(computed.items()):
        lines.append(f"  %to{k} = getelementptr i64, ptr %words, i64 {word}")
        lines.append(f"  store double {names[number]}, ptr %to{k}")
    holds = "true"
    for k, (condition, outcome) in enumerate(required.items()):
        lines.append(f"  %c{k} = icmp eq i1 {names[condition]}, {'true' if outcome else 'false'}")
        lines.append(f"  %h{k} = and i1 {holds}, %c{k}")
        holds = f"%h{k}"
    lines += [f"  %failed = select i1 {holds}, i64 0, i64 1", "  ret i64 %failed", "}"]
    declared = {*_DECLARED.findall(text)}
    needs = {PREFIX + each: declaration(each) for each in ELEMENTARY if each in used}
    needs |= {
        f"llvm.{each}.f64": f"declare double @llvm.{each}.f64(double)\n"
        for each, name_used in (("fabs", "abs"), ("sqrt", "sqrt"))
        if name_used in used
    }
    more = "".join(line for symbol, line in needs.items() if symbol not in declared)
    return "\n".join(["", more, *lines, ""])
