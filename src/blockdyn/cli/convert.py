"""`blockdyn convert`: a file of bdsim's editor as a diagram file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..base.errors import BlockdynError
from ..base.words import inflect
from ..diagrams.yaml import dump, dumps
from .console import note, show


def convert(arguments: Namespace) -> int:
    """Read the .bd file, write YAML."""
    from ..interop.bdsim.bdedit import load_bd
    from ..interop.bdsim.files import UnreadableValue, value_of

    values = {}
    for text in arguments.value:
        name, equals, value = text.partition("=")
        try:
            values[name] = value_of(value, {})
        except UnreadableValue as error:
            raise BlockdynError(f"--value {text}: {error}\nexpected: NAME=VALUE, such as Ks=5") from None
        if not equals:
            raise BlockdynError(f"--value {text}\nexpected: NAME=VALUE, such as Ks=5")
    diagram = load_bd(arguments.file, values).diagram(arguments.stop)
    diagram.name = Path(arguments.file).stem.replace("-", "_")
    diagram.settings(stop=arguments.stop)
    if arguments.out:
        dump(diagram, arguments.out)
        note(f"{arguments.out}: {inflect(len(diagram.blocks), 'block')}")
    else:
        show(dumps(diagram).rstrip("\n"))
    return 0
