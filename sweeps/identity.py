"""The identity of a sweep: what two runs of it must have in common to go into one store."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.runs.outcome import versions
from ..diagrams.yaml.writer import dumps

if TYPE_CHECKING:
    from .sweep import Sweep


def identity(sweep: Sweep) -> dict[str, Any]:
    """Diagram, scenarios, measures, what is kept, the arguments of the runs, and the versions."""
    keep = sweep.keep
    return {
        "diagram": {"name": sweep.diagram.name, "sha256": digest(sweep.diagram, sweep.task.base.program)},
        "scenarios": sweep.design.described(),
        "common random numbers": sweep.declaration.common_random_numbers,
        "measures": sweep.measures.described(),
        "keep": keep.described() if keep is not None else None,
        "simulate": {name: value for name, value in sweep.simulation.items() if name != "max_time"},
        "versions": versions(),
    }


def digest(diagram: Diagram, program: Program) -> str:
    """SHA-256 of a diagram: of its YAML without the sweep, or of code and numbers where Python made it."""
    try:
        text = dumps(diagram, sweep=False).encode()
    except BlockdynError:
        memory = program.memory()
        checksum = sha256(b"" if len(program.callbacks) else program.text.text.encode())
        for block in program.flat.blocks:
            checksum.update(f"{block.path} {block.block.kind()}".encode())
        for array in (memory.p, memory.x, memory.z, memory.w):
            checksum.update(array.tobytes())
        return checksum.hexdigest()
    return sha256(text).hexdigest()
