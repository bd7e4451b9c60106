"""Options of the commands: groups that several commands declare, readers of values, words around commands."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from collections.abc import Collection

from ..base.hints import equivalent, words
from ..base.words import nearest

_DIAGRAM = "a YAML file, a gallery name, or a model of Simulink or bdsim"
_TRUST = "files: the diagram may use files in any folder; code: Python functions too"


def diagram(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Declare the diagram, the numbers that change it, and `--json`."""
    repeated = "?" if optional else None
    parser.add_argument(
        "diagram",
        metavar="FILE|NAME",
        nargs=repeated,
        help=_DIAGRAM,
    )
    diagram_numbers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def diagram_numbers(parser: ArgumentParser | _ArgumentGroup) -> None:
    """Declare the numbers that change a diagram."""
    for option, value, text in (
        ("--param", "NAME=VALUE", "set a parameter of the diagram; may be repeated"),
        ("--set", "PATH.PARAM=VALUE", "set a parameter of a block; may be repeated"),
    ):
        parser.add_argument(option, metavar=value, action="append", default=[], help=text)
    parser.add_argument("--trust", choices=("files", "code"), help=_TRUST)
    foreign_values(parser)


def foreign_values(parser: ArgumentParser | _ArgumentGroup) -> None:
    """Declare the values that files of other simulators need."""
    for option, value, text in (
        ("--value", "NAME=VALUE", "value of a variable in a file of Simulink or bdsim; may be repeated"),
        ("--values", "FILE", "variables of a Simulink model: an .m script of assignments, or a .mat file"),
        ("--replace", "PATH=FILE.py:F", "a Python function in place of a block of a Simulink model"),
    ):
        parser.add_argument(option, metavar=value, action="append", default=[], help=text)


