"""Doubts: sentences of blocks about signals of a run that may not be meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..compiler.program import Program

if TYPE_CHECKING:
    from ..results.trace import Trace


def doubts(program: Program, logged: Mapping[tuple[str, str], Trace]) -> Iterator[str]:
    """One sentence for each doubt about signals that are logged, by block and port."""
    units = program.plan.units
    for unit in units:
        for doubt in unit.block.doubts():
            sources = [unit.inputs.get(port) for port in doubt.inputs]
            ends = [(units[source.unit].path, source.port) for source in sources if source is not None]
            traces = [logged[end] for end in ends if end in logged]
            if len(traces) == len(doubt.inputs) and traces[0].samples:
                sentence = doubt.sentence(traces[0].time, *(trace.at(traces[0].time) for trace in traces))
                if sentence:
                    yield f"{unit.path}: {sentence}"
