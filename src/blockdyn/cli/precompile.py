"""`blockdyn precompile`: the solver and the library's blocks, compiled into the cache."""

from __future__ import annotations

import time
from argparse import Namespace
from contextlib import suppress

from ..blocks.block import Block
from ..blocks.errors import BlockError
from ..blocks.registry import families
from ..diagrams.compile import compile_diagram
from ..diagrams.diagram import Diagram
from ..diagrams.errors import DiagramError
from ..diagrams.yaml import load
from ..diagrams.yaml.finding import gallery_files
from ..native import cache
from ..solvers.compiled import native_loop
from .console import note, show
from .interrupts import unheard
from .specimen import specimen


def precompile(arguments: Namespace) -> int:
    """Compile what any run may need, so that no later run waits; what is in the cache already is quick."""
    began = time.perf_counter()
    with unheard():
        note("compiling the solver")
        native_loop()
        for family in families():
            note(f"compiling {family.name}: {', '.join(kind.kind() for kind in family.types)}")
            for kind in family.types:
                _compile_alone(kind)
        for name, path in gallery_files().items():
            note(f"compiling the diagram {name}")
            _code = compile_diagram(load(path)).code
    place = cache.folder()
    where = f"in {place}" if place else "but no folder can be written: it is lost with this process"
    show(f"compiled in {time.perf_counter() - began:.0f} s, {where}")
    return 0


def _compile_alone(kind: type[Block]) -> None:
    """The kernels of a block of this type, fed with zeros of the sizes that its ports name, or that it takes.

    A type that takes none of these, or whose functions stay in Python, is left to its first use.
    """
    with suppress(BlockError, TypeError):
        block = specimen(kind)
        for elements in (1, 2, 3, 4):
            with suppress(DiagramError):
                _code = compile_diagram(_alone(block, elements)).code
                return


def _alone(block: Block, elements: int) -> Diagram:
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
