"""A target describes the processor of the machine code in LLVM's words, with LLVM's passes over a module."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ..base.errors import BlockdynError


@dataclass(frozen=True)
class Target:
    """A processor and its system: text and bitcode are made into its machine code at the last step.

    triple     architecture, vendor, system: "aarch64-unknown-linux-gnu"
    cpu        the model; "" is the common part of all models of the architecture
    features   "+avx2,-fma": features that it has besides, or lacks
    relocation "pic": code that runs at any address, as in a shared library
    """

    triple: str
    cpu: str = ""
    features: str = ""
    relocation: str = "default"

    @property
    def is_host(self) -> bool:
        """True if this process runs on it."""
        return self == host()

    def machine(self, level: int) -> Any:
        """LLVM's generator of its code, at an effort from 0 to 3. Raises BlockdynError."""
        import llvmlite.binding as llvm

        if self.is_host:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
        else:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
        try:
            target: Any = llvm.Target.from_triple(self.triple)
        except RuntimeError as error:
            raise BlockdynError(
                f"target {self.triple!r}: {str(error).strip()}\n"
                "expected: a triple such as 'aarch64-unknown-linux-gnu' or 'wasm32-unknown-unknown'"
            ) from None
        return target.create_target_machine(
            cpu=self.cpu, features=self.features, opt=level, reloc=self.relocation, jit=self.is_host,
            codemodel="small" if self.relocation == "pic" else "jitdefault",
        )  # fmt: skip


@cache
def host() -> Target:
    """The processor of this process."""
    import llvmlite.binding as llvm

    # Absent features are named too: a virtual machine may hide some of those that the model implies.
    features = sorted(f"{'+' if on else '-'}{name}" for name, on in llvm.get_host_cpu_features().items())
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), ",".join(features))


def optimise(module: Any, machine: Any, level: int, *, loops: bool = True) -> None:
    """Run LLVM's passes of a level over a module. Without `loops` these stay the same: none is unrolled, and
    none becomes one of vectors.
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
