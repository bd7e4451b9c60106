"""Declare the commands and options of `blockdyn`.

Read by argparse: typer costs 0.1 s at every start, which is as long as the rest of a short run.
"""

from __future__ import annotations

import math
import re
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _ArgumentGroup
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..base.words import visible
from . import options
from .options import (
    count,
    diagram,
    diagram_numbers,
    graph_options,
    instants,
    nearest_command,
    nearest_option,
    pace,
    port,
    seed,
    size_of,
    tolerance,
    view_of,
)

_PICTURES = (".png", ".pdf", ".svg")
_OTHER_PICTURES = (
    ".gif",
    ".jpg",
    ".jpeg",
    ".bmp",
    ".tif",
    ".webp",
    ".eps",
    ".ps",
)  # refused by name, not read as a signal


class Parser(ArgumentParser):
    """A parser whose errors give the argument and the help to read, and end with status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, visible(f"{_reword(message)}\nsee `{self.prog} --help`\n"))


_WORDINGS = (
    (r"argument ([^:]+): invalid float value: (.*)", r"\1 is \2\nexpected: a number"),
    (r"argument ([^:]+): invalid int value: (.*)", r"\1 is \2\nexpected: a whole number"),
    (r"argument ([^:]+): invalid choice: (.*) \(choose from (.*)\)", r"\1 is \2\nexpected one of: \3"),
    (r"argument ([^:]+): expected one argument", r"\1 has no value\nexpected: one value"),
    (r"the following arguments are required: (.*)", r"\1 is not given"),
)  # of argparse, and ours


def _reword(message: str) -> str:
    """A message of argparse in the wording of this command; other messages unchanged."""
    for pattern, wording in _WORDINGS:
        if match := re.fullmatch(pattern, message):
            return match.expand(wording)
    return message


def parse(argv: Sequence[str]) -> Namespace:
    """The command and its options; without a command, the help. Ends the process on a mistake."""
    parser, commands = _parser(argv)
    if argv and argv[0] not in commands and not argv[0].startswith("-"):
        hint = nearest_command(argv[0], commands)
        parser.error(f"there is no command `{argv[0]}`{hint}\nexpected one of: {', '.join(commands)}")
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        command = commands.get(arguments.command, parser)
        options = [option for option in command._option_string_actions if option.startswith("--")]
        name = unknown[0].partition("=")[0]
        hint = nearest_option(name, options) if name.startswith("-") else ""
        command.error(f"unknown {'option' if name.startswith('-') else 'argument'} `{name}`{hint}")
    if arguments.command is None and not arguments.version:
        parser.print_help()
        parser.exit(0)
    if arguments.command == "run":
        _settle_diagram(arguments, commands["run"])
    return arguments


def _settle_diagram(arguments: Namespace, parser: ArgumentParser) -> None:
    """`run --plot quadrotor`: without a diagram, a word after --plot that is not a picture is the diagram."""
    plots: list[str] = arguments.plot or []
    files = [each for each in plots if each == "." or each.endswith((*_PICTURES, *_OTHER_PICTURES))]
    signals = [each for each in plots if each and each not in files]
    if arguments.diagram is None and signals:
        arguments.diagram = signals.pop()
    arguments.plot = None if arguments.plot is None else (files or [""])[-1]
    arguments.plotted = [[path.strip() for path in each.split(",")] for each in signals] or None
    if arguments.diagram is None:
        parser.error(
            "no diagram is given\nexpected: a YAML file, or one of the gallery (`blockdyn gallery` lists it)"
        )


def _parser(argv: Sequence[str]) -> tuple[Parser, dict[str, ArgumentParser]]:
    about = (
        "Block diagrams for robotics, run at native speed. A diagram is a YAML file, the name of one in the"
        " gallery, a model of Simulink (.slx, .mdl) or a file of bdsim's editor (.bd). Its blocks read FMUs"
        " (.fmu), robots (.urdf, .xacro), maps (.yaml), missions (.plan, .waypoints), and logs and tables"
        " (.ulg, .bag, .mcap, .db3, .mat, .csv, .parquet, .npz)."
    )
    parser = Parser("blockdyn", description=about, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the versions and exit")
    under = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    commands: dict[str, ArgumentParser] = {}
    for name, text, fill in (
        ("run", "run a diagram and report how it ended", _run),
        ("studio", "edit and run a diagram in a browser", _studio),
        ("sweep", "run the scenarios that a diagram declares", _sweep),
        ("check", "check a diagram and report its contents", _check),
        ("blocks", "list the block types, or explain one", _blocks),
        ("methods", "list the integration methods", None),
        ("animate", "draw moving arms and vehicles: a film, a page or a strip", _animate),
        ("graph", "draw a diagram", graph_options),
        ("linearize", "print the linear model of a diagram, and its poles", options.linearize_options),
        ("trim", "find an operating point of a diagram", options.trim_options),
        ("bode", "print or draw a frequency response, and the margins of a loop", options.bode_options),
        ("orbit", "find a periodic orbit of a diagram, and its Floquet multipliers", options.orbit_options),
        ("gallery", "list the ready-made diagrams, or print one", _gallery),
        ("robots", "list or search the robots, or show one", _robots),
        ("vehicles", "list or search the multirotors, or show one", _vehicles),
        ("export", "write a diagram or a robot's functions as a file that runs without Python", _export),
        ("convert", "write a file of Simulink or of bdsim's editor as YAML", _convert),
        ("mcp", "serve diagrams to agents by the Model Context Protocol", _mcp),
        ("log", "list what a log or a table holds", _log),
        ("diff", "list the blocks and wires that differ between two diagrams", _diff),
        ("docs", "open the documentation site, or show how to build it", None),
        ("new", "write a first diagram, with a test", _new),
        ("new-block", "write a first block type, with a test", _new_block),
        ("schema", "print the JSON Schema of diagram files, for editors", None),
        ("precompile", "compile the solver and the library's blocks into the cache", None),
        ("version", "print the versions", None),
    ):
        commands[name] = under.add_parser(
            name, help=text, description=text[:1].upper() + text[1:] + ".", allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )  # fmt: skip
        if fill is not None and name in argv:  # other commands need no options
            fill(commands[name])
    return parser, commands


def _run(parser: ArgumentParser) -> None:
    parser.epilog = options.RUN
    diagram(parser, optional=True)
    log = "keep this signal instead of those under `log`; may be repeated"
    parser.add_argument("--log", metavar="PATH", action="append", help=log)
    out = "write the result: .nc, .parquet or .csv; or .html, as --page does"
    parser.add_argument("--out", metavar="FILE", help=out)
    page = "write a page for any browser: zoomable scopes, events, a film, and data about the run"
    parser.add_argument("--page", metavar="FILE.html", help=page)
    folder = "write the files of the diagram's ToFile blocks into this folder"
    parser.add_argument("--files", metavar="FOLDER", help=folder)
    parser.add_argument("--overwrite", action="store_true", help="with --files: replace existing files")
    parser.add_argument(
        "--plot", metavar="FILE|PATHS", nargs="?", const="", action="append",
        help="draw the Scopes, or signals: those between commas share one set of axes; FILE is .png, .pdf or"
        " .svg; without it, in a window or as NAME.png; may be repeated",
    )  # fmt: skip
    picture = "draw the diagram with curves, final values and events: .svg, .png or .pdf"
    parser.add_argument("--picture", metavar="FILE", help=picture)
    paper = "with --plot; paper: column width of a two-column paper, 8 pt type"
    parser.add_argument("--style", choices=("screen", "paper"), default="screen", help=paper)
    parser.add_argument("--no-events", action="store_true", help="with --plot: do not mark events")
    watched = parser.add_argument_group("live: watch and change the run in a browser")
    watched.add_argument("--live", action="store_true", help="open a page that shows the run as it proceeds")
    watched.add_argument(
        "--pace", metavar="X", type=pace, help="seconds of the run per second, or inf; default: 1"
    )
    watched.add_argument("--port", metavar="N", type=port, help="port of the page; default: a free one")
    watched.add_argument("--no-browser", action="store_true", help="print the address, but do not open it")
    watched.add_argument(
        "--when-closed",
        choices=("go", "pause", "end"),
        help="the run's behaviour when the page is closed; default: go",
    )
    solver = parser.add_argument_group("solver (default: the settings of the diagram)")
    from ..diagrams.model.settings import IN_FILES

    for name in IN_FILES:
        option = {"inputs": "input", "touches": "touch"}.get(name, name.replace("_", "-"))
        solver.add_argument(f"--{option}", **_option(name))
    touched = "repeat the touches in the run of this result, .nc, .parquet or .csv"
    solver.add_argument("--touches", dest="touched", metavar="RESULT", help=touched)
    scenario = "run this scenario of the file's sweep, or of its random streams without a sweep"
    solver.add_argument("--scenario", metavar="K", type=int, help=scenario)
    number = "number of scenarios of the sweep, if it was not the declared one"
    solver.add_argument("--number", metavar="N", type=count, help=number)


def _export(parser: ArgumentParser) -> None:
    forms = (
        "page: an HTML file that simulates in a browser; fmu: a unit for other simulation tools, by FMI;"
        " c: a diagram, or a part of it, as C99 with fixed steps;"
        " robot: functions of a robot as C, Python or LaTeX"
    )
    parser.epilog = options.EXPORT
    parser.add_argument("form", choices=("page", "fmu", "c", "robot"), help=forms)
    diagram(parser)
    out = "the file; default: NAME.html, NAME.fmu or NAME.c; c: the folder, default: this one"
    parser.add_argument("--out", metavar="FILE", help=out)
    parser.add_argument(
        "--check", action="store_true", help="write nothing, only report the parts that cannot be exported"
    )
    slider = "page: number with a slider; may be repeated; default: parameters, inputs, numbers of blocks"
    parser.add_argument("--slider", metavar="PATH", action="append", help=slider)
    kinds = "fmu: Model Exchange, Co-Simulation, or both; default: both"
    parser.add_argument("--type", choices=("me", "cs", "both"), help=kinds)
    platforms = (
        "fmu: processors and systems: x86_64-linux, aarch64-linux, x86_64-windows, x86_64-darwin,"
        " aarch64-darwin, or all; default: x86_64-linux"
    )
    parser.add_argument("--platforms", metavar="NAME[,NAME...]", help=platforms)
    parser.add_argument("--fmi", choices=("2", "3"), help="fmu: the version of FMI; default: 2")
    part = "c: a subsystem or block to export; may be repeated; default: the whole diagram"
    parser.add_argument("--part", metavar="PATH", action="append", help=part)
    name = "c, robot: the name of files and functions; default: the name of the part, diagram or robot"
    parser.add_argument("--name", metavar="NAME", help=name)
    processor = "c: an object for cortex-m4, cortex-m7, riscv32, riscv64, aarch64 or x86-64; may be repeated"
    parser.add_argument("--object", metavar="PROCESSOR", action="append", help=processor)
    functions = (
        "robot: such as rne,fkine,jacobian,inertia,coriolis,gravload,accel; default: fkine,jacobian,rne"
    )
    parser.add_argument("--functions", metavar="NAME[,NAME...]", help=functions)
    language = "robot: the language; default: c"
    parser.add_argument("--lang", choices=("c", "python", "latex"), help=language)
    symbols = "robot: numbers that become arguments, such as m2,a1=L1; `symbols` for all that are not 0"
    parser.add_argument("--symbols", metavar="NAME[=SYMBOL][,...]", help=symbols)
    solver = parser.add_argument_group("solver (default: the settings of the diagram)")
    for name in EXPORTED:
        solver.add_argument(f"--{name.replace('_', '-')}", **_option(name))


EXPORTED = ("stop", "method", "rtol", "atol", "max_step", "step", "seed")
"""Settings of a run that `blockdyn export` takes."""


def _option(name: str) -> dict[str, Any]:
    """The option of a setting, as argparse takes it."""
    from ..diagrams.model.setting import Inputs, Instants, Number, Plain, Tolerances, Touches, Whole
    from ..diagrams.model.settings import SETTINGS

    setting = SETTINGS[name]
    letter = setting.unit.upper() or "X"
    read: Callable[[str], Any]
    match setting.kind:
        case Plain({"enum": words}):
            return {"choices": words, "help": setting.text}
        case Instants():
            read, letter = instants, f"{letter}[,{letter}...]"
        case Tolerances():
            read, letter = tolerance, f"{letter}[,{letter}...]"
        case Inputs():
            text = "an input of the diagram: a number, a list, {times: [...], values: [...]}; may be repeated"
            return {"action": "append", "dest": "inputs", "metavar": "NAME=VALUE", "help": text}
        case Touches():
            text = "set a new value of a parameter, input or state from this instant on, s; may be repeated"
            return {"action": "append", "dest": "touches", "metavar": "S:PATH=VALUE", "help": text}
        case Whole():
            read, letter = int, "N"
        case Number():
            read = float
        case _:
            read, letter = str, "NAME"
    return {"type": read, "metavar": letter, "help": setting.text}


def _sweep(parser: ArgumentParser) -> None:
    parser.epilog = options.SWEEP
    about = "a YAML file with a section `sweep`, or a gallery name"
    parser.add_argument("diagram", metavar="FILE|NAME", help=about)
    diagram_numbers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--number", metavar="N", type=count, help="number of scenarios to draw, instead of the declared one"
    )
    parser.add_argument(
        "--seed", metavar="N", type=seed, help="seed of all random numbers, instead of the declared one"
    )
    out = parser.add_argument_group("results")
    out.add_argument("--report", metavar="FILE", help="write one page with statistics and figures: .html")
    out.add_argument("--table", metavar="FILE", help="write one row per scenario: .parquet or .csv")
    out.add_argument("--store", metavar="FOLDER", help="save all results in a Zarr store as they come")
    out.add_argument("--resume", action="store_true", help="compute only scenarios that the store lacks")
    how = parser.add_argument_group("computing")
    for name in ("stop", "max_time"):
        each = _option(name)
        each["help"] = f"of each scenario: {each['help']}"
        how.add_argument(f"--{name.replace('_', '-')}", **each)
    how.add_argument(
        "--workers", metavar="N", type=count, help="number of threads; default: one per processor"
    )
    how.add_argument("--dask", metavar="ADDRESS", help="run on the Dask cluster of this scheduler")


def _check(parser: ArgumentParser) -> None:
    diagram(parser)
    parser.add_argument("--explain", action="store_true", help="also print the order of evaluation")
    picture = "draw the diagram, or its faulty part: .svg, .png or .pdf"
    parser.add_argument("--picture", metavar="FILE", help=picture)
    parser.add_argument("--fix", action="store_true", help="show fixes of its mistakes, as a diff")
    parser.add_argument("--write", action="store_true", help="write the fixes into the file (with --fix)")


def _studio(parser: ArgumentParser) -> None:
    about = "a YAML file, which need not exist, a gallery name, or a model of Simulink or bdsim"
    parser.add_argument("diagram", metavar="FILE|NAME", nargs="?", help=about)
    trust = "files: the diagram may use files in any folder; code: Python functions too"
    parser.add_argument("--trust", choices=("files", "code"), help=trust)
    parser.add_argument("--port", metavar="N", type=port, help="port of the page; default: a free one")
    parser.add_argument("--no-browser", action="store_true", help="print the address, but do not open it")


def _mcp(parser: ArgumentParser) -> None:
    parser.add_argument("--write", metavar="FOLDER", help="let agents write diagrams into this folder")
    parser.add_argument("--skill", action="store_true", help="print the skill file for agents, and end")


def _blocks(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a block type")
    parser.add_argument(
        "--search", metavar="WORD", help="a word, or a name in Simulink, bdsim, Modelica or Drake"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _new(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="such as level-control, or level_control.py for Python")


def _new_block(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the block type, such as ElasticJoint")


def _gallery(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="print the YAML of this diagram")
    parser.add_argument("--picture", metavar="FILE", help="draw it instead: .svg, .png or .pdf")


def _convert(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of Simulink, .slx or .mdl, or of bdedit, .bd")
    options.foreign_values(parser)
    stop = "end of the run of a .bd file, s; default: 5"
    parser.add_argument("--stop", metavar="S", type=float, default=5.0, help=stop)
    parser.add_argument("--out", metavar="FILE", help="the YAML file; default: print it")


def _log(parser: ArgumentParser) -> None:
    file = "a log, .ulg, .bag, .mcap, .db3 or the folder of a bag, or a table: .mat, .csv, .parquet, .npz"
    parser.add_argument("file", metavar="FILE", help=file)
    columns = "columns to show; default: the topics of a log, or all columns of a table"
    parser.add_argument("columns", metavar="COLUMN", nargs="*", help=columns)
    parser.add_argument("--time", metavar="NAME", help="the column or field that holds the times")
    parser.add_argument("--time-scale", metavar="S", type=float, help="length of the unit of time, s")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _diff(parser: ArgumentParser) -> None:
    for name in ("first", "second"):
        parser.add_argument(name, metavar="FILE", help="a diagram: YAML, or a model of Simulink or bdsim")
    trust = "allow files in any folder; code: Python functions too"
    parser.add_argument("--trust", choices=("files", "code"), help=trust)
    options.foreign_values(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _robots(parser: ArgumentParser) -> None:
    parser.epilog = options.ROBOTS
    words = "a robot, a .yaml, .urdf or .xacro file, or words to search for"
    parser.add_argument("words", metavar="NAME|FILE|WORDS", nargs="*", help=words)
    _xacro(parser)
    pose = "the pose for --plot: its name, or numbers (rad, m) with commas"
    parser.add_argument("--pose", metavar="NAME", help=pose)
    parser.add_argument("--plot", metavar="FILE", help="draw the robot: .png, .pdf or .svg")
    reach = "also draw the workspace of the tool, from above and from two sides"
    parser.add_argument("--workspace", action="store_true", help=reach)
    equations = "print pose, Jacobian, M, V and g as equations, in symbols or in the robot's numbers"
    parser.add_argument(
        "--equations", choices=("symbols", "numbers"), nargs="?", const="symbols", help=equations
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _xacro(parser: ArgumentParser | _ArgumentGroup) -> None:
    value = "value of an argument of a .xacro file; may be repeated"
    parser.add_argument("--argument", metavar="NAME=VALUE", action="append", default=[], help=value)
    package = "folder of a package of a .xacro file, or the folder that holds them; may be repeated"
    parser.add_argument("--package", metavar="NAME=FOLDER|FOLDER", action="append", default=[], help=package)


def _vehicles(parser: ArgumentParser) -> None:
    parser.epilog = options.VEHICLES
    words = "a vehicle, a .yaml file, or words to search for"
    parser.add_argument("words", metavar="NAME|FILE|WORDS", nargs="*", help=words)
    plot = "draw it from above and from the rear, with the senses of rotation: .png, .pdf or .svg"
    parser.add_argument("--plot", metavar="FILE", help=plot)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _animate(parser: ArgumentParser) -> None:
    parser.epilog = options.ANIMATE
    parser.add_argument(
        "result", metavar="RESULT", help="a .nc, .parquet or .csv file of `run`, or a diagram"
    )
    arm = parser.add_argument_group("parts to draw (default: everything that moves in the diagram)")
    block = "only parts that this block moves; repeat it for several, each in its own colour"
    arm.add_argument("--block", metavar="PATH", action="append", help=block)
    arm.add_argument(
        "--robot", metavar="NAME|FILE", help="an arm: the name of a robot, or a .yaml, .urdf or .xacro file"
    )
    _xacro(arm)
    arm.add_argument("--signal", metavar="PATH", help="its joint coordinates, such as plant.q")
    walls = "walls around it: a ROS map's YAML file, or {rows: [...]}; default: the map of a block"
    arm.add_argument("--map", metavar="FILE|ROWS", help=walls)
    movie = parser.add_argument_group("the film")
    movie.add_argument("--out", metavar="FILE", help=".gif, .mp4, or .html (a page); default: RESULT.gif")
    movie.add_argument("--fps", metavar="X", type=float, default=25.0, help="frames per second; default: 25")
    speed = "seconds of the run per second; default: 1"
    movie.add_argument("--speed", metavar="X", type=float, default=1.0, help=speed)
    movie.add_argument(
        "--size", metavar="WxH", type=size_of, default=(720, 540), help="size in pixels; default: 720x540"
    )
    view = "elevation and azimuth in degrees; default: 25,-60"
    parser.add_argument("--view", metavar="EL,AZ", type=view_of, help=view)
    trail = "time for which the tool's path stays visible, s; 0: none; default: the whole run"
    parser.add_argument("--trail", metavar="S", type=float, default=math.inf, help=trail)
    page = parser.add_argument_group("a strip of instants, for a page")
    page.add_argument("--frames", metavar="FILE", help="draw it: .png, .pdf or .svg; no movie without --out")
    page.add_argument(
        "--at", metavar="T[,T...]", type=instants, help="instants, s; default: 5 evenly spaced ones"
    )
    run = parser.add_argument_group("the run, if RESULT is a diagram")
    diagram_numbers(run)
    run.add_argument("--stop", **_option("stop"))
