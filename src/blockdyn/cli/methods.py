"""`blockdyn methods`: the methods of integration."""

from __future__ import annotations

from argparse import Namespace

from ..base.text_table import Table
from ..solvers.methods import DEFAULT, methods as all_methods
from .console import show


def methods(arguments: Namespace) -> int:
    """List them: name, other names, steps, order, title."""
    rows = [
        (each.name, " ".join(each.aliases), each.kind, str(each.order), each.title) for each in all_methods()
    ]
    show(
        Table("Methods", ("name", "also", "kind", "order", ""), rows),
        "",
        f"{DEFAULT} is taken where none is named; fixed and multistep ones need a `step`.",
    )
    return 0
