"""A program and the loop that runs it as one LLVM module, for any processor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..base.errors import BlockdynError
from ..diagrams.compiler.emit.functions import NAMES
from ..diagrams.compiler.program import Program
from ..native.elementary import definitions
from ..native.engine import join_module
from ..native.kernel import Kernel
from ..native.target import Target, optimise
from ..solvers import layout
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
  %table = ptrtoint ptr @program to i64
  %status = call i32 @{loop}(ptr %result, ptr %exception, i64 %what, i64 %table, i64 %memory, i64 %work)
  %value = load i64, ptr %result
  %whole = icmp eq i32 %status, 0
  %told = select i1 %whole, i64 %value, i64 {failed}
  ret i64 %told
}}
"""


def run_text(loop: Kernel) -> str:
    """The text of `run` for a loop; a program has the functions that it names."""
    functions = [f"i64 ptrtoint (ptr @{name} to i64)" for name in NAMES]
    functions += ["i64 0"] * (DERIVATIVE - len(NAMES))
    return _RUN.format(
        loop=loop.symbol, table=", ".join(functions), count=len(functions),
        failed=layout.KERNEL_FAILED,
    )  # fmt: skip


def run_object(
    program: Program, method: Method, target: Target, more: str = "", names: Sequence[str] = ("run",)
) -> bytes:
    """Relocatable code of `run`, with all that it calls but a few functions of the C library; and with the
    functions of more text, if `names` has them.
    """
    loop = loop_kernel(method.steps)
    text = program.text.text + run_text(loop) + more
    kernels = [*program.text.kernels.values(), loop]
    machine = WORDS.machine(LEVEL)
    module = join_module(text, kernels, names, WORDS, machine)
    definitions.link(module)
    optimise(module, machine, LEVEL - 1, loops=False)
    if re.search(r"(getelementptr|load|alloca)[^\n]*\{[^}\n]*ptr", str(module)):
        raise BlockdynError("LLVM keeps structures of addresses\nexpected: llvmlite 0.46 or newer")
    return _emit(module, target)


def _emit(module: Any, target: Target) -> bytes:
    """The code for a processor whose addresses may be shorter; they keep their room of a word."""
    machine = target.machine(LEVEL)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return bytes(machine.emit_object(module))
