"""Finding a trace by what a user calls it."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import UnknownSignal
from .trace import Trace


def find(path: str, signals: Mapping[str, Trace], states: Mapping[str, Trace]) -> Trace:
    """The trace that `path` names.

    In this order: a signal, a state, the only logged output of a block, an element of any of these
    (`arm.q[0]`, `uav.position[x]`). Raises UnknownSignal with the nearest names.
    """
    for traces in (signals, states):
        if path in traces:
            return traces[path]
    outputs = [name for name in signals if name.rpartition(".")[0] == path]
    if len(outputs) == 1:
        return signals[outputs[0]]
    if outputs:
        raise UnknownSignal(path, signals, hint=f"that block logged several outputs: {', '.join(outputs)}")
    whole, bracket, key = path.removesuffix("]").partition("[")
    if bracket and path.endswith("]"):
        return find(whole, signals, states).element(key)
    raise UnknownSignal(path, (*signals, *(name for name in states if name not in signals)))
