"""Arguments: the commands and options of `blockdyn`.

Read by argparse: typer costs 0.1 s at every start, which is as long as the rest of a short run.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _ArgumentGroup
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..base.nearest import nearest
from ..base.visible import visible
from . import examples
from .graph_options import graph
from .option_values import count, instants, pace, port, seed, size_of, tolerance, view_of

_PICTURES = (".png", ".pdf", ".svg")
_TRUST = "let the file name files anywhere; code: Python functions too"


class Parser(ArgumentParser):
    """A parser whose errors say what was found and where to look, and end with status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, visible(f"{message}\nsee `{self.prog} --help`\n"))


def parse(argv: Sequence[str]) -> Namespace:
    """The command and its options; without a command, the help. Ends the process on a mistake."""
    parser, commands = _parser(argv)
    if argv and argv[0] not in commands and not argv[0].startswith("-"):
        hint = nearest(argv[0], commands)
        parser.error(f"there is no command `{argv[0]}`{hint}\nexpected one of: {', '.join(commands)}")
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        command = commands.get(arguments.command, parser)
        options = [option for option in command._option_string_actions if option.startswith("--")]
        name = unknown[0].partition("=")[0]
        hint = nearest(name, options) if name.startswith("-") else ""
        command.error(f"unknown {'option' if name.startswith('-') else 'argument'} `{name}`{hint}")
    if arguments.command is None and not arguments.version:
        parser.print_help()
        parser.exit(0)
    if arguments.command == "run":
        _settle_diagram(arguments, commands["run"])
    return arguments


def _settle_diagram(arguments: Namespace, parser: ArgumentParser) -> None:
    """`run --plot quadrotor`: what follows --plot and is no picture is the diagram."""
    if arguments.diagram is None and arguments.plot and not arguments.plot.endswith(_PICTURES):
        arguments.diagram, arguments.plot = arguments.plot, ""
    if arguments.diagram is None:
        parser.error("which diagram? name a YAML file, or one of the gallery (`blockdyn gallery` lists it)")


