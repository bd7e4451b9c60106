"""Differences: which signals of a run its diagram compares, such as a reference and its response."""

from __future__ import annotations

from ...base.errors import BlockdynError
from ...blocks.mathematics.sum import Sum
from ...diagrams.model.flatten import flatten
from ...diagrams.results.result import Result

REFERENCES = (("r", "y"), ("reference", "measured"), ("reference", "y"))
"""Names of inputs of controllers."""


def differences(result: Result) -> list[tuple[str, str]]:
    """Pairs of signals, each in one pair at most; none where the result does not hold its diagram."""
    provenance = result.provenance
    try:
        diagram = provenance.source
        if diagram is None and provenance.description:
            from ...diagrams.yaml import loads

            diagram = loads(provenance.description)
        blocks = flatten(diagram).blocks if diagram is not None else ()
    except BlockdynError:
        return []
    pairs: list[tuple[str, str]] = []
    for flat in blocks:
        for ports in _compared(flat.block, tuple(flat.sources)):
            sources = [flat.sources[port] for port in ports]
            paths = tuple(".".join(source) for source in sources if source is not None)
            if len(set(paths)) == 2 and not any(path in pair for pair in pairs for path in paths):
                pairs.append((paths[0], paths[1]))
    return [pair for pair in pairs if _alike(result, pair)]


def _compared(block: object, ports: tuple[str, ...]) -> list[tuple[str, str]]:
    """The inputs whose difference a block takes, the reference first."""
    if isinstance(block, Sum):
        signs = block.signs if isinstance(block.signs, str) else ""
        return [(ports[signs.index("+")], ports[signs.index("-")])] if sorted(signs) == ["+", "-"] else []
    return [pair for pair in REFERENCES if set(pair) <= set(ports)][:1]


def _alike(result: Result, pair: tuple[str, str]) -> bool:
    traces = [result.signals.get(path) for path in pair]
    return all(trace is not None for trace in traces) and traces[0].shape == traces[1].shape  # type: ignore[union-attr]
