"""Simulink: its models, .slx and .mdl files, are read and translated; nothing in a file is executed.

    import blockdyn as bd

    r = bd.load("model.slx").simulate(stop=5)

`load_simulink` takes values of variables and functions in place of blocks too.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import BlockdynError, PrintableText
from ...base.location import Location
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.user.function import Function
from ...diagrams.model.diagram import Diagram
from .document import BadSimulinkFile
from .matlab import assignments, read_values
from .model import read_model
from .subsystems import choose_variants
from .translate import Translator
from .use import Obstacle, UntranslatedModel
from .workspace import Variables, Workspace, assigned_names

__all__ = [
    "BadSimulinkFile",
    "Obstacle",
    "SimulinkWarning",
    "UntranslatedModel",
    "load_simulink",
    "read_simulink_contents",
]


Values = Mapping[str, Any] | str | PathLike[str]
"""Variables of the workspace: by name, or a file of them."""


class SimulinkWarning(PrintableText, UserWarning):
    """Differences from Simulink that remain in a translated model; `differences` has each with its path."""

    def __init__(self, path: str, differences: tuple[str, ...]) -> None:
        self.path, self.differences = path, differences
        super().__init__(
            "\n".join([f"{path} differs from Simulink:", *(f"  {text}" for text in differences)])
        )


def load_simulink(
    path: str | PathLike[str],
    *,
    values: Values | Sequence[Values] | None = None,
    replace: Mapping[str, Block | Callable[..., Any] | str] | None = None,
) -> Diagram:
    """The diagram of a Simulink model, an .slx or .mdl file.

    `values` are variables of the workspace: numbers and arrays by name, text in MATLAB's notation
    ("[1 2; 3 4]"), or a file, an .m script of assignments or a .mat file. They come before the model's own
    callbacks, whose assignments are read too. The value of a robot is its name in the library here.
    `replace` gives blocks or functions in place of blocks, by path ("Plant/Friction"); a function named
    "file.py:name" is imported, and thus executed.

    Raises BlockdynError for a path in `replace` that no block has and for a name in `values` that nothing
    reads, BadSimulinkFile for a file that is not a model, UntranslatedModel with all blocks and parameters
    that have no counterpart. A file in `values` may hold more variables than the model reads, if none is
    named like one that the model reads and the file does not have. Issues SimulinkWarning where the result
    differs from Simulink's.
    """
    single = values is None or isinstance(values, (str, PathLike, Mapping))
    listed: Any = [] if values is None else [values] if single else values
    variables, named, unread = _variables(listed)
    model = read_model(str(path), Workspace(variables))
    choose_variants(model.root)
    paths = [block.path for block in model.root.walk()]
    for name in replace or {}:
        if name not in paths:
            raise BlockdynError(f"replace: {path} has no block `{name}`{nearest(name, paths)}")
    replacements = {key: _block(value) for key, value in (replace or {}).items()}
    translation = Translator(model, replacements).translate()
    _refuse_unread(str(path), model.workspace, named, unread)
    if translation.differences:
        warnings.warn(SimulinkWarning(str(path), translation.differences), stacklevel=2)
    return translation.diagram


LAYOUT = (
    "Position", "ZOrder", "SID", "Location", "Ports", "BackgroundColor", "ForegroundColor", "NamePlacement",
    "BlockMirror", "BlockRotation", "FontSize", "FontName", "FontWeight", "FontAngle", "ShowName",
    "HideAutomaticName", "DropShadow", "IconDisplay", "IconShape", "NameLocation", "LibraryVersion",
    "ContentPreviewEnabled", "Floating", "Name", "BlockType",
)  # fmt: skip
"""Fields of a block that a run does not depend on, and its name and type."""


def read_simulink_contents(
    path: str | PathLike[str],
) -> tuple[dict[str, dict[str, str]], set[str], dict[str, str]]:
    """Blocks of a Simulink file with their fields, its wires, and positions; nothing is translated."""
    model = read_model(str(path), Workspace())
    blocks: dict[str, dict[str, str]] = {"simulate": dict(model.document.solver)}
    blocks["simulate"] |= {key: model.document.model.fields.get(key, "") for key in ("InitFcn", "PreLoadFcn")}
    wires, positions = set(), {}
    systems = [model.root]
    for block in model.root.walk():
        shown = {
            key: value for key, value in block.explicit.items() if key not in (*LAYOUT, "Name", "BlockType")
        }
        blocks[block.path] = {"type": block.kind, **shown}
        positions[block.path] = block.fields.get("Position", "")
        systems += [block.inner] if block.inner is not None else []
    for system in systems:
        for (block, port), wire in system.sources.items():
            wires.add(f"{wire.block.path}.{wire.port} -> {block.path}.{port}")
    return blocks, wires, positions


def _variables(
    values: Sequence[Mapping[str, Any] | str | PathLike[str]],
) -> tuple[dict[str, Any], set[str], set[str]]:
    """Variables by name, the names of mappings, and names that occur in files only; texts are evaluated."""
    result, named, filed = Variables(), set[str](), set[str]()
    for each in values:
        if not isinstance(each, Mapping):
            variables = read_values(Path(each))
            result |= variables
            filed |= {name for name in variables if not _read_in(Path(each), name)}
            continue
        named |= set(each)
        for name, value in each.items():
            if isinstance(value, str):
                result |= assignments(f"{name} = {value};", result)
            else:
                result[name] = np.asarray(value) if _numeric(value) else value
    return dict(result), named - result.read, filed - named - result.read


def _numeric(value: Any) -> bool:
    """True for lists of numbers and nested lists of numbers."""
    listed = isinstance(value, (list, tuple))
    return listed and all(isinstance(each, (int, float)) or _numeric(each) for each in value)


def _read_in(file: Path, name: str) -> bool:
    """True for a variable that the script itself reads."""
    if file.suffix.lower() == ".mat":
        return False
    text = file.read_bytes().decode("utf-8", "replace")
    return len(re.findall(rf"(?<![\w.]){re.escape(name)}\b", text)) > assigned_names(text).count(name)


def _refuse_unread(path: str, workspace: Workspace, named: set[str], filed: set[str]) -> None:
    """Raise BlockdynError for names of values that nothing in the model reads."""
    read = sorted(name for name in workspace.values.read if name in workspace.values)
    missed = [name for name in read if name not in workspace.explicit]
    problems = [f"`{name}`{nearest(name, read)}" for name in sorted(named) if name not in read]
    problems += [
        f"`{name}`{hint}" for name in sorted(filed) if name not in read and (hint := nearest(name, missed))
    ]
    if problems:
        expected = f"variables that it reads: {', '.join(read[:50])}" if read else "no values: it reads none"
        raise BlockdynError(f"values: nothing in {path} reads {'; '.join(problems)}\nexpected: {expected}")


def _block(value: Block | Callable[..., Any] | str) -> Block:
    """Return a block unchanged, and a function as a Function block."""
    if isinstance(value, Block):
        return value
    if isinstance(value, str):
        from ...diagrams.yaml.source import Source

        return Function(
            Source.of_file(Path("model.yaml").resolve(), True).function(value, Location("replace"))
        )
    return Function(value)
