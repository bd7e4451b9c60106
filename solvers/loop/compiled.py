"""The loop is compiled once to machine code, kept in the store, and loaded without numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from ...native.cache import holds
from ...native.callable import Native
from ...native.compiling import compile_kernel
from ...native.engine import join_kernels
from ...native.fingerprint import fingerprint_of_sources
from ...native.front_end import Type
from ...native.kernel import Kernel, keep, stored_kernel
from ...native.pieces import Pieces
from .. import layout
from ..backend import Code
from ..fields import Count, Part
from ..layout import Work
from ..methods import WRITTEN_OUT
from ..methods.method import Family, runge_kutta
from ..variation.fields import VARIATION, Variation
from ..variation.instants import look

BEGIN, ADVANCE, LOOK = 0, 1, 2
ARGUMENTS: tuple[Type, ...] = ("i", "a", "a", "a")
PACKAGE = Path(__file__).parents[1]


def native_loop(family: Family = runge_kutta, *, varied: bool = False) -> Native:
    """The loop over one family of steps, made once; `varied`: with the derivatives of a run."""
    return _native_loop(family, varied)


def loop_kernel(family: Family = runge_kutta) -> Kernel:
    """The loop as a kernel, (what, code, memory, work) -> status, for code that other machines run.

    It is compiled once and kept in the store.
    """
    key = loop_key(PACKAGE, family)
    kernel = stored_kernel(key)
    if kernel is None:
        pieces = Pieces(plain=True)
        compiled = compile_kernel(_make(family, False, pieces), ARGUMENTS)
        kernel = join_kernels(compiled, pieces.kernels())
        keep(key, kernel)
    return kernel


def is_stored(family: Family) -> bool:
    """True if its loop need not be compiled."""
    return holds(f"{loop_key(PACKAGE, family)}.object")


@cache
def _native_loop(family: Family, varied: bool) -> Native:
    """The loop, called with BEGIN or ADVANCE, or with derivatives LOOK, a program's entries, and the Memory
    and Work of a run.
    """
    key = loop_key(PACKAGE, family, varied)
    return Native(partial(_make, family, varied), key, ARGUMENTS)


def loop_key(package: Path, family: Family = runge_kutta, varied: bool = False) -> str:
    """The loop's key in the store: of every source file of the package, of what takes its steps, and of the
    tableau written into it.
    """
    return fingerprint_of_sources(package, extra=("loop", family.__name__, varied, WRITTEN_OUT))


def _make(family: Family, varied: bool, pieces: Pieces) -> Any:
    from ..backend import compiled
    from ..calls import memory, stored, work
    from .loop import build

    backend = compiled(pieces)
    if varied:
        backend = backend._replace(variation=stored(VARIATION, Variation))
    begin, advance = build(backend, family)
    if not varied:

        def loop(what: int, code: Code, m: int, s: int) -> int:
            if what == BEGIN:
                return begin(code, memory(m), work(s))
            return advance(code, memory(m), work(s))

        return loop

    look_now = backend.jit(look)

    def followed(what: int, code: Code, m: int, s: int) -> int:
        if what == BEGIN:
            return begin(code, memory(m), work(s))
        if what == LOOK:
            return look_now(code, memory(m), work(s))
        return advance(code, memory(m), work(s))

    return followed


class Loops(Part):
    """The loops of one run, for other machine code: addresses of the loops and of their arguments."""

    loop = Count()
    begin = Count()  # its arguments for BEGIN
    advance = Count()  # and for ADVANCE
    stiff_loop = Count()  # of the method that takes over; 0 until it is compiled
    stiff_advance = Count()


def make_calls(enter: Callable[[int, int], int]) -> tuple[Any, Any]:
    """Make `begin` and `advance` of a run for other machine code; `enter(address, arguments)` calls a loop.

    `advance` returns a status of `layout`, never SWITCHED or UNSTRUCTURED: it returns UNPREPARED if the run
    cannot continue before Python has prepared it, see `entry.CompiledLoops`.
    """

    def begin(loops: Loops) -> int:
        return enter(loops.loop, loops.begin)

    def advance(loops: Loops, s: Work) -> int:
        status = layout.SWITCHED
        while status == layout.SWITCHED:
            if s.implicit == 0:
                status = enter(loops.loop, loops.advance)
            elif loops.stiff_loop != 0:
                status = enter(loops.stiff_loop, loops.stiff_advance)
            else:
                status = layout.UNPREPARED
        return layout.UNPREPARED if status == layout.UNSTRUCTURED else status

    return begin, advance
