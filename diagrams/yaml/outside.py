"""Outside: a diagram in a file as its user sees it, where it is a block."""

from __future__ import annotations

from pathlib import Path

from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ..model.diagram import Diagram
from ..model.gathered import Errors
from .entries import block
from .masks import Use, declare_parameters, requirements
from .reader import parse_gathering, read_text
from .source import Source


def outside(file: Path, kind: str) -> Diagram:
    """A diagram in a file, as its user sees it: what it may be given, its ports, what it says of itself.

    Raises YamlError, YamlFileError.
    """
    errors = Errors()
    root = parse_gathering(read_text(file, kind), kind, errors).root
    errors.finish()
    assert root is not None
    parts = {key: entry.node for key, entry in root.entries.items() if entry.node.value is not None}
    diagram = Diagram(file.stem)
    for key in ("doc", "icon"):
        setattr(diagram, key, str(parts[key].value) if key in parts else "")
    if "parameters" in parts:
        declare_parameters(diagram, parts["parameters"], Use(seen=True), errors)
    for condition, message, at in requirements(parts["checks"], errors) if "checks" in parts else ():
        diagram.require(condition, message, at=at)
    for key, entry in parts["blocks"].entries.items() if "blocks" in parts else ():
        kind_of = entry.node.entries.get("type")
        if kind_of is not None and kind_of.node.value in (Inport.kind(), Outport.kind()):
            named = block(entry.node, str(kind_of.node.value), key, Source(kind, errors=errors))
            if named is not None:
                diagram.add(key, named, at=entry.at)
    errors.finish()
    return diagram
