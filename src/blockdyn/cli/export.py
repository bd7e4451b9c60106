"""`blockdyn export`: a diagram as a file that runs without Python."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from .console import show, show_json

OPTIONS = {"page": ("slider",), "fmu": ("type", "fmi"), "c": ("part", "name")}
SUFFIXES = {"page": ".html", "fmu": ".fmu"}
OF_C = ("step",)  # the settings that C has


def export(arguments: Namespace) -> int:
    """Write the diagram in the form that the arguments name, or check whether it can be."""
    from .arguments import EXPORTED
    from .diagrams import changes, compiling, load_named

    _check_options(arguments)
    diagram = load_named(arguments)
    settings: dict[str, Any] = {
        name: getattr(arguments, name) for name in EXPORTED if getattr(arguments, name) is not None
    }
    values: dict[str, Any] = changes(diagram, arguments)
    if arguments.check:
        with compiling():
            _check(diagram, arguments, values, settings)
        if arguments.json:
            show_json({"exportable": True})
        else:
            show(f"{diagram.name or arguments.diagram} can be exported")
        return 0
    if arguments.form == "c":
        return _write_c(diagram, arguments, values | settings)
    out = arguments.out or f"{Path(arguments.diagram).stem}{SUFFIXES[arguments.form]}"
    with compiling():
        _write(diagram, out, arguments, values | settings)
    size = Path(out).stat().st_size
    if arguments.json:
        show_json({"file": out, "bytes": size})
    else:
        show(f"written: {out}, {size / 1000:.0f} kB")
    return 0


def _check_options(arguments: Namespace) -> None:
    """Raise BlockdynError for an option of another form."""
    from .arguments import EXPORTED

    if arguments.form == "c":
        for name in EXPORTED:
            if name not in OF_C and getattr(arguments, name) is not None:
                option = name.replace("_", "-")
                raise BlockdynError(
                    f"--{option} with `export c`, which has no solver\nexpected: --step, if any"
                )
    for form, names in OPTIONS.items():
        for name in names if form != arguments.form else ():
            if getattr(arguments, name) is not None:
                raise BlockdynError(
                    f"--{name} with `export {arguments.form}`\nexpected: `export {form}`, or no --{name}"
                )


def _write(diagram: Any, out: str, arguments: Namespace, values: dict[str, Any]) -> None:
    """Write the file."""
    if arguments.form == "fmu":
        from ..export.fmu.export import export_fmu

        export_fmu(diagram, out, type=arguments.type or "both", **values)
    else:
        from ..export.page import export_page

        export_page(diagram, out, sliders=arguments.slider, **values)


def _write_c(diagram: Any, arguments: Namespace, values: dict[str, Any]) -> int:
    """Write a header and a source into the folder."""
    from ..export.c.export import export_c
    from .diagrams import compiling

    with compiling():
        written = export_c(diagram, arguments.out or ".", part=arguments.part, name=arguments.name, **values)
    if arguments.json:
        show_json({"header": str(written.header), "source": str(written.source), "step": written.step})
    else:
        show(f"written: {written.header} and {written.source}, a step every {written.step:g} s")
    return 0


def _check(diagram: Any, arguments: Namespace, values: dict[str, Any], settings: dict[str, Any]) -> None:
    """Raise ExportError for what cannot leave Python."""
    given = diagram, values["parameters"], values["set"], settings
    if arguments.form == "fmu":
        from ..export.fmu.export import check_fmu, export_of

        check_fmu(export_of(*given), arguments.type or "both")
    elif arguments.form == "c":
        from ..export.c.export import content_of

        content_of(diagram, arguments.part, arguments.name, **{**values, **settings}).printed  # noqa: B018
    else:
        from ..export.run import Export

        Export(*given).check()
