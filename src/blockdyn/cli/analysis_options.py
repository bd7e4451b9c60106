"""Analysis options: what `blockdyn linearize`, `trim`, `orbit` and `bode` take."""

from __future__ import annotations

from argparse import ArgumentParser

from .diagram_options import diagram


def linearize(parser: ArgumentParser) -> None:
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
    period = "sample time of the model, s; 0: continuous time; default: that of the sampled blocks"
    parser.add_argument("--sample-time", metavar="T", type=float, help=period)


def trim(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn trim`."""
    diagram(parser)
    for option, place, value, text in (
        ("--state", "states", "NAME=VALUE", "fix this state, or an element of it"),
        ("--input", "inputs", "NAME=VALUE", "fix this Inport"),
        ("--output", "outputs", "NAME=VALUE", "what this Outport or signal has to be"),
        ("--slope", "slopes", "NAME=VALUE", "how fast this state moves; null: any"),
        ("--bound", "bounds", "NAME=[LEAST, GREATEST]", "bounds of a free state or Inport"),
        ("--near", "near", "NAME=VALUE", "begin the search here"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar=value, action="append", default=[], help=text)
    parser.add_argument("--at", metavar="T", type=float, help="begin the search at this time of a run, s")


def orbit(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn orbit`."""
    diagram(parser)
    period = "that of what drives the diagram, s; otherwise a first guess; default: when a run comes back"
    parser.add_argument("--period", metavar="T", type=float, help=period)
    parser.add_argument("--at", metavar="T", type=float, help="begin the search at this time of a run, s")
    for option, place, text in (
        ("--near", "near", "begin the search here"),
        ("--advance", "advances", "what this state gains in a period"),
    ):
        text += "; may be repeated"
        parser.add_argument(option, dest=place, metavar="NAME=VALUE", action="append", default=[], help=text)
    _plot(parser)


def bode(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn bode`."""
    linearize(parser)
    loop = "the transfer of the loop that this wire or signal closes, with its margins"
    parser.add_argument("--loop", metavar="PATH", help=loop)
    sine = "also the response of the diagram itself, by runs with a sine of this amplitude at the input"
    parser.add_argument("--sine", metavar="AMPLITUDE", type=float, help=sine)
    _plot(parser)


def _plot(parser: ArgumentParser) -> None:
    parser.add_argument("--plot", metavar="FILE", help="draw it: .png, .pdf or .svg")
    paper = "with --plot; paper: column width of a two-column paper, 8 pt letters"
    parser.add_argument("--style", choices=("screen", "paper"), default="screen", help=paper)
