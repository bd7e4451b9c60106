"""Machine code of a text's functions with their tangents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..elementary import definitions
from ..engine import join_module
from ..kernel import Kernel
from ..target import host, optimise
from .frame import NotDifferentiable
from .linear_algebra import written_out
from .module import tangent_of

LANES = 4
"""Directions that a tangent goes in at once: as many doubles as a register of the processor holds."""


def tangent_object(
    text: str, kernels: Sequence[Kernel], entries: Mapping[str, str], level: int, lanes: int = LANES
) -> bytes:
    """Relocatable machine code of functions, and of the tangent of each, see `tangent_name`.

    `entries` has the arguments of each function: "d" a double, "p" a pointer, a letter an argument. Its
    tangent takes each argument twice, the second time the address of its tangents: as many doubles as there
    are `lanes` for a double; the data n bytes after a pointer have their tangents `lanes` times n bytes after
    the other address.

    Raises NotDifferentiable.
    """
    machine = host().machine(level)
    combined = _differentiate(text, kernels, entries, machine, lanes)
    definitions.link(combined)
    optimise(combined, machine, level)
    return bytes(machine.emit_object(combined))


def tangent_kernel(
    text: str, kernels: Sequence[Kernel], name: str, letters: str, lanes: int = LANES
) -> Kernel:
    """The tangent of one function for code of any processor, see `tangent_object`.

    Its elementary functions are declared only. Raises NotDifferentiable.
    """
    machine = host().machine(1)
    module = _differentiate(text, kernels, {name: letters}, machine, lanes)
    symbol = tangent_name(name, lanes)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name != symbol:
            item.linkage = "internal"
    module.triple = module.data_layout = ""
    return Kernel(symbol, (), (), bytes(module.as_bitcode()), False, False)


def _differentiate(
    text: str, kernels: Sequence[Kernel], entries: Mapping[str, str], machine: Any, lanes: int
) -> Any:
    """The LLVM module of functions and their tangents."""
    import llvmlite.binding as llvm

    module = _join_module(text, list(kernels), entries, machine)
    optimise(module, machine, 1)
    _name_all(module, machine)
    plain = str(module)
    tangents, symbols = tangent_of(plain, entries, lanes)
    wrapped = [_entry(name, letters, symbols[name], lanes) for name, letters in entries.items()]
    combined = llvm.parse_assembly("\n".join([plain, tangents, *wrapped]))
    combined.data_layout = str(machine.target_data)
    return combined


def refusal(kernel: Kernel) -> NotDifferentiable | None:
    """Return why a kernel cannot be differentiated, None where it can."""
    machine = host().machine(1)
    module = _join_module("", [kernel], [kernel.symbol], machine)
    optimise(module, machine, 1)
    _name_all(module, machine)
    text = str(module)
    try:
        tangent_of(text, {kernel.symbol: None}, LANES)
    except NotDifferentiable as error:
        return error
    return None


def _join_module(text: str, kernels: list[Kernel], names: Iterable[str], machine: Any) -> Any:
    """The module of a text with its kernels, and with the linear algebra that these call, written out."""
    module = join_module(text, kernels, names, host(), machine)
    definitions, more = written_out({item.name for item in module.functions if item.is_declaration})
    return (
        join_module(f"{text}\n{definitions}", [*kernels, *more], names, host(), machine) if more else module
    )


def names_of(entries: Iterable[str], lanes: int = LANES) -> list[str]:
    """Names that the machine code exports."""
    return [*entries, *(tangent_name(name, lanes) for name in entries)]


def tangent_name(name: str, lanes: int = LANES) -> str:
    """Name of the tangent of a function."""
    return f"{name}_tangent{lanes}"


def _entry(name: str, letters: str, symbol: str, lanes: int) -> str:
    kinds = ["double" if letter == "d" else "ptr" for letter in letters]
    taken = ", ".join(f"{kind} %a{i}, ptr %d{i}" for i, kind in enumerate(kinds))
    vector = f"<{lanes} x double>"
    loads = [
        f"  %v{i} = load {vector}, ptr %d{i}, align 8" for i, kind in enumerate(kinds) if kind == "double"
    ]
    values = [f"{kind} %a{i}" for i, kind in enumerate(kinds)]
    values += [f"{vector} %v{i}" if kind == "double" else f"ptr %d{i}" for i, kind in enumerate(kinds)]
    call = f"  %r = call i64 {symbol}({', '.join(values)})"
    return "\n".join(
        [f"define i64 @{tangent_name(name, lanes)}({taken}) {{", *loads, call, "  ret i64 %r", "}"]
    )


def _name_all(module: Any, machine: Any) -> None:
    """Give every value and block a name: numbers would have to stay in order."""
    import llvmlite.binding as llvm
    from llvmlite.binding.newpassmanagers import create_new_module_pass_manager

    manager = create_new_module_pass_manager()
    manager.add_instruction_namer_pass()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1)))
