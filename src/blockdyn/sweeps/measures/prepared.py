"""Preparing measures: what each looks at in a diagram, with the blocks that their formulas need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...base.article import article
from .attach import Attached
from .declaration import Measure
from .events import find_events
from .signals import NoSignal, Signals
from .text import read_formula

if TYPE_CHECKING:
    from ...diagrams.model.diagram import Diagram
    from ...diagrams.model.gathered import Errors


@dataclass(frozen=True)
class Column:
    """What a measure looks at: an element of an output of the prepared diagram."""

    path: str
    port: str
    index: int
    unit: str
    absolute: bool = False

    @property
    def log(self) -> str:
        return f"{self.path}.{self.port}"


def prepare(
    measures: Sequence[Measure], diagram: Diagram, errors: Errors, loops: str | None = None
) -> tuple[Diagram, tuple[Column | None, ...]]:
    """A copy of the diagram with the formulas that measures need, and what each measure looks at.

    Gathers BadMeasure and UnknownPath; raises the DiagramError family when the diagram cannot be compiled.
    """
    signals = Signals(diagram, loops)
    attached = Attached(diagram, tuple(tap.name for tap in signals.flat.taps))
    columns: list[Column | None] = []
    for measure in measures:
        column = None
        with errors:
            if measure.looks_at == "signal":
                column = signal_column(measure, signals, attached)
            elif measure.looks_at == "block":
                column = saturation_column(measure, signals, attached)
            elif measure.looks_at == "events":
                find_events(measure, signals.plan)
        columns.append(column)
    return attached.diagram, tuple(columns)


def signal_column(measure: Measure, signals: Signals, attached: Attached) -> Column:
    """What a measure of a signal looks at. Raises BadMeasure, UnknownPath."""
    formula, absolute = read_formula(measure, signals)
    alone = formula.alone
    if alone is not None:
        return Column(alone.path, alone.port, alone.index or 0, alone.unit, absolute)
    return Column(attached.formula(measure, formula), "y", 0, "", absolute)


def saturation_column(measure: Measure, signals: Signals, attached: Attached) -> Column:
    """The difference between the output and the input of a block that passes its input on.

    Raises BadMeasure.
    """
    path, bracket, index = measure.of.partition("[")
    unit = signals.units.get(path.rstrip())
    remedy = "expected: a block that passes its input on until a limit, such as a Saturation"
    if unit is None:
        raise measure.wrong(signals.unknown(measure.of).replace("signal", "block"), remedy)
    if len(unit.inputs) != 1 or len(unit.output_ports) != 1:
        has = f"{len(unit.inputs)} inputs and {len(unit.output_ports)} outputs"
        raise measure.wrong(f"{unit.path}, {article(unit.block.kind())}, has {has}", remedy)
    if unit.block.states:
        problem = (
            f"{unit.path}, {article(unit.block.kind())}, has states,"
            " and an output other than its input at all times"
        )
        raise measure.wrong(
            problem, f"{remedy}; of others, `time_above` or `time_below` a level near the limit"
        )
    source = unit.flat.sources[next(iter(unit.inputs))]
    if source is None:
        raise measure.wrong(f"the input of {unit.path} is open", remedy)
    try:
        after = signals.find(measure.of)
        before = signals.find(f"{source[0]}.{source[1]}{bracket}{index}")
    except NoSignal as error:
        raise measure.wrong(str(error), remedy) from None
    if after is None or before is None:
        raise measure.wrong(f"`{measure.of}` is no block", remedy)
    for end in (before, after):
        if end.shape:
            raise measure.wrong(f"`{measure.of}` is a {end.size}", f"say which element, `{path}[0]`")
    return Column(attached.difference(measure, after, before), "y", 0, "")
