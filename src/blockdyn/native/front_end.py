"""The front end: numba turns a Python function into LLVM's bitcode, under names of its own content.

without LLVM's.

Left out: closures, `with`, raising, `literal_unroll`, inlining, branches on types, sums of whole arrays.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from .elementary.names import is_ours, replace_functions
from .groups import gather_groups, parts_of
from .target import optimise


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
    """Library for the LLVM module of such a compilation, as numba's `compile_extra` takes it: not optimised.

    LLVM works once on the linked module; to do it for every function before takes as long again.
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


# The type of an argument or a result, as a letter: d double, i 64-bit integer, w 32-bit integer, b boolean,
# a an address, which the value given has as its `address`; a digit makes it a C-contiguous array of that many
# dimensions.
Type = str
ADDRESSES = "numba.dynamic.globals"  # how numba calls a number in the code that is an address in this process
RUNTIME = "NRT_", "numba_", "Py", "_Py"  # how the names of numba's and Python's own functions begin
PRINTS = frozenset({"PySys_FormatStdout", "PySys_WriteStdout"})


class CannotCompile(Exception):
    """Numba does not take this function; the reason is numba's own."""


class ReturnsArray(CannotCompile):
    """A function that returns an array instead of writing into one."""


def numba_type(letter: Type) -> Any:
    from numba import types

    kinds = {"d": types.float64, "i": types.int64, "w": types.int32, "b": types.boolean, "a": types.int64}
    scalar = kinds[letter[0]]
    return types.Array(scalar, int(letter[1:]), "C") if len(letter) > 1 else scalar


def signature_of(function: Any, arguments: tuple[Type, ...]) -> tuple[Any, ...]:
    """Numba's types of a function's arguments, where `arguments` has a letter for each field of a group."""
    from numba import types

    kinds = tuple(map(numba_type, arguments))
    parts = parts_of(function)
    if not parts:
        return kinds
    return tuple(
        gather_groups(parts, kinds, lambda kind, items: types.BaseTuple.from_types(items, pyclass=kind))
    )


def letters(kind: Any) -> tuple[Type, ...]:
    from numba import types

    parts: Any = kind  # with attributes that numba's types do not list
    if isinstance(kind, types.NoneType):
        return ()
    if isinstance(kind, types.BaseTuple):
        return tuple(letter for item in parts.types for letter in letters(item))
    if isinstance(kind, types.Float) and parts.bitwidth == 64:
        return ("d",)
    if isinstance(kind, types.Integer) and parts.bitwidth == 64:
        return ("i",)
    if isinstance(kind, (types.Boolean, types.BooleanLiteral)):
        return ("b",)
    if isinstance(kind, types.IntegerLiteral):
        return ("i",)
    if isinstance(kind, types.Array):
        raise ReturnsArray("it returns an array")
    raise CannotCompile(f"a kernel returns numbers or a tuple of numbers, this one returns {kind}")


def structure(kind: Any) -> tuple[Type, ...]:
    """The letters of a result with its tuples: `(`, letters, `)`; a named one begins with `(module:Name`."""
    from numba import types

    if not isinstance(kind, types.BaseTuple):
        return letters(kind)
    parts: Any = kind
    named = getattr(kind, "instance_class", None)
    name = "" if named in (None, tuple) else f"{named.__module__}:{named.__qualname__}"
    return (f"({name}", *(letter for item in parts.types for letter in structure(item)), ")")


def result_type(arguments: tuple[Type, ...]) -> Any:
    """Numba's type of a result of this structure, None where the class of a named tuple is not at hand."""
    from numba import types

    open_tuples: list[tuple[Any, list[Any]]] = [(None, [])]
    for letter in arguments:
        if letter.startswith("("):
            module, _, name = letter[1:].partition(":")
            named = getattr(sys.modules.get(module), name, None)
            if name and named is None:
                return None
            open_tuples.append((named, []))
            continue
        kind = None if letter == ")" else numba_type(letter)
        if kind is None:
            named, items = open_tuples.pop()
            kind = types.BaseTuple.from_types(items, pyclass=named)
        open_tuples[-1][1].append(kind)
    return open_tuples[0][1][0] if arguments else types.none


def through_numba(
    function: Callable[..., Any], signature: tuple[Any, ...], *, lean: bool, plain: bool = False
) -> Any:
    """Numba's compilation of a function as far as optimised LLVM: no machine code, no wrappers.

    `lean` leaves numba's runtime out, and fails for functions that allocate; `plain` runs only the passes of
    `native.front_end`.
    """
    from numba.core import compiler
    from numba.core.registry import cpu_target

    flags: Any = compiler.Flags()
    flags.error_model = "numpy"
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = not lean
    flags.enable_pyobject = flags.force_pyobject = False
    target: Any = cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    with _loops_as_they_are():
        return compiler.compile_extra(
            target.typing_context, target.target_context, function, signature, None, flags, {},
            library=plain_library(function.__qualname__) if plain else None,
            pipeline_class=plain_compiler() if plain else compiler.Compiler,
        )  # fmt: skip


