"""Elsewhere: what users look for in a block that stands in no diagram yet, and where it is."""

from __future__ import annotations

from typing import Any

from .errors import nearest_parameter

BLOCK = {
    "name": 'the name under which it is added: `diagram.add("amp", block)`',
    "y u x out value values": 'a signal of a run: `diagram.simulate(stop=10)["gain"]`',
    "connect to wire simulate run plot sim": """\
the diagram's: `diagram.add("amp", block)`, `diagram.connect("a", "amp")`, `diagram.simulate(stop=10)`""",
    "copy replace with_": "`with_parameters(k=3.0)`",
    "set set_parameter": """\
`with_parameters(k=3.0)`; for one run `diagram.simulate(stop=10, set={"gain.k": 3})`""",
    "doc help info": "`help(type(block))`, or the command `blockdyn blocks Gain`",
    "[]": 'what `diagram.add("amp", block)` gives: its ports are `amp[0]` and `amp["u"]`',
    "*": 'what `diagram.add("amp", block)` gives: of that there are `2 * amp`, `a - b`, `a >> b`',
}
"""Of a block."""


def of_parameter(block: Any, name: str) -> str:
    """Where other libraries call a parameter of the block so, its name here; otherwise those that it has."""
    names = tuple(block.rules())
    has = f"\nits parameters are {', '.join(names)}" if names else "\nit has no parameters"
    return nearest_parameter(name, names, block.kind()) or has
