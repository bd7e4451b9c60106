"""Graph options: what `blockdyn graph` takes."""

from __future__ import annotations

from argparse import ArgumentParser


def graph(parser: ArgumentParser) -> None:
    """Declare the options of `blockdyn graph`."""
    parser.add_argument(
        "diagram", metavar="FILE|NAME|RESULT", help="a YAML file, a gallery name, or a result"
    )
    out = "the picture: .svg, .png, .pdf, or .mmd for Mermaid text; NAME.svg without it"
    parser.add_argument("--out", metavar="FILE", help=out)
    inside = "draw this subsystem with what is in it; may be repeated; `all` for all"
    parser.add_argument("--open", metavar="PATH", action="append", default=[], help=inside)
    parser.add_argument("--machine", metavar="PATH", help="draw the states of this StateMachine instead")
    parser.add_argument("--units", action="store_true", help="units at the wires")
    parser.add_argument("--sizes", action="store_true", help="sizes of vectors and matrices at the wires")
    trust = "let the file name files anywhere; code: Python functions too"
    parser.add_argument("--trust", choices=("files", "code"), nargs="?", const="files", help=trust)
