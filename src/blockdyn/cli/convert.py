"""`blockdyn convert`: a file of Simulink or of bdsim's editor as a diagram file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..base.words import inflect
from ..diagrams.yaml import dump, dumps
from .console import note, show
from .diagrams import load_foreign


def convert(arguments: Namespace) -> int:
    """Read the file, write YAML."""
    diagram = load_foreign(Path(arguments.file), arguments)
    if arguments.out:
        dump(diagram, arguments.out)
        note(f"{arguments.out}: {inflect(len(diagram.blocks), 'block')}")
    else:
        show(dumps(diagram).rstrip("\n"))
    return 0
