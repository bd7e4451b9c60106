"""Export of a diagram as an FMU, a file that other simulation tools run."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from ...base.checked import checked
from ...base.files import check_place, replacing
from ...blocks.routing.inport import Inport
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.settings import Arguments, takes_settings
from ...diagrams.results.errors import ResultFileError, bad_argument
from ...diagrams.values.programs import program_of
from ..errors import ExportError
from ..run import Export
from .content import Content
from .description import CO_SIMULATION, MODEL_EXCHANGE, describe, document
from .instance import CO_SIMULATION as STEPPED, MODEL_EXCHANGE as EXCHANGED
from .library import constants_text, libraries_of, template_of
from .platforms import WITHOUT_LINKER, check_platforms

KINDS = {"me": (MODEL_EXCHANGE,), "cs": (CO_SIMULATION,), "both": (MODEL_EXCHANGE, CO_SIMULATION)}
NUMBERS = {MODEL_EXCHANGE: EXCHANGED, CO_SIMULATION: STEPPED}
DATE = (1980, 1, 1, 0, 0, 0)  # of the files in the archive: the same diagram is the same file


@dataclass(frozen=True)
class Fmu:
    """An FMU that was written."""

    file: Path


@takes_settings
@checked(bad_argument)
def export_fmu(
    diagram: Diagram, file: str | PathLike[str], *, type: Literal["me", "cs", "both"] = "both",
    fmi: Literal[2, 3] = 2, platforms: Sequence[str] = (WITHOUT_LINKER,),
    parameters: Mapping[str, Any] | None = None, set: Mapping[str, Any] | None = None,
    **arguments: Unpack[Arguments],
) -> Fmu:  # fmt: skip
    """Write the diagram as an FMU, by the standard FMI 2.0 or 3.0.

    The file contains the run as machine code: blocks, solver and event location. No compiler is needed.
    Inports are inputs, Outports outputs; states and logged signals are local variables. Numbers that blocks
    use unchanged become parameters; the page in the file lists those that are fixed.

    file   the file, .fmu
    type   "me" for Model Exchange, whose importer makes the steps; "cs" for Co-Simulation, which makes them
           by the method of the diagram; "both" for a file with both
    fmi    the version of the standard: 2 for FMI 2.0, 3 for FMI 3.0
    platforms   the processors and systems that run it: "x86_64-linux", "aarch64-linux", "x86_64-windows",
           "x86_64-darwin", "aarch64-darwin", or "all". All but the first need the package that links them,
           `pip install "blockdyn[objects]"`, and no compiler
    parameters, set   other values, see `compile`

    The other arguments are those of `Diagram.simulate`. `auto` has its implicit part
    only if this run is stiff somewhere. Raises ExportError for what cannot leave Python, ResultFileError for
    the file, and the errors of `compile`.
    """
    check_file(file)
    chosen = check_platforms(diagram.name, platforms)
    export = export_of(diagram, parameters or {}, set or {}, arguments)
    data = fmu_of(export, Path(file).stem, type, fmi, chosen)
    with replacing(file, ResultFileError) as target:
        target.write(data)
    return Fmu(Path(file))


def export_of(
    diagram: Diagram, parameters: Mapping[str, Any], set: Mapping[str, Any], arguments: Mapping[str, Any]
) -> Export:
    """The run that is exported, whose inputs without a default are 0 at its start."""
    program = program_of(diagram, parameters, set, loops=arguments.get("loops"))
    inputs = arguments.get("inputs") or {}
    missing = {
        unit.path: np.zeros(unit.out_sizes["y"].shape)
        for unit in program.plan.units
        if unit.path in {*program.flat.inputs} - {*inputs}
        and isinstance(unit.block, Inport)
        and unit.block.default is None
    }
    if missing:
        arguments = {**arguments, "inputs": {**missing, **inputs}}
    return Export(diagram, parameters, set, arguments)


def check_file(file: str | PathLike[str]) -> None:
    """Raise ResultFileError if no FMU can be written: another suffix, no such folder, no permission."""
    suffix = Path(file).suffix.lower()
    if suffix != ".fmu":
        raise ResultFileError("write", file, f"the suffix {suffix!r} is not .fmu", "use .fmu")
    check_place(file, ResultFileError)


def check_fmu(export: Export, type: str) -> None:
    """Raise ExportError, with every block and setting that cannot be in an FMU."""
    obstacles = export.obstacles()
    if MODEL_EXCHANGE in KINDS[type]:
        plan = export.prepared.program.plan
        owners = {plan.crossing_owner[k][0] for k, turn in enumerate(plan.crossing_turns) if turn}
        turning = "its events are turns of a value, which Model Exchange does not find; export type cs"
        obstacles += [(plan.units[owner].path, turning) for owner in sorted(owners)]
        delayed = "its delay remembers steps, which Model Exchange leaves to the importer; export type cs"
        obstacles += [(path, delayed) for path in export.delays()]
    if obstacles:
        raise ExportError(export.program.flat.name, obstacles)


def fmu_of(export: Export, stem: str, type: str, fmi: int, platforms: Sequence[str]) -> bytes:
    """The bytes of an FMU."""
    check_fmu(export, type)
    kinds = KINDS[type]
    content = Content(export, listed=fmi == 3 and MODEL_EXCHANGE in kinds)
    name = export.program.flat.name or stem
    identifier = re.sub(r"\W", "_", stem, flags=re.ASCII)
    identifier = identifier if identifier[:1].isalpha() else f"m{identifier}"
    places = [variable.places for variable in content.variables]
    settable = [variable.settable for variable in content.variables]
    directions = content.directions
    template = template_of(content.run, content.more, places, settable, content.end, directions)
    text = content.program.text.text.encode()
    identity = "{" + sha256(text + template.words.tobytes() + bytes([fmi])).hexdigest()[:32] + "}"
    constants = constants_text(template, identity, [NUMBERS[kind] for kind in kinds])
    constants += content.settable.code("fmu_compute", content.number_places, content.program.text.text)
    files = {
        "modelDescription.xml": describe(content, name, identifier, identity, kinds, fmi),
        **libraries_of(content.program, content.run, constants, directions.code, identifier, fmi, platforms),
        "documentation/index.html": document(content, name, kinds),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, DATE), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
