"""Diagram options: what commands about one diagram take."""

from __future__ import annotations

from argparse import ArgumentParser, _ArgumentGroup

_TRUST = "files: the diagram may use files in any folder; code: Python functions too"


def diagram(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Declare the diagram, what it may be given beside its file, and `--json`."""
    repeated = "?" if optional else None
    parser.add_argument("diagram", metavar="FILE|NAME", nargs=repeated, help="a YAML file, or a gallery name")
    numbers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def numbers(parser: ArgumentParser | _ArgumentGroup) -> None:
    """What a diagram may be given beside its file."""
    for option, value, text in (
        ("--param", "NAME=VALUE", "set a parameter of the diagram; may be repeated"),
        ("--set", "PATH.PARAM=VALUE", "set a parameter of a block; may be repeated"),
    ):
        parser.add_argument(option, metavar=value, action="append", default=[], help=text)
    parser.add_argument("--trust", choices=("files", "code"), help=_TRUST)
