"""Simulink: its models, .slx and .mdl files, are read and translated; nothing in a file is executed.

    import blockdyn as bd

    r = bd.load("model.slx").simulate(stop=5)

`load_simulink` takes values of variables and functions in place of blocks too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ...base.errors import BlockdynError, PrintableText
from ...base.location import Location
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.user.function import Function
from ...diagrams.model.diagram import Diagram
from .document import BadSimulinkFile
from .matlab import assignments, read_values
from .model import read_model
from .translate import Translator
from .use import Obstacle, UntranslatedModel
from .workspace import Workspace

__all__ = [
    "BadSimulinkFile",
    "Obstacle",
    "SimulinkWarning",
    "UntranslatedModel",
    "load_simulink",
    "read_simulink_contents",
]


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
    values: Mapping[str, Any] | str | PathLike[str] | None = None,
    replace: Mapping[str, Block | Callable[..., Any] | str] | None = None,
) -> Diagram:
    """The diagram of a Simulink model, an .slx or .mdl file.

    `values` are variables of the workspace: numbers and arrays by name, text in MATLAB's notation
    ("[1 2; 3 4]"), or a file, an .m script of assignments or a .mat file. They come before the model's own
    callbacks, whose assignments are read too. The value of a robot is its name in the library here.
    `replace` gives blocks or functions in place of blocks, by path ("Plant/Friction"); a function named
    "file.py:name" is imported, and thus executed.

    Raises BlockdynError for a path in `replace` that no block has, BadSimulinkFile for a file that is not a
    model, UntranslatedModel with all blocks and parameters
    that have no counterpart. Issues SimulinkWarning where the result differs from Simulink's.
    """
    model = read_model(str(path), Workspace(_variables(values)))
    paths = [block.path for block in model.root.walk()]
    for name in replace or {}:
        if name not in paths:
            raise BlockdynError(f"replace: {path} has no block `{name}`{nearest(name, paths)}")
    replacements = {key: _block(value) for key, value in (replace or {}).items()}
    translation = Translator(model, replacements).translate()
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


def _variables(values: Mapping[str, Any] | str | PathLike[str] | None) -> dict[str, Any]:
    """Variables by name; texts are evaluated."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        return dict(read_values(Path(values)))
    result: dict[str, Any] = {}
    for name, value in values.items():
        result |= assignments(f"{name} = {value};", result) if isinstance(value, str) else {name: value}
    return result


def _block(value: Block | Callable[..., Any] | str) -> Block:
    """A block as it is, a function as a Function block."""
    if isinstance(value, Block):
        return value
    if isinstance(value, str):
        from ...diagrams.yaml.source import Source

        return Function(
            Source.of_file(Path("model.yaml").resolve(), True).function(value, Location("replace"))
        )
    return Function(value)
