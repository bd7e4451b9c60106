"""YAML: diagrams read from text and files, and written back; nothing in a file is ever executed."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.door import body
from ...base.hints import hint_keywords
from .errors import YamlFileError
from .source import TEXT, Source, Trust

if TYPE_CHECKING:
    from ..model.diagram import Diagram
    from ..model.subsystem import Subsystem
    from .editing import DiagramText
    from .fixes import FixedText

FOREIGN = {
    ".slx": "interop.simulink:load_simulink", ".mdl": "interop.simulink:load_simulink",
    ".bd": "interop.bdsim.bdedit:load_diagram",
}  # fmt: skip
"""Translators of the files of other simulators, by suffix."""
__all__ = ["dump", "dumps", "edit", "fix", "json_schema", "load", "loads", "subsystem"]


@hint_keywords
def load(path_or_text: str | PathLike[str], *, trust: Trust = False) -> Diagram:
    """The diagram of a YAML file, or of a text of several lines; `load("quadrotor")` is the gallery's.

    A file of that name is preferred to the gallery. Models of Simulink, .slx and .mdl, and of bdsim's editor,
    .bd, are translated; an FMU is a block `fmu` with an Inport for each input.
    Files that it names must lie in its folder or below, and it may not name Python code, unless the caller
    consents: `trust="files"` for files anywhere, `trust="code"` or True for those and for code.

    Raises DiagramError with file, line and column: YamlError for the document, UnknownBlock,
    UnknownParameter, BadParameter and others for what it declares.
    """
    if _is_text(path_or_text):
        return loads(str(path_or_text), trust=trust)
    if isinstance(path_or_text, str) and (not path_or_text.strip() or "\0" in path_or_text):
        raise YamlFileError(
            f"{path_or_text[:60]!r} is not a file name", "a path, or the text of a diagram", location=None
        )
    from ..model.arguments import checked_trust, file_path
    from .build import build
    from .finding import find
    from .source import read_text

    trust = checked_trust(trust)
    path = find(file_path("the file", path_or_text))
    if path.suffix.lower() in FOREIGN:
        diagram: Diagram = body(FOREIGN[path.suffix.lower()])(path)
        return diagram
    text = _text_around(path) if path.suffix.lower() == ".fmu" else read_text(path, str(path))
    return build(text, Source.of_file(path, trust))


def _text_around(path: Path) -> str:
    """A diagram with the block of an FMU, and an Inport for each of its inputs. Raises ParameterError."""
    import json

    import numpy as np

    from ...blocks.fmus.fmu import FMU

    block = FMU(path)
    lines = ["blockdyn: 1", f"name: {json.dumps(path.stem)}", "blocks:"]
    lines.append(f"  fmu: {{type: FMU, file: {json.dumps(path.name)}}}")
    names = {port.name: port.name if port.name != "fmu" else "fmu_input" for port in block.input_ports()}
    for port, signal in zip(block.input_ports(), block.interface.inputs, strict=True):
        default = 0.0 if port.default is None else port.default
        value = json.dumps(np.broadcast_to(default, signal.shape).tolist())
        unit = json.dumps(port.unit)
        lines.append(f"  {names[port.name]}: {{type: Inport, default: {value}, unit: {unit}}}")
    if names:
        lines += ["wires:", *(f"  - {name} -> fmu.{port}" for port, name in names.items())]
    stop = block.description.stop
    return "\n".join([*lines, *([f"simulate: {{stop: {stop!r}}}"] if stop else []), ""])


def loads(text: str, *, folder: str | PathLike[str] | None = None, trust: Trust = False) -> Diagram:
    """The diagram of a YAML text; `folder` is where the files that it names must lie. Raises as `load`."""
    from ..model.arguments import checked_trust, file_path, text_of
    from .build import build

    text = text_of("the diagram", text, "loads('blockdyn: 1 ...')")
    trust = checked_trust(trust)
    folder = None if folder is None else file_path("folder", folder)
    root = Path(folder).resolve() if folder is not None else None
    return build(text, Source(TEXT, root, root, trust))


def subsystem(
    type: str, /, *, folder: str | PathLike[str] | None = None, trust: Trust = False, **parameters: Any
) -> Subsystem:
    """A packaged subsystem as a block: `subsystem("blockdyn/FlightCascade", vehicle="crazyflie", Kp=3.0)`.

    It may be a file in `folder` or below, `subsystem("motor.yaml", gain=2.0)`. Its parameters are
    shown by `blockdyn blocks blockdyn/FlightCascade`. Raises as `load`.
    """
    from ...base.location import Location, caller
    from ..model.arguments import checked_trust, file_path, text_of
    from .build import declared_block
    from .finding import checked_type
    from .masks import node_of

    kind = text_of("the type of a subsystem", type, 'subsystem("blockdyn/FlightCascade")')
    at = caller() or Location()
    checked_type(kind, at)
    root = Path("." if folder is None else file_path("folder", folder)).resolve()
    source = Source(TEXT, root, root, checked_trust(trust))
    block: Any = None
    with source.errors:
        block = declared_block(node_of({"type": kind, **parameters}, at), kind, source)
    source.errors.finish()
    return block  # type: ignore[no-any-return]


def dumps(diagram: Diagram, *, sweep: bool = True) -> str:
    """The diagram as YAML: `loads(dumps(diagram))` is the same diagram, with `sweep=False` without its sweep.

    A diagram that was read from a text gives that text, with its comments and layout, and with any
    changes made since. A diagram whose parts are in several files is written as one; packaged
    subsystems keep their `type`, unless their content was changed.

    Raises NotWritable for Python functions and block classes that neither a file nor a package names.
    """
    from ..model.arguments import checked_diagram
    from .rewriting import dumps

    checked_diagram(diagram)
    return dumps(diagram, sweep=sweep)


@hint_keywords
def dump(diagram: Diagram, path: str | PathLike[str]) -> None:
    """Write the diagram to a file, completely or not at all.

    Raises NotWritable, and FileError if the system refuses.
    """
    from ..model.arguments import file_path

    path = file_path("the file", path)
    text = dumps(diagram)
    from ...base.files import replacing

    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


def edit(path_or_text: str | PathLike[str]) -> DiagramText:
    """The text of a diagram's file, or a text of several lines, to be edited: see DiagramText.

    Raises YamlError if it is not YAML, YamlFileError if there is no such file.
    """
    from ..model.arguments import file_path
    from .editing import DiagramText

    if _is_text(path_or_text):
        return DiagramText(str(path_or_text))
    return DiagramText.of_file(file_path("the file", path_or_text))


@hint_keywords
def fix(path_or_text: str | PathLike[str], *, trust: Trust = False) -> FixedText:
    """Fixes of the mistakes in a diagram's file, or in a text of several lines: see FixedText.

    They mend a misspelt name, a port counted from 1, a wire drawn backwards, a key in the wrong section, text
    instead of a number, a missing bracket and others. The text with a fix has been read again: the error is
    gone, and no new one has appeared. No file is written before `save()`.

    Raises YamlFileError for a file that cannot be read.
    """
    from ..model.arguments import checked_trust, file_path
    from .finding import find
    from .fixes import fix_text
    from .source import read_text

    trust = checked_trust(trust)
    if _is_text(path_or_text):
        return fix_text(str(path_or_text), lambda: Source(TEXT, trust=trust), None)
    path = find(file_path("the file", path_or_text))
    return fix_text(read_text(path, str(path)), lambda: Source.of_file(path, trust), path)


def _is_text(path_or_text: object) -> bool:
    """True for a text of several lines, False for a path."""
    return isinstance(path_or_text, str) and not {"\n", "\r"}.isdisjoint(path_or_text)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a diagram file, with the block types of this installation."""
    from .schema import json_schema

    return json_schema()
