"""`blockdyn export`: a diagram as a file that runs without Python."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from .console import show, show_json


def export(arguments: Namespace) -> int:
    """Write the diagram in the form that the arguments name, or check whether it can be."""
    from ..export.page import export_page
    from ..export.run import Export
    from .arguments import EXPORTED
    from .diagrams import changes, load_named

    diagram = load_named(arguments)
    settings: dict[str, Any] = {
        name: getattr(arguments, name) for name in EXPORTED if getattr(arguments, name) is not None
    }
    values: dict[str, Any] = changes(diagram, arguments)
    if arguments.check:
        Export(diagram, values["parameters"], values["set"], settings).check()
        if arguments.json:
            show_json({"exportable": True})
        else:
            show(f"{diagram.name or arguments.diagram} can be exported")
        return 0
    out = arguments.out or f"{Path(arguments.diagram).stem}.html"
    export_page(diagram, out, sliders=arguments.slider, **values, **settings)
    size = Path(out).stat().st_size
    if arguments.json:
        show_json({"file": out, "bytes": size})
    else:
        show(f"written: {out}, {size / 1000:.0f} kB")
    return 0
