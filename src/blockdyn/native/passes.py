"""Passes: LLVM's own, over a module."""

from __future__ import annotations

from typing import Any


def optimise(module: Any, machine: Any, level: int, *, loops: bool = True) -> None:
    """Run LLVM's passes of a level over a module. Without `loops` these stay what they are: none is unrolled,
    and none becomes one of vectors.
    """
    import llvmlite.binding as llvm
    from llvmlite.binding.newpassmanagers import NewPassManager

    options = llvm.create_pipeline_tuning_options(speed_level=max(level, 1))
    options.inlining_threshold = 225
    options.slp_vectorization, options.loop_vectorization = loops and level > 2, loops and level > 1
    options.loop_unrolling = options.loop_interleaving = loops
    passes = llvm.create_pass_builder(machine, options)
    manager = passes.getModulePassManager()
    manager.run(module, passes)
    NewPassManager._dispose(manager)  # llvmlite's own is hidden by an empty one of another base
