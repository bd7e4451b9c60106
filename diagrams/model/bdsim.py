"""Bdsim: what its users, and those of Simulink and Drake, type, and where that is found here, for errors."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.nearest import nearest

TABLE = {
    "BDSim BlockDiagram blockdiagram DiagramBuilder new_system": '`Diagram("name")`, with `simulate`',
    "bdload bdfile": "`load(path)`, of a YAML file",
    "run simulate run_interval sim Simulator": "`diagram.simulate(stop=10)`, which gives the result",
    "add_block AddSystem AddNamedSystem": '`diagram.add("name", block)`',
    "add_wire add_line Connect wire link": "`diagram.connect(a, b)`, or `a >> b`",
    "report report_summary report_lists report_schedule": "`print(diagram)`, `blockdyn check FILE`",
    "set_options options": "arguments of `simulate`",
    "done savefig savefigs": "`result.plot()`, a figure of Matplotlib",
    "out": "the result of `simulate`",
    "plot": "the result's: `diagram.simulate(stop=10).plot()`",
    "show graph picture to_svg": '`diagram.draw("loop.svg")`, which a notebook shows',
    "save to_yaml dump write": '`dump(diagram, "loop.yaml")`, a function of blockdyn',
}
"""Their names, and what they are here."""

_ANSWERS = {name: text for names, text in TABLE.items() for name in names.split()}


def answer(name: str) -> str:
    """What a name of theirs is here, or an empty string."""
    return _ANSWERS.get(name, "")


ARGUMENTS = {"T": "stop", "tf": "stop", "t": "stop", "dt": "max_step", "solver": "method", "x0": "initial"}
"""What `simulate` calls the arguments of bdsim's and SciPy's runs."""


def argument(name: str, arguments: Sequence[str]) -> str:
    """', did you mean `stop`?' for such an argument or a misspelt one, or an empty string."""
    return f", did you mean `{ARGUMENTS[name]}`?" if name in ARGUMENTS else nearest(name, arguments)


def absent(name: str) -> AttributeError:
    """The error of a diagram without an attribute: theirs of that name, or how a block is added."""
    from ...blocks.contract.foreign_names import block_named
    from ...blocks.contract.registry import names

    place, block = answer(name), block_named(name, list(names()))
    hint = f"\nhere it is {place}" if place else ""
    if block:
        hint = f'{block}\na block is added by `diagram.add("name", block)`, its class is of blockdyn itself'
    return AttributeError(f"a Diagram has no attribute {name!r}{hint}")
