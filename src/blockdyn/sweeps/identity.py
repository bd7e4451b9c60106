"""The identity of a sweep holds the facts in which two runs must agree to share one store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram import Diagram
from ..diagrams.runs.ended import versions
from ..diagrams.yaml.entries import kinds
from ..diagrams.yaml.machines import FILES
from ..diagrams.yaml.writer import dumps

SUFFIXES = (".yaml", ".yml", ".urdf")

if TYPE_CHECKING:
    from .sweep import Sweep


def identity(sweep: Sweep) -> dict[str, Any]:
    """Diagram, scenarios, measures, kept signals, the arguments of the runs, and the versions."""
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
    """SHA-256 of a diagram: of its YAML without the sweep and the files it names, or of code and numbers."""
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
    checksum = sha256(text)
    for file in named_files(program):
        with suppress(OSError):  # it has been read already: its content of then is gone
            checksum.update(file.read_bytes())
    return checksum.hexdigest()


def named_files(program: Program) -> Iterator[Path]:
    """The files that blocks have read: tables, robots, vehicles."""
    for placed in program.flat.blocks:
        for name, kind in kinds(type(placed.block)).items():
            if not (kind.file or kind.robot or kind.vehicle):
                continue
            value = getattr(placed.block, name)
            named = [value[key] for key in FILES if key in value] if isinstance(value, Mapping) else [value]
            for path in named:
                if isinstance(path, str) and (kind.file or Path(path).suffix.lower() in SUFFIXES):
                    yield Path(path)
