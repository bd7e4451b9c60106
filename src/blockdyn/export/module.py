"""A program and the loop that runs it as one LLVM module, for any processor."""

from __future__ import annotations

from typing import Any

from ..diagrams.compiler.emit.functions import NAMES
from ..diagrams.compiler.program import Program
from ..native.engine import join_module
from ..native.target import Target, optimise
from ..solvers.loop.compiled import loop_kernel
from ..solvers.methods.method import Method
from ..solvers.variation.fields import DERIVATIVE

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
  %status = call i32 @{loop}(ptr %result, ptr %exception, i64 %what, i64 ptrtoint (ptr @program to i64),
    i64 %memory, i64 %work)
  %value = load i64, ptr %result
  ret i64 %value
}}
"""


def run_object(program: Program, method: Method, target: Target) -> bytes:
    """Relocatable code of `run`, with all that it calls but elementary functions."""
    loop = loop_kernel(method.steps)
    functions = [f"i64 ptrtoint (ptr @{name} to i64)" for name in NAMES]
    functions += ["i64 0"] * (DERIVATIVE - len(NAMES))
    text = program.text.text + _RUN.format(
        loop=loop.symbol, table=", ".join(functions), count=len(functions)
    ).replace(",\n    i64 %memory", ", i64 %memory")
    kernels = [*program.text.kernels.values(), loop]
    machine = WORDS.machine(LEVEL)
    module = join_module(text, kernels, ["run"], WORDS, machine)
    optimise(module, machine, LEVEL - 1, loops=False)
    return _emit(module, target)


def _emit(module: Any, target: Target) -> bytes:
    """The code for a processor whose addresses may be shorter; they keep their room of a word."""
    machine = target.machine(LEVEL)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))
