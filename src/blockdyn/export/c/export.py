"""Export of a diagram, or of a part of it, as C: for the controller of a real robot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ...base.checked import checked
from ...base.files import check_place, replacing
from ...diagrams.model.diagram import Diagram
from ...diagrams.results.errors import ResultFileError, bad_argument
from ...diagrams.values.programs import program_of
from .content import Content
from .expressions import KEYWORDS
from .header import header
from .module import RESERVED
from .part import part_of
from .source import LOCAL, source


@dataclass(frozen=True)
class CSource:
    """C files that were written."""

    header: Path
    source: Path
    step: float


@checked(bad_argument)
def export_c(
    diagram: Diagram, folder: str | PathLike[str], *, part: str | Sequence[str] | None = None,
    name: str | None = None, step: float | None = None, parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None, loops: Literal["error", "solve"] | None = None,
) -> CSource:  # fmt: skip
    """Write a sampled diagram, or the sampled part of one, as C99: NAME.h and NAME.c.

    `NAME_init` begins, `NAME_step` takes the inputs of a step and gives its outputs. Memory is static; of the
    C library only memcpy, memset and functions of <math.h> are called that IEEE 754 defines exactly, such as
    sqrt. The step has the bits of a run of the diagram whose inputs change at the same instants.

    folder   where the two files are written
    part     a subsystem or blocks, by path; without it, the whole diagram. Signals that come in from other
             blocks are inputs, signals that leave are outputs
    name     NAME; without it, the name of the part or of the diagram
    step     the time from one call to the next, s; without it, the greatest that meets all sample times
    parameters, set   other values, see `compile`
    loops    treatment of algebraic loops, see `compile`

    Raises ExportError for what cannot be C: continuous states, histories, functions in Python;
    ResultFileError for the files, and the errors of `compile`.
    """
    content = content_of(diagram, part, name, step=step, parameters=parameters, set=set, loops=loops)
    place = Path(folder)
    files = place / f"{content.name}.h", place / f"{content.name}.c"
    for file in files:
        check_place(file, ResultFileError)
    for file, text in zip(files, (header(content), source(content)), strict=True):
        with replacing(file, ResultFileError) as target:
            target.write(text.encode())
    return CSource(*files, float(content.step))


def content_of(
    diagram: Diagram, part: str | Sequence[str] | None, name: str | None, *, step: float | None = None,
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    loops: str | None = None,
) -> Content:  # fmt: skip
    """The contents of the two files. Raises what `export_c` does."""
    program = program_of(diagram, parameters or {}, set or {}, loops=loops)
    if part is not None:
        program = part_of(program, [part] if isinstance(part, str) else part)
    return Content(program, identifier(name or program.flat.name or "diagram"), step)


def identifier(name: str) -> str:
    """A valid name in C."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    if text in KEYWORDS | LOCAL | RESERVED:
        return f"{text}_"
    return text if text[:1].isalpha() else f"d_{text}"