@contextmanager
def _loops_as_they_are() -> Iterator[None]:
    """Numba compiles here without making vectors of loops; no other thread does so at that time.

    A kernel is to be read for its tangent on every processor, and each has vectors of its own kind. The
    engine makes vectors, where kernels have been put together.
    """
    from numba.core import config
    from numba.core.compiler_lock import global_compiler_lock

    settings: Any = config
    with global_compiler_lock:
        before = settings.LOOP_VECTORIZE, settings.SLP_VECTORIZE
        settings.LOOP_VECTORIZE = settings.SLP_VECTORIZE = 0
        try:
            yield
        finally:
            settings.LOOP_VECTORIZE, settings.SLP_VECTORIZE = before


def extract(
    result: Any, key: str, *, attributes: tuple[str, ...] = (), plain: bool = False
) -> tuple[str, bytes, bool, bool]:
    """A compiled function's symbol and bitcode, whether it can fail, and whether it needs numba's runtime.

    `plain` code is left as it is, and handles its failures itself; other code is optimised.

    Raises CannotCompile for code that holds an address, which is wrong in any other process.
    """
    with _loops_as_they_are():
        module = _link_library(result.library)
        if any(item.name.startswith(ADDRESSES) for item in module.global_variables):
            raise CannotCompile(
                "it names an array of over 1 MB, one that is not contiguous, or a function that is known by"
                " its address alone: make the array a parameter, call the function as bd.Foreign"
            )
        if not plain:
            module = _optimise_library(result.library)
        if any(function.name in PRINTS for function in module.functions):
            raise CannotCompile("it prints, and machine code would wait for Python without end")
        entry = module.get_function(result.fndesc.llvm_func_name)
        make_private(module, key)
        for attribute in attributes:
            entry.add_function_attribute(attribute)
        functions = list(module.functions)
        runtime = any(f.is_declaration and f.name.startswith(RUNTIME) for f in functions)
        fails = not plain and any(map(_fails, functions))
        return entry.name, bytes(module.as_bitcode()), fails, runtime


def _link_library(library: Any) -> Any:
    """The LLVM module of a compiled function, linked with the modules on which numba makes it depend, and
    calling our elementary functions.
    """
    import llvmlite.binding as llvm

    for part in dict.fromkeys(library._linking_libraries):
        library._final_module.link_in(part._get_module_for_linking(), preserve=True)
    text = str(library._final_module)
    if any(is_ours(item.name) for item in library._final_module.functions) or "= frem double" in text:
        library._final_module = llvm.parse_assembly(replace_functions(text))
    return library._final_module


def _optimise_library(library: Any) -> Any:
    """The linked module, optimised.

    Numba's own way to it, `finalize`, makes machine code of it as well, which nobody runs, and optimises it
    twice, so that counts of references meet; where there are none, once is enough.
    """
    module = library._final_module
    if any(function.name.startswith("NRT_") for function in module.functions):
        library._optimize_final_module()
        return library._final_module
    optimise(module, library._codegen._tm, 3, loops=False)
    return module


def make_private(module: Any, key: str) -> None:
    """Name the definitions of an LLVM module as no other kernel does: numba counts afresh in each process."""
    defined = [item for item in (*module.functions, *module.global_variables) if not item.is_declaration]
    for i, item in enumerate(defined):
        item.name = f"k{key[:24]}_{i}"
    for function in module.functions:
        if function.linkage.name == "linkonce_odr":
            function.linkage = "external"  # the linker drops such before they are called


def _fails(function: Any) -> bool:
    """True if an LLVM function may return another status than 0."""
    for block in function.blocks:
        *_, last = block.instructions
        if last.opcode == "ret":
            for status in last.operands:
                if str(status.type) == "i32" and str(status) != "i32 0":
                    return True
    return False


PLAINLY = {
    "(IMPORT_NAME)": "an `import` inside the function: move it to the top of the file",
    "(STORE_GLOBAL)": "a global variable that it writes to",
    "reflected list": "a list from outside: numbers come as parameters, or in an array of NumPy",
}
"""Common obstacles to machine code in numba's messages, and plain words for them."""


def first_words(error: Exception) -> str:
    """The message of numba, without its pages of context."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines() if line.strip()]
    context = ("Failed in", "During:", "File ", "[", "<source")
    telling = [line for line in lines if not line.startswith(context)]
    told = (telling or lines or [type(error).__name__])[0]
    return next((words for part, words in PLAINLY.items() if part in told), told)
