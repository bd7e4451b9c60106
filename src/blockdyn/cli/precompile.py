"""`blockdyn precompile`: the solver and the library, compiled into the cache by two processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self

from ..blocks.contract.block import Block
from ..blocks.contract.errors import BlockError
from ..blocks.contract.registry import families
from ..diagrams.compiler.compile import compile_diagram
from ..diagrams.compiler.emit.loops import next_trial_kernel
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.errors import DiagramError
from ..diagrams.runs.waiting import LOOP
from ..diagrams.yaml import load
from ..diagrams.yaml.finding import gallery_files
from ..native import cache
from ..native.compiling import announce
from ..robots.prepared import preparations
from ..solvers.loop.compiled import is_stored, loop_kernel, native_loop
from ..solvers.methods import METHODS
from ..solvers.methods.method import COMPILED, Family, rodas5p, runge_kutta
from ..sweeps.execute.driver import native_driver
from ..sweeps.measures.kernel import native_measures
from .console import note, show
from .interrupts import unheard
from .specimen import specimen


@contextmanager
def second(program: str) -> Iterator[subprocess.Popen[bytes] | None]:
    """Run this program in another Python until the block ends; not on one core or without a cache."""
    from ..sweeps.execute.pool import cores  # late: most runs compile nothing

    if cores() == 1 or cache.folder() is None:
        yield None
        return
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def loop_beside(family: Family) -> Iterator[None]:
    """Compile the solver's loop in another process while the code inside compiles the blocks."""
    if is_stored(family):
        yield
    else:
        announce(LOOP)
        program = f"from {family.__module__} import {family.__name__} as family"
        program += f"; from {native_loop.__module__} import native_loop; native_loop(family)"
        with second(program) as process:
            yield
            if process is not None:
                process.wait()
    native_loop(family)


CLEAR = "\r\x1b[2K"
EXPORTED = "dopri5", "auto"  # the methods of most exported runs
FOLLOWED = (rodas5p, runge_kutta)  # by derivatives of a run with `auto`
FROM_THE_END = "from blockdyn.cli.precompile import backwards; backwards()"
"""A second process begins with the last step; where the two meet, each finds the rest in the cache."""


def precompile(arguments: Namespace) -> int:
    """Compile the code that runs and calls may need, so that no later one waits; cached code is loaded."""
    began = time.perf_counter()
    with unheard(), second(FROM_THE_END), _Progress() as progress:
        progress.tell("the solver")
        for family in COMPILED:
            native_loop(family)
        parts = list(steps())
        for k, (name, compile_it) in enumerate(parts):
            progress.tell(name, (k + 1) / len(parts))
            compile_it()
    place = cache.folder()
    where = f"in {place}" if place else "but no folder can be written: it is lost with this process"
    show(f"compiled in {time.perf_counter() - began:.0f} s, {where}")
    return 0


def backwards() -> None:
    """Compile the steps from the last to the first, while the parent process lives."""
    parent = os.getppid()
    for _, compile_it in reversed(list(steps())):
        if os.getppid() != parent:
            return
        compile_it()


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Everything but the solver: names and functions that compile it."""
    for family in families():
        for kind in family.types:
            yield f"{family.name}: {kind.kind()}", partial(_compile_alone, kind)
    for name, path in gallery_files().items():
        yield f"diagrams: {name}", partial(_compile_diagram, path)
    yield "diagrams: algebraic loops", next_trial_kernel
    for name, compile_it in preparations():
        yield f"robots: {name}", compile_it
    yield "sweeps: scenarios", native_driver
    yield "sweeps: measures", native_measures
    for name in EXPORTED:
        yield f"exports: {name}", partial(_compile_exported, name)
    yield "exports: the interface of FMUs", _compile_interface
    for method in FOLLOWED:
        yield f"gradients: {method.__name__} with derivatives", partial(native_loop, method, varied=True)


def _compile_diagram(path: Path) -> None:
    _code = compile_diagram(load(path)).code


class _Progress:
    """The part being compiled: one line that changes on a terminal, elsewhere one for each group."""

    def __init__(self) -> None:
        self.lively = sys.stderr.isatty()
        self.group = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.lively:
            note("", before=CLEAR, end="")

    def tell(self, name: str, share: float = 0.0) -> None:
        if self.lively:
            room = shutil.get_terminal_size().columns - 1
            note(f"{f'{share:4.0%} compiling {name}':.{room}}", before=CLEAR, end="")
            return
        group = name.partition(":")[0]
        if group != self.group:
            note(f"compiling {group}")
        self.group = group


def _compile_exported(method: str) -> None:
    from ..export.module import family_of  # late: it imports numba, which few runs need

    loop_kernel(family_of(METHODS[method]))


def _compile_interface() -> None:
    from ..export.fmu.interface import VERSIONS
    from ..export.fmu.library import solver_objects

    for version in VERSIONS.values():
        solver_objects(METHODS["dopri5"], version, tangent=False)


def _compile_alone(kind: type[Block]) -> None:
    """Compile the kernels of a block of this type, with zeros of the sizes of its ports at its inputs.

    A type that takes none of these, or whose functions stay in Python, is left to its first use.
    """
    with suppress(BlockError, TypeError):
        block = specimen(kind)
        for elements in (1, 2, 3, 4):
            with suppress(DiagramError):
                _kernels = compile_diagram(
                    _surround_with_constants(block, elements)
                ).text  # the diagram itself does not run
                return


def _surround_with_constants(block: Block, elements: int) -> Diagram:
    """A diagram of this block and constants."""
    from ..blocks.sources.constant import Constant

    diagram = Diagram(block.kind())
    diagram.add("block", block)
    for port in block.input_ports():
        size = port.fixed()
        count = size.count if size is not None else elements
        zeros = Constant([0.0] * count if count > 1 else 0.0)
        diagram.connect(diagram.add(f"input_{port.name}", zeros), f"block.{port.name}")
    return diagram
