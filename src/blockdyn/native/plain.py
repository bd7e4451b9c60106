"""Plain: numba's passes without those that code of loops, numbers and elements of arrays has no use for, and
without LLVM's.

Left out: closures, `with`, raising, `literal_unroll`, inlining, branches on types, sums of whole arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def plain_compiler() -> Any:
    """The class of compilers, as numba's `compile_extra` takes it, that runs only these passes."""
    from numba.core import typed_passes, untyped_passes
    from numba.core.compiler import CompilerBase
    from numba.core.compiler_machinery import PassManager

    steps = [
        untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, untyped_passes.IRProcessing,
        untyped_passes.GenericRewrites, untyped_passes.ReconstructSSA,
        typed_passes.NopythonTypeInference, typed_passes.PreLowerStripPhis, typed_passes.IRLegalization,
        typed_passes.NativeLowering, typed_passes.NoPythonBackend,
    ]  # fmt: skip

    class PlainCompiler(CompilerBase):
        def define_pipelines(self) -> list[PassManager]:
            passes = PassManager("plain")
            for step in steps:
                passes.add_pass(step, step.__name__)
            passes.finalize()
            return [passes]

    return PlainCompiler


def plain_library(name: str) -> Any:
    """Where such a compilation puts its LLVM module, as numba's `compile_extra` takes it: not optimised.

    LLVM works once on what is linked together; to do it for every function before takes as long again.
    """
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    return _library_class()(context.codegen(), name)


@cache
def _library_class() -> Any:
    from numba.core.codegen import JITCodeLibrary

    class PlainLibrary(JITCodeLibrary):
        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

    return PlainLibrary
