"""Every signal has its size, unit and rate, if the diagram passes its checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.errors import BlockdynError
from ..diagrams.model.diagram import Diagram

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program


@dataclass(frozen=True, slots=True)
class Fact:
    """Facts of a signal; `clock` is the number of its sample time, -1 for none."""

    size: str = ""
    unit: str = ""
    bus: bool = False
    clock: int = -1

    def text(self, *, units: bool, sizes: bool) -> str:
        """Label of the wire."""
        parts = [self.size if sizes else "", self.unit if units and self.unit != "1" else ""]
        return " ".join(filter(None, parts))


@dataclass(slots=True)
class Facts:
    """Facts of all signals, by path and port; `clocks` are period, offset; `error` why they are missing."""

    signals: dict[tuple[str, str], Fact] = field(default_factory=dict)
    blocks: dict[str, int] = field(default_factory=dict)  # clocks, also of subsystems with only one
    clocks: list[tuple[float, float]] = field(default_factory=list)
    aliases: dict[str, tuple[str, str]] = field(default_factory=dict)  # origins of signals by other paths
    error: BlockdynError | None = None


def facts_of(diagram: Diagram, *, units: bool) -> Facts:
    """Compile a diagram as far as its plan, and collect the facts of its signals."""
    try:
        program = diagram.compile()
    except BlockdynError as error:
        return Facts(error=error)
    return facts_of_program(program, units=units)


def facts_of_program(program: Program, *, units: bool) -> Facts:
    """The facts of the signals of a compiled diagram."""
    plan = program.plan
    facts = Facts(clocks=list(plan.clocks), aliases=dict(program.flat.aliases))
    inside: dict[str, set[int]] = {}
    for unit in plan.units:
        facts.blocks[unit.path] = unit.clock
        if unit.clock >= 0:
            around = [unit.path[:i] for i, letter in enumerate(unit.path) if letter == "/"]
            for path in around:
                inside.setdefault(path, set()).add(unit.clock)
        for port, size in unit.out_sizes.items():
            shape = "×".join(map(str, size.shape))
            text = plan.signal_units.of(unit, port) if units else ""
            facts.signals[unit.path, port] = Fact(shape, text, bool(size.fields), unit.clock)
    facts.blocks |= {path: clock for path, (clock, *more) in inside.items() if not more}
    for name, origin in program.flat.aliases.items():
        if origin in facts.signals:
            path, _, port = name.rpartition(".")
            facts.signals[path, port] = facts.signals[origin]
    return facts
