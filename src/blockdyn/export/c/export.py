"""Export a diagram, or a part of it, as C: the controller of a real robot, or a robot for its controller."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, environ
from pathlib import Path
from subprocess import run
from sys import executable
from tempfile import TemporaryDirectory
from typing import Any, Literal

from ...base.checked import checked
from ...base.extras import remedy
from ...base.files import check_place, replacing
from ...diagrams.model.diagram import Diagram
from ...diagrams.results.errors import ResultFileError, bad_argument
from ...diagrams.values.programs import program_of
from ..errors import ExportError
from .content import Content
from .expressions import KEYWORDS
from .header import header
from .module import RESERVED
from .part import part_of
from .source import LOCAL, source

BARE = "-fshort-enums", "-fno-pic"  # as toolchains for boards compile
TARGETS = {  # of clang in ziglang: musl gives the headers, and no code
    "cortex-m4": ("thumb-linux-musleabihf", "cortex_m4", *BARE),
    "cortex-m7": ("thumb-linux-musleabihf", "cortex_m7", *BARE),
    "riscv32": ("riscv32-linux-musl", "generic_rv32+m+c", "-mabi=ilp32", "-fno-pic"),
    "riscv64": ("riscv64-linux-musl", "baseline_rv64", "-fPIC"),
    "aarch64": ("aarch64-linux-musl", "generic", "-fPIC"),
    "x86-64": ("x86_64-linux-musl", "x86_64", "-fPIC"),
}
OPTIONS = (
    "-std=c99", "-Os", "-ffp-contract=off", "-fno-sanitize=undefined", "-fno-stack-protector",
    "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-ffunction-sections",
)  # fmt: skip


@dataclass(frozen=True)
class CSource:
    """C files that were written, and the resources that they take.

    step        the time between two calls, s
    memory      bytes of an instance; a step keeps a copy of it on the stack
    operations  + - * / and square roots of doubles in a step without events at most, and in each round of
                events; loops whose length depends on values are counted once
    loops       the number of these loops in both
    objects     objects by processor
    flash       bytes of code and constants in each of them
    """

    header: Path
    source: Path
    step: float
    memory: int
    operations: tuple[int, int]
    loops: tuple[int, int]
    objects: Mapping[str, Path]
    flash: Mapping[str, int]


@checked(bad_argument)
def export_c(
    diagram: Diagram, folder: str | PathLike[str], *, part: str | Sequence[str] | None = None,
    name: str | None = None, step: float | None = None, method: str | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: Literal["error", "solve"] | None = None, seed: int | None = None, objects: Sequence[str] = (),
) -> CSource:  # fmt: skip
    """Write a diagram, or a part of one, as C99: NAME.h and NAME.c.

    `NAME_init` begins, `NAME_step` takes the inputs of a step and gives its outputs. Memory is static; of the
    C library only memcpy, memset and functions of <math.h> are called that IEEE 754 defines exactly, such as
    sqrt. The step has the bits of a run of the diagram whose inputs change at the same instants, and whose
    method has the same fixed steps. An event between two steps comes at the second one.

    folder   where the two files are written
    part     a subsystem or blocks, by path; without it, the whole diagram. Signals that come in from other
             blocks are inputs, signals that leave are outputs
    name     NAME; without it, the name of the part or of the diagram
    step     the time from one call to the next, s; without it, the step of the diagram, or without
             continuous states the greatest that meets all sample times
    method   euler, heun or rk4, for continuous states; without it, the method of the diagram, or rk4 if the
             diagram has none of these
    parameters, set   other values, see `compile`
    loops    treatment of algebraic loops, see `compile`
    seed     of random numbers; without it, the seed of the diagram
    objects  processors for which NAME-PROCESSOR.o is compiled too (`pip install "blockdyn[objects]"`, no
             other compiler is needed): cortex-m4 and cortex-m7 with doubles passed in registers of the FPU
             (-mfloat-abi=hard), riscv32 (RV32IMC, -mabi=ilp32), riscv64, aarch64, x86-64

    Raises ExportError for blocks that cannot be C, because of histories or functions in Python; or if the
    compiler of objects is missing; ResultFileError for the files, and the errors of `compile`.
    """
    unknown = [(each, "not a processor for objects") for each in objects if each not in TARGETS]
    if unknown:
        raise ExportError(diagram.name, unknown, ", ".join(TARGETS))
    if objects and (missing := remedy("ziglang")):
        raise ExportError(diagram.name, [("objects", "no compiler")], f"{missing}, or the C files alone")
    content = content_of(
        diagram, part, name, step=step, method=method, parameters=parameters, set=set, loops=loops, seed=seed
    )
    place = Path(folder)
    files = place / f"{content.name}.h", place / f"{content.name}.c"
    for file in files:
        check_place(file, ResultFileError)
    for file, text in zip(files, (header(content), source(content)), strict=True):
        with replacing(file, ResultFileError) as target:
            target.write(text.encode())
    compiled = {processor: _compile(files[1], processor) for processor in objects}
    of_step, of_round = content.operations
    flash = {processor: _flash(file) for processor, file in compiled.items()}
    operations, open_loops = (of_step.count, of_round.count), (of_step.loops, of_round.loops)
    return CSource(*files, float(content.step), content.memory, operations, open_loops, compiled, flash)


def _compile(source: Path, processor: str) -> Path:
    """Compile the source for a processor: NAME-PROCESSOR.o next to it."""
    triple, model, *more = TARGETS[processor]
    file = source.with_name(f"{source.stem}-{processor}.o")
    check_place(file, ResultFileError)
    with TemporaryDirectory() as folder, replacing(file, ResultFileError) as target:
        written = Path(folder) / "out.o"
        options = ["-target", triple, f"-mcpu={model}", *OPTIONS, *more]
        places = {f"ZIG_{kind}_CACHE_DIR": folder for kind in ("GLOBAL", "LOCAL")}
        command = [executable, "-m", "ziglang", "cc", *options, "-c", str(source), "-o", str(written)]
        ended = run(command, env=environ | places, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise ExportError(source.stem, [(processor, ended.stderr.strip())], "C that clang compiles")
        target.write(written.read_bytes())
    return file


def _flash(file: Path) -> int:
    """The bytes of code and constants in an object."""
    import llvmlite.binding as llvm

    sections = llvm.ObjectFileRef.from_data(file.read_bytes()).sections()
    return sum(each.size() for each in sections if (each.name() or b"").startswith((b".text", b".rodata")))


def content_of(
    diagram: Diagram, part: str | Sequence[str] | None, name: str | None, *, step: float | None = None,
    method: str | None = None, parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None, loops: str | None = None, seed: int | None = None,
) -> Content:  # fmt: skip
    """The contents of the two files. Raises what `export_c` does."""
    program = program_of(diagram, parameters or {}, set or {}, loops=loops)
    if part is not None:
        program = part_of(program, [part] if isinstance(part, str) else part)
    return Content(program, identifier(name or program.flat.name or "diagram"), step, method, seed)


def identifier(name: str) -> str:
    """A valid name in C."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    if text in KEYWORDS | LOCAL | RESERVED:
        return f"{text}_"
    return text if text[:1].isalpha() else f"d_{text}"
