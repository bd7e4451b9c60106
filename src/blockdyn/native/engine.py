"""LLVM text and kernels' bitcode are joined into one module, optimised and loaded."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from .elementary import definitions
from .kernel import Kernel, with_parts
from .target import Target, host, optimise

SHORT = 30  # instructions of a function that `simplify` copies into its callers: about as many as of its call
_lock = threading.Lock()
_CALL = re.compile(r"call i32 @(k\w+)\(([^()]*)\)")
LONG = 10  # arguments from which a call is made through a function that has the constant ones


class Code:
    """A finalized module: addresses of functions; the machine code lives as long as this object."""

    def __init__(self, engine: Any, names: Iterable[str]) -> None:
        self._engine = engine
        self.addresses = {name: int(engine.get_function_address(name)) for name in names}

    def entries(self, names: Iterable[str]) -> Entries:
        """Addresses of these functions."""
        entries = np.array([self.addresses[name] for name in names], np.int64).view(Entries)
        entries.code = self
        return entries


class Entries(np.ndarray[tuple[int], np.dtype[np.int64]]):
    """Addresses of functions, with the machine code that they lie in: it lives as long as this array, and so
    as long as an argument block that the array is packed into.
    """

    code: Code

    @property
    def address(self) -> int:
        """Address of the array."""
        return int(self.ctypes.data)


def object_of(
    text: str, kernels: list[Kernel], names: list[str], *, level: int = 2, target: Target | None = None
) -> bytes:
    """Relocatable machine code of a text with its kernels, for this processor or another.

    Code for this processor is kept and loaded again by `load_object`.

    `level` is the effort: 3 and 2 as in LLVM (2 without the joining of scalars into vectors), 1 the simple
    passes, 0 six quick ones and plain instructions. Above 0 the time grows faster than the length of a
    function. Raises BlockdynError.
    """
    with _lock:
        return _object(text, kernels, names, level, target or host())


def load_object(data: bytes, names: Iterable[str], *, runtime: bool = False) -> Code:
    """Make kept machine code run."""
    with _lock:
        if runtime:
            _numba_runtime()
        return Code(_engine(data), names)


def _object(text: str, kernels: list[Kernel], names: list[str], level: int, target: Target) -> bytes:
    machine = target.machine(level)
    module = join_module(
        text if level > 0 else brief(text), kernels, names, target, machine, alone=level == 0
    )
    definitions.link(module)
    if level > 0:
        optimise(module, machine, level)
    else:
        simplify(module, machine)
    return bytes(machine.emit_object(module))


def join_module(
    text: str,
    kernels: list[Kernel],
    names: Iterable[str],
    target: Target,
    machine: Any,
    *,
    alone: bool = False,
) -> Any:
    """The LLVM module of a text with its kernels; only `names` are seen from outside.

    alone: the kernels' loops are optimised before, as nothing that does so follows.
    """
    import llvmlite.binding as llvm

    if any(kernel.runtime for kernel in kernels):
        _numba_runtime()
    module = _set_target(llvm.parse_assembly(text), target, machine)
    library = _set_target(
        llvm.parse_assembly(""), target, machine
    )  # alone: linking looks at all that is there
    for kernel in with_parts(kernels):
        library.link_in(_set_target(llvm.parse_bitcode(kernel.bitcode), target, machine))
    if alone:
        optimise(library, machine, 2)
    module.link_in(library)
    exported = set(names)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name not in exported:
            item.linkage = "internal"
    return module


def join_kernels(kernel: Kernel, pieces: list[Kernel]) -> Kernel:
    """A kernel with the pieces that it calls as one, of one symbol."""
    with _lock:
        machine = host().machine(0)
        module = join_module("", [kernel, *pieces], [kernel.symbol], host(), machine)
        module.triple = module.data_layout = ""
        whole = [kernel, *pieces]
        fails, runtime = any(each.fails for each in whole), any(each.runtime for each in whole)
        return replace(kernel, bitcode=module.as_bitcode(), fails=fails, runtime=runtime, parts=())


def simplify(module: Any, machine: Any) -> None:
    """Put short functions into their callers and keep values in registers; leave all else as it is.

    Kernels were optimised when they were compiled, each by itself. To combine instructions once more in
    functions that are as long as their diagram takes several times as long as all of this.
    """
    import llvmlite.binding as llvm

    for function in module.functions:
        if (
            function.linkage.name == "internal"
            and b"noinline" not in set(function.attributes)
            and len(list(islice(_instructions(function), SHORT + 1))) <= SHORT
        ):
            function.add_function_attribute("alwaysinline")
    manager = llvm.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_sccp_pass()
    manager.add_aggressive_dce_pass()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1)))


def _instructions(function: Any) -> Iterator[Any]:
    return (instruction for block in function.blocks for instruction in block.instructions)


def _set_target(module: Any, target: Target, machine: Any) -> Any:
    """Set the processor of a module, which had none before."""
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return module


def _engine(data: bytes) -> Any:
    import llvmlite.binding as llvm

    machine = host().machine(0)
    engine = llvm.create_mcjit_compiler(_set_target(llvm.parse_assembly(""), host(), machine), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return engine


@cache
def _numba_runtime() -> None:
    """Give the process the functions that allocating kernels call."""
    from numba.core.registry import cpu_target
    from numba.core.runtime.nrt import rtsys

    rtsys.initialize(cpu_target.target_context)


def address_of(callback: Any) -> int:
    """The address of a ctypes callback, for code that calls back into Python."""
    return int(ctypes.cast(callback, ctypes.c_void_p).value or 0)


def brief(text: str) -> str:
    """The same program, faster to compile: its functions stay where they are, and long calls become short.

    A kernel takes each array as seven arguments, of which all but the address are constants. They are
    written once, in a function for all calls of the kernel with these constants.
    """
    names: dict[tuple[str, ...], str] = {}
    functions: list[str] = []

    def short(call: re.Match[str]) -> str:
        kernel, arguments = call[1], call[2].split(", ")
        if len(arguments) < LONG:
            return call[0]
        passed = [argument for argument in arguments if _varies(argument)]
        shape = [
            f"{_kind(argument)} %a{place}" if _varies(argument) else argument
            for place, argument in enumerate(arguments)
        ]
        name = names.setdefault((kernel, *shape), f"{kernel}_{len(names)}")
        if len(functions) < len(names):
            head = ", ".join(argument for argument in shape if _varies(argument))
            functions.append(
                f"define internal i32 @{name}({head}) noinline {{\n"
                f"  %r = call i32 @{kernel}({', '.join(shape)}) alwaysinline\n  ret i32 %r\n}}\n"
            )
        return f"call i32 @{name}({', '.join(passed)})"

    return _CALL.sub(short, text.replace(" alwaysinline", "")) + "\n".join(functions)


def _varies(argument: str) -> bool:
    return argument.rpartition(" ")[2].startswith("%")


def _kind(argument: str) -> str:
    return argument.rpartition(" ")[0]