def _parser(argv: Sequence[str]) -> tuple[Parser, dict[str, ArgumentParser]]:
    about = "Block diagrams for robotics, run at native speed."
    parser = Parser("blockdyn", description=about, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the versions and end")
    under = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    commands: dict[str, ArgumentParser] = {}
    for name, text, fill in (
        ("run", "run a diagram and tell how it ended", _run),
        ("sweep", "run the scenarios that a diagram declares: statistics, a report, a store", _sweep),
        ("check", "validate a diagram and report what it holds", _check),
        ("blocks", "list the block types, or explain one", _blocks),
        ("methods", "list the methods of integration", None),
        ("animate", "draw arms and multirotors moving: a movie, a page that turns, or a strip", _animate),
        ("graph", "draw a diagram", graph),
        ("linearize", "print the linear model of a diagram, and its poles", _linearize),
        ("gallery", "list the ready diagrams, or print one", _gallery),
        ("robots", "list or search the robots, or show one", _robots),
        ("vehicles", "list or search the multirotors, or show one", _vehicles),
        ("convert", "write a .bd file of bdsim's editor as YAML", _convert),
        ("docs", "open the documentation site, or say how to build it", None),
        ("new", "write the start of a diagram with its test", _new),
        ("new-block", "write the start of a block type with its test", _new_block),
        ("schema", "print the JSON Schema of diagram files, for editors", None),
        ("precompile", "compile the solver and the library's blocks into the cache", None),
        ("version", "print the versions", None),
    ):
        commands[name] = under.add_parser(
            name, help=text, description=text[:1].upper() + text[1:] + ".", allow_abbrev=False,
            formatter_class=RawDescriptionHelpFormatter,
        )  # fmt: skip
        if fill is not None and name in argv:  # the others need not know their options
            fill(commands[name])
    return parser, commands


def _diagram(parser: ArgumentParser, *, optional: bool = False) -> None:
    repeated = "?" if optional else None
    parser.add_argument("diagram", metavar="FILE|NAME", nargs=repeated, help="a YAML file, or a gallery name")
    _numbers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _numbers(parser: ArgumentParser | _ArgumentGroup) -> None:
    """What a diagram may be given beside its file."""
    for option, value, text in (
        ("--param", "NAME=VALUE", "another value for a diagram parameter; may be repeated"),
        ("--set", "PATH.PARAM=VALUE", "another value for a block's parameter; may be repeated"),
    ):
        parser.add_argument(option, metavar=value, action="append", default=[], help=text)
    parser.add_argument("--trust", choices=("files", "code"), help=_TRUST)


def _linearize(parser: ArgumentParser) -> None:
    _diagram(parser)
    for option, place, text in (
        ("--from", "entries", "an Inport, or a signal or wire that something is added to: all Inports"),
        ("--to", "exits", "an Outport, a signal or a state: all Outports"),
        ("--open", "open", "cut the wires of this signal, or this wire"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar="PATH", action="append", default=[], help=text)
    parser.add_argument("--at", metavar="T", type=float, help="the time of a run, s: as a run begins")
    period = "of a model in discrete time, s; 0: in continuous time; otherwise as the sampled blocks need"
    parser.add_argument("--sample-time", metavar="T", type=float, help=period)


def _run(parser: ArgumentParser) -> None:
    parser.epilog = examples.RUN
    _diagram(parser, optional=True)
    log = "keep this signal, instead of those that the diagram names; may be repeated"
    parser.add_argument("--log", metavar="PATH", action="append", help=log)
    out = "write the result: .nc, .parquet or .csv; or .html, as --page does"
    parser.add_argument("--out", metavar="FILE", help=out)
    page = "write a page for any browser: scopes that zoom, events, film, facts"
    parser.add_argument("--page", metavar="FILE.html", help=page)
    folder = "write what the diagram's ToFile blocks keep into this folder, under the names that they give"
    parser.add_argument("--files", metavar="FOLDER", help=folder)
    parser.add_argument("--overwrite", action="store_true", help="of --files: also over files that are there")
    parser.add_argument(
        "--plot", metavar="FILE", nargs="?", const="",
        help="draw the Scopes: .png, .pdf or .svg; without FILE in a window, or as NAME.png",
    )  # fmt: skip
    picture = "draw the diagram with curves, final values and events: .svg, .png or .pdf"
    parser.add_argument("--picture", metavar="FILE", help=picture)
    paper = "of --plot: paper is as wide as a column of a two-column paper, in letters of 8 pt"
    parser.add_argument("--style", choices=("screen", "paper"), default="screen", help=paper)
    watched = parser.add_argument_group("live: watched and touched in a browser while it goes")
    watched.add_argument("--live", action="store_true", help="serve a page on this machine, and open it")
    watched.add_argument("--pace", metavar="X", type=pace, help="seconds of the run a second, or inf: 1")
    watched.add_argument("--port", metavar="N", type=port, help="of the page: a free one")
    watched.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    watched.add_argument(
        "--when-closed", choices=("go", "pause", "end"), help="the run, when nobody looks any more: go on"
    )
    solver = parser.add_argument_group("solver (otherwise as the diagram says)")
    from ..diagrams.model.settings import IN_FILES

    for name in IN_FILES:
        option = {"inputs": "input", "touches": "touch"}.get(name, name.replace("_", "-"))
        solver.add_argument(f"--{option}", **_option(name))
    scenario = "this scenario of the sweep that the file declares; without one, of the random streams"
    solver.add_argument("--scenario", metavar="K", type=int, help=scenario)
    number = "of that sweep, where it ran with another number than the declared one"
    solver.add_argument("--number", metavar="N", type=count, help=number)


def _option(name: str) -> dict[str, Any]:
    """The option of a setting, as argparse takes it."""
    from ..diagrams.model.setting import Choice, Inputs, Instants, Number, Tolerances, Touches, Whole
    from ..diagrams.model.settings import SETTINGS

    setting = SETTINGS[name]
    letter = setting.unit.upper() or "X"
    read: Callable[[str], Any]
    match setting.kind:
        case Choice(words):
            return {"choices": words, "help": setting.text}
        case Instants():
            read, letter = instants, f"{letter}[,{letter}...]"
        case Tolerances():
            read, letter = tolerance, f"{letter}[,{letter}...]"
        case Inputs():
            text = "an input of the diagram: a number, a list, {times: [...], values: [...]}; may be repeated"
            return {"action": "append", "dest": "inputs", "metavar": "NAME=VALUE", "help": text}
        case Touches():
            text = "another value of a parameter, input or state from this instant on, s; may be repeated"
            return {"action": "append", "dest": "touches", "metavar": "S:PATH=VALUE", "help": text}
        case Whole():
            read, letter = int, "N"
        case Number():
            read = float
        case _:
            read, letter = str, "NAME"
    return {"type": read, "metavar": letter, "help": setting.text}


def _sweep(parser: ArgumentParser) -> None:
    parser.epilog = examples.SWEEP
    about = "a YAML file with a section `sweep`, or a gallery name"
    parser.add_argument("diagram", metavar="FILE|NAME", help=about)
    _numbers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--number", metavar="N", type=count, help="scenarios drawn, instead of those declared"
    )
    parser.add_argument(
        "--seed", metavar="N", type=seed, help="of everything drawn, instead of the one declared"
    )
    out = parser.add_argument_group("results")
    out.add_argument("--report", metavar="FILE", help="write one page with statistics and figures: .html")
    out.add_argument("--table", metavar="FILE", help="write a row a scenario: .parquet or .csv")
    out.add_argument("--store", metavar="FOLDER", help="keep everything in a Zarr store, as it is computed")
    out.add_argument("--resume", action="store_true", help="go on with the store, with what it has not yet")
    how = parser.add_argument_group("computing")
    each = _option("max_time")
    each["help"] = f"of each scenario: {each['help']}"
    how.add_argument("--max-time", **each)
    how.add_argument("--workers", metavar="N", type=count, help="threads: one a processor")
    how.add_argument("--dask", metavar="ADDRESS", help="run on the Dask cluster of this scheduler")


def _check(parser: ArgumentParser) -> None:
    _diagram(parser)
    parser.add_argument("--explain", action="store_true", help="print what is evaluated when, too")
    picture = "draw the diagram, or of one that is wrong the faulty part: .svg, .png or .pdf"
    parser.add_argument("--picture", metavar="FILE", help=picture)


def _blocks(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a block type")
    parser.add_argument(
        "--search", metavar="WORD", help="what it is called here, or in Simulink, bdsim, Modelica, Drake"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _new(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="level-control, or level_control.py for one in Python")


def _new_block(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="of the block type, such as ElasticJoint")


def _gallery(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="print the YAML of this one")
    parser.add_argument("--picture", metavar="FILE", help="draw it instead: .svg, .png, .pdf or .mmd")


def _convert(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.bd", help="a diagram of bdedit")
    value = "what a name in the file stands for; may be repeated"
    parser.add_argument("--value", metavar="NAME=VALUE", action="append", default=[], help=value)
    parser.add_argument("--stop", metavar="S", type=float, default=5.0, help="end of the run: 5")
    parser.add_argument("--out", metavar="FILE", help="the YAML file; without it, it is printed")


def _robots(parser: ArgumentParser) -> None:
    parser.epilog = examples.ROBOTS
    words = "a robot, a .yaml or .urdf file, or words to search for"
    parser.add_argument("words", metavar="NAME|FILE|WORDS", nargs="*", help=words)
    pose = "the pose for --plot: its name, or numbers (rad, m) with commas"
    parser.add_argument("--pose", metavar="NAME", help=pose)
    parser.add_argument("--plot", metavar="FILE", help="draw the robot: .png, .pdf or .svg")
    reach = "in the picture, where the tool can be: seen from above and from two sides"
    parser.add_argument("--workspace", action="store_true", help=reach)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _vehicles(parser: ArgumentParser) -> None:
    parser.epilog = examples.VEHICLES
    words = "a vehicle, a .yaml file, or words to search for"
    parser.add_argument("words", metavar="NAME|FILE|WORDS", nargs="*", help=words)
    plot = "draw it from above and from behind, with the senses of rotation: .png, .pdf or .svg"
    parser.add_argument("--plot", metavar="FILE", help=plot)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _animate(parser: ArgumentParser) -> None:
    parser.epilog = examples.ANIMATE
    parser.add_argument(
        "result", metavar="RESULT", help="a .nc, .parquet or .csv file of `run`, or a diagram"
    )
    arm = parser.add_argument_group("what is drawn (otherwise all that moves in the diagram)")
    block = "only what this block moves; repeated: together, each in its own colour"
    arm.add_argument("--block", metavar="PATH", action="append", help=block)
    arm.add_argument("--robot", metavar="NAME|FILE", help="one arm: a robot, or a .yaml or .urdf file")
    arm.add_argument("--signal", metavar="PATH", help="its joint coordinates, such as plant.q")
    movie = parser.add_argument_group("the movie")
    movie.add_argument(
        "--out", metavar="FILE", help=".gif, .mp4, or .html: a page that turns; RESULT.gif without it"
    )
    movie.add_argument("--fps", metavar="X", type=float, default=25.0, help="frames a second: 25")
    speed = "seconds of the run a second: 1"
    movie.add_argument("--speed", metavar="X", type=float, default=1.0, help=speed)
    movie.add_argument("--size", metavar="WxH", type=size_of, default=(720, 540), help="pixels: 720x540")
    view = "elevation and azimuth in degrees: 25,-60"
    parser.add_argument("--view", metavar="EL,AZ", type=view_of, help=view)
    trail = "how long the tool's path is seen, s: for ever; 0 for none"
    parser.add_argument("--trail", metavar="S", type=float, default=math.inf, help=trail)
    page = parser.add_argument_group("a strip of instants, for a page")
    page.add_argument("--frames", metavar="FILE", help="draw it: .png, .pdf or .svg; no movie without --out")
    page.add_argument("--at", metavar="T[,T...]", type=instants, help="its instants, s: 5 at equal distances")
    run = parser.add_argument_group("the run, where RESULT is a diagram")
    _numbers(run)
    run.add_argument("--stop", **_option("stop"))