def graph_options(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn graph`."""
    parser.add_argument(
        "diagram", metavar="FILE|NAME|RESULT", help="a YAML file, a gallery name, or a result"
    )
    out = "the picture: .svg, .png or .pdf; NAME.svg without it"
    parser.add_argument("--out", metavar="FILE", help=out)
    inside = "draw this subsystem with its contents; may be repeated; `all` for all"
    parser.add_argument("--open", metavar="PATH", action="append", default=[], help=inside)
    parser.add_argument("--machine", metavar="PATH", help="draw the states of this StateMachine instead")
    parser.add_argument("--units", action="store_true", help="units at the wires")
    parser.add_argument("--sizes", action="store_true", help="sizes of vectors and matrices at the wires")
    trust = "allow files in any folder; code: Python functions too"
    parser.add_argument("--trust", choices=("files", "code"), nargs="?", const="files", help=trust)
    foreign_values(parser)


def linearize_options(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn linearize`."""
    diagram(parser)
    for option, place, text in (
        ("--from", "entries", "an input: an Inport, a signal or a wire; default: all Inports"),
        ("--to", "exits", "an output: an Outport, a signal or a state; default: all Outports"),
        ("--open", "open", "cut the wires of this signal, or this wire"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar="PATH", action="append", default=[], help=text)
    parser.add_argument(
        "--at", metavar="T", type=float, help="linearize at this time of a run, s; default: its start"
    )
    point = (
        "linearize at the operating point at which this Outport, signal, state or Inport has this value, or,"
        " without one, at rest; --at is then the time of a run at which the search begins; may be repeated"
    )
    parser.add_argument("--trim", metavar="NAME=VALUE", action="append", nargs="?", const="", help=point)
    period = "sample time of the model, s; 0: continuous time; default: sample time of the sampled blocks"
    parser.add_argument("--sample-time", metavar="T", type=float, help=period)


def trim_options(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn trim`."""
    diagram(parser)
    for option, place, value, text in (
        ("--state", "states", "NAME=VALUE", "fix this state, or an element of it"),
        ("--input", "inputs", "NAME=VALUE", "fix this Inport"),
        ("--output", "outputs", "NAME=VALUE", "required value of this Outport or signal"),
        ("--slope", "slopes", "NAME=VALUE", "time derivative of this state; null: any"),
        ("--bound", "bounds", "NAME=[LOWER, UPPER]", "bounds of a free state or Inport"),
        ("--near", "near", "NAME=VALUE", "start the search at this value"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar=value, action="append", default=[], help=text)
    parser.add_argument("--at", metavar="T", type=float, help="begin the search at this time of a run, s")


def orbit_options(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn orbit`."""
    diagram(parser)
    period = (
        "period of the driving input, s; otherwise a first guess; default: the time after which a run returns"
    )
    parser.add_argument("--period", metavar="T", type=float, help=period)
    parser.add_argument("--at", metavar="T", type=float, help="begin the search at this time of a run, s")
    for option, place, text in (
        ("--near", "near", "start the search at this value"),
        ("--advance", "advances", "increment of this state per period"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar="NAME=VALUE", action="append", default=[], help=text)
    _plot(parser)


def bode_options(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn bode`."""
    linearize_options(parser)
    loop = "the transfer function of the loop that this wire or signal closes, with its margins"
    parser.add_argument("--loop", metavar="PATH", help=loop)
    sine = (
        "also measure the response of the diagram itself, by runs with a sine of this amplitude at the input"
    )
    parser.add_argument("--sine", metavar="AMPLITUDE", type=float, help=sine)
    _plot(parser)


def _plot(parser: ArgumentParser) -> None:
    parser.add_argument("--plot", metavar="FILE", help="draw it: .png, .pdf or .svg")
    paper = "with --plot; paper: column width of a two-column paper, 8 pt type"
    parser.add_argument("--style", choices=("screen", "paper"), default="screen", help=paper)


def count(text: str) -> int:
    """1, 2, 3 ..."""
    return _whole_number(text, 1)


def seed(text: str) -> int:
    """0, 1, 2 ..."""
    return _whole_number(text, 0)


def _whole_number(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise ArgumentTypeError(f"{text!r} is not a whole number, {least} or greater")
    return int(text)


def pace(text: str) -> float:
    """A number above 0, or inf."""
    value = float(text)
    if not value > 0.0:
        raise ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def port(text: str) -> int:
    """A port."""
    value = _whole_number(text, 1)
    if value > 65535:
        raise ArgumentTypeError(f"{text!r} is not a port, 1 to 65535")
    return value


def size_of(text: str) -> tuple[int, int]:
    """Width and height."""
    width, height = (int(part) for part in text.lower().split("x"))
    return width, height


def view_of(text: str) -> tuple[float, float]:
    """Elevation and azimuth."""
    elevation, azimuth = (float(part) for part in text.split(","))
    return elevation, azimuth


def instants(text: str) -> list[float]:
    """Numbers separated by commas."""
    return [float(part) for part in text.split(",")]


def tolerance(text: str) -> float | list[float]:
    """A number, or several separated by commas."""
    return instants(text) if "," in text else float(text)


# argparse puts the names into its messages
tolerance.__name__, size_of.__name__ = "tolerance", "size"
view_of.__name__ = "view"
instants.__name__ = "list of instants"


# ---- the calls that help ends with, and names from elsewhere ----

RUN = """\
examples:
  blockdyn run quadrotor
  blockdyn run loop.yaml --stop 20 --param kp=3 --set motor.gain=2.5 --out loop.nc
  blockdyn run loop.yaml --log motor --log control.y --plot loop.pdf
  blockdyn run loop.yaml --files measured
  blockdyn run quadrotor --live --pace 2"""

SWEEP = """\
examples:
  blockdyn sweep quadrotor-errors --report flights.html
  blockdyn sweep loop.yaml --number 1000000 --store loop.zarr --workers 8
  blockdyn sweep loop.yaml --number 1000000 --store loop.zarr --resume
  blockdyn sweep loop.yaml --store /shared/loop.zarr --dask tcp://scheduler:8786
  blockdyn run loop.yaml --scenario 17 --plot worst.png"""

ROBOTS = """\
examples:
  blockdyn robots 6R dynamics
  blockdyn robots puma560 --pose qn --plot puma.pdf --workspace
  blockdyn robots stanford_rrp --equations"""

EXPORT = """\
examples:
  blockdyn export page quadrotor --out flight.html --stop 8
  blockdyn export fmu quadrotor --platforms x86_64-linux,x86_64-windows
  blockdyn export c sampled-cascade --part cascade
  blockdyn export robot puma560 --functions rne,fkine --lang c"""

VEHICLES = """\
examples:
  blockdyn vehicles hexarotor
  blockdyn vehicles crazyflie --plot crazyflie.png"""

ANIMATE = """\
examples:
  blockdyn run computed-torque --out arm.nc && blockdyn animate arm.nc
  blockdyn animate computed-torque --out arm.mp4 --speed 0.5 --view 25,-60
  blockdyn animate quadrotor --out flight.html
  blockdyn animate computed-torque --block arm --block motion
  blockdyn animate data.csv --robot puma560 --signal plant.q --frames strip.pdf"""


def nearest_command(word: str, commands: Collection[str]) -> str:
    """', did you mean `run FILE`?' for an unknown command, or an empty string."""
    if word.endswith((".yaml", ".yml")):
        return f", did you mean `run {word}`?"
    place = words("commands").get(word, "").replace("NAME(", f"{word}(")
    return f", did you mean {place}?" if place else nearest(word, commands)


def nearest_option(word: str, options: Collection[str]) -> str:
    """', did you mean `--stop`?' for an unknown option of a command, or the way to set a parameter."""
    bare = [option.removeprefix("--") for option in options]  # without the part that all share
    near = equivalent(word, options, "options")
    near = near or nearest(word.lstrip("-"), bare, likeness=0.7).replace("`", "`--", 1)
    if near or "--param" not in options or not word.startswith("--"):
        return near
    return f"; a parameter is set by `--param {word.removeprefix('--')}=VALUE`"
