"""`blockdyn export`: a diagram, or functions of a robot, as a file that runs without Python."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from .console import show, show_json

OPTIONS = {
    "page": ("slider",),
    "fmu": ("type", "fmi", "platforms"),
    "c": ("part", "name", "object"),
    "robot": ("functions", "lang", "symbols", "name"),
}
SUFFIXES = {"page": ".html", "fmu": ".fmu"}
OF_C = "step", "method", "seed"  # the settings that C has


def export(arguments: Namespace) -> int:
    """Write the diagram in the form that the arguments name, or check whether it can be."""
    from .arguments import EXPORTED
    from .diagrams import changes, compiling, load_named

    _check_options(arguments)
    if arguments.form == "robot":
        return _write_robot(arguments)
    diagram = load_named(arguments)
    settings: dict[str, Any] = {
        name: getattr(arguments, name) for name in EXPORTED if getattr(arguments, name) is not None
    }
    values: dict[str, Any] = changes(diagram, arguments)
    if arguments.check:
        with compiling():
            fixed = _check(diagram, arguments, values, settings)
        if arguments.json:
            show_json({"exportable": True, "fixed": fixed})
        else:
            lines = [f"{diagram.name or arguments.diagram} can be exported"]
            lines += ["fixed in it:"] * bool(fixed) + [f"  {path}: {why}" for path, why in fixed.items()]
            show("\n".join(lines))
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

    if arguments.form in ("c", "robot"):
        for name in EXPORTED:
            if (name not in OF_C or arguments.form == "robot") and getattr(arguments, name) is not None:
                option = name.replace("_", "-")
                expected = (
                    "--step, --method euler, heun or rk4, --seed"
                    if arguments.form == "c"
                    else "--functions, --lang, --symbols, --name"
                )
                reason = "whose steps are fixed" if arguments.form == "c" else "which has no solver"
                raise BlockdynError(
                    f"--{option} with `export {arguments.form}`, {reason}\nexpected: {expected}"
                )
    for form, names in OPTIONS.items():
        for name in names if form != arguments.form else ():
            if name not in OPTIONS[arguments.form] and getattr(arguments, name) is not None:
                raise BlockdynError(
                    f"--{name} with `export {arguments.form}`\nexpected: `export {form}`, or no --{name}"
                )


def _write(diagram: Any, out: str, arguments: Namespace, values: dict[str, Any]) -> None:
    """Write the file."""
    if arguments.form == "fmu":
        from ..export.fmu.export import export_fmu

        version: Any = int(arguments.fmi or 2)
        platforms = _platforms(arguments)
        export_fmu(diagram, out, type=arguments.type or "both", fmi=version, platforms=platforms, **values)
    else:
        from ..export.page import export_page

        export_page(diagram, out, sliders=arguments.slider, **values)


def _platforms(arguments: Namespace) -> Sequence[str]:
    """The platforms of an FMU."""
    from ..export.fmu.platforms import WITHOUT_LINKER

    return (arguments.platforms or WITHOUT_LINKER).split(",")


def _write_c(diagram: Any, arguments: Namespace, values: dict[str, Any]) -> int:
    """Write a header and a source into the folder."""
    from ..export.c.export import export_c
    from .diagrams import compiling

    with compiling():
        out, part, objects = arguments.out or ".", arguments.part, arguments.object or ()
        written = export_c(diagram, out, part=part, name=arguments.name, objects=objects, **values)
    names = [str(written.header), str(written.source), *map(str, written.objects.values())]
    if arguments.json:
        facts = {name: getattr(written, name) for name in ("step", "memory", "operations", "loops", "flash")}
        show_json({"header": names[0], "source": names[1], **facts, "objects": names[2:]})
    else:
        (step, of_events), (loops, _) = written.operations, written.loops
        counted = f", with {loops} loop{'s' * (loops > 1)} counted once" * bool(loops)
        lines = [
            f"written: {', '.join(names)}, a step every {written.step:g} s",
            f"memory: {written.memory} bytes for each instance",
            f"operations of doubles: at most {step} a step and {of_events} a round of events{counted}",
        ]
        lines += [f"{processor}: {size} bytes of code" for processor, size in written.flash.items()]
        show("\n".join(lines))
    return 0


def _write_robot(arguments: Namespace) -> int:
    """Write functions of a robot as text."""
    from ..export.robot import SUFFIXES as LANGUAGES, robot_code
    from .robots import robot_named

    for option in ("param", "set", "value", "values", "replace"):
        if getattr(arguments, option, None):
            raise BlockdynError(
                f"--{option} with `export robot`\nexpected: --symbols, for numbers as arguments"
            )
    robot = robot_named(arguments.diagram)
    language: Any = arguments.lang or "c"
    functions = (arguments.functions or "fkine,jacobian,rne").split(",")
    symbols = arguments.symbols or "numbers"
    parameters: Any = symbols if symbols in ("numbers", "symbols") else _names(symbols)
    code = robot_code(robot, functions, language=language, parameters=parameters, name=arguments.name)
    out = arguments.out or f"{arguments.name or robot.name}{LANGUAGES[language]}"
    if not arguments.check:
        code.save(out)
    if arguments.json:
        show_json({"exportable": True} if arguments.check else {"file": out, "bytes": len(code.text)})
    elif arguments.check:
        show(f"{robot.name} can be exported")
    else:
        show(f"written: {out}, {', '.join(code.functions)} in {len(code.text.splitlines())} lines")
    return 0


def _names(text: str) -> dict[str, str]:
    """NAME,NAME=SYMBOL as a mapping."""
    pairs = (part.partition("=") for part in text.split(","))
    return {name: symbol or name for name, _, symbol in pairs}


def _check(
    diagram: Any, arguments: Namespace, values: dict[str, Any], settings: dict[str, Any]
) -> dict[str, str]:
    """The numbers that cannot be set in an FMU, with reasons. Raises ExportError."""
    given = diagram, values["parameters"], values["set"], settings
    if arguments.form == "fmu":
        from ..export.fmu.content import Content
        from ..export.fmu.export import check_fmu, export_of
        from ..export.fmu.platforms import check_platforms

        check_platforms(diagram.name, _platforms(arguments))
        run = export_of(*given)
        check_fmu(run, arguments.type or "both")
        content = Content(run)
        return {path: content.reason(path) for path in content.fixed}
    elif arguments.form == "c":
        from ..export.c.export import content_of

        content_of(diagram, arguments.part, arguments.name, **{**values, **settings}).printed  # noqa: B018
    else:
        from ..export.run import Export

        Export(*given).check()
    return {}
