"""Names that blocks add to their equations cannot be written by users.

A user's formula or function may use any identifier as a name, in addition to `t`. Names
that blocks add, such as `mode()`, `crossed(edge)` and `since(idle)`, are not identifiers.
"""

from __future__ import annotations


def internal_name(kind: str, name: str = "") -> str:
    """An internal name of a block."""
    return f"{kind}({name})"


MODE = internal_name("mode")


def in_plan(argument: str) -> str:
    """The name of an argument of an equation that a block class declares: `mode` is the mode of the block."""
    if argument == "mode":
        return MODE
    return internal_name("crossed", argument[8:]) if argument.startswith("crossed_") else argument


def crossing_of(name: str) -> str:
    """The crossing whose event a name reports, or ''."""
    return name[8:-1] if name.startswith("crossed(") else ""
